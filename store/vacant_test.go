package store

import (
	"testing"

	"combray/internal/memory"
)

// TestVacantTables holds that a snapshot knows which tables are empty, that a
// transaction reads what it has written itself, and that the next snapshot sees it.
func TestVacantTables(t *testing.T) {
	s, ctx := openStore(t, Options{Path: newPath(t)}), t.Context()
	apply(t, s, capturePlan(note(1, "one"), note(2, "two")))
	found := func(r memory.Reader) (found [4]int) {
		t.Helper()
		anchors, err := r.Anchors(ctx)
		canon, err2 := r.Canon(ctx, nil, nil)
		conflicts, err3 := r.Conflicts(ctx, nil)
		narratives, err4 := r.CurrentNarratives(ctx, 0)
		for _, err := range []error{err, err2, err3, err4} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return [4]int{len(anchors), len(canon), len(conflicts), len(narratives)}
	}
	see := func(vacancy vacant, rows [4]int) {
		t.Helper()
		err := s.view(ctx, func(r *reader) error {
			if r.vacant != vacancy {
				t.Errorf("a snapshot knows %+v, want %+v", r.vacant, vacancy)
			}
			if got := found(r); got != rows {
				t.Errorf("a snapshot has %v rows, want %v", got, rows)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	see(vacant{true, true, true, true}, [4]int{})
	changes := []memory.Change{
		memory.PutAnchor{Anchor: memory.Anchor{MemoryID: noteID(1), Reason: "r", PinnedAt: moment}},
		memory.PutCanon{Entry: memory.CanonEntry{ID: "c", MemoryID: noteID(1), Scope: "task", CanonizedAt: moment}},
		memory.PutConflict{Conflict: memory.Conflict{ID: "d", A: noteID(1), B: noteID(2), Reason: "r", CreatedAt: moment}},
		memory.PutNarrative{Narrative: memory.Narrative{ID: "n", Scope: "global", Content: "c", CreatedAt: moment}},
	}
	var rows [4]int
	for i, change := range changes {
		rows[i] = 1
		err := s.Update(ctx, func(tx memory.Tx) error {
			var p memory.Plan
			p.Write(change)
			if err := tx.Apply(ctx, p); err != nil {
				return err
			}
			if got := found(tx); got != rows {
				t.Errorf("a transaction that wrote %T has %v rows, want %v", change, got, rows)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		see(vacant{false, i < 1, i < 2, i < 3}, rows)
	}
}
