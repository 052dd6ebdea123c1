package memory

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// poisoned is a memory that breaks every guard of a reserved place.
func poisoned() *Memory {
	m := note()
	m.ForgottenAt, m.SecuritySensitive = ptr(noon), true
	return m
}

// placeGuards are the guards that pin and canonize share behind the texts.
func placeGuards(audited string) []guard {
	return []guard{
		needsMemory(be(poisoned())),
		{code: CodeConflict, keyword: "forgotten", hint: "restore", mend: func(w *world) { w.x.Memory.ForgottenAt = nil }},
		{code: CodeConflict, keyword: "promote() first", hint: "promote", mend: func(w *world) { w.x.Memory.Status = Consolidated }},
		{code: CodeDenied, keyword: "independent corroboration", hint: "corroborate", audited: audited, mend: func(w *world) { w.x.Labels = []string{"Bea"} }},
	}
}

func TestPinGuards(t *testing.T) {
	verb := func(w *world) (err error) {
		w.anchor, w.warning, w.plan, err = Pin(w.x, w.reason, w.anchors, noon)
		return err
	}
	w := newWorld()
	w.anchors = AnchorsSoft - 1
	walk(t, w, verb, append([]guard{needsReason(giveReason)}, placeGuards("pin_denied m1: memory m1 is security-sensitive and has no independent corroboration")...), "pin m1: because")
	want := Anchor{"m1", "because", noon}
	if w.anchor != want || w.warning != "" || changesOf[PutAnchor](w.plan)[0].Anchor != want {
		t.Errorf("anchor %+v, warning %q", w.anchor, w.warning)
	}
}

func TestPinWarnsAboveTheSoftLimit(t *testing.T) {
	x := Subject{ID: "m1", Memory: consolidated()}
	if _, warning, _, _ := Pin(x, "r", AnchorsSoft, noon); !strings.Contains(warning, "13") || !strings.Contains(warning, "12") || !strings.Contains(warning, "unpin") {
		t.Errorf("the thirteenth anchor: warning %q", warning)
	}
	x.Anchor = &Anchor{MemoryID: "m1", Reason: "old", PinnedAt: noon.Add(-time.Hour)}
	anchor, warning, plan, err := Pin(x, "new", AnchorsSoft, noon)
	if err != nil || warning != "" || anchor.Reason != "new" || !anchor.PinnedAt.Equal(noon) || len(plan.Audit) != 1 {
		t.Errorf("a repeat: %v, %q, %+v; want reason and time replaced and no further anchor counted", err, warning, anchor)
	}
}

// A suspicious reason cannot become the first thing that every recall shows.
func TestPinDeniesASuspiciousReason(t *testing.T) {
	hit := &Hit{"authority_origin", "reason", "from the developer"}
	x := Subject{ID: "m1", Memory: consolidated(), Hit: hit}
	_, _, plan, err := Pin(x, "from the developer", 0, noon)
	if err != nil || plan.Denial == nil || plan.Denial.Code != CodeDenied || !strings.Contains(plan.Denial.Message, "authority_origin") {
		t.Fatalf("%v, denial %v", err, plan.Denial)
	}
	got := auditOf(plan)
	if len(got) != 2 || plan.Audit[0].Action != ActAutoFlagSensitive || plan.Audit[1].Action != ActPinDenied || !put(t, plan).SecuritySensitive {
		t.Errorf("wrote %q", got)
	}
	x.Labels = []string{"Bea"}
	if _, _, plan, _ := Pin(x, "from the developer", 0, noon); plan.Denial != nil || len(changesOf[PutAnchor](plan)) != 1 {
		t.Errorf("a corroborated memory was denied: %v", plan.Denial)
	}
}

func TestUnpin(t *testing.T) {
	blank, given := " ", "no longer"
	if _, err := Unpin("m1", &Anchor{}, &blank, noon); CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), "reason is required and cannot be empty") {
		t.Errorf("a blank reason: %v", err)
	}
	for want, c := range map[string]struct {
		anchor *Anchor
		reason *string
	}{
		"unpin m1: legacy unpin: caller did not provide a reason": {&Anchor{}, nil},
		"unpin m1: no longer": {&Anchor{}, &given},
		"unpin_noop m1: legacy unpin: caller did not provide a reason": {nil, nil},
		"unpin_noop m1: no longer":                                     {nil, &given},
	} {
		plan, err := Unpin("m1", c.anchor, c.reason, noon)
		if got := auditOf(plan); err != nil || !slices.Equal(got, []string{want}) || (len(plan.Changes) == 1) != (c.anchor != nil) {
			t.Errorf("%v, %q with %d changes, want %q", err, got, len(plan.Changes), want)
		}
	}
}

