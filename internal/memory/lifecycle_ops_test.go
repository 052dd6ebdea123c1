package memory_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

func TestPromoteForgetRestore(t *testing.T) {
	d := newDesk(t)
	m := d.keep("the mill is by the river")
	claim, ofClaim, ofMemory := d.build(m)
	names := []any{"MEMORY", m.ID, "CLAIM", claim, "N1", ofClaim, "N2", ofMemory}

	got := ok[memory.Memory](d)(d.Promote(d.ctx, m.ID, "we go there often"))
	if got.Status != memory.Consolidated || got.Number != m.Number || got.Seq <= m.Seq {
		t.Errorf("promoted %+v", got)
	}
	got = ok[memory.Memory](d)(d.Forget(d.ctx, m.ID, "moved away"))
	if !got.Forgotten() || *got.ForgottenReason != "moved away" {
		t.Errorf("forgotten %+v", got)
	}
	if at, err := d.store.Sequence(d.ctx); err != nil || d.index.Stats(d.ctx).Sequence != at {
		t.Errorf("the index stands at %d, the store at %d (%v)", d.index.Stats(d.ctx).Sequence, at, err)
	}
	if shown := d.recalled("mill"); len(shown) > 0 {
		t.Errorf("recall shows the forgotten %q", shown)
	}
	if list := ok[[]memory.Memory](d)(d.ListForgotten(d.ctx, 50)); len(list) != 1 || list[0].ID != m.ID {
		t.Errorf("list_forgotten gives %+v", list)
	}
	got = ok[memory.Memory](d)(d.Restore(d.ctx, m.ID, "we are back"))
	if got.Forgotten() || got.ForgottenReason != nil {
		t.Errorf("restored %+v", got)
	}
	if shown := d.recalled("mill"); len(shown) != 1 {
		t.Errorf("recall shows %q after restore", shown)
	}
	d.wrote(d.audit(names...), "promote MEMORY: we go there often",
		"claim_source_changed CLAIM: memory=MEMORY: ", "narrative_invalidated N1: claim_ids=CLAIM: ", "narrative_invalidated N2: source=MEMORY: ", "forget MEMORY: moved away",
		"claim_source_changed CLAIM: memory=MEMORY: ", "restore MEMORY: we are back")
}

// A claim that is over, or that no longer rests on a memory, is left alone.
func TestForgetSparesClaimsThatDoNotRestOnIt(t *testing.T) {
	d := newDesk(t)
	m := d.keep("the mill is by the river")
	over, retracted := d.Claim("global"), d.Claim("global")
	gone := d.Evidence(retracted, m)
	gone.RetractedAt = memtest.Of(d.Clock.Now())
	d.write(memory.PutClaim{Claim: over}, memory.PutClaimEvent{Event: d.Event(over, memory.ClaimWithdrawn)}, memory.PutEvidence{Evidence: d.Evidence(over, m)},
		memory.PutClaim{Claim: retracted}, memory.PutClaimEvent{Event: d.Event(retracted, memory.ClaimAdopted)}, memory.PutEvidence{Evidence: gone})
	ok[memory.Memory](d)(d.Forget(d.ctx, m.ID, "r"))
	d.wrote(d.audit("M", m.ID), "forget M: r")
}

