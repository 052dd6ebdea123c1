package index

import (
	"context"
	"errors"
	"testing"
)

// TestRowsOfEitherLaneAreRescored holds that the best rows are compared with their
// exact vectors whichever lane found them.
func TestRowsOfEitherLaneAreRescored(t *testing.T) {
	s, c := newStore(), newCloud(1, 8, 2)
	near := c.vector()
	byMeaning := s.put(Row{Live: true, Vectors: [][]float32{near}})
	byWord := s.put(Row{Live: true, Terms: []TermCount{{"tea", 1, 1}}, Vectors: [][]float32{c.vector(), c.vector()}})
	for range 50 {
		s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
	}
	ix := openCaughtUp(t, Config{Identity: "e", Dims: 8}, s)
	got := ask(t, ix, Query{Terms: []string{"tea"}, Vector: near, PerLane: 1})
	if len(got.Candidates) != 2 || got.Vectors.Rescored != 2 {
		t.Fatalf("%d candidates, %d rescored, want 2 and 2", len(got.Candidates), got.Vectors.Rescored)
	}
	for i, doc := range []int64{byMeaning, byWord} {
		if c := got.Candidates[i]; c.Doc != doc || !c.Rescored {
			t.Errorf("candidate %d is row %d, rescored %t; want row %d, rescored", i, c.Doc, c.Rescored, doc)
		}
	}
}

// TestVectorsThatCannotBeRead holds that a search says so, whichever rows they are of.
func TestVectorsThatCannotBeRead(t *testing.T) {
	s, c := newStore(), newCloud(1, 8, 2)
	s.put(Row{Live: true, Terms: []TermCount{{"tea", 1, 1}}, Vectors: [][]float32{c.vector()}})
	ix := openCaughtUp(t, Config{Identity: "e", Dims: 8}, s)
	s.beforeVectors = func() { s.broken = errBroken }
	if _, err := ix.Search(context.Background(), Query{Terms: []string{"tea"}, Vector: c.vector()}); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want that of the source", err)
	}
}
