// Package sensetest makes the sounds and pictures of the golden files from their
// formulas, for every test that needs one, and reads what is expected of them.
// There are no recordings in it.
package sensetest

import (
	_ "embed" // for the directives below
	"encoding/json"
	"image"
	"image/color"
	"math"
	"testing"
)

//go:embed golden-audio.json
var audioJSON []byte

//go:embed golden-image.json
var imageJSON []byte

// Audio is golden-audio.json: what the rules of facts/media.md give for the sounds.
type Audio struct {
	Signals map[string]struct {
		Samples      int
		First        []float64
		SumAbs       float64            `json:"sum_abs"`
		PrintFrames  int                `json:"print_frames"`
		PrintActive  int                `json:"print_active"`
		PrintWords   []string           `json:"print_words_40_43"`
		Sound59First []float64          `json:"sound59_first6"`
		Sound59Norm  float64            `json:"sound59_norm"`
		MelFrames    int                `json:"speaker_mel_frames"`
		SpeakerTop4  map[string]float64 `json:"speaker_top4"`
	}
	PrintPairs map[string]struct {
		Z      float64
		Frames int
		Offset int
	} `json:"print_pairs"`
	Sound59Cos       map[string]float64 `json:"sound59_cos"`
	SpeakerCos       map[string]float64 `json:"speaker_cos"`
	SpeakerGraphOnly struct {
		Top4    map[string]float64
		Nonzero int
	} `json:"speaker_graph_only"`
}

// Image is golden-image.json.
type Image struct {
	Images map[string]struct {
		W, H      int
		Pixel1020 []int     `json:"pixel_10_20"`
		PHash64   string    `json:"phash64"`
		InputMean []float64 `json:"input_mean"`
		First8    []float64 `json:"embedding_first8"`
		Norm      float64   `json:"embedding_norm"`
		TopLabel  int       `json:"top_label"`
		TopLogit  float64   `json:"top_logit"`
	}
	GraphOnly struct {
		First8   []float64 `json:"embedding_first8"`
		Norm     float64
		TopLabel int     `json:"top_label"`
		TopLogit float64 `json:"top_logit"`
	} `json:"graph_only"`
	EmbeddingCos map[string]float64 `json:"embedding_cos"`
}

// GoldenAudio reads golden-audio.json.
func GoldenAudio(tb testing.TB) Audio { return read[Audio](tb, audioJSON) }

// GoldenImage reads golden-image.json.
func GoldenImage(tb testing.TB) Image { return read[Image](tb, imageJSON) }

func read[T any](tb testing.TB, data []byte) (out T) {
	tb.Helper()
	if err := json.Unmarshal(data, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// length is the number of samples of most sounds: three seconds.
const length = 48000

// Sound makes a sound of golden-audio.json by its name: mono, 16 kHz.
func Sound(tb testing.TB, name string) []float32 {
	tb.Helper()
	second := func(i int) float64 { return float64(i) / 16000 }
	switch name {
	case "tone440":
		return sampled(func(i int) float64 { return .5 * math.Sin(2*math.Pi*440*second(i)) })
	case "chirp":
		return sampled(func(i int) float64 {
			t := second(i)
			return .5 * math.Sin(2*math.Pi*(200*t+2800./6*t*t))
		})
	case "noise":
		u := noise(1)
		return sampled(func(int) float64 { return .3 * u() })
	case "melody":
		return sampled(melody)
	case "melody_noisy":
		u := noise(7)
		return sampled(func(i int) float64 { return melody(i) + .05*u() })
	case "melody_cut":
		return sampled(melody)[6000:38000]
	case "voice120":
		return voice(120)
	case "voice210":
		return voice(210)
	}
	tb.Fatalf("there is no golden sound %q", name)
	return nil
}

func sampled(at func(i int) float64) []float32 {
	out := make([]float32, length)
	for i := range out {
		out[i] = float32(at(i))
	}
	return out
}

// noise returns even noise between -1 and 1 of a linear congruential generator.
func noise(x uint32) func() float64 {
	return func() float64 {
		x = 1664525*x + 1013904223
		return float64(x)/(1<<31) - 1
	}
}

func melody(i int) float64 {
	sum := 0.
	for k, s := range []float64{0, 5, 7, 12, 3, 10, 8, 15, 2, 9, 14, 6} {
		if i < 4000*k {
			break
		}
		v, f := float64(i-4000*k)/16000, 220*math.Pow(2, s/12)
		sum += .3 * math.Exp(-6*v) * (math.Sin(2*math.Pi*f*v) + .5*math.Sin(6*math.Pi*f*v))
	}
	return sum
}

func voice(pitch float64) []float32 {
	out, peak := make([]float64, length), 0.
	for i := range out {
		t := float64(i) / 16000
		for h := 1.; h <= 29 && h*pitch <= 7000; h++ {
			a := 0.
			for _, formant := range [][3]float64{{600, 120, 1}, {1500, 150, .6}, {2600, 200, .3}} {
				d := (h*pitch - formant[0]) / formant[1]
				a += formant[2] / (1 + d*d)
			}
			out[i] += a * math.Sin(2*math.Pi*h*pitch*t+h*h)
		}
		out[i] *= .5 + .5*math.Sin(6*math.Pi*t)
		peak = max(peak, math.Abs(out[i]))
	}
	return sampled(func(i int) float64 { return .4 * out[i] / peak })
}

// Picture makes a picture of golden-image.json by its name.
func Picture(tb testing.TB, name string) *image.RGBA {
	tb.Helper()
	switch name {
	case "gradient":
		return painted(image.Rect(0, 0, 256, 192), func(x, y int) [3]float64 {
			return [3]float64{float64(x), math.Floor(255 * float64(y) / 191), float64((x + y) % 256)}
		})
	case "plasma":
		return painted(image.Rect(0, 0, 256, 192), plasma)
	case "plasma_dark":
		return painted(image.Rect(0, 0, 256, 192), func(x, y int) [3]float64 {
			c := plasma(x, y)
			return [3]float64{math.Floor(.7 * c[0]), math.Floor(.7 * c[1]), math.Floor(.7 * c[2])}
		})
	case "plasma_crop":
		return painted(image.Rect(0, 0, 230, 172), func(x, y int) [3]float64 { return plasma(x+13, y+10) })
	}
	tb.Fatalf("there is no golden picture %q", name)
	return nil
}

func plasma(x, y int) [3]float64 {
	fx, fy := float64(x), float64(y)
	return [3]float64{
		math.Floor(127.5 + 60*math.Sin(2*math.Pi*fx/50) + 60*math.Cos(2*math.Pi*(fx+2*fy)/90)),
		math.Floor(127.5 + 100*math.Sin(2*math.Pi*(fx*fx+fy*fy)/20000)),
		math.Floor(127.5 + 80*math.Cos(2*math.Pi*fy/37)*math.Sin(2*math.Pi*fx/111)),
	}
}

func painted(r image.Rectangle, at func(x, y int) [3]float64) *image.RGBA {
	img := image.NewRGBA(r)
	for y := range r.Dy() {
		for x := range r.Dx() {
			c := at(x, y)
			img.SetRGBA(x, y, color.RGBA{R: uint8(c[0]), G: uint8(c[1]), B: uint8(c[2]), A: 255})
		}
	}
	return img
}
