package encoder_test

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/encoder/encodertest"
	"combray/internal/media"
	"combray/internal/sense"
	"combray/internal/sense/sensetest"
)

func openPicture(tb testing.TB) *encoder.Picture {
	tb.Helper()
	p, err := encoder.OpenPicture(tb.Context(), encoder.MediaConfig{Library: encodertest.Library(tb)}, bundled.Picture())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { p.Close() })
	return p
}

func openVoice(tb testing.TB) *encoder.Voice {
	tb.Helper()
	v, err := encoder.OpenVoice(tb.Context(), encoder.MediaConfig{Library: encodertest.Library(tb)}, bundled.Voice())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { v.Close() })
	return v
}

// The graph alone, fed with the formula of the golden file. What it gives for real
// pixels is held by internal/media (TestGoldenPixels) and the binary's tests.
func TestGoldenPictureGraph(t *testing.T) {
	golden := sensetest.GoldenImage(t).GraphOnly
	pixels := make([]float32, 3*224*224)
	for i := range pixels {
		pixels[i] = float32(97 * i % 256)
	}
	seen, err := openPicture(t).See(t.Context(), pixels)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range golden.First8 {
		if got := float64(seen.Vector[i]) * golden.Norm; math.Abs(got-want) > 1e-3*golden.Norm {
			t.Errorf("embedding[%d] = %.4f, want %.4f", i, got, want)
		}
	}
	if len(seen.Labels) != 5 || seen.Labels[0].Index != golden.TopLabel {
		t.Errorf("labels %+v, want %d first", seen.Labels, golden.TopLabel)
	}
	if !slices.IsSortedFunc(seen.Labels, func(a, b encoder.Label) int { return int(math.Copysign(1, b.P-a.P)) }) {
		t.Errorf("labels are not sorted: %+v", seen.Labels)
	}
}

func TestGoldenVoiceGraph(t *testing.T) {
	golden := sensetest.GoldenAudio(t).SpeakerGraphOnly
	mel := make([]float32, 160*40)
	for i := range mel {
		mel[i] = float32(53*i%100) / 1000
	}
	v, err := openVoice(t).Hear(t.Context(), [][]float32{mel})
	if err != nil {
		t.Fatal(err)
	}
	checkTop(t, "graph", v, golden.Top4)
	nonzero := 0
	for _, x := range v {
		if x != 0 {
			nonzero++
		}
	}
	if nonzero != golden.Nonzero {
		t.Errorf("%d values are not zero, want %d", nonzero, golden.Nonzero)
	}
}