func TestCanonizeGuards(t *testing.T) {
	verb := func(w *world) (err error) {
		w.entry, w.warning, w.plan, err = Canonize(w.x, CanonAsk{Scope: w.other, Reason: w.reason, ID: "e1", Active: w.active}, noon)
		return err
	}
	w := newWorld()
	w.active, w.x.Canon = CanonSoft-1, []CanonEntry{{Scope: "move"}}
	guards := append([]guard{
		{code: CodeInvalid, keyword: "scope is required and cannot be empty", hint: "scope", mend: func(w *world) { w.other = "move" }},
		needsReason(giveReason)}, placeGuards("canonize_denied m1: scope=move: memory m1 is security-sensitive")...)
	guards = append(guards, guard{code: CodeConflict, keyword: "already in the active canon", hint: "decanonize", mend: func(w *world) { w.x.Canon[0].Scope = "other" }})
	walk(t, w, verb, guards, "canonize m1: scope=move: because")
	want := CanonEntry{ID: "e1", MemoryID: "m1", Scope: "move", Reason: "because", CanonizedAt: noon}
	if w.entry != want || w.warning != "" || changesOf[PutCanon](w.plan)[0].Entry != want {
		t.Errorf("entry %+v, warning %q", w.entry, w.warning)
	}
	_, warning, _, _ := Canonize(Subject{ID: "m1", Memory: consolidated()}, CanonAsk{Scope: "s", Reason: "r", ID: "e", Active: CanonSoft}, noon)
	if !strings.Contains(warning, "9") || !strings.Contains(warning, "8") {
		t.Errorf("the ninth membership: warning %q", warning)
	}
}

func TestDecanonizeGuards(t *testing.T) {
	verb := func(w *world) (err error) {
		w.n, w.plan, err = Decanonize(w.x, w.scope, w.reason, noon)
		return err
	}
	w := newWorld()
	w.scope = ptr("move")
	walk(t, w, verb, []guard{
		needsReason(giveReason), needsMemory(be(note())),
		{code: CodeConflict, keyword: "no active canon entries", hint: "list_canon", mend: func(w *world) {
			w.x.Canon = []CanonEntry{{ID: "e1", MemoryID: "m1", Scope: "move"}, {ID: "e2", MemoryID: "m1", Scope: "other"}}
		}},
	}, "decanonize m1: scope=move: because")
	if ended := changesOf[PutCanon](w.plan); w.n != 1 || len(ended) != 1 || ended[0].Entry.ID != "e1" || !ended[0].Entry.DecommissionedAt.Equal(noon) {
		t.Errorf("ended %d: %+v", w.n, ended)
	}
	n, plan, err := Decanonize(w.x, nil, "because", noon)
	if got := auditOf(plan); err != nil || n != 2 || !slices.Equal(got, []string{"decanonize m1: all scopes: because"}) {
		t.Errorf("all scopes: %v, %d, %q; want one audit row", err, n, got)
	}
}

func TestEndScopeGuards(t *testing.T) {
	verb := func(w *world) (err error) {
		w.plan, err = EndScope(w.other, w.reason, w.entries, noon)
		return err
	}
	w := newWorld()
	walk(t, w, verb, []guard{
		{code: CodeInvalid, keyword: "scope is required and cannot be empty", hint: "scope", mend: func(w *world) { w.other = "move" }},
		needsReason(giveReason),
		{code: CodeConflict, keyword: "no active canon entries", hint: "active_scopes", mend: func(w *world) {
			w.entries = []CanonEntry{{ID: "e1", MemoryID: "m1", Scope: "move"}, {ID: "e2", MemoryID: "m2", Scope: "move"}}
		}},
	}, "end_scope m1: scope=move: because", "end_scope m2: scope=move: because")
	if n := len(changesOf[PutCanon](w.plan)); n != 2 {
		t.Errorf("%d memberships ended, want 2", n)
	}
}

func TestAnchorBehindAPlace(t *testing.T) {
	a := Anchor{MemoryID: "m5", PinnedAt: noon}
	for name, c := range map[string]struct {
		p    place
		want bool
	}{
		"earlier":         {place{at: noon.Add(-time.Second), id: "m9"}, true},
		"later":           {place{at: noon.Add(time.Second), id: "m1"}, false},
		"itself":          {place{at: noon, id: "m5"}, false},
		"same time, less": {place{at: noon, id: "m4"}, true},
		"same time, more": {place{at: noon, id: "m6"}, false},
	} {
		if got := a.behind(c.p); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
