package memory

import (
	"slices"
	"testing"
	"time"
)

// pairGuards are the guards on two memories that conflicts and links share; the
// first memory is looked at in full before the second.
func pairGuards() []guard {
	gone := func(id ID) *Memory { m := note(); m.ID, m.ForgottenAt = id, ptr(noon); return m }
	return []guard{
		{code: CodeNotFound, keyword: "no such memory: m1", hint: "recall", mend: func(w *world) { w.x.Memory = gone("m1") }},
		{code: CodeConflict, keyword: "memory m1 is forgotten", hint: "restore", mend: func(w *world) { w.x.Memory.ForgottenAt = nil }},
		{code: CodeNotFound, keyword: "no such memory: m2", hint: "recall", mend: func(w *world) { w.y.Memory = gone("m2") }},
		{code: CodeConflict, keyword: "memory m2 is forgotten", hint: "restore", mend: func(w *world) { w.y.Memory.ForgottenAt = nil }},
	}
}

func TestMarkConflictGuards(t *testing.T) {
	verb := func(w *world) (err error) {
		w.conflict, w.plan, err = MarkConflict(Pair{w.x, w.y}, w.open, w.reason, "k1", noon)
		return err
	}
	w := newWorld()
	walk(t, w, verb, append([]guard{
		needsReason(giveReason),
		{code: CodeInvalid, keyword: "itself", hint: "two different", mend: func(w *world) { w.y.ID = "m2" }},
	}, pairGuards()...), "mark_conflict m1: with=m2: because")
	want := Conflict{ID: "k1", A: "m1", B: "m2", Reason: "because", CreatedAt: noon}
	if w.conflict != want || changesOf[PutConflict](w.plan)[0].Conflict != want {
		t.Errorf("conflict %+v", w.conflict)
	}
	w.open = &Conflict{ID: "k0", A: "m2", B: "m1"}
	if err := verb(w); err != nil || w.conflict != *w.open || !w.plan.Empty() {
		t.Errorf("an open conflict of the pair: %v, %+v, %q; want it unchanged and no audit row", err, w.conflict, auditOf(w.plan))
	}
}

func TestResolveConflictGuards(t *testing.T) {
	done := &Conflict{ID: "k1", A: "m1", B: "m2", ResolvedAt: ptr(noon)}
	verb := func(w *world) (err error) {
		w.conflict, w.plan, err = ResolveConflict("k1", w.open, w.reason, w.adopted, noon)
		return err
	}
	w := newWorld()
	w.adopted = ptr(ID("m3"))
	walk(t, w, verb, []guard{
		needsReason(giveReason),
		{code: CodeNotFound, keyword: "no such conflict: k1", hint: "list_conflicts", mend: func(w *world) { w.open = done }},
		{code: CodeConflict, keyword: "already resolved", hint: "mark_conflict", mend: func(w *world) { w.open = &Conflict{ID: "k1", A: "m1", B: "m2", Reason: "old"} }},
		{code: CodeInvalid, keyword: "adopted_memory_id", hint: "adopted_memory_id", mend: func(w *world) { w.adopted = ptr(ID("m2")) }},
	}, "resolve_conflict m1: conflict=k1 adopted=m2: because")
	if c := w.conflict; !c.ResolvedAt.Equal(noon) || *c.ResolutionReason != "because" || *c.AdoptedMemoryID != "m2" || c.Reason != "old" {
		t.Errorf("resolved %+v", c)
	}
	if w.open.ResolvedAt != nil {
		t.Error("the facts were changed")
	}
	_, plan, err := ResolveConflict("k1", w.open, "both", nil, noon)
	if got := auditOf(plan); err != nil || !slices.Equal(got, []string{"resolve_conflict m1: conflict=k1 adopted=None: both"}) {
		t.Errorf("none adopted: %v, %q", err, got)
	}
}

func TestLinkMemoriesGuards(t *testing.T) {
	verb := func(w *world) (err error) {
		w.linked, w.plan, err = LinkMemories(Pair{w.x, w.y}, w.link, Link{ID: "l1", Relation: w.relation, Reason: w.reason}, noon)
		return err
	}
	w := newWorld()
	walk(t, w, verb, append([]guard{
		needsReason(giveReason),
		{code: CodeInvalid, keyword: "itself", hint: "two different", mend: func(w *world) { w.y.ID = "m2" }},
		{code: CodeInvalid, keyword: "relation must be one of", hint: "related", mend: func(w *world) { w.relation = "explains" }},
	}, pairGuards()...), "link_memories m1: link=l1 to=m2 relation=explains: because")
	want := Link{ID: "l1", From: "m1", To: "m2", Relation: "explains", Reason: "because", CreatedAt: noon}
	if w.linked != want || changesOf[PutLink](w.plan)[0].Link != want {
		t.Errorf("link %+v", w.linked)
	}
	w.link = &Link{ID: "l0"}
	if err := verb(w); err != nil || w.linked != *w.link || !w.plan.Empty() {
		t.Errorf("an active link: %v, %+v, %q; want it unchanged and no audit row", err, w.linked, auditOf(w.plan))
	}
}

func TestUnlinkMemoriesGuards(t *testing.T) {
	d := Dependents{Narratives: []Narrative{{ID: "n1"}}}
	verb := func(w *world) (err error) {
		w.linked, w.plan, err = UnlinkMemories("l1", w.link, d, w.reason, noon)
		return err
	}
	w := newWorld()
	walk(t, w, verb, []guard{
		needsReason(giveReason),
		{code: CodeNotFound, keyword: "no such link: l1", hint: "memory_links", mend: func(w *world) { w.link = &Link{ID: "l1", From: "m1", To: "m2"} }},
	}, "narrative_invalidated n1: link_ids=l1: "+whyRetiredLink, "unlink_memories m1: link=l1: because")
	if !w.linked.RetiredAt.Equal(noon) || *w.linked.RetirementReason != "because" {
		t.Errorf("retired %+v", w.linked)
	}
	w.link = &Link{ID: "l1", RetiredAt: ptr(noon.Add(-time.Hour))}
	if err := verb(w); err != nil || w.linked != *w.link || !w.plan.Empty() {
		t.Errorf("a repeat: %v, %+v, %q; want the link as it is and no audit row", err, w.linked, auditOf(w.plan))
	}
}
