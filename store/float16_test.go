package store

import (
	"math"
	"slices"
	"testing"
)

func TestEveryFloat16RoundTrips(t *testing.T) {
	for h := range 1 << 16 {
		if h&0x7c00 == 0x7c00 {
			continue // infinities and NaN
		}
		f := fromFloat16(uint16(h))
		if want := float16Reference(uint16(h)); float64(f) != want || math.Signbit(float64(f)) != (h>>15 == 1) {
			t.Fatalf("%#04x is %v, want %v", h, f, want)
		}
		back, err := toFloat16(f)
		if err != nil || back != uint16(h) {
			t.Fatalf("%#04x → %v → %#04x, %v", h, f, back, err)
		}
	}
}

// float16Reference is the definition of IEEE 754-2008 3.4 for binary16.
func float16Reference(h uint16) float64 {
	sign, exponent, fraction := 1-2*float64(h>>15), int(h>>10&31), float64(h&1023)
	if exponent == 0 {
		return sign * math.Ldexp(fraction, -24)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// TestFloat16RoundsToNearestEven looks at every pair of neighbours: the middle
// goes to the even one, a hair beside it to the nearer one.
func TestFloat16RoundsToNearestEven(t *testing.T) {
	for h := range uint16(0x7bff) {
		low, high := float64(fromFloat16(h)), float64(fromFloat16(h+1))
		middle := float32((low + high) / 2) // exact: float32 has 13 bits more
		even := h + h&1
		for f, want := range map[float32]uint16{middle: even,
			math.Nextafter32(middle, 0): h, math.Nextafter32(middle, 1e9): h + 1} {
			for sign, bit := range map[float32]uint16{1: 0, -1: 0x8000} {
				if got, err := toFloat16(sign * f); err != nil || got != want|bit {
					t.Fatalf("%v between %v and %v: %#04x, %v, want %#04x", sign*f, low, high, got, err, want|bit)
				}
			}
		}
	}
}

func TestFloat16Refuses(t *testing.T) {
	for _, f := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 65520, -65520, math.MaxFloat32} {
		if h, err := toFloat16(f); err == nil {
			t.Errorf("%v became %#04x", f, h)
		}
	}
	for f, want := range map[float32]uint16{math.Nextafter32(65520, 0): 0x7bff, math.SmallestNonzeroFloat32: 0, 0x1p-25: 0, 0x1.8p-25: 1} {
		if h, err := toFloat16(f); err != nil || h != want {
			t.Errorf("%v: %#04x, %v, want %#04x", f, h, err, want)
		}
	}
}

func FuzzDecodeFloat16(f *testing.F) {
	whole := []byte{0, 0x3c, 0, 0xb8, 0, 0, 0, 0x34} // 1, -0.5, 0, 0.25
	for _, data := range [][]byte{whole, whole[:7], whole[:6], nil, {0, 0x7c}} {
		for _, n := range []int{2, 1, 3, 0, -1} {
			f.Add(data, n)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, windows int) {
		decoded, err := decodeFloat16(data, windows)
		if err != nil {
			return
		}
		if len(decoded) != windows || slices.ContainsFunc(decoded, func(w []float32) bool { return 2*len(w)*windows != len(data) }) {
			t.Fatalf("%d bytes became %d windows", len(data), len(decoded))
		}
	})
}
