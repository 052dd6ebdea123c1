package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"combray/internal/memory"
)

// everyChange is a plan with one change of every kind on memories 1 to 4, which
// are there.
func everyChange() (p memory.Plan) {
	first := note(1, "tea")
	first.Number, first.Status, first.ConsolidatedAt = 1, memory.Consolidated, &moment
	p.Write(
		memory.PutMemory{Memory: first},
		memory.PutMemory{Memory: note(5, "new")},
		memory.PutVectors{Number: 2, Identity: "e5", Windows: [][]float32{{1, 0}, {0, 1}}},
		memory.PutAnchor{Anchor: memory.Anchor{MemoryID: noteID(1), Reason: "because", PinnedAt: moment}},
		memory.PutAnchor{Anchor: memory.Anchor{MemoryID: noteID(2), Reason: "because", PinnedAt: moment}},
		memory.RemoveAnchor{MemoryID: noteID(2)},
		memory.PutCorroboration{Corroboration: memory.Corroboration{ID: "c01", MemoryID: noteID(1), Source: " Ada ", At: moment}},
		memory.PutCanon{Entry: memory.CanonEntry{ID: "e01", MemoryID: noteID(1), Scope: "book", Reason: "because", CanonizedAt: moment}},
		memory.PutConflict{Conflict: memory.Conflict{ID: "f01", A: noteID(1), B: noteID(2), Reason: "because", CreatedAt: moment}},
		memory.PutLink{Link: memory.Link{ID: "101", From: noteID(1), To: noteID(3), Relation: "explains", Reason: "because", CreatedAt: moment}},
		memory.PutClaim{Claim: memory.Claim{ID: "a01", Content: "it was tea", Kind: "assertion", Scope: "global", RecordedAt: moment}},
		memory.PutClaimEvent{Event: memory.ClaimEvent{ClaimID: "a01", Action: memory.ClaimProposed, Reason: "because", RecordedAt: moment}},
		memory.PutEvidence{Evidence: memory.Evidence{ID: "b01", ClaimID: "a01", MemoryID: noteID(1), Stance: "supports", Reason: "because", RecordedAt: moment}},
		memory.PutNarrative{Narrative: memory.Narrative{ID: "d01", Content: "once", Reason: "because", Scope: "global", CreatedAt: moment,
			MemoryIDs: []memory.ID{noteID(3), noteID(1)}, ClaimIDs: []memory.ID{"a01"}, LinkIDs: []memory.ID{"101"}, Unreadable: []string{"link_ids"}}},
	)
	p.Write(everyPerception()...)
	p.Write(
		memory.PutFingerprints{MemoryID: noteID(4), Fingerprints: []memory.Fingerprint{{Channel: memory.ChannelText, Text: "leaves", Chance: 1}}},
		memory.PutRecollection{Recollection: recollection(9, 4)},
		memory.EraseMemory{MemoryID: noteID(4)},
	)
	for i, action := range []memory.Action{memory.ActPromote, memory.ActPin, memory.ActErase} {
		p.Record(noteID(i+1), action, "because", moment)
	}
	return p
}

// everyPerception is one change of every kind of involuntary memory, on memories
// 1 to 3.
func everyPerception() []memory.Change {
	delivered := recollection(2, 2)
	useful := true
	delivered.Queued, delivered.Useful = false, &useful
	return []memory.Change{
		memory.PutRecollection{Recollection: recollection(1, 1)},
		memory.PutRecollection{Recollection: delivered},
		memory.PutFingerprints{MemoryID: noteID(1), Fingerprints: []memory.Fingerprint{
			{Channel: memory.ChannelText, Text: "bells", Chance: 1}, {Channel: memory.ChannelImage, Backend: "e5", Data: []byte{1, 2}, Text: "a steeple", Chance: 0.5}}},
		memory.PutVectors{Number: 1, Identity: "e5/cue", Windows: [][]float32{{0, 1}}, Cue: true},
		memory.PutMedia{MemoryID: noteID(3), Media: []memory.Medium{{Channel: memory.ChannelImage, Mime: "image/png", Data: []byte{3}}}},
		memory.PutHeard{Rows: []memory.Heard{{Kind: memory.HeardWord, Key: 9, Day: 1, Half: -1}}},
		memory.WipeHeard{},
		memory.PutHeard{Rows: []memory.Heard{
			{Kind: memory.HeardPlace, Key: 1 << 40, Day: 19851, Half: 25},
			{Kind: memory.HeardWord, Key: 9, Day: 19840, Half: -1},
			{Kind: memory.HeardText, Key: -7, Day: 19851, Half: -1, Identity: "e5/cue", Vector: []float32{0, 1}},
			{Kind: memory.HeardReading, Key: 2, Day: 19851, Half: 25, Value: 61.5}}},
		memory.ForgetHeard{Before: 19851},
		memory.PutVisit{Visit: memory.Visit{Source: "phone", HasPlace: true, Lat: 48.3, Lon: 1.2, At: moment, Cue: 5}},
	}
}

// recollection is a firing of a note that waits; its id is made from i.
func recollection(i, of int) memory.Recollection {
	return memory.Recollection{ID: memory.ID(fmt.Sprintf("ec%010x", i)), MemoryID: noteID(of), Score: 0.8,
		Channels: map[memory.Channel]float64{memory.ChannelGeo: 0.97}, Via: []memory.Channel{memory.ChannelGeo},
		At: moment.In(time.FixedZone("", 7200)), Source: "phone", FiredAt: moment, Queued: true}
}

