package store

import (
	"context"
	"fmt"
	"testing"

	"combray/internal/memory"
)

// embedNotes gives the first n notes a vector of an encoder.
func embedNotes(t *testing.T, s *Store, n int, identity string, put memory.PutVectors) {
	t.Helper()
	var p memory.Plan
	for i := range n {
		put.Number, put.Identity, put.Windows = int64(i+1), identity, [][]float32{{1, 0}}
		p.Write(put)
	}
	apply(t, s, p)
}

func notes(n int) memory.Plan {
	var p memory.Plan
	for i := range n {
		p.Join(capturePlan(note(i+1, fmt.Sprint("note ", i))))
	}
	return p
}

// TestOnlyTheChosenEncoderCanAnswer lets an encoder finish whose choice was taken back.
func TestOnlyTheChosenEncoderCanAnswer(t *testing.T) {
	ctx := context.Background()
	s := openStore(t, Options{Path: newPath(t)})
	apply(t, s, notes(2))
	embedNotes(t, s, 2, "old:1", memory.PutVectors{})
	embedNotes(t, s, 2, "new:1", memory.PutVectors{Next: true})
	must := func(want Choice) {
		t.Helper()
		if got, err := s.Choice(ctx); err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	must(Choice{})
	for _, name := range []string{"new", "other"} {
		if err := s.Choose(ctx, name); err != nil {
			t.Fatal(err)
		}
	}
	if done, err := s.Answer(ctx, "new", "new:1"); err != nil || done {
		t.Errorf("an encoder answers that nobody wants any more: %v, %v", done, err)
	}
	must(Choice{Chosen: "other"})
	if err := s.Choose(ctx, "new"); err != nil {
		t.Fatal(err)
	}
	if done, err := s.Answer(ctx, "new", "new:1"); err != nil || !done {
		t.Errorf("%v, %v", done, err)
	}
	must(Choice{"new", "new"})
	sets, err := s.VectorSets(ctx)
	want := []VectorSet{{Identity: "old:1", Memories: 2, Windows: 2, Bytes: 8}, {Identity: "new:1", Present: true, Memories: 2, Windows: 2, Bytes: 8}}
	if err != nil || fmt.Sprint(sets) != fmt.Sprint(want) {
		t.Errorf("%+v, %v", sets, err)
	}
	mustCheckClean(t, s)
}

// TestPruningTakesOneEncoderAndNothingElse prunes more than one batch, beside vectors
// for cues and of the present encoder, and again what is not there.
func TestPruningTakesOneEncoderAndNothingElse(t *testing.T) {
	ctx := context.Background()
	s := openStore(t, Options{Path: newPath(t)})
	const n = pruneBatch + 10
	apply(t, s, notes(n))
	embedNotes(t, s, n-1, "old:1", memory.PutVectors{})
	embedNotes(t, s, 3, "old:1#symmetric", memory.PutVectors{Cue: true})
	embedNotes(t, s, n, "new:1", memory.PutVectors{})
	if embedded, memories, err := s.Embedded(ctx, "old:1"); err != nil || embedded != n-1 || memories != n {
		t.Errorf("%d of %d, %v", embedded, memories, err)
	}
	mustRefuse(t, s.Prune(ctx, "new:1"), memory.CodeConflict)
	for range 2 {
		if err := s.Prune(ctx, "old:1"); err != nil {
			t.Fatal(err)
		}
	}
	sets, err := s.VectorSets(ctx)
	if err != nil || len(sets) != 2 || sets[0].Memories != 3 || !sets[0].Cue || sets[1].Memories != n {
		t.Errorf("%+v, %v", sets, err)
	}
	if embedded, _, err := s.Embedded(ctx, "old:1"); err != nil || embedded != 0 {
		t.Errorf("%d are left, %v", embedded, err)
	}
	mustCheckClean(t, s)
}

// TestAKilledPruningLeavesASoundStore ends in the middle.
func TestAKilledPruningLeavesASoundStore(t *testing.T) {
	ctx := context.Background()
	s := openStore(t, Options{Path: newPath(t)})
	apply(t, s, notes(5))
	embedNotes(t, s, 5, "old:1", memory.PutVectors{})
	embedNotes(t, s, 5, "new:1", memory.PutVectors{})
	err := s.amend(ctx, func(ctx context.Context, c *conn) error {
		_, _, err := pruneSome(ctx, c, "old:1", 2)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	mustCheckClean(t, s)
	if left, err := s.Unembedded(ctx, "old:1", 0); err != nil || len(left) != 3 {
		t.Errorf("%d are without, %v", len(left), err)
	}
	if err := s.Prune(ctx, "old:1"); err != nil {
		t.Fatal(err)
	}
	mustCheckClean(t, s)
}
