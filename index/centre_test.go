package index

import (
	"context"
	"math"
	"slices"
	"testing"
)

func TestGridSizes(t *testing.T) {
	for n, want := range map[int]int{
		0: 0, 5: 0, 6: 6, 7: 7, 15: 15, 16: 16, 17: 17, 31: 31, 32: 32, 33: 32, 34: 34, 100: 97, 10_000: 9_614, 1_000_000: 962_914,
	} {
		if got := gridSize(n); got != want {
			t.Errorf("gridSize(%d) = %d, want %d", n, got, want)
		}
	}
	for n := range 20_000 {
		if size := gridSize(n); size > n || n >= leastCentred && size*17 < n*16 {
			t.Fatalf("gridSize(%d) = %d, more than one part in 17 below", n, size)
		}
	}
}

func TestSampleIsAFunctionOfTheSet(t *testing.T) {
	docs := make([]int64, 500)
	for i := range docs {
		docs[i] = int64(i*3 + 1)
	}
	all, last := sampleOf(slices.Values(docs), 100, 200)
	if !slices.Equal(all, docs[:100]) || last != docs[99] {
		t.Errorf("a sample with room for all is %v up to %d", all, last)
	}
	few, last := sampleOf(slices.Values(docs), 400, 20)
	if len(few) != 20 || !slices.IsSorted(few) || last != docs[399] {
		t.Errorf("a sample of 20 of 400 is %v up to %d", few, last)
	}
	// A row more changes the sample by one row at most.
	more, _ := sampleOf(slices.Values(docs), 401, 20)
	gone := slices.DeleteFunc(slices.Clone(few), func(doc int64) bool { return slices.Contains(more, doc) })
	if len(gone) > 1 {
		t.Errorf("one row more displaces %v", gone)
	}
}

// TestSampledMeanIsNear holds that the mean of a sample stands for that of all:
// cosines differ by less than codes do.
func TestSampledMeanIsNear(t *testing.T) {
	s, c := newStore(), newCloud(3, 64, 40)
	for range 3000 {
		s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
	}
	sampled := openCaughtUp(t, Config{Identity: "e", Dims: 64, sampleDocs: 1000}, s)
	full := openCaughtUp(t, Config{Identity: "e", Dims: 64}, s)
	for range 10 {
		q := Query{Vector: c.vector()}
		want := map[int64]float64{}
		for _, candidate := range ask(t, full, q).Candidates {
			want[candidate.Doc] = candidate.C
		}
		for _, candidate := range ask(t, sampled, q).Candidates {
			if c, found := want[candidate.Doc]; found && math.Abs(c-candidate.C) > 0.02 {
				t.Fatalf("row %d has C %v with a sampled mean, %v with the mean of all", candidate.Doc, candidate.C, c)
			}
		}
	}
}

func TestFewVectorsAreNotCentred(t *testing.T) {
	s, c := newStore(), newCloud(1, 8, 2)
	ix := open(t, Config{Identity: "e", Dims: 8}, s)
	question := c.vector()
	for n := 1; n <= 7; n++ {
		doc := s.put(Row{Live: true, Vectors: [][]float32{c.near(question, 0.3)}})
		catchUp(t, ix)
		mean, err := ix.Centre(context.Background())
		if err != nil || (mean != nil) != (n >= 6) {
			t.Fatalf("with %d vectors the mean is %v (%v)", n, mean, err)
		}
		for _, candidate := range ask(t, ix, Query{Vector: question}).Candidates {
			if mapped := (candidate.Cosine - 0.75) / 0.2; candidate.Doc == doc && (candidate.C == mapped) != (n < 6) {
				t.Errorf("with %d vectors C is %v, the plain cosine mapped is %v", n, candidate.C, mapped)
			}
		}
	}
}

