package sense_test

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"testing"

	"combray/internal/sense"
	"combray/internal/sense/sensetest"
)

// pause is silence of some seconds.
func pause(seconds float64) []float32 { return make([]float32, int(seconds*sense.SampleRate)) }

func TestPrintKnowsSilence(t *testing.T) {
	melody := sensetest.Sound(t, "melody")
	for name, c := range map[string]struct {
		samples   []float32
		low, high int // active frames
	}{
		"nothing":                   {nil, 0, 0},
		"silence":                   {pause(3), 0, 0},
		"too short":                 {melody[:5000], 0, 0},
		"a melody":                  {melody, 187, 187},
		"a melody between silences": {slices.Concat(pause(2), melody, pause(2)), 187, 205},
	} {
		if got := sense.NewPrint(c.samples).Active(); got < c.low || got > c.high {
			t.Errorf("%s: %d active frames, want %d to %d", name, got, c.low, c.high)
		}
	}
}

// The fast comparison gives what the formula says, at every offset, with silence on
// either side.
func TestMatchAgreesWithTheFormula(t *testing.T) {
	melody, voice := sensetest.Sound(t, "melody"), sensetest.Sound(t, "voice120")
	clips := [][]float32{melody, melody[7000:30000], slices.Concat(pause(1), melody[:20000], pause(.5)), voice[:16000], slices.Concat(voice[:9000], pause(1), voice[9000:20000])}
	for i, a := range clips {
		for j, b := range clips {
			p, q := sense.NewPrint(a), sense.NewPrint(b)
			if got, want := p.Match(q), plainMatch(p, q); math.Abs(got.Z-want.Z) > 1e-12 || got.Frames != want.Frames {
				t.Errorf("clips %d and %d: %+v, want %+v", i, j, got, want)
			}
			if back := q.Match(p); math.Abs(back.Z-p.Match(q).Z) > 1e-12 {
				t.Errorf("clips %d and %d: %+v one way, %+v the other", i, j, p.Match(q), back)
			}
		}
	}
}

func plainMatch(p, q sense.Print) sense.Match {
	a, aActive := sense.PrintFrames(p)
	b, bActive := sense.PrintFrames(q)
	least := max(24, float64(min(p.Active(), q.Active()))/2)
	best := sense.Match{Z: math.Inf(-1)}
	for offset := -len(a); offset <= len(b); offset++ {
		n, equal := 0, 0
		for i := range a {
			if j := i + offset; j >= 0 && j < len(b) && aActive[i] && bActive[j] {
				n++
				equal += 32 - bits.OnesCount32(a[i]^b[j])
			}
		}
		if float64(n) >= least {
			if z := float64(2*equal-32*n) / (32 * math.Sqrt(float64(n))); z > best.Z {
				best = sense.Match{Z: z, Frames: n, Offset: offset}
			}
		}
	}
	if math.IsInf(best.Z, -1) {
		return sense.Match{}
	}
	return best
}

func TestPrintIsStored(t *testing.T) {
	for name, samples := range map[string][]float32{
		"no print": pause(1), "a melody": sensetest.Sound(t, "melody"), "with silence": slices.Concat(sensetest.Sound(t, "melody"), pause(1)),
	} {
		p := sense.NewPrint(samples)
		data, err := p.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var read sense.Print
		if err := read.UnmarshalBinary(data); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again, _ := read.MarshalBinary(); !bytes.Equal(data, again) || read.Active() != p.Active() {
			t.Errorf("%s: stored %d bytes of %d active frames, read %d of %d", name, len(data), p.Active(), len(again), read.Active())
		}
	}
}

func FuzzPrint(f *testing.F) {
	whole, _ := sense.NewPrint(sensetest.Sound(f, "melody")).MarshalBinary()
	for _, seed := range [][]byte{nil, {1}, {2, 3}, whole, whole[:len(whole)-1], append(slices.Clone(whole), 0)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p sense.Print
		if p.UnmarshalBinary(data) != nil {
			return
		}
		if again, err := p.MarshalBinary(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%d bytes were read and %d are written, %v", len(data), len(again), err)
		}
		if p.Active() > 0 && p.Match(p).Z < 2.2 {
			t.Errorf("a print of %d frames is not its own: %+v", p.Active(), p.Match(p))
		}
	})
}

func TestSoundsWithoutAKind(t *testing.T) {
	for name, samples := range map[string][]float32{"nothing": nil, "silence": pause(1), "four frames": sensetest.Sound(t, "noise")[:400+3*160]} {
		if v := sense.Sound59(samples); v != nil {
			t.Errorf("%s has a kind: %v", name, v)
		}
	}
	if v := sense.Sound59(sensetest.Sound(t, "noise")[:400+4*160]); len(v) != sense.Sound59Dims {
		t.Errorf("five frames have a kind of %d values", len(v))
	}
}

// Silence around a voice is cut to 90 ms on either side, and a whisper is raised to a
// common level.
func TestVoiceMelCutsSilence(t *testing.T) {
	voice := sensetest.Sound(t, "voice120")
	want := sense.VoiceMel(voice)
	if got := sense.VoiceMel(slices.Concat(pause(2), voice, pause(2))); len(got) > len(want)+1 {
		t.Errorf("with silence around it a voice has %d inputs, else %d", len(got), len(want))
	}
	// A tone of -30 dBFS is left as it is, and quieter ones become it.
	level := math.Sqrt2 * math.Pow(10, -30./20)
	tone := func(amplitude float64) [][]float32 {
		samples := sensetest.Sound(t, "tone440")
		for i := range samples {
			samples[i] *= float32(amplitude / .5)
		}
		return sense.VoiceMel(samples)
	}
	loud, whisper := tone(level), tone(level/1000)
	for i, x := range loud[0] {
		if math.Abs(float64(x-whisper[0][i])) > 1e-3*math.Abs(float64(x))+1e-9 {
			t.Fatalf("value %d is %v and %v", i, x, whisper[0][i])
		}
	}
	if got := sense.VoiceMel(pause(1)); got != nil {
		t.Errorf("silence has %d inputs", len(got))
	}
	if got := sense.VoiceMel(voice[:300]); len(got) != 1 || len(got[0]) != 160*sense.VoiceBands {
		t.Errorf("a short clip has %d inputs", len(got))
	}
}

func BenchmarkPrint(b *testing.B) {
	melody := sensetest.Sound(b, "melody")
	for b.Loop() {
		sense.NewPrint(melody)
	}
}

func BenchmarkMatch(b *testing.B) {
	p, q := sense.NewPrint(sensetest.Sound(b, "melody")), sense.NewPrint(sensetest.Sound(b, "noise"))
	for b.Loop() {
		p.Match(q)
	}
}

func BenchmarkSound59(b *testing.B) {
	melody := sensetest.Sound(b, "melody")
	for b.Loop() {
		sense.Sound59(melody)
	}
}
