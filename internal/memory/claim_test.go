package memory

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// ada is who calls, where it matters.
var ada = Actor{Client: "ada", Version: "1", Door: DoorMCP}

// TestCreateClaimGuards walks the guards of contract/history.md 1.7 in the order
// of memory-as-history.
func TestCreateClaimGuards(t *testing.T) {
	bad := ptr("2024-02-30T00:00:00Z")
	in := CreateClaimInput{Content: " ", Reason: " ", Scope: "\t", Kind: "guess", AssertedBy: ptr(" "), StatementAt: bad, ValidFrom: bad, ValidUntil: bad}
	verb := func(w *world) (err error) {
		w.plan, err = CreateClaim(in, CreateClaimFacts{}, "c1", noon)
		return err
	}
	invalid := func(keyword, hint string, mend func()) guard {
		return guard{code: CodeInvalid, keyword: keyword, hint: hint, mend: func(*world) { mend() }}
	}
	walk(t, newWorld(), verb, []guard{
		invalid("content is required and cannot be empty", "content", func() { in.Content = "it grinds" }),
		invalid("reason is required and cannot be empty", "reason", func() { in.Reason = "because" }),
		invalid("scope is required and cannot be empty", "scope", func() { in.Scope = GlobalScope }),
		invalid("kind must be one of assertion, observation, plan, commitment, interpretation, self_report, not \"guess\"", "assertion", func() { in.Kind = "plan" }),
		invalid("asserted_by is required and cannot be empty", "asserted_by", func() { in.AssertedBy = ptr("Ada") }),
		invalid("statement_at must be a timestamp", "offset", func() { in.StatementAt = ptr("2024-05-01T10:00:00+02:00") }),
		invalid("valid_from must be a timestamp", "offset", func() { in.ValidFrom = ptr("2024-05-03T00:00:00Z") }),
		invalid("valid_until must be a timestamp", "offset", func() { in.ValidUntil = ptr("2024-05-02T00:00:00Z") }),
		invalid("since must be before or equal to until", "valid_from", func() { in.ValidUntil = in.ValidFrom }),
	}, "create_claim c1: because")

	in.SecuritySensitive = true
	p, err := CreateClaim(in, CreateClaimFacts{LastEvent: noon.Add(time.Minute), By: ada}, "c1", noon)
	if err != nil {
		t.Fatal(err)
	}
	later, from := noon.Add(time.Minute), time.Date(2024, 5, 3, 0, 0, 0, 0, time.UTC)
	want := []Change{
		PutClaim{Claim{ID: "c1", Content: "it grinds", Kind: "plan", Scope: GlobalScope, AssertedBy: ptr("Ada"), RecordedAt: later, SecuritySensitive: true, RecordedBy: ada,
			StatementAt: ptr(time.Date(2024, 5, 1, 8, 0, 0, 0, time.UTC)), ValidFrom: &from, ValidUntil: &from}},
		PutClaimEvent{ClaimEvent{ClaimID: "c1", Action: ClaimProposed, Reason: "because", RecordedAt: later}},
	}
	if !reflect.DeepEqual(p.Changes, want) {
		t.Errorf("changes %+v, want %+v: the ledger's time never goes back", p.Changes, want)
	}
	in.SecuritySensitive = false
	if p, _ := CreateClaim(in, CreateClaimFacts{Hit: &Hit{}}, "c1", noon); !changesOf[PutClaim](p)[0].Claim.SecuritySensitive {
		t.Error("a claim of suspicious words is not sensitive")
	}
}

// about is a claim as the subject of a verb, with a narrative that lists it.
func about(f ClaimFacts) ClaimSubject {
	return ClaimSubject{ID: f.Claim.ID, Facts: &f, Narratives: []Narrative{{ID: "n1", Scope: "s"}}, LastEvent: noon.Add(-time.Hour)}
}

// proposed are the facts of a claim that nobody has adopted yet.
func proposed(id ID, memories ...Memory) ClaimFacts {
	f := adopted(id, memories...)
	f.Events = f.Events[:1]
	return f
}

// ended are the facts of a claim after an event that ends it.
func ended(id ID, by ClaimAction) ClaimFacts {
	f := adopted(id)
	f.Events = append(f.Events, ClaimEvent{Sequence: 3, ClaimID: id, Action: by})
	return f
}

