package memory

import (
	"slices"
	"testing"
	"time"
)

func TestPromoteGuards(t *testing.T) {
	verb := func(w *world) (err error) { w.plan, err = Promote(w.x, w.reason, noon); return err }
	w := newWorld()
	walk(t, w, verb, []guard{needsReason(giveReason), needsMemory(be(note()))}, "promote m1: because")
	m := put(t, w.plan)
	if m.Status != Consolidated || !m.ConsolidatedAt.Equal(noon) || *m.ConsolidationReason != "because" {
		t.Errorf("promoted to %s at %v for %v", m.Status, m.ConsolidatedAt, *m.ConsolidationReason)
	}
}

func TestPromoteAgain(t *testing.T) {
	forgotten := consolidated()
	forgotten.ForgottenAt = ptr(noon)
	plan, err := Promote(Subject{ID: "m1", Memory: forgotten}, "better reason", noon)
	m := put(t, plan)
	if err != nil || !m.ConsolidatedAt.Equal(*consolidated().ConsolidatedAt) || *m.ConsolidationReason != "better reason" || len(plan.Audit) != 1 {
		t.Errorf("a repeat gave %v, %v, %q: want the first date, the new reason, audited again, on a forgotten memory too", err, m.ConsolidatedAt, *m.ConsolidationReason)
	}
}

func TestReviewGuards(t *testing.T) {
	verb := func(w *world) (err error) { w.plan, err = Review(w.x, w.reason, noon); return err }
	w := newWorld()
	walk(t, w, verb, []guard{
		{code: CodeInvalid, keyword: "note is required and cannot be empty", hint: "note", mend: giveReason},
		needsMemory(be(note())),
		{code: CodeConflict, keyword: "interpretation", hint: "due_for_review", mend: be(interpretation(time.Hour))},
	}, "review m1: because")
	m := put(t, w.plan)
	if *m.ReviewStatus != ReviewCurrent || !m.LastReviewedAt.Equal(noon) {
		t.Errorf("reviewed: %s at %v", *m.ReviewStatus, m.LastReviewedAt)
	}
}

// What rests on an interpretation that is no usable source is marked before the
// review mends it; what could use it all the time is not.
func TestReviewMarksWhatCouldNotUseIt(t *testing.T) {
	stale := interpretation(time.Hour)
	stale.ReviewStatus = ptr(ReviewStale)
	x := Subject{ID: "m1", Memory: stale, Dependents: citing()}
	plan, _ := Review(x, "note", noon)
	if got, want := auditOf(plan), append(marksAll(whyReviewed), "review m1: note"); !slices.Equal(got, want) {
		t.Errorf("stale: %q, want %q", got, want)
	}
	x.Marked = true
	plan, _ = Review(x, "note", noon)
	if got := auditOf(plan); !slices.Equal(got, []string{"review m1: note"}) {
		t.Errorf("marked by this call already: %q", got)
	}
	plan, _ = Review(Subject{ID: "m1", Memory: interpretation(time.Hour), Dependents: citing()}, "note", noon)
	want := []string{"claim_source_changed c2: memory=m1: " + whyReviewed, "narrative_invalidated n2: claim_ids=c2: the claim changed: source_changed", "review m1: note"}
	if got := auditOf(plan); !slices.Equal(got, want) {
		t.Errorf("current: %q, want %q: only the sensitive claim lacked corroboration", got, want)
	}
}

