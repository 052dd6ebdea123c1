package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// noon is the present moment of rule tests.
var noon = time.Date(2024, time.May, 8, 12, 0, 0, 0, time.UTC)

// world is what a verb is called with, facts and texts, and what it gave. A new
// world breaks every guard.
type world struct {
	x, y            Subject
	reason, other   string // other: a scope or frame
	content         string
	confirm         bool
	anchors, active int
	scope           *string
	open            *Conflict
	link            *Link
	relation        Relation
	adopted         *ID
	entries         []CanonEntry
	context         HistoryContextInput
	holder          *Memory

	plan     Plan
	warning  string
	anchor   Anchor
	entry    CanonEntry
	n        int
	effects  Effects
	conflict Conflict
	linked   Link
}

// guard is one guard of a verb: what it says when it denies, and what mends it.
type guard struct {
	code    Code
	keyword string // of the message
	hint    string // names the next call
	audited string // the audit row of the denial; "": nothing is written
	mend    func(*world)
}

// walk breaks all guards of a verb at once and mends them one by one: each must
// deny in its turn, and in the end the verb succeeds with these audit rows.
func walk(t *testing.T, w *world, verb func(*world) error, guards []guard, audit ...string) {
	t.Helper()
	for i, g := range guards {
		w.plan = Plan{}
		err := verb(w)
		if err == nil && w.plan.Denial != nil {
			err = w.plan.Denial
		}
		if err == nil {
			t.Fatalf("guard %d (%s) let the call through", i+1, g.keyword)
		}
		e := err.(*Error)
		if e.Code != g.code || !strings.Contains(e.Message, g.keyword) || !strings.Contains(e.Hint, g.hint) || e.Hint == "" {
			t.Errorf("guard %d: code %s, message %q, hint %q; want %s, %q, %q", i+1, e.Code, e.Message, e.Hint, g.code, g.keyword, g.hint)
		}
		var wrote []string
		if g.audited != "" {
			wrote = []string{g.audited}
		}
		if got := auditOf(w.plan); !slices.EqualFunc(got, wrote, strings.HasPrefix) || len(w.plan.Changes) > 0 {
			t.Errorf("guard %d wrote %q and %d changes, want %q and none", i+1, got, len(w.plan.Changes), wrote)
		}
		g.mend(w)
	}
	w.plan = Plan{}
	if err := verb(w); err != nil || w.plan.Denial != nil {
		t.Fatalf("after all guards: %v, %v", err, w.plan.Denial)
	}
	if got := auditOf(w.plan); !slices.Equal(got, audit) {
		t.Errorf("audit rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(audit, "\n"))
	}
	for _, row := range w.plan.Audit {
		if !row.At.Equal(noon) {
			t.Errorf("%s is audited at %v, want the present moment", row.Action, row.At)
		}
	}
}

// auditOf shows audit rows: "action subject: reason".
func auditOf(p Plan) []string {
	var out []string
	for _, row := range p.Audit {
		out = append(out, fmt.Sprintf("%s %s: %s", row.Action, row.Subject, row.Reason))
	}
	return out
}

// changesOf gives the changes of one kind in a plan.
func changesOf[C Change](p Plan) []C {
	var out []C
	for _, c := range p.Changes {
		if one, is := c.(C); is {
			out = append(out, one)
		}
	}
	return out
}

// put gives the one memory that a plan writes.
func put(t *testing.T, p Plan) Memory {
	t.Helper()
	puts := changesOf[PutMemory](p)
	if len(puts) != 1 {
		t.Fatalf("the plan writes %d memories, want 1", len(puts))
	}
	return puts[0].Memory
}

func ptr[V any](v V) *V { return &v }

// note is a plain working memory with id "m1".
func note() *Memory {
	return &Memory{ID: "m1", Number: 1, Content: "the mill is by the river", Status: Working, Tier: Archive,
		CreatedAt: noon.Add(-time.Hour), MaterialType: "unspecified", Salience: DefaultSalience, Source: ptr("Ada")}
}

func consolidated() *Memory {
	m := note()
	m.Status, m.ConsolidatedAt, m.ConsolidationReason = Consolidated, ptr(noon.Add(-time.Minute)), ptr("old")
	return m
}

// interpretation is a memory of that tier that was reviewed so long ago.
func interpretation(ago time.Duration) *Memory {
	m := note()
	m.Tier, m.ReviewStatus, m.LastReviewedAt = Interpretation, ptr(ReviewCurrent), ptr(noon.Add(-ago))
	return m
}

// The guards that most verbs share.
func needsReason(mend func(*world)) guard {
	return guard{code: CodeInvalid, keyword: "reason is required and cannot be empty", hint: "reason", mend: mend}
}

func needsMemory(mend func(*world)) guard {
	return guard{code: CodeNotFound, keyword: "no such memory: m1", hint: "recall", mend: mend}
}

func giveReason(w *world) { w.reason = "because" }

func be(m *Memory) func(*world) {
	return func(w *world) { w.x.ID, w.x.Memory = m.ID, m }
}

func newWorld() *world {
	return &world{x: Subject{ID: "m1"}, y: Subject{ID: "m1"}, reason: " \t"}
}

// citing are dependents of m1: two claims, the second sensitive; a narrative of
// the first claim, one of both, one of the memory alone, one that is marked
// already.
func citing() Dependents {
	marked := Narrative{ID: "n4", Scope: "d", ReviewRequiredAt: ptr(noon.Add(-time.Hour)), ReviewReason: ptr("before")}
	first, both, alone := Narrative{ID: "n1", Scope: "a"}, Narrative{ID: "n2", Scope: "b"}, Narrative{ID: "n3", Scope: "c"}
	return Dependents{
		Claims:     []Claim{{ID: "c1"}, {ID: "c2", SecuritySensitive: true}},
		OfClaims:   map[ID][]Narrative{"c1": {first, both}, "c2": {both}},
		Narratives: []Narrative{first, alone, marked},
		LastEvent:  noon.Add(-time.Hour),
	}
}

// marksAll are the audit rows that invalidate what citing gives.
func marksAll(why string) []string {
	return []string{
		"claim_source_changed c1: memory=m1: " + why,
		"claim_source_changed c2: memory=m1: " + why,
		"narrative_invalidated n1: claim_ids=c1: the claim changed: source_changed",
		"narrative_invalidated n2: claim_ids=c1: the claim changed: source_changed",
		"narrative_invalidated n3: source=m1: " + why,
	}
}
