package memory_test

import (
	"slices"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

func TestFrames(t *testing.T) {
	d := newDesk(t)
	m := d.keep("the mill", func(in *memory.RememberInput) { in.Frame = memtest.Of("b") })
	d.keep("the tower", func(in *memory.RememberInput) { in.Frame = memtest.Of("a") })
	got := ok[memory.Memory](d)(d.SetFrame(d.ctx, m.ID, "c", "sorted"))
	if *got.Frame != "c" {
		t.Errorf("frame %q", *got.Frame)
	}
	ok[memory.Memory](d)(d.Forget(d.ctx, m.ID, "r"))
	if frames := ok[[]string](d)(d.ListFrames(d.ctx)); !slices.Equal(frames, []string{"a", "c"}) {
		t.Errorf("frames %q: those of forgotten memories count", frames)
	}
}

func TestSetHistoryContext(t *testing.T) {
	d := newDesk(t)
	first := d.keep("first", func(in *memory.RememberInput) {
		in.SessionID, in.SessionPosition = memtest.Of("s"), memtest.Of(int64(0))
	})
	m := d.keep("we met")
	claim, _, ofMemory := d.build(m)
	d.audit()
	in := memory.HistoryContextInput{MemoryID: m.ID, Reason: "the letter", EventAt: memtest.Of("2019-04-14T09:30:00+02:00"), SessionID: memtest.Of("s"), SessionPosition: memtest.Of(int64(0))}
	_, err := d.SetHistoryContext(d.ctx, in)
	d.denied(err, memory.CodeConflict, string(first.ID))
	in.SessionPosition = memtest.Of(int64(1))
	got := ok[memory.Memory](d)(d.SetHistoryContext(d.ctx, in))
	if !got.EventAt.Equal(time.Date(2019, 4, 14, 7, 30, 0, 0, time.UTC)) || *got.EventOffset != 120 || *got.SessionPosition != 1 || !got.Embedded() {
		t.Errorf("stored %+v", got)
	}
	rows := d.audit("M", m.ID, "C", claim, "N", ofMemory)
	if len(rows) != 4 || rows[3] != `set_history_context M: {"before": {"event_at": null, "session_id": null, "session_position": null}, "after": {"event_at": "2019-04-14T07:30:00+00:00", "session_id": "s", "session_position": 1}, "reason": "the letter"}` {
		t.Errorf("audit %q", rows)
	}
	ok[memory.Memory](d)(d.SetHistoryContext(d.ctx, in)) // the memory's own position is free for it
	if rows := d.audit(); len(rows) != 1 {
		t.Errorf("the same again wrote %q", rows)
	}
}

// A memory is read together with its date, so a new date means a new vector.
func TestSetHistoryContextEncodesAnew(t *testing.T) {
	d := newDesk(t)
	m := d.keep("we met")
	before := d.vectors(m)
	in := memory.HistoryContextInput{MemoryID: m.ID, Reason: "the letter", EventAt: memtest.Of("2019-04-14T09:30:00Z")}
	passages := d.encoder.Passages.Load()
	ok[memory.Memory](d)(d.SetHistoryContext(d.ctx, in))
	dated := d.vectors(m)
	if slices.Equal(before[0], dated[0]) || d.encoder.Passages.Load() != passages+1 {
		t.Error("the vector is the one from before the date was known")
	}
	in.SessionID = memtest.Of("s")
	if got := ok[memory.Memory](d)(d.SetHistoryContext(d.ctx, in)); !got.Embedded() || d.encoder.Passages.Load() != passages+1 {
		t.Error("a memory that reads the same was encoded again, or lost its vector")
	}
	d.encoder.Fail("broken")
	in.EventAt = nil
	if got := ok[memory.Memory](d)(d.SetHistoryContext(d.ctx, in)); got.Embedded() {
		t.Error("it keeps the vector of another date")
	}
	d.encoder.Fail("")
	if _, err := d.Backfill(d.ctx, nil); err != nil {
		t.Fatal(err)
	}
	if again := d.vectors(m); !slices.Equal(again[0], before[0]) {
		t.Error("the vector made behind is not the one without a date")
	}
}

func (d *desk) vectors(m memory.Memory) [][]float32 {
	d.Helper()
	v, err := d.store.Vectors(d.ctx, []int64{m.Number}, memory.LineIdentity(d.encoder.Identity()))
	if err != nil || len(v) != 1 || len(v[0]) == 0 {
		d.Fatalf("vectors of %s: %v, %v", m.ID, v, err)
	}
	return v[0]
}

func TestConflicts(t *testing.T) {
	d := newDesk(t)
	a, b := d.keep("the door is green"), d.keep("the door is red")
	c := ok[memory.ConflictRow](d)(d.MarkConflict(d.ctx, a.ID, b.ID, "colour"))
	if c.Conflict.A != a.ID || c.A.Content != a.Content || c.B.Content != b.Content {
		t.Errorf("conflict %+v", c)
	}
	again := ok[memory.ConflictRow](d)(d.MarkConflict(d.ctx, b.ID, a.ID, "colour again"))
	if again.Conflict != c.Conflict {
		t.Errorf("the open conflict came back as %+v", again.Conflict)
	}
	ok[memory.Memory](d)(d.Forget(d.ctx, a.ID, "r"))
	if rows := ok[[]memory.ConflictRow](d)(d.ListConflicts(d.ctx, nil)); len(rows) != 1 || !rows[0].A.Forgotten() {
		t.Errorf("list_conflicts %+v: forgotten members are shown", rows)
	}
	done := ok[memory.Conflict](d)(d.ResolveConflict(d.ctx, c.Conflict.ID, "looked", &b.ID))
	if done.ResolvedAt == nil || *done.AdoptedMemoryID != b.ID {
		t.Errorf("resolved %+v", done)
	}
	if rows := ok[[]memory.ConflictRow](d)(d.ListConflicts(d.ctx, memtest.Of(false))); len(rows) != 0 {
		t.Errorf("open ones: %+v", rows)
	}
	ok[memory.Memory](d)(d.Restore(d.ctx, a.ID, "r"))
	if next := ok[memory.ConflictRow](d)(d.MarkConflict(d.ctx, a.ID, b.ID, "new paint")); next.Conflict.ID == c.Conflict.ID {
		t.Error("a resolved pair cannot be marked again")
	}
}

func TestLinks(t *testing.T) {
	d := newDesk(t)
	a, b := d.keep("the mill"), d.keep("the river")
	l := ok[memory.Link](d)(d.LinkMemories(d.ctx, a.ID, b.ID, "explains", "it stands there"))
	if again := ok[memory.Link](d)(d.LinkMemories(d.ctx, a.ID, b.ID, "explains", "again")); again != l {
		t.Errorf("the active link came back as %+v", again)
	}
	ok[memory.Link](d)(d.LinkMemories(d.ctx, b.ID, a.ID, "explains", "the other way"))
	n := d.Narrative("of the link", a, b)
	n.LinkIDs = []memory.ID{l.ID}
	d.write(memory.PutNarrative{Narrative: n})
	d.audit()
	for range 2 {
		if retired := ok[memory.Link](d)(d.UnlinkMemories(d.ctx, l.ID, "wrong")); retired.RetiredAt == nil || *retired.RetirementReason != "wrong" {
			t.Errorf("retired %+v", retired)
		}
	}
	d.wrote(d.audit("A", a.ID, "L", l.ID, "N", n.ID), "narrative_invalidated N: link_ids=L: ", "unlink_memories A: link=L: wrong")
	if live, all := ok[[]memory.Link](d)(d.MemoryLinks(d.ctx, a.ID, false)), ok[[]memory.Link](d)(d.MemoryLinks(d.ctx, a.ID, true)); len(live) != 1 || len(all) != 2 {
		t.Errorf("%d active of %d", len(live), len(all))
	}
	if none := ok[[]memory.Link](d)(d.MemoryLinks(d.ctx, "ffffffffffff", true)); len(none) != 0 {
		t.Errorf("an unknown memory has %+v", none)
	}
}