func TestVerbsRefuseWhatIsUnknownAndWriteNothing(t *testing.T) {
	d := newDesk(t)
	gone := memory.ID("ffffffffffff")
	scope, blank := "s", " "
	for name, call := range map[string]func() error{
		"promote":             func() error { _, err := d.Promote(d.ctx, gone, "r"); return err },
		"review":              func() error { _, err := d.Review(d.ctx, gone, "n"); return err },
		"forget":              func() error { _, err := d.Forget(d.ctx, gone, "r"); return err },
		"restore":             func() error { _, err := d.Restore(d.ctx, gone, "r"); return err },
		"flag_sensitive":      func() error { _, err := d.FlagSensitive(d.ctx, gone, "r"); return err },
		"clear_sensitive":     func() error { _, err := d.ClearSensitive(d.ctx, gone, "r"); return err },
		"update_memory":       func() error { _, err := d.UpdateMemory(d.ctx, gone, "c", "r"); return err },
		"erase":               func() error { _, err := d.Erase(d.ctx, gone, "r", true); return err },
		"corroborate":         func() error { _, err := d.Corroborate(d.ctx, gone, "s"); return err },
		"provenance":          func() error { _, err := d.Provenance(d.ctx, gone); return err },
		"pin":                 func() error { _, err := d.Pin(d.ctx, gone, "r"); return err },
		"canonize":            func() error { _, err := d.Canonize(d.ctx, gone, "s", "r"); return err },
		"decanonize":          func() error { _, err := d.Decanonize(d.ctx, gone, &scope, "r"); return err },
		"decanonize anywhere": func() error { _, err := d.Decanonize(d.ctx, gone, &blank, "r"); return err },
		"set_frame":           func() error { _, err := d.SetFrame(d.ctx, gone, "f", "r"); return err },
		"set_history_context": func() error {
			_, err := d.SetHistoryContext(d.ctx, memory.HistoryContextInput{MemoryID: gone, Reason: "r"})
			return err
		},
		"mark_conflict":    func() error { _, err := d.MarkConflict(d.ctx, gone, "eeeeeeeeeeee", "r"); return err },
		"resolve_conflict": func() error { _, err := d.ResolveConflict(d.ctx, gone, "r", nil); return err },
		"link_memories":    func() error { _, err := d.LinkMemories(d.ctx, gone, "eeeeeeeeeeee", "related", "r"); return err },
		"unlink_memories":  func() error { _, err := d.UnlinkMemories(d.ctx, gone, "r"); return err },
	} {
		err := call()
		if memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("%s: %v, want not_found", name, err)
		}
	}
	if rows := d.audit(); len(rows) > 0 {
		t.Errorf("refused calls wrote %q", rows)
	}
}

func TestFlagTakesPlacesAway(t *testing.T) {
	d := newDesk(t)
	m := d.keepFirm("the door code is by the bell")
	ok[memory.Pinned](d)(d.Pin(d.ctx, m.ID, "home"))
	ok[memory.Canonized](d)(d.Canonize(d.ctx, m.ID, "move", "needed"))
	d.audit()
	r := ok[memory.FlagResult](d)(d.FlagSensitive(d.ctx, m.ID, "a code"))
	if !r.Memory.SecuritySensitive || !r.Unpinned || !slices.Equal(r.Decanonized, []string{"move"}) {
		t.Errorf("flagged %+v", r)
	}
	d.wrote(d.audit("M", m.ID), "unpin_by_sensitivity M: ", "decanonize_by_sensitivity M: scope=move: a code", "flag_sensitive M: a code")
	d.deniedPlace(m.ID)
	ok[memory.Memory](d)(d.Corroborate(d.ctx, m.ID, "Bea"))
	if page := ok[memory.AnchorPage](d)(d.ListAnchors(d.ctx, 50, "")); len(page.Anchors) > 0 {
		t.Error("corroboration gave the anchor back by itself")
	}
	ok[memory.Pinned](d)(d.Pin(d.ctx, m.ID, "home"))
	cleared := ok[memory.Memory](d)(d.ClearSensitive(d.ctx, m.ID, "it was changed"))
	if cleared.SecuritySensitive {
		t.Error("the flag is still there")
	}
}

// deniedPlace wants pin and canonize to deny, and the denials to be on record.
func (d *desk) deniedPlace(id memory.ID) {
	d.Helper()
	_, err := d.Pin(d.ctx, id, "r")
	d.denied(err, memory.CodeDenied, "independent corroboration")
	_, err = d.Canonize(d.ctx, id, "move", "r")
	d.denied(err, memory.CodeDenied, "independent corroboration")
	d.wrote(d.audit("M", id), "pin_denied M: ", "canonize_denied M: scope=move: ")
}