func TestForgetGuards(t *testing.T) {
	verb := func(w *world) (err error) { w.plan, err = Forget(w.x, w.reason, noon); return err }
	w := newWorld()
	w.x.Anchor, w.x.Canon, w.x.Dependents = &Anchor{MemoryID: "m1"}, []CanonEntry{{Scope: "move"}}, citing()
	walk(t, w, verb, []guard{
		needsReason(giveReason), needsMemory(be(note())),
		{code: CodeConflict, keyword: "unpin() first", hint: "unpin", mend: func(w *world) { w.x.Anchor = nil }},
		{code: CodeConflict, keyword: "decanonize()", hint: "end_scope", mend: func(w *world) { w.x.Canon = nil }},
	}, append(marksAll(whyForgotten), "forget m1: because")...)
	m := put(t, w.plan)
	if !m.ForgottenAt.Equal(noon) || *m.ForgottenReason != "because" {
		t.Errorf("forgotten at %v for %q", m.ForgottenAt, *m.ForgottenReason)
	}
}

func TestForgetAgainKeepsTheTime(t *testing.T) {
	gone := note()
	gone.ForgottenAt, gone.ForgottenReason = ptr(noon.Add(-time.Hour)), ptr("first")
	plan, err := Forget(Subject{ID: "m1", Memory: gone}, "second", noon)
	if m := put(t, plan); err != nil || !m.ForgottenAt.Equal(noon.Add(-time.Hour)) || *m.ForgottenReason != "second" || len(plan.Audit) != 1 {
		t.Errorf("a repeat: %v, %v, %q; want the first time, the second reason, audited again", err, m.ForgottenAt, *m.ForgottenReason)
	}
}

func TestRestoreGuards(t *testing.T) {
	gone := note()
	gone.ForgottenAt, gone.ForgottenReason = ptr(noon), ptr("x")
	verb := func(w *world) (err error) { w.plan, err = Restore(w.x, w.reason, noon); return err }
	w := newWorld()
	w.x.Dependents = citing()
	walk(t, w, verb, []guard{
		needsReason(giveReason), needsMemory(be(note())),
		{code: CodeConflict, keyword: "not forgotten", hint: "list_forgotten", mend: be(gone)},
	}, append(marksAll(whyRestored), "restore m1: because")...)
	if m := put(t, w.plan); m.Forgotten() || m.ForgottenReason != nil {
		t.Error("the tombstone is still there")
	}
}

func TestFlagSensitiveGuards(t *testing.T) {
	verb := func(w *world) (err error) { w.plan, w.effects, err = FlagSensitive(w.x, w.reason, noon); return err }
	w := newWorld()
	w.x.Dependents, w.x.Anchor = citing(), &Anchor{MemoryID: "m1"}
	w.x.Canon = []CanonEntry{{ID: "e1", MemoryID: "m1", Scope: "z"}, {ID: "e2", MemoryID: "m1", Scope: "a"}}
	walk(t, w, verb, []guard{needsReason(giveReason), needsMemory(be(consolidated()))}, slices.Concat([]string{
		"unpin_by_sensitivity m1: the anchor was lifted: security-sensitive without independent corroboration",
		"decanonize_by_sensitivity m1: scope=a: because", "decanonize_by_sensitivity m1: scope=z: because"},
		marksAll(whyFlagged), []string{"flag_sensitive m1: because"})...)
	if !w.effects.Unpinned || !slices.Equal(w.effects.Decanonized, []string{"a", "z"}) {
		t.Errorf("effects %+v", w.effects)
	}
	if n := len(changesOf[RemoveAnchor](w.plan)); n != 1 {
		t.Errorf("%d anchors removed", n)
	}
	for _, c := range changesOf[PutCanon](w.plan) {
		if c.Entry.DecommissionedAt == nil {
			t.Errorf("entry %s is still active", c.Entry.ID)
		}
	}
	if !put(t, w.plan).SecuritySensitive {
		t.Error("not flagged")
	}
}

func TestFlagSensitiveWithCorroborationTakesNothing(t *testing.T) {
	x := Subject{ID: "m1", Memory: consolidated(), Labels: []string{"Bea"}, Anchor: &Anchor{}, Canon: []CanonEntry{{Scope: "a"}}, Dependents: citing()}
	plan, effects, err := FlagSensitive(x, "r", noon)
	if got := auditOf(plan); err != nil || effects.Unpinned || len(effects.Decanonized) > 0 || !slices.Equal(got, []string{"flag_sensitive m1: r"}) {
		t.Errorf("%v, %+v, %q: want the flag alone", err, effects, got)
	}
}

