package sense_test

import (
	"fmt"
	"image"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"

	"combray/internal/sense"
	"combray/internal/sense/sensetest"
)

// Tolerances of facts/media.md 7.
const (
	statisticsTolerance = 1e-3 // relative
	bitsTolerance       = .02  // share of the bits
	zTolerance          = .02
)

func TestGoldenSounds(t *testing.T) {
	golden := sensetest.GoldenAudio(t)
	for _, name := range slices.Sorted(maps.Keys(golden.Signals)) {
		want := golden.Signals[name]
		samples := sensetest.Sound(t, name)
		sum := 0.
		for _, x := range samples {
			sum += math.Abs(float64(x))
		}
		if len(samples) != want.Samples || math.Abs(sum/want.SumAbs-1) > 1e-5 {
			t.Fatalf("%s is made wrong: %d samples, sum %.3f, want %d and %.3f", name, len(samples), sum, want.Samples, want.SumAbs)
		}
		p := sense.NewPrint(samples)
		words, active := sense.PrintWords(p)
		if len(words) != want.PrintFrames || active != want.PrintActive {
			t.Errorf("%s: print of %d frames, %d active, want %d and %d", name, len(words), active, want.PrintFrames, want.PrintActive)
		}
		checkWords(t, name, words, want.PrintWords)
		v := sense.Sound59(samples)
		norm := 0.
		for _, x := range v {
			norm += float64(x) * float64(x)
		}
		if norm = math.Sqrt(norm); len(v) != sense.Sound59Dims || math.Abs(norm/want.Sound59Norm-1) > statisticsTolerance {
			t.Errorf("%s: sound59 of %d values and length %.4f, want %.4f", name, len(v), norm, want.Sound59Norm)
		}
		for i, w := range want.Sound59First {
			if math.Abs(float64(v[i])-w) > statisticsTolerance*max(1, math.Abs(w)) {
				t.Errorf("%s: sound59[%d] = %.4f, want %.4f", name, i, v[i], w)
			}
		}
	}
}

func checkWords(t *testing.T, name string, words []uint32, want []string) {
	t.Helper()
	unequal := 0
	for i, hex := range want {
		w, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		unequal += bits.OnesCount32(words[40+i] ^ uint32(w))
	}
	if float64(unequal) > bitsTolerance*float64(32*len(want)) {
		t.Errorf("%s: %d of %d bits differ", name, unequal, 32*len(want))
	}
}

func TestGoldenPrintPairs(t *testing.T) {
	golden := sensetest.GoldenAudio(t)
	for _, pair := range slices.Sorted(maps.Keys(golden.PrintPairs)) {
		want := golden.PrintPairs[pair]
		a, b, _ := strings.Cut(pair, "|")
		got := sense.NewPrint(sensetest.Sound(t, a)).Match(sense.NewPrint(sensetest.Sound(t, b)))
		if math.Abs(got.Z-want.Z) > zTolerance {
			t.Errorf("%s: %+v, want %+v", pair, got, want)
		}
		if want.Z > 2.2 && (got.Frames != want.Frames || got.Offset != want.Offset) {
			t.Errorf("%s meets at %+v, want %+v", pair, got, want)
		}
	}
}

func TestGoldenSound59Pairs(t *testing.T) {
	golden := sensetest.GoldenAudio(t)
	for _, pair := range slices.Sorted(maps.Keys(golden.Sound59Cos)) {
		a, b, _ := strings.Cut(pair, "|")
		got := sense.NewVector(sense.Sound59(sensetest.Sound(t, a))).Cosine(sense.NewVector(sense.Sound59(sensetest.Sound(t, b))))
		if want := golden.Sound59Cos[pair]; math.Abs(got-want) > 2*statisticsTolerance { // of 8 bits
			t.Errorf("%s: cosine %.4f, want %.4f", pair, got, want)
		}
	}
}

func TestGoldenMelFrames(t *testing.T) {
	golden := sensetest.GoldenAudio(t)
	for _, name := range slices.Sorted(maps.Keys(golden.Signals)) {
		frames := golden.Signals[name].MelFrames
		if got, want := len(sense.VoiceMel(sensetest.Sound(t, name))), 1+(frames-160)/77; got != want {
			t.Errorf("%s: %d inputs, want %d of %d frames", name, got, want, frames)
		}
	}
}

func TestGoldenPictures(t *testing.T) {
	golden := sensetest.GoldenImage(t)
	for _, name := range slices.Sorted(maps.Keys(golden.Images)) {
		want := golden.Images[name]
		img := sensetest.Picture(t, name)
		pixel := img.RGBAAt(10, 20)
		if got := []int{int(pixel.R), int(pixel.G), int(pixel.B)}; !slices.Equal(got, want.Pixel1020) || img.Rect.Dx() != want.W || img.Rect.Dy() != want.H {
			t.Fatalf("%s is made wrong: %v of %v, want %v of %d x %d", name, got, img.Rect, want.Pixel1020, want.W, want.H)
		}
		if got := fmt.Sprintf("%016x", hashOf(img)); got != want.PHash64 {
			t.Errorf("%s: pHash64 %s, want %s", name, got, want.PHash64)
		}
	}
}

func hashOf(img *image.RGBA) uint64 {
	grid := sense.NewGreyGrid(img.Rect.Dx(), img.Rect.Dy())
	for y := range img.Rect.Dy() {
		grid.AddRow(y, img.Pix[y*img.Stride:])
	}
	return sense.PHash64(grid.Cells())
}
