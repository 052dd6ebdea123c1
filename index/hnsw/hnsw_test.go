package hnsw

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"combray/index/kernel"
)

const dims = 48

// cloud returns the codes of rows about some centres, the same for the same numbers.
func cloud(rows, centres int) *Vectors {
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(centres)))
	middles := make([][]float64, centres)
	for i := range middles {
		middles[i] = direction(rng)
	}
	codes := make([]int8, 0, rows*dims)
	for range rows {
		codes = append(codes, near(rng, middles[rng.IntN(centres)])...)
	}
	return scaled(codes)
}

func scaled(codes []int8) *Vectors {
	v := &Vectors{Dims: dims, Codes: codes}
	scales := make([]float32, len(codes)/dims)
	for row := range scales {
		sum := 0.0
		for _, code := range v.of(uint32(row)) {
			sum += float64(code) * float64(code)
		}
		scales[row] = float32(1 / math.Sqrt(max(sum, 1)))
	}
	v.Scale = func(row uint32) float32 { return scales[row] }
	return v
}

func direction(rng *rand.Rand) []float64 {
	d := make([]float64, dims)
	for i := range d {
		d[i] = rng.NormFloat64()
	}
	return d
}

// near returns the codes of a vector near a middle.
func near(rng *rand.Rand, middle []float64) []int8 {
	codes := make([]int8, dims)
	for i, x := range direction(rng) {
		codes[i] = int8(max(-127, min(127, 30*(middle[i]+0.7*x))))
	}
	return codes
}