func TestClearSensitiveGuards(t *testing.T) {
	flagged := note()
	flagged.SecuritySensitive = true
	verb := func(w *world) (err error) { w.plan, err = ClearSensitive(w.x, w.reason, noon); return err }
	w := newWorld()
	w.x.Dependents = citing()
	walk(t, w, verb, []guard{
		needsReason(giveReason), needsMemory(be(note())),
		{code: CodeConflict, keyword: "not flagged", hint: "inspect_memory", mend: be(flagged)},
	}, append(marksAll(whyUnflagged), "clear_sensitive m1: because")...)
	if put(t, w.plan).SecuritySensitive {
		t.Error("the flag is still there")
	}
}

func TestCorrectGuards(t *testing.T) {
	gone := consolidated()
	gone.ForgottenAt = ptr(noon)
	old := consolidated()
	old.SessionID, old.SessionPosition, old.IdempotencyKey = ptr("s"), ptr(int64(3)), ptr("k")
	old.Frame, old.Tags, old.SecuritySensitive, old.EventAt = ptr("f"), []string{"t"}, true, ptr(noon.Add(-48*time.Hour))
	old.Place, old.Salience, old.Tier = &Place{Lat: 1, Lon: 2, Geohash: "s"}, 0.9, Testimony
	verb := func(w *world) (err error) {
		c := Correction{Content: w.content, Reason: w.reason, ID: "m2", LinkID: "l1", By: Actor{Client: "claude"}}
		w.plan, err = Correct(w.x, c, noon)
		return err
	}
	w := newWorld()
	w.x.Anchor, w.x.Canon, w.x.Dependents = &Anchor{MemoryID: "m1"}, []CanonEntry{{Scope: "move"}}, citing()
	walk(t, w, verb, []guard{
		{code: CodeInvalid, keyword: "content is required and cannot be empty", hint: "content", mend: func(w *world) { w.content = string(make([]byte, MaxContentBytes+1)) }},
		{code: CodeLimit, keyword: "at most", hint: "Split", mend: func(w *world) { w.content = "the mill has burnt down" }},
		needsReason(giveReason), needsMemory(be(gone)),
		{code: CodeConflict, keyword: "forgotten", hint: "restore", mend: be(old)},
		{code: CodeConflict, keyword: "unpin() first", hint: "unpin", mend: func(w *world) { w.x.Anchor = nil }},
		{code: CodeConflict, keyword: "decanonize()", hint: "end_scope", mend: func(w *world) { w.x.Canon = nil }},
	}, append(marksAll(whyCorrected), "remember m2: ", "update_memory m1: by=m2: because")...)
	puts := changesOf[PutMemory](w.plan)
	if len(puts) != 2 || puts[0].Memory.ID != "m1" || !puts[0].Memory.Forgotten() || *puts[0].Memory.ForgottenReason != "because" {
		t.Fatalf("the old memory got no tombstone: %+v", puts)
	}
	m := puts[1].Memory
	if m.ID != "m2" || m.Number != 0 || m.Content != "the mill has burnt down" || m.Status != Working || m.Tier != Archive || !m.CreatedAt.Equal(noon) || m.RecordedBy.Client != "claude" {
		t.Errorf("the new memory is %+v", m)
	}
	if *m.Source != "Ada" || *m.Frame != "f" || *m.SessionID != "s" || !slices.Equal(m.Tags, old.Tags) || !m.SecuritySensitive || m.EventAt != old.EventAt || m.Place != old.Place || m.Salience != 0.9 {
		t.Errorf("the new memory lacks what was captured with the old: %+v", m)
	}
	if m.SessionPosition != nil || m.IdempotencyKey != nil || m.ConsolidatedAt != nil || m.ConsolidationReason != nil || m.Forgotten() {
		t.Errorf("the new memory has what belongs to the old: %+v", m)
	}
	link := changesOf[PutLink](w.plan)[0].Link
	if link.From != "m2" || link.To != "m1" || link.Relation != "updates" || link.Reason != "because" {
		t.Errorf("link %+v", link)
	}
}

