package memory_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// legacy is what another system kept: a row of every kind, in the order of its
// writing.
func legacy(s *memtest.Sample) memory.Inheritance {
	s.Clock.Tick = time.Second
	defer func() { s.Clock.Tick = -1 }()
	mill, ferry, bridge := s.Memory("the mill"), s.Memory("the ferry"), s.Memory("the bridge")
	mill.Status, mill.Tier, mill.SessionID, mill.SessionPosition = memory.Consolidated, memory.Testimony, memtest.Of("s1"), memtest.Of(int64(3))
	bridge.Status, bridge.ForgottenAt, bridge.ForgottenReason = memory.Consolidated, memtest.Of(s.Clock.Now()), memtest.Of("burnt")
	in := memory.Inheritance{Memories: []memory.Memory{mill, ferry, bridge},
		Corroborations: []memory.Corroboration{s.Corroboration(mill, " Ben "), s.Corroboration(mill, "Cleo")},
		Anchors:        []memory.Anchor{s.Anchor(mill)},
		Canon:          []memory.CanonEntry{s.Canon(mill, "tour"), s.Canon(bridge, "tour")},
		Conflicts:      []memory.Conflict{s.Conflict(mill, ferry), s.Conflict(ferry, bridge)},
		Links:          []memory.Link{s.Link(mill, ferry, "explains"), s.Link(ferry, bridge, "related")},
	}
	in.Canon[1].DecommissionedAt = memtest.Of(s.Clock.Now())
	in.Conflicts[1].ResolvedAt, in.Conflicts[1].ResolutionReason = memtest.Of(s.Clock.Now()), memtest.Of("gone")
	in.Links[1].RetiredAt, in.Links[1].RetirementReason = memtest.Of(s.Clock.Now()), memtest.Of("gone")
	old, new := s.Claim("global"), s.Claim("global")
	in.Claims = []memory.Claim{old, new}
	in.Evidence = []memory.Evidence{s.Evidence(old, mill), s.Evidence(new, ferry)}
	in.Events = []memory.ClaimEvent{s.Event(old, memory.ClaimProposed), s.Event(old, memory.ClaimAdopted),
		s.Event(new, memory.ClaimProposed), s.Event(new, memory.ClaimAdopted), s.Event(old, memory.ClaimSuperseded)}
	in.Events[4].ReplacementID = &new.ID
	first, second := s.Narrative("global", mill), s.Narrative("global", mill, ferry)
	first.SupersededAt, first.SupersededBy = &second.CreatedAt, &second.ID
	second.Unreadable = []string{"claim_ids"}
	in.Narratives = []memory.Narrative{first, second}
	for i, action := range []memory.Action{memory.ActPromote, memory.ActPin, "aml_screened", memory.ActNarrateDenied} {
		row := memory.AuditRow{ID: s.IDs.Next(), Subject: mill.ID, Action: action, Reason: fmt.Sprint("reason ", i), At: memtest.Start}
		in.Audit = append(in.Audit, row)
	}
	in.Audit[3].Subject = s.IDs.Next() // an account that was never stored
	return in
}

// importing is the context of an import.
func (d *desk) importing() context.Context {
	return memory.WithActor(context.Background(), memory.Actor{Client: "combray", Version: "1", Door: memory.DoorImport})
}

func (d *desk) adopt(in memory.Inheritance) memory.Adopted {
	d.Helper()
	return ok[memory.Adopted](d)(d.Adopt(d.importing(), in, nil))
}

// tally shows the counts that are not zero: "memories 3 added".
func tally(a memory.Adopted) []string {
	var out []string
	for _, c := range a.Counts {
		for _, n := range []struct {
			count int
			what  string
		}{{c.Added, "added"}, {c.Present, "present"}, {c.LeftOut, "left out"}} {
			if n.count > 0 {
				out = append(out, fmt.Sprintf("%s %d %s", c.Kind, n.count, n.what))
			}
		}
	}
	return out
}