func TestDueForReviewRecordsOnce(t *testing.T) {
	d := newDesk(t)
	m := d.keep("Ada seems tired", asReading)
	d.keep("a fact")
	gone := d.keep("Bea seems glad", asReading)
	ok[memory.Memory](d)(d.Forget(d.ctx, gone.ID, "r"))
	claim, ofClaim, ofMemory := d.build(m)
	d.audit()
	if due := ok[[]memory.Memory](d)(d.DueForReview(d.ctx, nil)); len(due) > 0 {
		t.Errorf("due at once: %+v", due)
	}
	d.Clock.Advance(memory.ReviewAge + time.Minute)
	for call := range 2 {
		due := ok[[]memory.Memory](d)(d.DueForReview(d.ctx, nil))
		if len(due) != 1 || due[0].ID != m.ID || *due[0].ReviewStatus != memory.ReviewStale {
			t.Errorf("call %d: due %+v", call+1, due)
		}
	}
	d.wrote(d.audit("M", m.ID, "C", claim, "N1", ofClaim, "N2", ofMemory),
		"claim_source_changed C: memory=M: ", "narrative_invalidated N1: claim_ids=C: ", "narrative_invalidated N2: source=M: ")
	if s := d.stored(m.ID).ReviewStatus; *s != memory.ReviewStale {
		t.Errorf("stored as %s", *s)
	}
	ok[memory.Memory](d)(d.Review(d.ctx, m.ID, "asked her"))
	d.wrote(d.audit("M", m.ID, "C", claim), "claim_source_changed C: memory=M: ", "review M: asked her")
	if due := ok[[]memory.Memory](d)(d.DueForReview(d.ctx, nil)); len(due) > 0 {
		t.Errorf("due after the review: %+v", due)
	}
	d.Clock.Advance(time.Second)
	if due := ok[[]memory.Memory](d)(d.DueForReview(d.ctx, memtest.Of(0))); len(due) != 1 || *d.stored(m.ID).ReviewStatus != memory.ReviewStale {
		t.Errorf("days 0 gives %d, stored as %s", len(due), *d.stored(m.ID).ReviewStatus)
	}
	for _, days := range []int{1 << 62, -1 << 62} { // out of any calendar, and no failure
		ok[[]memory.Memory](d)(d.DueForReview(d.ctx, &days))
	}
}

// The first write that touches an overdue interpretation records that it is
// overdue, before its own rows, and marks what rests on it once.
func TestWritesRecordOverdueFirst(t *testing.T) {
	for verb, call := range map[string]func(*desk, memory.ID) error{
		"corroborate": func(d *desk, id memory.ID) error { _, err := d.Corroborate(d.ctx, id, "Bea"); return err },
		"review":      func(d *desk, id memory.ID) error { _, err := d.Review(d.ctx, id, "asked"); return err },
	} {
		t.Run(verb, func(t *testing.T) {
			d := newDesk(t)
			m := d.keep("Ada seems tired", asReading)
			claim, _, _ := d.build(m)
			d.Clock.Advance(2 * memory.ReviewAge)
			d.audit()
			if err := call(d, m.ID); err != nil {
				t.Fatal(err)
			}
			got := d.audit("M", m.ID, "C", claim)
			if len(got) != 4 || !strings.Contains(got[0], "overdue") || !strings.HasPrefix(got[3], verb+" M: ") {
				t.Errorf("audit %q: want three rows that it was overdue, then the verb's own", got)
			}
			if want := memory.ReviewStale; verb == "corroborate" && *d.stored(m.ID).ReviewStatus != want {
				t.Errorf("stored as %s, want %s", *d.stored(m.ID).ReviewStatus, want)
			}
		})
	}
}

// A claim with another source that it cannot use is told that this one changed.
func TestCorroborateTellsAClaimInTrouble(t *testing.T) {
	d := newDesk(t)
	m, other := d.keep("the mill"), d.keep("the code", asSensitive)
	claim, ofClaim, _ := d.build(m)
	c := d.Evidence(memory.Claim{ID: claim}, other)
	d.write(memory.PutEvidence{Evidence: c})
	d.audit()
	ok[memory.Memory](d)(d.Corroborate(d.ctx, m.ID, "Ada"))
	d.wrote(d.audit("M", m.ID, "C", claim, "N", ofClaim), "claim_source_changed C: memory=M: ", "narrative_invalidated N: claim_ids=C: ", "corroborate M: ")
	ok[memory.Memory](d)(d.Corroborate(d.ctx, other.ID, "Bea"))
	d.audit()
	ok[memory.Memory](d)(d.Corroborate(d.ctx, m.ID, "Bea"))
	d.wrote(d.audit("M", m.ID, "C", claim), "corroborate M: ", "corroborate_upgrade M: ")
	c.RetractedAt = memtest.Of(d.Clock.Now())
	d.write(memory.PutEvidence{Evidence: c})
	ok[memory.Memory](d)(d.Forget(d.ctx, other.ID, "r"))
	d.audit()
	ok[memory.Memory](d)(d.Corroborate(d.ctx, m.ID, "Cid")) // the claim is redacted, for it once cited the other
	d.wrote(d.audit("M", m.ID, "C", claim), "claim_source_changed C: memory=M: ", "corroborate M: ")
}

