package store

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"combray/internal/memory"
)

// TestPackedVectorsAreNear holds every number within half a step, the largest to
// the bit, for lengths that end in every bit of a byte.
func TestPackedVectorsAreNear(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for dims := 1; dims <= 40; dims++ {
		for _, size := range []float64{1e-30, 0.13, 1, 3e38} {
			given := make([][]float32, 3)
			for i := range given {
				given[i] = make([]float32, dims)
				for j := range given[i] {
					given[i][j] = float32(size * (2*random.Float64() - 1))
				}
			}
			clear(given[2])
			mustComeBack(t, given, dims)
		}
	}
}

func mustComeBack(t *testing.T, given [][]float32, dims int) {
	t.Helper()
	data, err := encodePacked(given, dims)
	if err != nil || len(data) != len(given)*packedSize(dims) {
		t.Fatalf("%d numbers: %d bytes, %v", dims, len(data), err)
	}
	got, err := decodePacked(data, len(given))
	if err != nil || len(got) != len(given) {
		t.Fatalf("%d numbers: %d windows, %v", dims, len(got), err)
	}
	for i, w := range given {
		scale, _ := magnitude(w)
		half := float64(scale) / packedZero / 2 * (1 + 1e-5)
		for j, f := range w {
			if d := math.Abs(float64(got[i][j]) - float64(f)); d > half || len(got[i]) != dims {
				t.Fatalf("%v became %v, half a step is %v; %d numbers for %d", f, got[i][j], half, len(got[i]), dims)
			}
		}
	}
	again, err := encodePacked(got, dims)
	if err != nil || !bytes.Equal(again[scaleBytes:packedSize(dims)], data[scaleBytes:packedSize(dims)]) {
		t.Fatalf("%d numbers: packed again they differ, %v", dims, err)
	}
}

// TestPackedScores holds what packing does to scores: vectors of length 1 with 384
// numbers, no direction favoured.
func TestPackedScores(t *testing.T) {
	const dims, pairs = 384, 400
	random := rand.New(rand.NewPCG(3, 4))
	direction := func() []float32 {
		v, sum := make([]float32, dims), 0.0
		for i := range v {
			n := random.NormFloat64()
			v[i], sum = float32(n), sum+n*n
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(sum))
		}
		return v
	}
	var squares float64
	for range pairs {
		question, given := direction(), direction()
		data, err := encodePacked([][]float32{given}, dims)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := decodePacked(data, 1)
		if err != nil {
			t.Fatal(err)
		}
		var off float64
		for i, q := range question {
			off += float64(q) * (float64(kept[0][i]) - float64(given[i]))
		}
		squares += off * off
	}
	if rms := math.Sqrt(squares / pairs); rms > 5e-5 || rms < 3e-5 {
		t.Errorf("scores are off by %.2g in the root mean square", rms)
	}
}

// TestPackedGolden writes the layout down: the magnitude 1, then 2046, 1023, 511 in
// 11 bits each, the lowest first.
func TestPackedGolden(t *testing.T) {
	data, err := encodePacked([][]float32{{1, 0, -0.5}}, 3)
	want := []byte{0, 0, 0x80, 0x3f, 0xfe, 0xff, 0xdf, 0x7f, 0}
	if err != nil || !bytes.Equal(data, want) {
		t.Fatalf("% x, %v, want % x", data, err, want)
	}
}

func TestPackedRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, windows := range [][][]float32{{{1, nan}}, {{nan, 1}}, {{1, inf}}, {{1, 0}, {1}}, {{}}} {
		if data, err := encodePacked(windows, len(windows[0])); err == nil {
			t.Errorf("%v became % x", windows, data)
		}
	}
}

func FuzzDecodePacked(f *testing.F) {
	whole, err := encodePacked([][]float32{{1, -0.5, 0}, {0, 0.25, 0}}, 3)
	if err != nil {
		f.Fatal(err)
	}
	endless := append([]byte{0, 0, 0x80, 0x7f}, whole[scaleBytes:]...)
	for _, data := range [][]byte{whole, whole[:len(whole)-1], whole[:4], endless, nil} {
		for _, n := range []int{2, 1, 3, 0, -1} {
			f.Add(data, n)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, windows int) {
		decoded, err := decodePacked(data, windows)
		if err != nil {
			return
		}
		for _, w := range decoded {
			if len(decoded) != windows || packedSize(len(w))*windows != len(data) {
				t.Fatalf("%d bytes became %d windows of %d", len(data), len(decoded), len(w))
			}
			for _, n := range w {
				if math.IsNaN(float64(n)) {
					t.Fatalf("%v", w)
				}
			}
		}
	})
}

// TestBothFormsOfVectorsAreRead puts a row of binary16, as schemas 1 to 3 wrote
// them, beside a packed one.
func TestBothFormsOfVectorsAreRead(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea"), note(2, "cake")))
	for number := int64(1); number <= 2; number++ {
		apply(t, s, memory.Plan{Changes: []memory.Change{memory.PutVectors{Number: number, Identity: "e5", Windows: [][]float32{{0.6, -0.8}, {0, 1}}}}})
	}
	alter(t, path, "UPDATE vectors SET bits = 16, data = x'cd3866ba0000003c' WHERE number = 2")
	mustCheckClean(t, s)
	windows, err := s.Vectors(ctx, []int64{1, 2}, "e5")
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range windows {
		if len(w) != 2 || math.Abs(float64(w[0][0])-0.6) > 1e-3 || math.Abs(float64(w[0][1])+0.8) > 1e-3 || w[1][0] != 0 || w[1][1] != 1 {
			t.Errorf("memory %d has vectors %v", i+1, w)
		}
	}
	changes, err := s.Changes(ctx, 0, 0, "e5")
	if err != nil || len(changes) != 2 || len(changes[1].Vectors) != 2 {
		t.Errorf("changes %+v, %v", changes, err)
	}
}
