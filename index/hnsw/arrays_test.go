package hnsw

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLayers holds that one row in 16 is on the next layer.
func TestLayers(t *testing.T) {
	var count [maxLayer + 1]int
	for row := range uint32(1 << 20) {
		count[layerOf(row)]++
	}
	for layer, want := 0, 1<<20; layer < 4; layer++ {
		above := want / Links
		if got := count[layer]; math.Abs(float64(got-(want-above))) > 5*math.Sqrt(float64(want)) {
			t.Errorf("layer %d: %d rows, want %d", layer, got, want-above)
		}
		want = above
	}
}

func TestWrongLengths(t *testing.T) {
	if _, err := Build(&Vectors{Dims: 3, Codes: make([]int8, 4)}, nil); err == nil {
		t.Error("a vector and a third: no error")
	}
	g := build(t, &Vectors{Dims: 3})
	if rows := walk(t, g, &Vectors{Dims: 3}, Query{Codes: make([]int8, 3), Ef: 5}); len(rows) > 0 {
		t.Errorf("no rows, found %v", rows)
	}
	for name, g := range map[string]*Graph{
		"half a row":         {Base: make([]uint32, 5)},
		"copies of others":   {Base: make([]uint32, BaseLinks)},
		"tall without ends":  {Same: make([]uint32, 1), Base: make([]uint32, BaseLinks), Tall: []uint32{0}},
		"tall beyond":        {Same: make([]uint32, 1), Base: make([]uint32, BaseLinks), Tall: []uint32{1}, Ends: []uint32{1}, Upper: make([]uint32, Links)},
		"no layers":          {Same: make([]uint32, 1), Base: make([]uint32, BaseLinks), Tall: []uint32{0}, Ends: []uint32{0}},
		"too many layers":    {Same: make([]uint32, 1), Base: make([]uint32, BaseLinks), Tall: []uint32{0}, Ends: []uint32{17}, Upper: make([]uint32, 17*Links)},
		"descending":         {Same: make([]uint32, 2), Base: make([]uint32, 2*BaseLinks), Tall: []uint32{1, 0}, Ends: []uint32{1, 2}, Upper: make([]uint32, 2*Links)},
		"links cut":          {Same: make([]uint32, 1), Base: make([]uint32, BaseLinks), Tall: []uint32{0}, Ends: []uint32{1}, Upper: make([]uint32, Links-1)},
		"ends that go back":  {Same: make([]uint32, 2), Base: make([]uint32, 2*BaseLinks), Tall: []uint32{0, 1}, Ends: []uint32{2, 1}, Upper: make([]uint32, Links)},
		"links but no layer": {Same: make([]uint32, 1), Base: make([]uint32, BaseLinks), Upper: make([]uint32, Links)},
	} {
		if g.Open() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestWalksStartAtTheEntryAsWell holds that a row to which the higher layers lead, and
// from which nothing can be reached, does not end a walk.
func TestWalksStartAtTheEntryAsWell(t *testing.T) {
	free := func(n int) []uint32 { return slices.Repeat([]uint32{None}, n) }
	g := &Graph{Base: free(3 * BaseLinks), Tall: []uint32{0, 1}, Ends: []uint32{1, 2}, Upper: free(2 * Links), Same: free(3)}
	g.Upper[0], g.Base[0], g.Base[1] = 1, 1, 2
	if err := g.Open(); err != nil {
		t.Fatal(err)
	}
	v := cloud(3, 1)
	if rows := walk(t, g, v, Query{Codes: v.of(1), Ef: 3}); len(rows) != 3 || rows[0] != 1 {
		t.Errorf("found %v", rows)
	}
}

// TestHeap compares the heap with a sorted list.
func TestHeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		var h heap
		var want []rank
		for range rng.IntN(60) {
			r := rank(rng.Uint64N(40))
			h.push(r)
			want = append(want, r)
			if rng.IntN(3) == 0 {
				slices.Sort(want)
				if got := h.pop(); got != want[0] {
					t.Fatalf("popped %d, want %d", got, want[0])
				}
				want = want[1:]
			}
		}
		slices.SortFunc(want, cmp.Compare)
		for _, r := range want {
			if got := h.pop(); got != r {
				t.Fatalf("popped %d, want %d", got, r)
			}
		}
	}
}

func TestRanksAreOrdered(t *testing.T) {
	values := []float32{float32(math.Inf(-1)), -2, -1e-30, float32(math.Copysign(0, -1)), 0, 1e-30, 0.5, 1, float32(math.Inf(1))}
	for i := 1; i < len(values); i++ {
		if rankOf(values[i-1], 1) >= rankOf(values[i], 2) {
			t.Errorf("%v does not come after %v", values[i-1], values[i])
		}
	}
	if rankOf(1, 4) <= rankOf(1, 5) || rankOf(1, 5).row() != 5 {
		t.Error("of two that are as similar the lower row does not come first")
	}
}

// FuzzWalk walks graphs whose arrays say anything.
func FuzzWalk(f *testing.F) {
	v := cloud(200, 4)
	good := build(f, v)
	f.Add(uint8(0), uint16(0), uint32(0))
	f.Add(uint8(0), uint16(9), uint32(None-1))
	f.Add(uint8(1), uint16(2), uint32(199))
	f.Add(uint8(2), uint16(2), uint32(1000))
	f.Add(uint8(3), uint16(5), uint32(3))
	f.Add(uint8(4), uint16(0), uint32(5))
	f.Add(uint8(4), uint16(1), uint32(None))
	f.Fuzz(func(t *testing.T, array uint8, at uint16, value uint32) {
		g := &Graph{Base: slices.Clone(good.Base), Tall: slices.Clone(good.Tall), Ends: slices.Clone(good.Ends), Upper: slices.Clone(good.Upper), Same: slices.Clone(good.Same)}
		items := [][]uint32{g.Base, g.Tall, g.Ends, g.Upper, g.Same}[array%5]
		for i := int(at) % len(items); i < len(items); i += int(at) + 1 {
			items[i] = value + uint32(i)*uint32(at)
		}
		if g.Open() == nil {
			walk(t, g, v, Query{Codes: v.of(3), Ef: 50})
		}
	})
}
