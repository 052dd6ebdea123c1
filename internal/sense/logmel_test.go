package sense

import (
	"math"
	"math/cmplx"
	"testing"
)

func TestLogMelCounts(t *testing.T) {
	for samples, want := range map[int][2]int{ // real frames, rows
		0: {}, 160: {}, 161: {1, 1}, 16000: {99, 25}, 16001: {100, 25}, 320000: {1999, 500}, 54400: {339, 85},
	} {
		got := NewLogMel(make([]float32, samples))
		real := 0
		for _, r := range got.Real {
			if r {
				real++
			}
		}
		if real != want[0] || got.Rows != want[1] || len(got.Values) != len(got.Real)*LogMelBands {
			t.Errorf("%d samples: %d real frames, %d rows; want %v", samples, real, got.Rows, want)
		}
	}
}

// TestLogMelByTheFormula computes one frame of a chirp with sums.
func TestLogMelByTheFormula(t *testing.T) {
	samples := make([]float32, 8000)
	for i := range samples {
		s := float64(i) / SampleRate
		samples[i] = float32(.4*math.Sin(2*math.Pi*(300*s+2000*s*s)) + .01*math.Sin(float64(i*i%977)))
	}
	got := NewLogMel(samples)
	for _, frame := range []int{0, 1, 7, 48} {
		var magnitude [257]float64
		for k := range magnitude {
			var c complex128
			for i := range 320 {
				x := 0.
				if j := frame*160 - 160 + i; j >= 0 {
					x = float64(samples[j])
				}
				w := .5 - .5*math.Cos(2*math.Pi*float64(i)/320)
				c += complex(x*w, 0) * cmplx.Exp(complex(0, -2*math.Pi*float64(k*i)/512))
			}
			magnitude[k] = cmplx.Abs(c)
		}
		mel := func(f float64) float64 { return 2595 * math.Log10(1+f/700) }
		hz := func(m float64) float64 { return 700 * (math.Pow(10, m/2595) - 1) }
		for band := range LogMelBands {
			step := mel(8000) / (LogMelBands + 1)
			low, mid, high := hz(step*float64(band)), hz(step*float64(band+1)), hz(step*float64(band+2))
			sum := 0.
			for k, x := range magnitude {
				f := float64(k) * SampleRate / 512
				sum += x * max(0, min((f-low)/(mid-low), (high-f)/(high-mid)))
			}
			if want := math.Log(sum + .001); math.Abs(want-float64(got.Values[frame*LogMelBands+band])) > 1e-4 {
				t.Fatalf("frame %d, band %d: %v, want %v", frame, band, got.Values[frame*LogMelBands+band], want)
			}
		}
	}
	if !got.Real[48] || got.Real[len(got.Real)-1] {
		t.Error("the last frame reaches behind the clip and is called real")
	}
}
