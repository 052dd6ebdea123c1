package local

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"combray/internal/memory"
)

// stamp is a picture with some structure, so that it differs from another one.
func stamp(t *testing.T, period int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 96, 64))
	for y := range 64 {
		for x := range 96 {
			img.Set(x, y, color.RGBA{R: uint8(x * 255 / 96), G: uint8((x / period % 2) * 200), B: uint8(y * y / 17), A: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestACopyOfAPictureBringsItsMemoryBack goes the whole way without an encoder.
func TestACopyOfAPictureBringsItsMemoryBack(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "x.db"))
	image := func(period int) *memory.Signals {
		return &memory.Signals{Image: &memory.MediaSignal{Data: stamp(t, period), Mime: "image/png"}}
	}
	kept := remember(t, l, memory.RememberInput{Content: "The stamp that Ada brought", Signals: image(7)})
	remember(t, l, memory.RememberInput{Content: "Another stamp", Signals: image(19)})
	out, err := l.Sense(context.Background(), memory.SenseInput{Signals: image(7)})
	if err != nil || len(out.Rows) != 1 || out.Rows[0].Memory.ID != kept.ID || out.Rows[0].Recollection.Via[0] != memory.ChannelImage {
		t.Fatalf("%+v, %v", out, err)
	}
	if len(out.Warnings) == 0 || !strings.Contains(out.Warnings[0], "encoder") {
		t.Errorf("nothing says that only copies are recognised: %q", out.Warnings)
	}
}

func TestASignalNamesNoFileUnlessAllowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stamp.png")
	if err := os.WriteFile(path, stamp(t, 5), 0o600); err != nil {
		t.Fatal(err)
	}
	in := memory.SenseInput{Signals: &memory.Signals{Image: &memory.MediaSignal{Path: path}}}
	closed := open(t, Memory)
	_, err := closed.Sense(context.Background(), in)
	if memory.CodeOf(err) != memory.CodeInvalid || !strings.Contains(err.Error(), "file of this machine") {
		t.Errorf("not allowed: %v", err)
	}
	allowed := open(t, Memory, func(c *Config) { c.AllowLocalFiles = true })
	if _, err := allowed.Sense(context.Background(), in); err != nil {
		t.Errorf("allowed: %v", err)
	}
}

func TestAnEmptySignalIsRefused(t *testing.T) {
	l := open(t, Memory)
	for name, s := range map[string]memory.MediaSignal{
		"nothing":          {},
		"bytes of no kind": {Data: []byte("hello")},
		"a bare vector":    {Vector: []float32{1, 2}},
	} {
		_, err := l.Sense(context.Background(), memory.SenseInput{Signals: &memory.Signals{Image: &s}})
		if memory.CodeOf(err) != memory.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