func (d *desk) same(got, want any) {
	d.Helper()
	if !reflect.DeepEqual(got, want) {
		d.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestAdoptKeepsEveryRow(t *testing.T) {
	behind := 0
	d := newDesk(t, func(c *memory.Config) { c.Behind = func() { behind++ } })
	in := legacy(&d.Sample)
	got := d.adopt(in)
	d.same(tally(got), []string{"memories 3 added", "corroborations 2 added", "anchors 1 added", "canon 2 added", "conflicts 2 added",
		"links 2 added", "narratives 2 added", "claims 2 added", "claim_events 5 added", "evidence 2 added", "audit_log 4 added"})
	d.same(got.Notices, []memory.AdoptedNotice(nil))
	d.view(func(r memory.Reader) error { d.holds(r, in); return nil })
	if behind == 0 {
		t.Error("nobody was told that vectors are missing")
	}
}

// holds wants every row of an inheritance to be in the store as it was.
func (d *desk) holds(r memory.Reader, in memory.Inheritance) {
	by := memory.ActorOf(d.importing())
	for i, m := range in.Memories {
		got := *d.stored(m.ID)
		m.Number, m.Seq, m.RecordedBy = int64(i+1), got.Seq, by
		d.same(got, m)
	}
	d.same(ok[map[memory.ID][]string](d)(r.Labels(d.ctx, []memory.ID{in.Memories[0].ID})), map[memory.ID][]string{in.Memories[0].ID: {" Ben ", "Cleo"}})
	d.same(ok[[]memory.Anchor](d)(r.Anchors(d.ctx)), in.Anchors)
	d.same(ok[[]memory.CanonEntry](d)(r.Canon(d.ctx, nil, nil)), in.Canon[:1])
	for _, c := range in.Conflicts {
		d.same(*ok[*memory.Conflict](d)(r.Conflict(d.ctx, c.ID)), c)
	}
	for _, l := range in.Links {
		d.same(*ok[*memory.Link](d)(r.Link(d.ctx, l.ID)), l)
	}
	for _, n := range in.Narratives {
		n.RecordedBy = by
		d.same(*ok[*memory.Narrative](d)(r.Narrative(d.ctx, n.ID)), n)
	}
	for _, c := range in.Claims {
		c.RecordedBy = by
		d.same(*ok[*memory.Claim](d)(r.Claim(d.ctx, c.ID)), c)
	}
	for i := range in.Events {
		in.Events[i].Sequence = int64(i + 1)
	}
	d.same(ok[[]memory.ClaimEvent](d)(r.ClaimEvents(d.ctx, []memory.ID{in.Claims[0].ID, in.Claims[1].ID})), in.Events)
	for _, e := range in.Evidence {
		d.same(*ok[*memory.Evidence](d)(r.Evidence(d.ctx, e.ID)), e)
	}
	rows := ok[[]memory.AuditRow](d)(r.Audit(d.ctx, memory.AuditQuery{Captures: true}))
	slices.SortFunc(rows, func(a, b memory.AuditRow) int { return int(a.Sequence - b.Sequence) })
	for i, a := range in.Audit {
		d.same([]any{rows[i].ID, rows[i].Subject, rows[i].Action, rows[i].Reason, rows[i].At, rows[i].By}, []any{a.ID, a.Subject, a.Action, a.Reason, a.At, by})
	}
	if len(rows) != len(in.Audit)+len(in.Memories) {
		d.Errorf("%d audit rows, want %d and a capture for each of %d memories", len(rows), len(in.Audit), len(in.Memories))
	}
	for i, row := range rows[len(in.Audit):] {
		d.same([]any{row.Subject, row.Action}, []any{in.Memories[i].ID, memory.ActRemember})
	}
}

func TestAdoptAgainAddsNothing(t *testing.T) {
	d := newDesk(t)
	in := legacy(&d.Sample)
	d.adopt(in)
	// What has changed here since then stays as it is.
	mill, ferry := in.Memories[0].ID, in.Memories[1].ID
	ok[memory.ID](d)(d.Unpin(d.ctx, mill, memtest.Of("r")))
	ok[memory.Decanonized](d)(d.Decanonize(d.ctx, mill, nil, "r"))
	ok[memory.Memory](d)(d.Forget(d.ctx, ferry, "r"))
	ok[memory.Link](d)(d.UnlinkMemories(d.ctx, in.Links[0].ID, "r"))
	ok[memory.Conflict](d)(d.ResolveConflict(d.ctx, in.Conflicts[0].ID, "r", nil))
	ok[memory.ClaimView](d)(d.WithdrawClaim(d.ctx, in.Claims[1].ID, "r"))
	before := d.stats()
	got := d.adopt(in)
	d.same(tally(got), []string{"memories 3 present", "corroborations 2 present", "anchors 1 present", "canon 2 present", "conflicts 2 present",
		"links 2 present", "narratives 2 present", "claims 2 present", "claim_events 5 present", "evidence 2 present", "audit_log 4 present"})
	d.same(got.Notices, []memory.AdoptedNotice(nil))
	d.same(d.stats(), before)
}

// stats are counts and the change sequence of the store.
func (d *desk) stats() string {
	d.Helper()
	s := ok[memory.StoreStats](d)(d.store.Stats(d.ctx, ""))
	n := ok[int64](d)(d.store.Sequence(d.ctx))
	return fmt.Sprintf("%+v at %d", s, n)
}

func TestAdoptOfAGrownFileBringsWhatIsNew(t *testing.T) {
	d := newDesk(t)
	in := legacy(&d.Sample)
	d.adopt(in)
	well := d.Memory("the well")
	in.Memories = append(in.Memories, well)
	in.Corroborations = append(in.Corroborations, d.Corroboration(well, "Ben"), d.Corroboration(in.Memories[0], "Dora"))
	in.Links = append(in.Links, d.Link(well, in.Memories[0], "related"))
	in.Audit = append(in.Audit, memory.AuditRow{ID: d.IDs.Next(), Subject: well.ID, Action: memory.ActPromote, At: memtest.Start})
	d.same(slices.DeleteFunc(tally(d.adopt(in)), func(s string) bool { return strings.HasSuffix(s, "present") }),
		[]string{"memories 1 added", "corroborations 1 added", "links 1 added", "audit_log 1 added"})
}

func TestAdoptBringsNothingErasedBack(t *testing.T) {
	d := newDesk(t)
	in := legacy(&d.Sample)
	d.adopt(in)
	mill := in.Memories[0].ID
	ok[memory.ID](d)(d.Erase(d.ctx, mill, "r", true))
	in.Audit = append(in.Audit, memory.AuditRow{ID: d.IDs.Next(), Subject: mill, Action: memory.ActSetFrame, Reason: "words of the mill", At: memtest.Start})
	before := d.stats()
	got := d.adopt(in)
	if d.stored(mill) != nil || d.stats() != before {
		t.Errorf("the erased memory came back: %s, before %s", d.stats(), before)
	}
	d.same(tally(got), []string{"memories 2 present", "memories 1 left out", "corroborations 2 left out", "anchors 1 left out",
		"canon 1 present", "canon 1 left out", "conflicts 1 present", "conflicts 1 left out", "links 1 present", "links 1 left out",
		"narratives 2 present", "claims 2 present", "claim_events 5 present", "evidence 2 present", "audit_log 4 present", "audit_log 1 left out"})
	if len(got.Notices) != 1 || got.Notices[0].ID != mill || !strings.Contains(got.Notices[0].What, "erased here") {
		t.Errorf("notices %+v", got.Notices)
	}
}

// TestAdoptGivesWayToWhatIsHere walks every place that a row can find taken: the
// row that was here first keeps it, a notice names the other, the rest goes on.
func TestAdoptGivesWayToWhatIsHere(t *testing.T) {
	d := newDesk(t)
	holder := d.keep("at the place", func(in *memory.RememberInput) {
		in.SessionID, in.SessionPosition = memtest.Of("s1"), memtest.Of(int64(3))
	})
	current := ok[memory.NarrativeView](d)(d.Narrate(d.ctx, memory.NarrateInput{Content: "here", Reason: "r", Scope: "global"})).Narrative
	in := legacy(&d.Sample)
	mill, ferry := in.Memories[0].ID, in.Memories[1].ID
	got := d.adopt(in)
	d.notices(got, "memories "+string(mill)+": session_position 3", "narratives "+string(in.Narratives[1].ID)+": scope \"global\" already has")
	if m := d.stored(mill); *m.SessionID != "s1" || m.SessionPosition != nil {
		t.Errorf("the mill is at %v of %v, want in the session without a position", m.SessionPosition, m.SessionID)
	}
	if m := d.stored(holder.ID); *m.SessionPosition != 3 {
		t.Errorf("the holder lost its position: %+v", m)
	}
	d.view(func(r memory.Reader) error {
		n := ok[*memory.Narrative](d)(r.Narrative(d.ctx, in.Narratives[1].ID))
		if n.SupersededAt == nil || *n.SupersededBy != current.ID {
			t.Errorf("the account that came is not superseded by the one that was here: %+v", n)
		}
		return nil
	})

	// Later the file has another open conflict and active link between memories
	// that are both here.
	again := memory.Inheritance{Memories: in.Memories, Conflicts: []memory.Conflict{d.Conflict(in.Memories[1], in.Memories[0])},
		Links: []memory.Link{d.Link(in.Memories[0], in.Memories[1], "explains")}}
	d.notices(d.adopt(again), "conflicts "+string(again.Conflicts[0].ID)+": conflict "+string(in.Conflicts[0].ID)+" is already open for memories "+string(ferry),
		"links "+string(again.Links[0].ID)+": link "+string(in.Links[0].ID)+" is already active")
}

// TestAdoptSettlesWhatTheFileHasTwice: older versions of the other system did not
// keep two processes from making the same thing current.
func TestAdoptSettlesWhatTheFileHasTwice(t *testing.T) {
	d := newDesk(t)
	d.Clock.Tick = time.Second
	a, b := d.Memory("a"), d.Memory("b")
	older, newer := d.Narrative("global", a), d.Narrative("global", b)
	in := memory.Inheritance{Memories: []memory.Memory{a, b}, Narratives: []memory.Narrative{newer, older},
		Canon:     []memory.CanonEntry{d.Canon(a, "tour"), d.Canon(a, "tour"), d.Canon(a, "other")},
		Conflicts: []memory.Conflict{d.Conflict(a, b), d.Conflict(b, a)},
		Links:     []memory.Link{d.Link(a, b, "related"), d.Link(a, b, "related"), d.Link(b, a, "related")}}
	d.notices(d.adopt(in), "canon "+string(in.Canon[1].ID), "conflicts "+string(in.Conflicts[1].ID), "links "+string(in.Links[1].ID),
		"narratives "+string(older.ID)+": scope \"global\" already has the current account "+string(newer.ID))
	view := ok[*memory.NarrativeView](d)(d.CurrentNarrative(d.ctx, "global"))
	d.same(view.Narrative.ID, newer.ID)
}

func (d *desk) notices(a memory.Adopted, want ...string) {
	d.Helper()
	var got []string
	for _, n := range a.Notices {
		got = append(got, fmt.Sprintf("%s %s: %s", n.Kind, n.ID, n.What))
	}
	d.wrote(got, want...)
}

func TestAdoptIsAllOrNothing(t *testing.T) {
	d := newDesk(t)
	in := legacy(&d.Sample)
	in.Evidence[1].ID = in.Evidence[0].ID
	in.Evidence[1].ClaimID = in.Evidence[0].ClaimID
	in.Corroborations[1].ID = in.Corroborations[0].ID // a row that the store refuses
	before := d.stats()
	if _, err := d.Adopt(d.importing(), in, nil); memory.CodeOf(err) != memory.CodeConflict {
		t.Fatalf("error %v, want a conflict", err)
	}
	d.same(d.stats(), before)
}

func TestAdoptEndsWithItsContext(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithCancel(d.importing())
	cancel()
	before := d.stats()
	if _, err := d.Adopt(ctx, legacy(&d.Sample), nil); err == nil {
		t.Error("an import that was cancelled went through")
	}
	d.same(d.stats(), before)
}

// TestAdoptedMemoriesAnswer: words find an adopted memory at once, and its place
// in the default order is that of its own time.
func TestAdoptedMemoriesAnswer(t *testing.T) {
	d := newDesk(t)
	d.Clock.Set(memtest.Start.Add(time.Hour))
	d.keep("kept here")
	d.Clock.Set(memtest.Start)
	in := legacy(&d.Sample)
	d.Clock.Set(memtest.Start.Add(2 * time.Hour))
	d.adopt(in)
	d.same(d.recalled("ferry")[0], "the ferry")
	d.same(d.recalled(""), []string{"kept here", "the ferry"}) // the mill is an anchor, the bridge forgotten
}