// claimEvents shows the events that a plan writes: "action claim: reason".
func claimEvents(p Plan) []string {
	var out []string
	for _, c := range changesOf[PutClaimEvent](p) {
		out = append(out, string(c.Event.Action)+" "+string(c.Event.ClaimID)+": "+c.Event.Reason)
	}
	return out
}

func needsClaim(mend func(*world)) guard {
	return guard{code: CodeNotFound, keyword: "no such claim: c1", hint: "recall_claims", mend: mend}
}

func TestAddEvidenceGuards(t *testing.T) {
	x, m := ClaimSubject{ID: "c1", LastEvent: noon.Add(time.Minute)}, (*Memory)(nil)
	in := AddEvidenceInput{ClaimID: "c1", MemoryID: "m1", Reason: " ", Quote: ptr(" "), Locator: ptr(""), Stance: "proves"}
	var got Evidence
	verb := func(w *world) (err error) {
		got, w.plan, err = AddEvidence(x, m, in, "e9", noon)
		return err
	}
	forbidden := func(keyword, hint string, mend func()) guard {
		return guard{code: CodeConflict, keyword: keyword, hint: hint, mend: func(*world) { mend() }}
	}
	gone := note()
	gone.ForgottenAt, gone.OriginID, gone.CreatedAt = ptr(noon), ptr("letter"), noon.Add(time.Hour)
	walk(t, newWorld(), verb, []guard{
		needsReason(func(*world) { in.Reason = "because" }),
		blank("quote", "quote", func(*world) { in.Quote = ptr("the sea") }),
		blank("locator", "locator", func(*world) { in.Locator = ptr("p. 3") }),
		{code: CodeInvalid, keyword: "stance must be one of supports, challenges, context, not \"proves\"", hint: "context", mend: func(*world) { in.Stance = "challenges" }},
		needsClaim(func(*world) { x.Facts = ptr(ended("c1", ClaimWithdrawn)) }),
		forbidden("a withdrawn claim", "create_claim", func() { x.Facts = ptr(ended("c1", ClaimSuperseded)) }),
		forbidden("a superseded claim", "create_claim", func() { x.Facts, x.Narratives = ptr(adopted("c1")), []Narrative{{ID: "n1", Scope: "s"}} }),
		needsMemory(func(*world) { m = gone }),
		forbidden("memory m1 is forgotten", "restore", func() { m.ForgottenAt = nil }),
		{code: CodeInvalid, keyword: "quote must be an exact part", hint: "quote", mend: func(*world) { in.Quote = ptr("by the river") }},
	}, "narrative_invalidated n1: claim_ids=c1: the claim changed: evidence_added", "add_evidence c1: evidence=e9 memory=m1 stance=challenges: because")

	later := noon.Add(time.Hour) // the memory's own time is the latest of the three
	want := Evidence{ID: "e9", ClaimID: "c1", MemoryID: "m1", Stance: "challenges", Reason: "because", Quote: ptr("by the river"), Locator: ptr("p. 3"),
		OriginID: ptr("letter"), RecordedAt: later}
	w := newWorld()
	if err := verb(w); err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(w.plan.Changes[0], PutEvidence{want}) {
		t.Errorf("evidence %+v, want %+v", got, want)
	}
	if e := changesOf[PutClaimEvent](w.plan); len(e) != 1 || !e[0].Event.RecordedAt.Equal(later) || claimEvents(w.plan)[0] != "evidence_added c1: evidence=e9: because" {
		t.Errorf("events %+v", e)
	}
}

func TestAddEvidenceAgain(t *testing.T) {
	f := adopted("c1", *note())
	x := about(f)
	for _, c := range []struct {
		name   string
		stance Stance
		retire bool
		repeat bool
	}{
		{"the same stance", "supports", false, true},
		{"another stance", "context", false, false},
		{"the same stance, retracted", "supports", true, false},
	} {
		if f.Evidence[0].RetractedAt = nil; c.retire {
			f.Evidence[0].RetractedAt = ptr(noon)
		}
		e, p, err := AddEvidence(x, note(), AddEvidenceInput{ClaimID: "c1", MemoryID: "m1", Stance: string(c.stance), Reason: "r"}, "e9", noon)
		if err != nil || p.Empty() != c.repeat || (e.ID == "e1") != c.repeat {
			t.Errorf("%s: evidence %s, %d changes, %v", c.name, e.ID, len(p.Changes), err)
		}
	}
}