// The voice front end and the graph together.
func TestGoldenVoices(t *testing.T) {
	golden := sensetest.GoldenAudio(t)
	voice := openVoice(t)
	vectors := map[string][]float32{}
	for _, name := range slices.Sorted(maps.Keys(golden.Signals)) {
		v, err := voice.Hear(t.Context(), sense.VoiceMel(sensetest.Sound(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		vectors[name] = v
		checkTop(t, name, v, golden.Signals[name].SpeakerTop4)
	}
	for _, pair := range slices.Sorted(maps.Keys(golden.SpeakerCos)) {
		a, b, _ := strings.Cut(pair, "|")
		if got, want := cosine(vectors[a], vectors[b]), golden.SpeakerCos[pair]; math.Abs(got-want) > 2e-3 {
			t.Errorf("%s: cosine %.4f, want %.4f", pair, got, want)
		}
	}
}

// checkTop compares the largest values of a vector with the golden ones.
func checkTop(t *testing.T, name string, v []float32, top map[string]float64) {
	t.Helper()
	var got, want []float32
	for _, key := range slices.Sorted(maps.Keys(top)) {
		i, err := strconv.Atoi(key)
		if err != nil {
			t.Fatal(err)
		}
		got, want = append(got, v[i]), append(want, float32(top[key]))
	}
	if c := cosine(got, want); c < .999 || math.Abs(float64(got[0]/want[0])-1) > .02 {
		t.Errorf("%s: the largest values are %v, want %v", name, got, want)
	}
}

func TestMediaEncodersStop(t *testing.T) {
	picture, voice := openPicture(t), openVoice(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	pixels, mel := make([]float32, 3*224*224), [][]float32{make([]float32, 160*40)}
	if _, err := picture.See(ended, pixels); !errors.Is(err, context.Canceled) {
		t.Errorf("See after the end of its context: %v", err)
	}
	if _, err := voice.Hear(ended, mel); !errors.Is(err, context.Canceled) {
		t.Errorf("Hear after the end of its context: %v", err)
	}
	if _, err := picture.See(t.Context(), pixels); err != nil {
		t.Errorf("See works no more after a cancelled call: %v", err)
	}
	for range 2 {
		if err := errors.Join(picture.Close(), voice.Close()); err != nil {
			t.Error(err)
		}
	}
	if _, err := picture.See(t.Context(), pixels); !errors.Is(err, encoder.ErrClosed) {
		t.Errorf("See after Close: %v", err)
	}
	if _, err := voice.Hear(t.Context(), mel); !errors.Is(err, encoder.ErrClosed) {
		t.Errorf("Hear after Close: %v", err)
	}
}

func TestMediaEncodersRefuse(t *testing.T) {
	library := encodertest.Library(t)
	damaged := bundled.Picture()
	damaged.Graph.Bytes, damaged.Graph.Mapped = append([]byte{1}, damaged.Graph.Bytes...), false
	swapped := bundled.Picture()
	swapped.Graph = bundled.Voice().Graph
	unlabelled := bundled.Picture()
	unlabelled.Labels = encoder.Source{}
	for name, c := range map[string]struct {
		library string
		files   encoder.PictureFiles
		says    string
	}{
		"a damaged graph":      {library, damaged, "install the program again"},
		"no library":           {"", bundled.Picture(), "COMBRAY_ORT_LIB"},
		"the graph of a voice": {library, swapped, "does not work"},
		"no labels":            {library, unlabelled, "labels"},
		"a library not there":  {"nowhere/libonnxruntime.so", bundled.Picture(), "make setup"},
	} {
		_, err := encoder.OpenPicture(t.Context(), encoder.MediaConfig{Library: c.library}, c.files)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q in it", name, err, c.says)
		}
	}
	picture := openPicture(t)
	if _, err := picture.See(t.Context(), make([]float32, 7)); err == nil || !strings.Contains(err.Error(), "150528 values, not 7") {
		t.Errorf("seven pixels: %v", err)
	}
	if _, err := openVoice(t).Hear(t.Context(), nil); err == nil {
		t.Error("a voice was heard in nothing")
	}
}

// Changing one of these makes every stored vector of pictures or voices worthless.
func TestMediaIdentitiesAreStable(t *testing.T) {
	if got, want := bundled.Picture().Identity(), "efficientnet-lite0:4ee89c0a78b7d2aa"; got != want {
		t.Errorf("picture encoder is %s, was %s", got, want)
	}
	if got, want := bundled.Voice().Identity(), "resemblyzer:913d482104f18d41"; got != want {
		t.Errorf("voice encoder is %s, was %s", got, want)
	}
}

func BenchmarkPicture(b *testing.B) {
	picture := openPicture(b)
	pixels := make([]float32, 3*224*224)
	for b.Loop() {
		if _, err := picture.See(b.Context(), pixels); err != nil {
			b.Fatal(err)
		}
	}
}

// The whole way of a picture: bytes, pixels, vector and label.
func TestGoldenPictures(t *testing.T) {
	golden := sensetest.GoldenImage(t)
	picture := openPicture(t)
	vectors := map[string][]float32{}
	for _, name := range slices.Sorted(maps.Keys(golden.Images)) {
		var file bytes.Buffer
		if err := png.Encode(&file, sensetest.Picture(t, name)); err != nil {
			t.Fatal(err)
		}
		read, err := media.ReadPicture(t.Context(), file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		seen, err := picture.See(t.Context(), read.Pixels)
		if err != nil {
			t.Fatal(err)
		}
		want := golden.Images[name]
		if seen.Labels[0].Index != want.TopLabel {
			t.Errorf("%s is taken for %d, want %d", name, seen.Labels[0].Index, want.TopLabel)
		}
		first := make([]float32, len(want.First8))
		for i, x := range want.First8 {
			first[i] = float32(x / want.Norm)
		}
		if c := cosine(seen.Vector[:len(first)], first); c < .999 {
			t.Errorf("%s: the first values are %v, want %v (cosine %.5f)", name, seen.Vector[:len(first)], first, c)
		}
		vectors[name] = seen.Vector
	}
	for _, pair := range slices.Sorted(maps.Keys(golden.EmbeddingCos)) {
		a, b, _ := strings.Cut(pair, "|")
		if got, want := cosine(vectors[a], vectors[b]), golden.EmbeddingCos[pair]; math.Abs(got-want) > 2e-3 {
			t.Errorf("%s: cosine %.4f, want %.4f", pair, got, want)
		}
	}
}
