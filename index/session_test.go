package index

import (
	"fmt"
	"testing"
)

// TestNeighbours asks for the rows beside each row, which the words tell apart:
// row n has the term rn, and all terms weigh the same.
func TestNeighbours(t *testing.T) {
	s := newStore()
	put := func(session string, position, captured int64, live bool) {
		name := fmt.Sprintf("r%d", s.doc+1)
		s.put(Row{Live: live, Session: session, Position: position, Captured: captured, Terms: words(name)})
	}
	put("a", 2, 1, true)  // 1
	put("a", 1, 2, true)  // 2
	put("a", -1, 9, true) // 3: no position, so behind those that have one
	put("a", -1, 8, true) // 4
	put("a", 3, 3, false) // 5: forgotten
	put("b", 1, 1, true)  // 6
	put("", 1, 1, true)   // 7: no session
	put("", 2, 1, true)   // 8
	put("c", -1, 5, true) // 9
	put("c", -1, 5, true) // 10: arrived at the same time, so by row number
	want := map[int64][2]int64{
		2: {0, 1}, 1: {2, 4}, 4: {1, 3}, 3: {4, 0}, 5: {1, 4}, 6: {0, 0}, 7: {0, 0}, 8: {0, 0}, 9: {0, 10}, 10: {9, 0},
	}
	inMemory := openCaughtUp(t, Config{}, s)
	inFile := rewritten(t, s)
	sameNeighbours(t, "in memory", inMemory, want)
	sameNeighbours(t, "in a file", inFile, want)

	// Part of the session in the file, part in memory.
	s.change(1, func(row *Row) { row.Class = 3 })
	put("a", 0, 0, true) // 11
	s.erase(4)
	s.change(9, func(row *Row) { row.Session = "a"; row.Position = 1 }) // captured after 2
	want[11], want[2], want[9], want[1], want[3], want[5] = [2]int64{0, 2}, [2]int64{11, 9}, [2]int64{2, 1}, [2]int64{9, 3}, [2]int64{1, 0}, [2]int64{1, 3}
	want[10] = [2]int64{0, 0}
	delete(want, 4)
	for _, ix := range []*Index{inMemory, inFile} {
		catchUp(t, ix)
		sameNeighbours(t, "in both", ix, want)
	}
	sameNeighbours(t, "made at once", openCaughtUp(t, Config{}, s), want)
}

// sameNeighbours compares the neighbours of all rows, 0 for none.
func sameNeighbours(t *testing.T, where string, ix *Index, want map[int64][2]int64) {
	t.Helper()
	for doc, beside := range want {
		for i, side := range []string{"before", "after"} {
			q := Query{Extra: []int64{doc}, Neighbours: true, Filter: Filter{State: Any}}
			if beside[i] > 0 {
				q.Terms = []string{fmt.Sprintf("r%d", beside[i])}
			}
			var got *Scores
			for _, c := range ask(t, ix, q).Candidates {
				if c.Doc == doc {
					got = [2]*Scores{c.Prev, c.Next}[i]
				}
			}
			if (got != nil) != (beside[i] > 0) || got != nil && got.Words == 0 {
				t.Errorf("%s: the row %s row %d should be %d, its scores are %+v", where, side, doc, beside[i], got)
			}
		}
	}
}

func TestNeighboursOnlyWhenAsked(t *testing.T) {
	s := newStore()
	s.put(Row{Live: true, Session: "a", Position: 1, Terms: words("tea")})
	s.put(Row{Live: true, Session: "a", Position: 2, Terms: words("tea")})
	got := ask(t, openCaughtUp(t, Config{}, s), Query{Terms: []string{"tea"}})
	if c := got.Candidates[0]; c.Prev != nil || c.Next != nil {
		t.Errorf("got %s", show(got))
	}
}
