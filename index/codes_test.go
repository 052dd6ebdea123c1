package index

import (
	"math"
	"testing"
)

// TestCodesAreNear holds the error that Candidate.Cosine and Scores.C promise.
func TestCodesAreNear(t *testing.T) {
	for _, dims := range []int{384, 768} {
		c := newCloud(2, dims, 20)
		var set vectorSet
		set.dims = dims
		mean := centre{mean: c.offset, square: dot(c.offset, c.offset), size: 100}
		p := newProbe(c.vector(), &mean)
		worst, sum := 0.0, 0.0
		const rows = 500
		for range rows {
			v := c.vector()
			set.add([][]float32{v}, mean.mean)
			row := uint32(len(set.infos) - 1)
			gotC, gotCosine := p.coded(plainDotOf(p.codes, set.codesOf(row)), set.infos[row])
			wantC, wantCosine := p.exact(v)
			worst = max(worst, math.Abs(gotC-wantC), math.Abs(gotCosine-wantCosine))
			sum += (gotC - wantC) * (gotC - wantC)
		}
		if rms := math.Sqrt(sum / rows); rms > 0.001 || worst > 0.004 {
			t.Errorf("%d numbers: error of C %.5f rms, worst %.5f", dims, rms, worst)
		}
	}
}

func plainDotOf(a, b []int8) (sum int32) {
	for i := range a {
		sum += int32(a[i]) * int32(b[i])
	}
	return sum
}

func TestQuantize(t *testing.T) {
	codes := make([]int8, 4)
	scale := quantize(codes, []float32{1, -1, 0.5, 0.001})
	if codes[0] != 127 || codes[1] != -127 || codes[2] != 64 || codes[3] != 0 || math.Abs(float64(scale)*127-1) > 1e-6 {
		t.Errorf("codes %v in steps of %v", codes, scale)
	}
	if scale := quantize(codes, make([]float32, 4)); scale != 0 || codes[0] != 0 {
		t.Errorf("zeros give codes %v in steps of %v", codes, scale)
	}
}

func TestCentredMeanIsZero(t *testing.T) {
	v := []float32{0.6, 0.8}
	unit := []float32{7, 7}
	if length := centred(unit, v, v); length != 0 || unit[0] != 0 || unit[1] != 0 {
		t.Errorf("a vector that is the mean gives %v of length %v", unit, length)
	}
}

func TestSignsOf(t *testing.T) {
	codes := make([]int8, 70)
	codes[0], codes[1], codes[63], codes[64], codes[69] = 1, -1, 127, 5, -127
	signs := []uint64{^uint64(0), ^uint64(0)}
	signsOf(signs, codes)
	if signs[0] != 1|1<<63 || signs[1] != 1 {
		t.Errorf("signs %x", signs)
	}
}

func TestIsUnit(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, test := range []struct {
		v    []float32
		want bool
	}{
		{[]float32{0.6, 0.8}, true}, {[]float32{0.6, 0.803}, true}, {[]float32{0.6, 0.9}, false}, {[]float32{0, 0}, false},
		{[]float32{nan, 1}, false}, {[]float32{inf, 0}, false}, {[]float32{1}, false}, {[]float32{1, 0, 0}, false}, {nil, false},
	} {
		if got := isUnit(test.v, 2); got != test.want {
			t.Errorf("isUnit(%v, 2) = %v", test.v, got)
		}
	}
}

// TestRoundCode holds that halves go away from zero and nothing leaves the range.
func TestRoundCode(t *testing.T) {
	for x, want := range map[float32]int8{
		0: 0, float32(math.Copysign(0, -1)): 0, 0.4999: 0, -0.4999: 0, 0.5: 1, -0.5: -1, 1.4999: 1, -1.5: -2,
		126.5: 127, -126.49: -126, 127: 127, -127: -127, 127.5: 127, -127.5: -127, 128: 127,
	} {
		if got := roundCode(x); got != want {
			t.Errorf("%g becomes %d, want %d", x, got, want)
		}
	}
	for x := float32(-maxCode); x <= maxCode; x += 0.0137 {
		if got, want := roundCode(x), math.Round(float64(x)); float64(got) != want {
			t.Fatalf("%g becomes %d, want %g", x, got, want)
		}
	}
}