// TestQuotes: a quote is taken from the content as it is stored or as it is
// shown (contract/surface.md 5).
func TestQuotes(t *testing.T) {
	const content = "one\u202etwo\r\nthree"
	for quote, want := range map[string]bool{"one": true, "one\u202etwo": true, `e\u{202e}t`: true, "two\r\nthree": true, "two\nthree": false, "One": false} {
		if got := quoted(quote, content); got != want {
			t.Errorf("quote %q: %t, want %t", quote, got, want)
		}
	}
}

func TestRetractEvidence(t *testing.T) {
	f := adopted("c1", *note())
	x := about(f)
	x.LastEvent = noon.Add(time.Minute)
	e := f.Evidence[0]
	e.RecordedAt = noon.Add(time.Hour)
	got, p, err := RetractEvidence(x, e, "wrong mill", noon)
	if err != nil {
		t.Fatal(err)
	}
	later := noon.Add(time.Hour)
	e.RetractedAt, e.RetractionReason = &later, ptr("wrong mill")
	if !reflect.DeepEqual(got, RetractedEvidence{Evidence: e}) || !reflect.DeepEqual(changesOf[PutEvidence](p), []PutEvidence{{e}}) {
		t.Errorf("retracted %+v, want %+v", got, e)
	}
	if want := []string{"evidence_retracted c1: evidence=e1: wrong mill"}; !slices.Equal(claimEvents(p), want) {
		t.Errorf("events %q, want %q", claimEvents(p), want)
	}
	if want := []string{"narrative_invalidated n1: claim_ids=c1: the claim changed: evidence_retracted", "retract_evidence c1: evidence=e1: wrong mill"}; !slices.Equal(auditOf(p), want) {
		t.Errorf("audit %q, want %q", auditOf(p), want)
	}
	if got, p, _ := RetractEvidence(x, e, "again", noon); !reflect.DeepEqual(got.Evidence, e) || !p.Empty() {
		t.Errorf("a repeat gave %+v and %d changes", got, len(p.Changes))
	}
	gone := named("m1")
	gone.ForgottenAt = ptr(noon)
	if got, _, _ := RetractEvidence(about(adopted("c1", gone)), f.Evidence[0], "r", noon); !got.Redacted {
		t.Error("evidence of a redacted claim is shown")
	}
}

// TestAdoptClaimGuards walks the guards of contract/history.md 4.4 in their order.
func TestAdoptClaimGuards(t *testing.T) {
	x, reason := ClaimSubject{ID: "c1"}, " "
	verb := func(w *world) (err error) {
		w.plan, err = AdoptClaim(x, reason, noon)
		return err
	}
	forbidden := func(keyword, hint string, mend func()) guard {
		return guard{code: CodeConflict, keyword: keyword, hint: hint, mend: func(*world) { mend() }}
	}
	m := interpretation(ReviewAge + time.Hour)
	m.SecuritySensitive, m.ForgottenAt = true, ptr(noon)
	source := func(change func()) func() {
		return func() {
			change()
			f := proposed("c1", *m)
			f.Evidence[0].Stance = "challenges"
			x = about(f)
		}
	}
	walk(t, newWorld(), verb, []guard{
		needsReason(func(*world) { reason = "because" }),
		needsClaim(func(*world) { x.Facts = ptr(ended("c1", ClaimWithdrawn)) }),
		forbidden("a withdrawn claim cannot be adopted", "create_claim", func() { x.Facts = ptr(ended("c1", ClaimSuperseded)) }),
		forbidden("a superseded claim cannot be adopted", "create_claim", source(func() {})),
		forbidden("forgotten", "restore", source(func() { m.ForgottenAt = nil })),
		{code: CodeDenied, keyword: "independent corroboration is required for memory m1", hint: "corroborate", mend: func(*world) { source(func() { m.SecuritySensitive = false })() }},
		forbidden("source issues: memory m1: stale interpretation", "review", source(func() { m.LastReviewedAt = ptr(noon) })),
		forbidden("supporting evidence", "add_evidence", func() { x.Facts.Evidence[0].Stance = "supports" }),
	}, "narrative_invalidated n1: claim_ids=c1: the claim changed: adopted", "adopt_claim c1: because")

	p, err := AdoptClaim(about(adopted("c1", *note())), "still so", noon)
	if err != nil || !slices.Equal(claimEvents(p), []string{"adopted c1: still so"}) {
		t.Errorf("adopting again: %v, events %q", err, claimEvents(p))
	}
	challenged := proposed("c1", *note(), named("m2"))
	challenged.Evidence[1].Stance = "challenges"
	if _, err := AdoptClaim(about(challenged), "r", noon); err != nil {
		t.Errorf("a challenge blocks: %v", err)
	}
	sensitive := proposed("c1", *note())
	sensitive.Claim.SecuritySensitive = true
	if _, err := AdoptClaim(about(sensitive), "r", noon); CodeOf(err) != CodeDenied {
		t.Errorf("a sensitive claim on an uncorroborated memory: %v", err)
	}
	sensitive.Labels["m1"] = []string{"Ben"}
	if _, err := AdoptClaim(about(sensitive), "r", noon); err != nil {
		t.Errorf("a sensitive claim on a corroborated memory: %v", err)
	}
}