func TestDueForConsolidation(t *testing.T) {
	d := newDesk(t)
	old, firm := d.keep("old"), d.keepFirm("firm")
	gone := d.keep("gone")
	ok[memory.Memory](d)(d.Forget(d.ctx, gone.ID, "r"))
	d.Clock.Advance(36 * time.Hour)
	young := d.keep("young")
	for _, c := range []struct {
		days  float64
		limit int
		want  []memory.ID
	}{{0, 20, []memory.ID{old.ID, young.ID}}, {1, 20, []memory.ID{old.ID}}, {0, 1, []memory.ID{old.ID}}, {0, 0, nil}, {-1, -1, []memory.ID{old.ID, young.ID}}, {1e300, 5, nil}} {
		var got []memory.ID
		for _, m := range ok[[]memory.Memory](d)(d.DueForConsolidation(d.ctx, c.days, c.limit)) {
			got = append(got, m.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("days %g, limit %d: %v, want %v (not %s)", c.days, c.limit, got, c.want, firm.ID)
		}
	}
	nan := 0.0
	_, err := d.DueForConsolidation(d.ctx, nan/nan, 1)
	d.denied(err, memory.CodeInvalid, "days must be a number")
}

func TestUpdateMemory(t *testing.T) {
	d := newDesk(t)
	m := d.keepFirm("Ada lives in Lyon", func(in *memory.RememberInput) {
		in.Frame, in.Tags, in.SessionID, in.SessionPosition = memtest.Of("people"), []string{"home"}, memtest.Of("s"), memtest.Of(int64(0))
	})
	ok[memory.Memory](d)(d.Corroborate(d.ctx, m.ID, "Bea"))
	_, _, ofMemory := d.build(m)
	d.audit()
	u := ok[memory.Updated](d)(d.UpdateMemory(d.ctx, m.ID, "Ada lives in Nantes", "she moved"))
	if u.Supersedes != m.ID || u.Memory.Content != "Ada lives in Nantes" || u.Memory.Status != memory.Working || u.Memory.Tier != memory.Archive || *u.Memory.Frame != "people" {
		t.Errorf("updated %+v", u)
	}
	if !u.Memory.Embedded() || u.Memory.RecordedBy.Client != "desk" || u.Memory.SessionPosition != nil {
		t.Errorf("embedded %v, recorded by %+v, position %v", u.Memory.Embedded(), u.Memory.RecordedBy, u.Memory.SessionPosition)
	}
	if shown := d.recalled("Ada lives"); !slices.Equal(shown, []string{"Ada lives in Nantes"}) {
		t.Errorf("recall shows %q", shown)
	}
	links := ok[[]memory.Link](d)(d.MemoryLinks(d.ctx, m.ID, false))
	if len(links) != 1 || links[0].From != u.Memory.ID || links[0].To != m.ID || links[0].Relation != "updates" {
		t.Errorf("links %+v", links)
	}
	got := d.audit("OLD", m.ID, "NEW", u.Memory.ID, "N", ofMemory)
	if last := got[len(got)-1]; last != "update_memory OLD: by=NEW: she moved" || !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "narrative_invalidated N: source=OLD") }) {
		t.Errorf("audit %q", got)
	}
	_, err := d.UpdateMemory(d.ctx, m.ID, "again", "r")
	d.denied(err, memory.CodeConflict, "forgotten")
	ok[memory.Memory](d)(d.Restore(d.ctx, m.ID, "she did not"))
	if p := ok[memory.ProvenanceView](d)(d.Provenance(d.ctx, m.ID)); !p.Standing.Satisfied {
		t.Error("the corroboration did not stay with the old memory")
	}
}

