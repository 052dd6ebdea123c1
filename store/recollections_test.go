package store

import (
	"context"
	"testing"

	"combray/internal/memory"
)

// TestAFiringTakesThePlaceOfTheOneItReplaces is a memory that fires again while
// its first firing still waits (contract/sense.md 4.12).
func TestAFiringTakesThePlaceOfTheOneItReplaces(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	plan := capturePlan(note(1, "tea"), note(2, "cake"))
	plan.Write(memory.PutRecollection{Recollection: recollection(1, 1)}, memory.PutRecollection{Recollection: recollection(2, 2)})
	apply(t, s, plan)
	first := pending(t, s)[0]
	again := recollection(3, 1)
	again.Sequence, first.Queued = first.Sequence, false
	apply(t, s, memory.Plan{Changes: []memory.Change{memory.PutRecollection{Recollection: first}, memory.PutRecollection{Recollection: again}}})
	queue := pending(t, s)
	if len(queue) != 2 || queue[0].ID != again.ID || queue[0].Sequence != first.Sequence || queue[1].ID != recollection(2, 2).ID {
		t.Errorf("queue %+v", queue)
	}
	apply(t, s, memory.Plan{Changes: []memory.Change{memory.PutRecollection{Recollection: recollection(4, 2)}}})
	if queue = pending(t, s); len(queue) != 3 || queue[2].ID != recollection(4, 2).ID {
		t.Errorf("the newest does not stand last: %+v", queue)
	}
	best := recollection(2, 2)
	best.Score = 1
	apply(t, s, memory.Plan{Changes: []memory.Change{memory.PutRecollection{Recollection: best}}})
	if queue = pending(t, s); queue[1].ID != best.ID || queue[1].Score != 1 {
		t.Errorf("an overwrite moved a recollection: %+v", queue)
	}
	mustCheckClean(t, s)
}

func pending(t *testing.T, s *Store) (queue []memory.Recollection) {
	t.Helper()
	err := s.View(context.Background(), func(r memory.Reader) (err error) {
		queue, err = r.Pending(context.Background(), 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return queue
}

// TestVersionsAreTheFiles: they reach other processes with the commit, and what
// is rolled back leaves them.
func TestVersionsAreTheFiles(t *testing.T) {
	path := newPath(t)
	s, other := openStore(t, Options{Path: path}), openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea"), note(2, "cake"), note(3, "bells"), note(4, "garden")))
	read := func(s *Store) (v versions) {
		if err := s.view(context.Background(), func(r *reader) error { v = r.versions; return nil }); err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := read(other)
	refused := memory.Plan{Changes: append(everyPerception(), memory.PutMemory{Memory: note(1, "taken")})}
	mustRefuse(t, try(s, refused), memory.CodeConflict)
	if now := read(other); now != before {
		t.Errorf("a refused plan left %+v, before %+v", now, before)
	}
	sequence, err := s.Sequence(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s, memory.Plan{Changes: []memory.Change{memory.PutHeard{Rows: hearing(1, 8)}, memory.PutRecollection{Recollection: recollection(1, 1)}}})
	if now, err := s.Sequence(context.Background()); err != nil || now != sequence {
		t.Errorf("the change sequence went from %d to %d for what no index holds, %v", sequence, now, err)
	}
	apply(t, s, memory.Plan{Changes: everyPerception()[1:]})
	now := read(other)
	if now != read(s) || now.queue <= before.queue || now.perceived <= before.perceived || now.epoch <= before.epoch {
		t.Errorf("versions %+v after %+v, and %+v in the process that wrote", now, before, read(s))
	}
}

// TestHeardVectorsThatCannotBeKept leaves nothing of their batch.
func TestHeardVectorsThatCannotBeKept(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	rows := hearing(1, 8)
	rows[1].Vector = []float32{1e9, 0}
	mustRefuse(t, try(s, memory.Plan{Changes: []memory.Change{memory.PutHeard{Rows: rows}}}), memory.CodeInvalid)
	if stats, err := s.Stats(context.Background(), ""); err != nil || stats.Heard != 0 {
		t.Errorf("%d things heard, %v", stats.Heard, err)
	}
}