func TestReviseClaimGuards(t *testing.T) {
	old, next, reason := ClaimSubject{ID: "c1"}, ClaimSubject{ID: "c2"}, " "
	verb := func(w *world) (err error) {
		w.plan, err = ReviseClaim(old, next, reason, noon)
		return err
	}
	forbidden := func(keyword, hint string, mend func()) guard {
		return guard{code: CodeConflict, keyword: keyword, hint: hint, mend: func(*world) { mend() }}
	}
	walk(t, newWorld(), verb, []guard{
		needsReason(func(*world) { reason = "because" }),
		needsClaim(func(*world) { old.Facts = ptr(proposed("c1", *note())) }),
		{code: CodeNotFound, keyword: "no such claim: c2", hint: "recall_claims", mend: func(*world) { next.Facts = ptr(adopted("c2")) }},
		forbidden("only an adopted claim can be revised", "adopt_claim", func() { old = about(adopted("c1", *note())) }),
		forbidden("replacement must be a proposed claim", "create_claim", func() {
			f := proposed("c2")
			f.Claim.Scope = "tour"
			next.Facts = &f
		}),
		forbidden("replacement must have the scope", "scope", func() { next.Facts.Claim.Scope = GlobalScope }),
		forbidden("supporting evidence", "add_evidence", func() {
			next = about(proposed("c2", *note()))
			next.Narratives = []Narrative{{ID: "n2", Scope: "t"}, {ID: "n1", Scope: "s"}}
		}),
	}, "narrative_invalidated n2: claim_ids=c2: the claim changed: adopted", "narrative_invalidated n1: claim_ids=c2: the claim changed: adopted",
		"revise_claim c1: replacement=c2: because")
	w := newWorld()
	if err := verb(w); err != nil {
		t.Fatal(err)
	}
	events := changesOf[PutClaimEvent](w.plan)
	want := []PutClaimEvent{{ClaimEvent{ClaimID: "c2", Action: ClaimAdopted, Reason: "because", RecordedAt: noon}},
		{ClaimEvent{ClaimID: "c1", Action: ClaimSuperseded, Reason: "because", RecordedAt: noon, ReplacementID: ptr(ID("c2"))}}}
	if !reflect.DeepEqual(events, want) {
		t.Errorf("events %+v, want both at one instant", events)
	}
	if err := verb(newWorld()); err != nil { // a redacted claim can still be replaced
		t.Fatal(err)
	}
	gone := named("m1")
	gone.ForgottenAt = ptr(noon)
	old = about(adopted("c1", gone))
	if err := verb(newWorld()); err != nil {
		t.Errorf("a redacted claim cannot be revised: %v", err)
	}
}