func TestUpdateMemoryWithoutAnEncoderIsEmbeddedBehind(t *testing.T) {
	behind := 0
	d := newDesk(t, func(c *memory.Config) { c.Behind = func() { behind++ } })
	m := d.keep("Ada lives in Lyon")
	d.encoder.Fail("broken")
	u := ok[memory.Updated](d)(d.UpdateMemory(d.ctx, m.ID, "Ada lives in Nantes", "she moved"))
	if u.Memory.Embedded() || behind != 1 {
		t.Errorf("embedded %v without an encoder; %d times said so", u.Memory.Embedded(), behind)
	}
	d.encoder.Fail("")
	if made, err := d.Backfill(d.ctx, nil); made != 1 || err != nil {
		t.Errorf("%d made behind, %v", made, err)
	}
}

// meddler is an encoder during whose work something else happens once.
type meddler struct {
	memory.Encoder
	meanwhile func()
}

func (m *meddler) Passage(ctx context.Context, text string) ([][]float32, error) {
	if f := m.meanwhile; f != nil {
		m.meanwhile = nil
		f()
	}
	return m.Encoder.Passage(ctx, text)
}

// A vector that was made for a line that no longer holds is not stored.
func TestUpdateMemoryDropsAVectorOfAnotherLine(t *testing.T) {
	var e *meddler
	d := newDesk(t, func(c *memory.Config) { e = &meddler{Encoder: c.Encoder}; c.Encoder = e })
	m := d.keep("Ada lives in Lyon")
	e.meanwhile = func() {
		ok[memory.Memory](d)(d.SetHistoryContext(d.ctx, memory.HistoryContextInput{MemoryID: m.ID, Reason: "r", EventAt: memtest.Of("2019-04-14T09:30:00Z")}))
	}
	u := ok[memory.Updated](d)(d.UpdateMemory(d.ctx, m.ID, "Ada lives in Nantes", "she moved"))
	if u.Memory.EventAt == nil || u.Memory.Embedded() {
		t.Errorf("event %v, embedded %v: want the new date and no vector yet", u.Memory.EventAt, u.Memory.Embedded())
	}
}

// scrubs counts how often files and index were rewritten.
type scrubs struct {
	files, index int
	fail         error
}

type scrubStore struct {
	memory.Store
	*scrubs
}

func (s scrubStore) Scrub(context.Context) error { s.files++; return s.fail }

type scrubIndex struct {
	memory.Index
	*scrubs
}

func (s scrubIndex) Scrub(context.Context) error { s.index++; return nil }

func TestErase(t *testing.T) {
	s := &scrubs{}
	d := newDesk(t, func(c *memory.Config) { c.Store, c.Index = scrubStore{c.Store, s}, scrubIndex{c.Index, s} })
	m := d.keepFirm("madeleine in lime tea")
	ok[memory.Pinned](d)(d.Pin(d.ctx, m.ID, "who I am"))
	claim, ofClaim, ofMemory := d.build(m)
	_, err := d.Erase(d.ctx, m.ID, "asked to", false)
	d.denied(err, memory.CodeInvalid, "confirm must be true")
	d.audit()
	if id := ok[memory.ID](d)(d.Erase(d.ctx, m.ID, "asked to", true)); id != m.ID || s.files != 1 || s.index != 1 {
		t.Errorf("erased %s; files rewritten %d times, index %d", id, s.files, s.index)
	}
	if d.stored(m.ID) != nil || len(d.recalled("madeleine")) > 0 {
		t.Error("the memory is still there")
	}
	d.wrote(d.audit("M", m.ID, "C", claim, "N1", ofClaim, "N2", ofMemory),
		"claim_source_changed C: memory=M: ", "narrative_invalidated N1: claim_ids=C: ", "narrative_invalidated N2: source=M: ", "erase M: asked to")
	_, err = d.Erase(d.ctx, m.ID, "again", true)
	d.denied(err, memory.CodeNotFound, "no such memory")

	other := d.keep("hawthorn by the fence")
	s.fail = errors.New("disk is full")
	_, err = d.Erase(d.ctx, other.ID, "asked to", true)
	d.denied(err, memory.CodeUnavailable, "some of its bytes may still be in them")
	if d.stored(other.ID) != nil {
		t.Error("the erasure did not commit")
	}
}
