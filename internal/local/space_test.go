package local

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"testing"

	"combray/encoder/encodertest"
	"combray/internal/memory"
	"combray/internal/models"
)

// spaceConfig is a memory whose encoder of texts has encoders of pictures and sounds
// beside it.
func spaceConfig(t *testing.T) Config {
	t.Helper()
	dir := t.TempDir()
	return Config{Path: filepath.Join(dir, "memory.db"), Model: "space", Models: models.Store{Dir: dir, Library: encodertest.Library(t),
		Lock: &models.Lock{Version: 1, Models: encodertest.InstallSpace(t, "../../encoder/testdata", dir)}}}
}

func painted(t *testing.T) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 96, 64))
	for i := range 96 * 64 {
		m.Set(i%96, i/96, color.RGBA{uint8(i), uint8(i / 7), 40, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPicturesStandBesideTextsInTheirSpace keeps a memory with a picture: what cues
// are compared with is then its text and its picture, and without the encoder of
// pictures its text alone.
func TestPicturesStandBesideTextsInTheirSpace(t *testing.T) {
	for _, installed := range []bool{true, false} {
		c := spaceConfig(t)
		if !installed {
			if err := c.Models.Remove("space-pictures"); err != nil {
				t.Fatal(err)
			}
		}
		l := openRows(t, c)
		m := remember(t, l, memory.RememberInput{Content: "the harbour", Signals: &memory.Signals{Image: &memory.MediaSignal{Data: painted(t)}}})
		text := "a harbour"
		if _, err := l.Sense(t.Context(), memory.SenseInput{Text: &text}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.BackfillCues(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		vectors, err := l.Store.Vectors(t.Context(), []int64{m.Number}, l.cues.Identity())
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if installed {
			want = 2
		}
		if len(vectors[0]) != want {
			t.Errorf("encoder of pictures installed: %v; %d vectors for cues, want %d", installed, len(vectors[0]), want)
		}
	}
}