// TestFailedAuditInsertLeavesNothing lets the first, the middle and the last audit
// row of a plan fail: every table stays as it was, and the store goes on.
func TestFailedAuditInsertLeavesNothing(t *testing.T) {
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea"), note(2, "cake"), note(3, "bells"), note(4, "garden")))
	before := dump(t, path)
	plan := everyChange()
	for _, row := range plan.Audit {
		alter(t, path, fmt.Sprintf(`CREATE TRIGGER staged BEFORE INSERT ON audit_log WHEN new.action = '%s'
			BEGIN SELECT raise(ABORT, 'staged'); END`, row.Action))
		mustRefuse(t, try(s, plan), memory.CodeInternal)
		alter(t, path, "DROP TRIGGER staged")
		if after := dump(t, path); after != before {
			t.Fatalf("a failing audit row of %s left something:\n%s\nbefore:\n%s", row.Action, after, before)
		}
	}
	apply(t, s, plan)
	mustCheckClean(t, s)
	if after := dump(t, path); after == before {
		t.Error("the plan wrote nothing")
	}
}

// TestAFailedPlanStaysFailed is a caller that ignores an error of Apply.
func TestAFailedPlanStaysFailed(t *testing.T) {
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea")))
	before := dump(t, path)
	ctx := context.Background()
	err := s.Update(ctx, func(tx memory.Tx) error {
		mustRefuse(t, tx.Apply(ctx, capturePlan(note(2, "new"), note(1, "taken"))), memory.CodeConflict)
		_ = tx.Apply(ctx, capturePlan(note(3, "new")))
		return nil
	})
	mustRefuse(t, err, memory.CodeConflict)
	if after := dump(t, path); after != before {
		t.Errorf("something was kept:\n%s", after)
	}
}

func TestAPanicRollsBack(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	func() {
		defer func() { _ = recover() }()
		_ = s.Update(context.Background(), func(tx memory.Tx) error {
			_ = tx.Apply(context.Background(), capturePlan(note(1, "tea")))
			panic("staged")
		})
	}()
	if load(t, s, noteID(1)) != nil {
		t.Error("a panic committed")
	}
	apply(t, s, capturePlan(note(1, "tea")))
}

func TestAReaderDoesNotOutliveItsView(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	var kept memory.Reader
	_ = s.View(context.Background(), func(r memory.Reader) error {
		kept = r
		return nil
	})
	defer func() {
		if recover() == nil {
			t.Error("a Reader was used after its View")
		}
	}()
	_, _ = kept.Anchors(context.Background())
}

func TestVectorsThatCannotBeKept(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	apply(t, s, capturePlan(note(1, "tea")))
	put := func(number int64, windows ...[]float32) error {
		return try(s, memory.Plan{Changes: []memory.Change{memory.PutVectors{Number: number, Identity: "e5", Windows: windows}}})
	}
	if err := put(1, []float32{1, 0}); err != nil {
		t.Fatal(err)
	}
	var zero float32
	mustRefuse(t, put(1, []float32{1, 0, 0}), memory.CodeInvalid)
	mustRefuse(t, put(1, []float32{0 / zero, 1}), memory.CodeInvalid)
	mustRefuse(t, put(1, []float32{1 / zero, 1}), memory.CodeInvalid)
	other := memory.PutVectors{Number: 1, Identity: "empty", Windows: [][]float32{{}}}
	mustRefuse(t, try(s, memory.Plan{Changes: []memory.Change{other}}), memory.CodeInvalid)
	mustRefuse(t, put(7, []float32{1, 0}), memory.CodeNotFound)
	mustCheckClean(t, s)
}

// TestCancelledCalls looks that the error is the context's own and that the
// connection is whole afterwards.
func TestCancelledCalls(t *testing.T) {
	path := newPath(t)
	s, other := openStore(t, Options{Path: path}), openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea")))
	soon := func() context.Context {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	wait := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", what, err)
		}
	}
	err := s.Update(context.Background(), func(memory.Tx) error {
		wait("waiting for this process", s.Update(soon(), func(memory.Tx) error { return nil }))
		wait("waiting for another process", other.Update(soon(), func(memory.Tx) error { return nil }))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = s.Update(ctx, func(tx memory.Tx) error {
		err := tx.Apply(ctx, capturePlan(note(2, "tea")))
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) || load(t, s, noteID(2)) != nil {
		t.Errorf("cancelled before the commit: %v", err)
	}
	wait("an endless read", s.view(context.Background(), func(r *reader) error {
		_, err := r.c.scan(soon(), []any{new(int)}, "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
		return err
	}))
	for range 2 * readerConnections {
		if load(t, s, noteID(1)) == nil {
			t.Error("a reader is not whole")
		}
	}
	apply(t, s, capturePlan(note(2, "tea")))
	apply(t, other, capturePlan(note(3, "tea")))
}

// TestABrokenConnectionIsReplaced closes a connection under the store.
func TestABrokenConnectionIsReplaced(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	c, err := s.writer.get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	if c.rollback(); !c.broken {
		t.Fatal("a closed connection is called usable")
	}
	s.writer.put(c)
	apply(t, s, capturePlan(note(1, "tea")))
}