func build(t testing.TB, v *Vectors) *Graph {
	t.Helper()
	g, err := Build(v, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func walk(t testing.TB, g *Graph, v *Vectors, q Query) []uint32 {
	t.Helper()
	rows, err := new(Walker).Walk(g, v, &q)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// exact returns the k rows nearest to codes that pass, by all of them.
func exact(v *Vectors, codes []int8, k int, pass func(uint32) bool) []uint32 {
	dots := make([]int32, len(v.Codes)/dims)
	kernel.DotInt8(dots, codes, v.Codes, nil)
	var ranks []rank
	for row, dot := range dots {
		if pass == nil || pass(uint32(row)) {
			ranks = append(ranks, rankOf(float32(dot)*v.Scale(uint32(row)), uint32(row)))
		}
	}
	slices.SortFunc(ranks, bestFirst)
	var rows []uint32
	for _, r := range ranks[:min(k, len(ranks))] {
		rows = append(rows, r.row())
	}
	return rows
}

// recall returns the share of the ten nearest that walks return.
func recall(t testing.TB, g *Graph, v *Vectors, ef int, pass func(uint32) bool) float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	found, due := 0, 0
	for range 100 {
		codes := near(rng, toFloats(v.of(uint32(rng.IntN(g.Rows())))))
		rows := walk(t, g, v, Query{Codes: codes, Ef: ef, Pass: pass})
		for _, row := range exact(v, codes, 10, pass) {
			due++
			if slices.Contains(rows, row) {
				found++
			}
		}
	}
	return float64(found) / float64(due)
}

func toFloats(codes []int8) []float64 {
	floats := make([]float64, len(codes))
	for i, code := range codes {
		floats[i] = float64(code) / 30
	}
	return floats
}

// TestRecall holds how many of the ten nearest are found, and that more are with
// a larger Ef.
func TestRecall(t *testing.T) {
	v := cloud(5000, 50)
	g := build(t, v)
	for _, test := range []struct {
		ef   int
		want float64
	}{{20, 0.90}, {50, 0.97}, {100, 0.99}, {400, 0.999}} {
		got := recall(t, g, v, test.ef, nil)
		t.Logf("ef %d: recall@10 %.4f", test.ef, got)
		if got < test.want {
			t.Errorf("ef %d: recall@10 %.4f, want %.3f", test.ef, got, test.want)
		}
	}
}

// TestFilters holds that filters lose nothing, and that nothing is returned that
// does not pass.
func TestFilters(t *testing.T) {
	v := cloud(5000, 50)
	g := build(t, v)
	for _, part := range []uint32{2, 5, 20} {
		pass := func(row uint32) bool { return scramble(uint64(row))%uint64(part) == 0 }
		got := recall(t, g, v, 100, pass)
		t.Logf("one in %d passes: recall@10 %.4f", part, got)
		if got < 0.99 {
			t.Errorf("one in %d passes: recall@10 %.4f, want 0.99", part, got)
		}
		for _, row := range walk(t, g, v, Query{Codes: v.of(7), Ef: 500, Pass: pass}) {
			if !pass(row) {
				t.Fatalf("row %d does not pass", row)
			}
		}
	}
	if rows := walk(t, g, v, Query{Codes: v.of(7), Ef: 10, Pass: func(uint32) bool { return false }}); len(rows) > 0 {
		t.Errorf("nothing passes, and %v is returned", rows)
	}
}

// TestEveryRowIsReached holds that a walk that may return all rows does, in
// order, even if vectors are copies of each other or zero.
func TestEveryRowIsReached(t *testing.T) {
	copies := make([]int8, 0, 600*dims)
	rng := rand.New(rand.NewPCG(3, 3))
	for range 3 {
		one := near(rng, direction(rng))
		for range 200 {
			copies = append(copies, one...)
		}
	}
	few := func(rows int) *Vectors { return cloud(rows, 3) }
	for name, v := range map[string]*Vectors{
		"one": few(1), "two": few(2), "sixty": few(60), "clusters": cloud(3000, 7), "no clusters": cloud(2000, 2000),
		"copies": scaled(copies), "zeros": scaled(make([]int8, 300*dims)), "both": scaled(append(slices.Clone(few(900).Codes), copies...)),
	} {
		g := build(t, v)
		for range 5 {
			codes := near(rng, direction(rng))
			got := walk(t, g, v, Query{Codes: codes, Ef: g.Rows()})
			if want := exact(v, codes, g.Rows(), nil); !slices.Equal(got, want) {
				t.Errorf("%s: %d rows, want %d", name, len(got), len(want))
			}
		}
	}
}

// TestCopiesAreFound holds that a row is found among a thousand copies of another, and
// that each of those is, even if the first is dead.
func TestCopiesAreFound(t *testing.T) {
	v := cloud(3000, 30)
	for row := range uint32(3000) {
		if row%3 > 0 {
			copy(v.of(row), v.of(row%3*10))
		}
	}
	v = scaled(v.Codes)
	g := build(t, v)
	missed := 0
	for row := range uint32(3000) {
		// Of a thousand copies and one row of its own, the last is looked for.
		q := Query{Codes: v.of(row), Ef: 50, Pass: func(other uint32) bool { return other >= row }}
		if rows := walk(t, g, v, q); !slices.Contains(rows, row) {
			missed++
		}
	}
	if missed > 0 {
		t.Errorf("%d of 3,000 rows do not find themselves", missed)
	}
}

func TestSameVectorsSameGraph(t *testing.T) {
	v := cloud(1500, 9)
	g := build(t, v)
	if again := build(t, v); !reflect.DeepEqual(g, again) {
		t.Error("two graphs of the same vectors differ")
	}
	defer kernel.Portable(true)()
	if again := build(t, v); !reflect.DeepEqual(g, again) {
		t.Error("with the plain kernel the graph differs")
	}
	opened := &Graph{Base: g.Base, Tall: g.Tall, Ends: g.Ends, Upper: g.Upper, Same: g.Same}
	if err := opened.Open(); err != nil || !reflect.DeepEqual(g, opened) {
		t.Errorf("opened from its arrays the graph differs (%v)", err)
	}
}

// TestLinks holds what the walk and the file rely on: no links to the row itself
// or twice to another, none after the first that is free, and a row that a link
// of a layer leads to is on that layer.
func TestLinks(t *testing.T) {
	g := build(t, cloud(4000, 20))
	for row := range uint32(g.Rows()) {
		if links := g.links(row, layerOf(row)+1); links != nil {
			t.Fatalf("row %d has links %v on a layer that it is not on", row, links)
		}
		for layer := range layerOf(row) + 1 {
			links := g.links(row, layer)
			used := slices.Clone(links[:linked(links)])
			slices.Sort(used)
			if len(slices.Compact(slices.Clone(used))) != len(used) || slices.Contains(used, row) {
				t.Fatalf("row %d has links %v", row, links)
			}
			for _, to := range links[linked(links):] {
				if to != None {
					t.Fatalf("row %d has links %v", row, links)
				}
			}
			if i := slices.IndexFunc(used, func(to uint32) bool { return layerOf(to) < layer }); i >= 0 {
				t.Fatalf("row %d has a link on layer %d to row %d, which is not there", row, layer, used[i])
			}
		}
	}
}

// TestStop holds that a build ends wherever it is told to, and a walk too.
func TestStop(t *testing.T) {
	v := cloud(1000, 5)
	errStop := errors.New("enough")
	for _, most := range []int{0, 3, 400} {
		calls := 0
		stop := func() error {
			if calls++; calls > most {
				return errStop
			}
			return nil
		}
		if _, err := Build(v, stop); !errors.Is(err, errStop) || calls != most+1 {
			t.Errorf("a build that was to stop after %d calls returned %v after %d", most, err, calls)
		}
	}
	q := &Query{Codes: v.of(1), Ef: 1000, Stop: func() error { return errStop }}
	if _, err := new(Walker).Walk(build(t, v), v, q); !errors.Is(err, errStop) {
		t.Errorf("a walk that was stopped returned %v", err)
	}
}

// TestMemoryOfABuild holds what a build takes beside the vectors: all that it
// allocates, which is more than it holds at a time.
func TestMemoryOfABuild(t *testing.T) {
	v := cloud(8_000, 80)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	build(t, v)
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / 8_000; got > 220 {
		t.Errorf("a build allocated %d bytes a row", got)
	}
}
