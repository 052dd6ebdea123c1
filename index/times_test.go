package index

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTimesOfManyRows compares filters by time over several blocks of a file, and rows
// in memory beside it, with a look at every row: rows in the order of their times, some
// far from it, some without an event.
func TestTimesOfManyRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := newStore()
	const rows = 3*timeWords*64 - 100
	s.rows = make(map[int64]Row, rows)
	put := func(i int) {
		at := int64(i)
		if i%977 == 0 {
			at = rng.Int64N(rows)
		}
		s.put(Row{Live: true, Captured: at, Event: 2 * at, HasEvent: i < timeWords*64 || i%1500 != 0})
	}
	for i := range rows - 500 {
		put(i)
	}
	ix := rewritten(t, s)
	for i := range 500 {
		put(rows - 500 + i)
	}
	catchUp(t, ix)
	if got := stats(t, ix); got.DeltaRows != 500 {
		t.Fatalf("%d rows in memory", got.DeltaRows)
	}
	bound := func(most int64) *int64 {
		if rng.IntN(4) == 0 {
			return nil
		}
		return new(rng.Int64N(most))
	}
	for range 200 {
		f := Filter{CapturedSince: bound(rows), EventUntil: bound(2 * rows), Undated: rng.IntN(8) == 0}
		if rng.IntN(2) == 0 {
			f = Filter{CapturedUntil: bound(rows), EventSince: bound(2 * rows), Undated: rng.IntN(2) == 0}
		}
		want := []int64{}
		for doc, row := range s.rows {
			dated := f.EventSince == nil && f.EventUntil == nil || row.HasEvent &&
				(f.EventSince == nil || *f.EventSince <= row.Event) && (f.EventUntil == nil || row.Event <= *f.EventUntil)
			if dated && !(f.Undated && row.HasEvent) && (f.CapturedSince == nil || *f.CapturedSince <= row.Captured) && (f.CapturedUntil == nil || row.Captured <= *f.CapturedUntil) {
				want = append(want, doc)
			}
		}
		slices.Sort(want)
		got, err := ix.Recent(t.Context(), f, rows)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("filter %v %v %v %v %t: %d rows, want %d (%v)", f.CapturedSince, f.CapturedUntil, f.EventSince, f.EventUntil, f.Undated, len(got), len(want), err)
		}
		if n, _ := ix.Count(t.Context(), f); n.Rows != len(want) {
			t.Fatalf("%d rows are counted, want %d", n.Rows, len(want))
		}
	}
}