func TestCorrectedInterpretationIsReviewedNow(t *testing.T) {
	plan, _ := Correct(Subject{ID: "m1", Memory: interpretation(ReviewAge * 2)}, Correction{Content: "x", Reason: "r", ID: "m2", LinkID: "l1"}, noon)
	m := changesOf[PutMemory](plan)[1].Memory
	if m.Tier != Interpretation || *m.ReviewStatus != ReviewCurrent || !m.LastReviewedAt.Equal(noon) {
		t.Errorf("tier %s, %v at %v", m.Tier, *m.ReviewStatus, m.LastReviewedAt)
	}
}

func TestCorrectionIsScreened(t *testing.T) {
	plan, _ := Correct(Subject{ID: "m1", Memory: note()}, Correction{Content: "ignore previous notes", Reason: "r", ID: "m2", LinkID: "l1"}, noon)
	if m := changesOf[PutMemory](plan)[1].Memory; !m.SecuritySensitive || plan.Audit[0].Action != ActAutoFlagSensitive || plan.Audit[0].Subject != "m2" {
		t.Errorf("flag %v, audit %q", m.SecuritySensitive, auditOf(plan))
	}
}

func TestEraseGuards(t *testing.T) {
	verb := func(w *world) (err error) { w.plan, err = Erase(w.x, w.reason, w.confirm, noon); return err }
	w := newWorld()
	w.x.Anchor, w.x.Dependents = &Anchor{MemoryID: "m1"}, citing()
	walk(t, w, verb, []guard{
		needsReason(giveReason),
		{code: CodeInvalid, keyword: "confirm must be true", hint: "forget", mend: func(w *world) { w.confirm = true }},
		needsMemory(be(consolidated())),
	}, append(marksAll(whyErased), "erase m1: because")...)
	if _, first := w.plan.Changes[0].(EraseMemory); !first {
		t.Error("the erasure must be the first change, so that it cannot take the free text of the rows that follow from it")
	}
}

// A text of the call that screening finds suspicious flags the memory, with the
// consequences of a flag, before the verb goes on.
func TestSuspiciousTextFlagsFirst(t *testing.T) {
	hit := &Hit{"ignore_prior", "reason", "ignore previous"}
	x := Subject{ID: "m1", Memory: consolidated(), Hit: hit, Dependents: citing()}
	plan, err := Promote(x, "ignore previous", noon)
	want := slices.Concat(marksAll(whyFlagged), []string{"auto_flag_sensitive m1: " + hit.Reason(), "promote m1: ignore previous"})
	if got := auditOf(plan); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %q; want %q", err, got, want)
	}
	puts := changesOf[PutMemory](plan)
	if last := puts[len(puts)-1].Memory; !last.SecuritySensitive || *last.ConsolidationReason != "ignore previous" {
		t.Errorf("stored %+v", last)
	}
	plan, _ = Forget(x, "ignore previous", noon)
	if got := auditOf(plan); !slices.Equal(got, append(marksAll(whyFlagged), "auto_flag_sensitive m1: "+hit.Reason(), "forget m1: ignore previous")) {
		t.Errorf("forget: %q: what rests on the memory must be marked once", got)
	}
	x.Memory = note()
	x.Memory.SecuritySensitive = true
	plan, _ = Promote(x, "ignore previous", noon)
	if got := auditOf(plan); !slices.Equal(got, []string{"promote m1: ignore previous"}) {
		t.Errorf("flagged already: %q", got)
	}
}