func TestWithdrawClaimGuards(t *testing.T) {
	x, reason := ClaimSubject{ID: "c1"}, " "
	verb := func(w *world) (err error) {
		w.plan, err = WithdrawClaim(x, reason, noon)
		return err
	}
	over := func(status string, mend func()) guard {
		return guard{code: CodeConflict, keyword: "a " + status + " claim cannot be withdrawn", hint: "inspect_claim", mend: func(*world) { mend() }}
	}
	walk(t, newWorld(), verb, []guard{
		needsReason(func(*world) { reason = "because" }),
		needsClaim(func(*world) { x.Facts = ptr(ended("c1", ClaimWithdrawn)) }),
		over("withdrawn", func() { x.Facts = ptr(ended("c1", ClaimSuperseded)) }),
		over("superseded", func() { x = about(proposed("c1")) }),
	}, "narrative_invalidated n1: claim_ids=c1: the claim changed: withdrawn", "withdraw_claim c1: because")
	gone := named("m1")
	gone.ForgottenAt = ptr(noon)
	if _, err := WithdrawClaim(about(adopted("c1", gone)), "r", noon); err != nil {
		t.Errorf("a redacted claim cannot be withdrawn: %v", err)
	}
}

// history are a claim's facts over four days: proposed on the first, evidence and
// adoption at one instant of the second, superseded on the third; the evidence is
// retracted on the fourth.
func history() (ClaimFacts, func(day int) *time.Time) {
	day := func(n int) *time.Time { return ptr(noon.AddDate(0, 0, n-5)) }
	f := adopted("c1", *note(), named("m2"))
	f.Claim.RecordedAt = *day(1)
	f.Events = []ClaimEvent{{Sequence: 1, Action: ClaimProposed, RecordedAt: *day(1)}, {Sequence: 2, Action: ClaimEvidenceAdded, RecordedAt: *day(2)},
		{Sequence: 3, Action: ClaimAdopted, RecordedAt: *day(2)}, {Sequence: 4, Action: ClaimSuperseded, RecordedAt: *day(3), ReplacementID: ptr(ID("c2"))},
		{Sequence: 5, Action: ClaimEvidenceRetracted, RecordedAt: *day(4)}}
	f.Evidence[0].RecordedAt, f.Evidence[0].RetractedAt, f.Evidence[0].RetractionReason = *day(2), day(4), ptr("wrong")
	f.Evidence[1].RecordedAt, f.Evidence[1].Stance, f.Evidence[1].OriginID = *day(2), "challenges", ptr("o")
	return f, day
}

func TestClaimAsOfATime(t *testing.T) {
	f, day := history()
	for _, c := range []struct {
		name             string
		at               *time.Time
		status           ClaimAction
		replacement      *ID
		events, evidence int
		support          ClaimSupport
		retracted        bool
		review, eligible bool
	}{
		{"now", nil, ClaimSuperseded, ptr(ID("c2")), 5, 2, ClaimSupport{Challenging: 1}, true, false, false},
		{"after the retraction", day(5), ClaimSuperseded, ptr(ID("c2")), 5, 2, ClaimSupport{Challenging: 1}, true, false, false},
		{"before the retraction", day(3), ClaimSuperseded, ptr(ID("c2")), 4, 2, ClaimSupport{Supporting: 1, UnknownOrigin: 1, Challenging: 1}, false, false, false},
		{"at the instant of two events", day(2), ClaimAdopted, nil, 3, 2, ClaimSupport{Supporting: 1, UnknownOrigin: 1, Challenging: 1}, false, false, true},
		{"at its recording", day(1), ClaimProposed, nil, 1, 0, ClaimSupport{}, false, false, false},
	} {
		v := viewClaim(f, c.at, noon)
		if v.Status != c.status || !reflect.DeepEqual(v.ReplacementID, c.replacement) || len(v.Events) != c.events || len(v.Evidence) != c.evidence ||
			!reflect.DeepEqual(v.Support, c.support) || v.ReviewRequired != c.review || v.EligibleForRecall != c.eligible {
			t.Errorf("%s: %+v", c.name, v)
		}
		if c.evidence > 0 && (v.Evidence[0].Active == c.retracted || (v.Evidence[0].Evidence.RetractionReason != nil) != c.retracted) {
			t.Errorf("%s: evidence %+v", c.name, v.Evidence[0])
		}
	}
	if v := viewClaim(f, ptr(day(1).Add(-time.Microsecond)), noon); v != nil {
		t.Errorf("before its recording: %+v, want nothing", v)
	}
	if f.Evidence[0].RetractedAt == nil {
		t.Error("a view changed the facts")
	}
}