// TestMeanFollowsTheStore holds that the mean depends on what the store has, not
// on how it came to be: rows embedded late, changed and erased.
func TestMeanFollowsTheStore(t *testing.T) {
	s, c := newStore(), newCloud(1, 8, 2)
	config := Config{Identity: "e", Dims: 8}
	ix := open(t, config, s)
	look := func(what string) {
		t.Helper()
		catchUp(t, ix)
		got, _ := ix.Centre(context.Background())
		want, _ := openCaughtUp(t, config, s).Centre(context.Background())
		if got == nil || !slices.Equal(got, want) {
			t.Errorf("%s: the mean is %v, of an index made at once %v", what, got, want)
		}
	}
	for range 80 {
		s.put(Row{Live: true})
	}
	for doc := int64(80); doc > 0; doc -= 2 { // 40 of them, a size of the grid
		s.change(doc, func(row *Row) { row.Vectors = [][]float32{c.vector(), c.vector()} })
	}
	look("embedded")
	s.change(3, func(row *Row) { row.Vectors = [][]float32{c.vector()} })
	look("embedded late")
	s.change(4, func(row *Row) { row.Vectors = [][]float32{c.vector()} })
	look("changed")
	s.change(6, func(row *Row) { row.Live = false })
	look("forgotten")
	s.erase(2)
	look("erased")
	s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
	look("added")
}

// TestFollowLeavesTheMean holds the difference between Follow and CatchUp.
func TestFollowLeavesTheMean(t *testing.T) {
	s, c := newStore(), newCloud(1, 8, 2)
	ix := open(t, Config{Identity: "e", Dims: 8}, s)
	for range 30 {
		s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
		if err := ix.Follow(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if s.vectorCalls > 0 {
		t.Errorf("Follow read vectors %d times", s.vectorCalls)
	}
	if n := len(docs(ask(t, ix, Query{Vector: c.vector()}))); n != 30 {
		t.Errorf("after Follow %d of 30 rows are found", n)
	}
	catchUp(t, ix)
	if size := stats(t, ix).CentreSize; size != gridSize(30) {
		t.Errorf("after CatchUp the mean stands for %d rows, want %d", size, gridSize(30))
	}
}

// TestARowErasedWhileTheMeanIsMade holds that an index which read vectors of a store
// that was ahead of it says the same, once it has caught up, as one made at once.
func TestARowErasedWhileTheMeanIsMade(t *testing.T) {
	s, c := newStore(), newCloud(5, 64, 4)
	var docs []int64
	for range 34 { // of 33 the mean is that of 32, see gridSize
		docs = append(docs, s.put(Row{Live: true, Vectors: [][]float32{c.vector()}}))
	}
	s.beforeVectors = func() {
		s.beforeVectors = nil
		s.erase(docs[3])
	}
	config := Config{Identity: "e", Dims: 64}
	ahead := openCaughtUp(t, config, s)
	catchUp(t, ahead)
	q := Query{Vector: c.vector(), PerLane: 100}
	if got, want := show(ask(t, ahead, q)), show(ask(t, openCaughtUp(t, config, s), q)); got != want {
		t.Errorf("it answers\n%s\none made at once\n%s", got, want)
	}
}

// TestWhatHasVectorsIsCountedInTheirPresentCodes holds that the count leaves out a row
// of the file that lost its codes because the store, ahead, had erased it.
func TestWhatHasVectorsIsCountedInTheirPresentCodes(t *testing.T) {
	s, c := newStore(), newCloud(5, 64, 4)
	put := func(n int) {
		for range n {
			s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
		}
	}
	put(20)
	ix := openCaughtUp(t, Config{Dir: t.TempDir(), StoreID: "s", Identity: "e", Dims: 64}, s)
	if err := ix.Rewrite(context.Background()); err != nil {
		t.Fatal(err)
	}
	q := Query{Vector: c.vector(), PerLane: 100}
	ask(t, ix, q)
	put(14)
	s.beforeVectors = func() {
		s.beforeVectors = nil
		s.erase(4)
	}
	catchUp(t, ix)
	if got := ask(t, ix, q).Vectors; got.Embedded != 33 || got.Found != 33 {
		t.Errorf("%d rows count as embedded and %d are found, want 33", got.Embedded, got.Found)
	}
}
