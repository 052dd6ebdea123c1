package media

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"testing"

	"combray/encoder"
	"combray/internal/sense"
)

// TestPatchSizes has sizes that the publisher's own processor gives.
func TestPatchSizes(t *testing.T) {
	for in, want := range map[[2]int][3]int{
		{640, 480}: {912, 672, 266}, {480, 640}: {672, 912, 266}, {1024, 1024}: {768, 768, 256}, {1920, 1080}: {1056, 576, 264},
		{3000, 200}: {3072, 192, 256}, {100, 100}: {768, 768, 256}, {1, 1}: {768, 768, 256},
		{65535, 1}: {280 * 48, 48, 280}, {1, 65535}: {48, 280 * 48, 280}, {900, 3}: {280 * 48, 48, 280},
	} {
		w, h := patchSize(in[0], in[1])
		if rows := w / 48 * (h / 48); w != want[0] || h != want[1] || rows != want[2] || w*h > mostPatches*256 {
			t.Errorf("%d x %d becomes %d x %d of %d rows, want %v", in[0], in[1], w, h, rows, want)
		}
	}
}

// halves is a picture whose left half is red and whose lower half is blue too.
func halves(w, h int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{A: 255}
			if x < w/2 {
				c.R = 255
			}
			if y >= h/2 {
				c.B = 255
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func TestPatchesOfAPicture(t *testing.T) {
	p := squaresOf(t, halves(96, 48), 1)
	if len(p.Values) != 2520*768 || len(p.Places) != 2*2520 || p.Each != 768 {
		t.Fatalf("%d values, %d places, %d each", len(p.Values), len(p.Places), p.Each)
	}
	w, h := patchSize(96, 48)
	columns, lines := w/16, h/16
	if p.Rows != columns*lines/9 {
		t.Errorf("%d rows for %d x %d squares", p.Rows, columns, lines)
	}
	for i := range mostPatches {
		x, y := int64(i%columns), int64(i/columns)
		if i >= columns*lines {
			x, y = -1, -1
		}
		if p.Places[2*i] != x || p.Places[2*i+1] != y {
			t.Fatalf("square %d stands at %d, %d, want %d, %d", i, p.Places[2*i], p.Places[2*i+1], x, y)
		}
	}
	if slices.ContainsFunc(p.Values[columns*lines*768:], func(v float32) bool { return v != 0 }) {
		t.Error("what only fills up has values")
	}
	for at, want := range map[int][3]float32{0: {1, 0, 0}, columns - 1: {}, (lines - 1) * columns: {1, 0, 1}, lines*columns - 1: {0, 0, 1}} {
		if got := [3]float32(p.Values[at*768:][:3]); got != want {
			t.Errorf("the first pixel of square %d is %v, want %v", at, got, want)
		}
	}
}

func squaresOf(t *testing.T, m image.Image, o orientation) *encoder.Patches {
	t.Helper()
	p, err := reduce(context.Background(), m, exif{orientation: o}, true)
	if err != nil {
		t.Fatal(err)
	}
	return p.Patches
}

// TestPatchesAreUpright lays the same picture into the file in every way.
func TestPatchesAreUpright(t *testing.T) {
	upright := halves(120, 80)
	want := squaresOf(t, upright, 1)
	for o := orientation(2); o <= 8; o++ {
		w, h := 120, 80
		if o.sideways() {
			w, h = h, w
		}
		lying := image.NewRGBA(image.Rect(0, 0, w, h))
		for y := range 80 {
			for x := range 120 {
				fromX, fromY := o.from(x, y, 120, 80)
				lying.Set(fromX, fromY, upright.At(x, y))
			}
		}
		got := squaresOf(t, lying, o)
		if got.Rows != want.Rows || !slices.Equal(got.Places, want.Places) {
			t.Errorf("orientation %d: %d rows at other places", o, got.Rows)
		}
		for i := range got.Values {
			if math.Abs(float64(got.Values[i]-want.Values[i])) > 2./255 {
				t.Fatalf("orientation %d: value %d is %v, want %v", o, i, got.Values[i], want.Values[i])
			}
		}
	}
}

func TestFramesOfASound(t *testing.T) {
	for seconds, parts := range map[int]int{1: 1, 20: 1, 21: 2, 60: 3} {
		got := frames(make([]float32, seconds*sense.SampleRate))
		if len(got) != parts {
			t.Errorf("%d s are %d parts, want %d", seconds, len(got), parts)
		}
		for _, f := range got {
			if f.Rows > 500 || len(f.Values) != len(f.Real)*f.Bands || f.Bands != 128 {
				t.Errorf("%d s: %d rows, %d values, %d frames", seconds, f.Rows, len(f.Values), len(f.Real))
			}
		}
	}
	if got := frames(make([]float32, 20)); got != nil {
		t.Errorf("a click has %d parts", len(got))
	}
}

// spaceOf stands for an encoder of a space.
type spaceOf struct{ sees, hears bool }

func (s spaceOf) Sees() bool     { return s.sees }
func (s spaceOf) Hears() bool    { return s.hears }
func (spaceOf) Identity() string { return "test:1" }
func (spaceOf) See(_ context.Context, p encoder.Patches) ([]float32, error) {
	return []float32{float32(p.Rows), 1}, nil
}
func (spaceOf) Hear(_ context.Context, parts []encoder.Frames) ([]float32, error) {
	return []float32{float32(parts[0].Rows), 2}, nil
}

// TestASpaceAddsItsFingerprint reads a picture and a sound with a space that takes one
// of them.
func TestASpaceAddsItsFingerprint(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, halves(96, 48)); err != nil {
		t.Fatal(err)
	}
	for _, sees := range []bool{true, false} {
		r := Reader{Space: spaceOf{sees: sees}}
		got, err := r.Read(t.Context(), Signal{Channel: ChannelImage, Data: b.Bytes()})
		if err != nil {
			t.Fatal(err)
		}
		has := slices.ContainsFunc(got.Fingerprints, func(f Fingerprint) bool { return f.Backend == "space:test:1" })
		if has != sees {
			t.Errorf("sees %v: %+v", sees, got.Fingerprints)
		}
	}
	data := packed([]float32{3, 4})
	if v := Unpacked(data); math.Abs(float64(v[0])-.6) > .01 || math.Abs(float64(v[1])-.8) > .01 {
		t.Errorf("unpacked %v", v)
	}
	if Unpacked(nil) != nil {
		t.Error("nothing has a direction")
	}
	if a := Alike("space:test:1", data, data); a.Proof != 1 {
		t.Errorf("a picture is not like itself: %+v", a)
	}
}