// TestClaimThatNeedsAReview: an adopted claim does once anything happened after
// its adoption, a source has an issue, or nothing supports it; others never do,
// unless they are redacted.
func TestClaimThatNeedsAReview(t *testing.T) {
	gone, old := named("m1"), *interpretation(ReviewAge + time.Second)
	gone.ForgottenAt = ptr(noon)
	after := func(f ClaimFacts, action ClaimAction) ClaimFacts {
		f.Events = append(f.Events, ClaimEvent{Sequence: 9, Action: action})
		return f
	}
	retracted := func(f ClaimFacts) ClaimFacts { f.Evidence[0].RetractedAt = ptr(noon); return f }
	for _, c := range []struct {
		name             string
		f                ClaimFacts
		review, redacted bool
	}{
		{"adopted", adopted("c1", *note()), false, false},
		{"adopted again", after(after(adopted("c1", *note()), ClaimSourceChanged), ClaimAdopted), false, false},
		{"evidence added", after(adopted("c1", *note()), ClaimEvidenceAdded), true, false},
		{"evidence retracted", after(adopted("c1", *note()), ClaimEvidenceRetracted), true, false},
		{"source changed", after(adopted("c1", *note()), ClaimSourceChanged), true, false},
		{"a source is stale", adopted("c1", old), true, false},
		{"a source is missing", func() ClaimFacts { f := adopted("c1", *note()); delete(f.Memories, "m1"); return f }(), true, false},
		{"nothing supports it", adopted("c1"), true, false},
		{"support was retracted", retracted(adopted("c1", *note())), true, false},
		{"a source is forgotten", adopted("c1", gone), true, true},
		{"a source of retracted evidence is forgotten", retracted(adopted("c1", gone)), true, true},
		{"proposed", proposed("c1"), false, false},
		{"proposed, a source is stale", proposed("c1", old), false, false},
		{"proposed, a source is forgotten", proposed("c1", gone), true, true},
		{"withdrawn", ended("c1", ClaimWithdrawn), false, false},
	} {
		v := viewClaim(c.f, nil, noon)
		if v.ReviewRequired != c.review || v.Redacted != c.redacted || v.EligibleForRecall != (v.Status == ClaimAdopted && !c.review) {
			t.Errorf("%s: review %t, redacted %t, eligible %t", c.name, v.ReviewRequired, v.Redacted, v.EligibleForRecall)
		}
	}
}

// TestIssuesStandPerEvidence: a memory that is cited twice has its issues twice.
func TestIssuesStandPerEvidence(t *testing.T) {
	f := proposed("c1", *interpretation(ReviewAge + time.Second))
	f.Claim.SecuritySensitive = true
	f.Evidence = append(f.Evidence, Evidence{ID: "e2", MemoryID: "m1", Stance: "context"}, Evidence{ID: "e3", MemoryID: "m1", Stance: "challenges", RetractedAt: ptr(noon)})
	one := "memory m1: stale interpretation; memory m1: insufficient corroboration"
	if got := issueList(viewClaim(f, nil, noon).Issues); got != one+"; "+one {
		t.Errorf("issues %q", got)
	}
}

func TestSupportOfAClaim(t *testing.T) {
	e := func(stance Stance, origin *string, active bool) ClaimEvidence {
		return ClaimEvidence{Evidence{Stance: stance, OriginID: origin}, active}
	}
	got := supportOf([]ClaimEvidence{e("supports", ptr("b"), true), e("supports", ptr("a"), true), e("supports", ptr("b"), true), e("supports", nil, true),
		e("supports", ptr("c"), false), e("challenges", ptr("d"), true), e("context", ptr("e"), true)})
	if want := (ClaimSupport{Supporting: 4, Challenging: 1, UnknownOrigin: 1, OriginGroups: []string{"a", "b"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("support %+v, want %+v", got, want)
	}
}

func TestRecallClaimsGuards(t *testing.T) {
	bad := ptr("yesterday")
	in := RecallClaimsInput{Limit: -1, Query: ptr(" "), Scope: ptr(""), AsOf: bad, ValidAt: bad}
	walk(t, newWorld(), func(*world) error { _, err := checkRecallClaims(in); return err }, []guard{
		{code: CodeInvalid, keyword: "limit must be", hint: "limit", mend: func(*world) { in.Limit = 0 }},
		blank("query", "query", func(*world) { in.Query = ptr("mill") }),
		blank("scope", "scope", func(*world) { in.Scope = nil }),
		{code: CodeInvalid, keyword: "as_of must be a timestamp", hint: "offset", mend: func(*world) { in.AsOf = nil }},
		{code: CodeInvalid, keyword: "valid_at must be a timestamp", hint: "offset", mend: func(*world) { in.ValidAt = ptr("2024-01-01T00:00:00Z") }},
	})
}

// TestClaimsThatAreRecalled holds which claims are chosen, and in which order.
func TestClaimsThatAreRecalled(t *testing.T) {
	worded := func(f ClaimFacts, content string, from, until *time.Time) ClaimFacts {
		f.Claim.Content, f.Claim.ValidFrom, f.Claim.ValidUntil = Text(content), from, until
		return f
	}
	day := func(n int) *time.Time { return ptr(noon.AddDate(0, 0, n)) }
	gone := named("m1")
	gone.ForgottenAt = ptr(noon)
	stale := adopted("stale", *note())
	stale.Events = append(stale.Events, ClaimEvent{Action: ClaimSourceChanged})
	facts := []ClaimFacts{
		worded(adopted("newest", *note()), "the ferry and the mill", nil, nil),
		worded(adopted("bounded", *note()), "the mill", day(0), day(2)),
		worded(adopted("future", *note()), "mill mill", day(1), nil),
		worded(stale, "the bridge", nil, nil),
		worded(proposed("proposed"), "the ferry", nil, nil),
		worded(ended("withdrawn", ClaimWithdrawn), "the bridge", nil, nil),
		worded(adopted("redacted", gone), "mill", nil, nil),
	}
	for _, c := range []struct {
		name      string
		in        RecallClaimsInput
		at        *time.Time
		want      string
		eligible  int
		truncated bool
	}{
		{"those that count", RecallClaimsInput{Limit: 10}, nil, "newest bounded future", 3, false},
		{"all but redacted ones", RecallClaimsInput{Limit: 10, IncludeInactive: true}, nil, "newest bounded future stale proposed withdrawn", 6, false},
		{"cut", RecallClaimsInput{Limit: 2}, nil, "newest bounded", 3, true},
		{"none", RecallClaimsInput{Limit: 0}, nil, "", 3, true},
		{"by words, others behind", RecallClaimsInput{Limit: 10, Query: ptr("mill"), IncludeInactive: true}, nil, "future bounded newest stale proposed withdrawn", 6, false},
		{"words that nobody uses", RecallClaimsInput{Limit: 10, Query: ptr("xylophone")}, nil, "newest bounded future", 3, false},
		{"at the beginning of a validity", RecallClaimsInput{Limit: 10}, day(0), "newest bounded", 2, false},
		{"in between", RecallClaimsInput{Limit: 10}, day(1), "newest bounded future", 3, false},
		{"at the end of a validity", RecallClaimsInput{Limit: 10}, day(2), "newest future", 2, false},
		{"before it", RecallClaimsInput{Limit: 10}, day(-1), "newest", 1, false},
	} {
		out := chooseClaims(facts, c.in, RecallClaimsResult{ValidAt: c.at}, noon)
		var got []string
		for _, v := range out.Claims {
			got = append(got, string(v.Claim.ID))
			if (v.Relevance != nil) != (c.in.Query != nil) {
				t.Errorf("%s: relevance %v", c.name, v.Relevance)
			}
		}
		if strings.Join(got, " ") != c.want || out.Eligible != c.eligible || out.Truncated != c.truncated {
			t.Errorf("%s: %q, %d eligible, truncated %t; want %q, %d, %t", c.name, got, out.Eligible, out.Truncated, c.want, c.eligible, c.truncated)
		}
	}
}

// TestRelevanceOfClaims is the formula of contract/history.md 3.2 over the claims
// at hand: two of them, "mill" in one, lengths 1 and 2.
func TestRelevanceOfClaims(t *testing.T) {
	views := []ClaimView{{Claim: Claim{ID: "a", Content: "mill"}}, {Claim: Claim{ID: "b", Content: "frog lamp"}}}
	rankClaims(views, "mill mill")
	const want = 0.8155 // ln(1 + (2-1+0.5)/(1+0.5)) · 2.5 / (1 + 1.5·(0.25 + 0.75·1/1.5)), to four decimals
	if got := *views[0].Relevance; got != want || *views[1].Relevance != 0 {
		t.Errorf("relevance %v and %v, want %v and 0", got, *views[1].Relevance, want)
	}
}
