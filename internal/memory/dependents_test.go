package memory

import (
	"slices"
	"testing"
	"time"
)

func TestInvalidateWritesWhatItAudits(t *testing.T) {
	plan := Invalidate(noon, SourceChange{Kind: SourceMemory, ID: "m1", Why: "w", Dependents: citing()})
	if got := auditOf(plan); !slices.Equal(got, marksAll("w")) {
		t.Errorf("audit %q, want %q", got, marksAll("w"))
	}
	events := changesOf[PutClaimEvent](plan)
	if len(events) != 2 || events[0].Event.ClaimID != "c1" || events[0].Event.Action != ClaimSourceChanged || events[0].Event.Reason != "memory=m1: w" {
		t.Errorf("events %+v", events)
	}
	marked := changesOf[PutNarrative](plan)
	if len(marked) != 3 {
		t.Fatalf("%d narratives are written, want 3", len(marked))
	}
	for i, why := range []string{"the claim changed: source_changed", "the claim changed: source_changed", "w"} {
		if n := marked[i].Narrative; !n.ReviewRequiredAt.Equal(noon) || *n.ReviewReason != why {
			t.Errorf("narrative %s: required at %v because %q, want %q", n.ID, n.ReviewRequiredAt, *n.ReviewReason, why)
		}
	}
}

func TestInvalidatePrefixes(t *testing.T) {
	n := []Narrative{{ID: "n1"}}
	for want, change := range map[string]SourceChange{
		"narrative_invalidated n1: source=s: w":                             {SourceMemory, "s", "w", Dependents{Narratives: n}},
		"narrative_invalidated n1: link_ids=s: w":                           {SourceLink, "s", "w", Dependents{Narratives: n}},
		"narrative_invalidated n1: claim_ids=s: the claim changed: adopted": ClaimChange("s", ClaimAdopted, n),
	} {
		if got := auditOf(Invalidate(noon, change)); !slices.Equal(got, []string{want}) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Several sources in one call: an event for each source, claims before
// narratives, each narrative marked once.
func TestInvalidateTogether(t *testing.T) {
	shared := Narrative{ID: "n1"}
	d := Dependents{Claims: []Claim{{ID: "c1"}}, Narratives: []Narrative{shared}}
	got := auditOf(Invalidate(noon, SourceChange{SourceMemory, "m1", "w", d}, SourceChange{SourceMemory, "m2", "w", d}))
	want := []string{"claim_source_changed c1: memory=m1: w", "claim_source_changed c1: memory=m2: w", "narrative_invalidated n1: source=m1: w"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLedgerNeverGoesBack(t *testing.T) {
	d := Dependents{Claims: []Claim{{ID: "c1"}}, LastEvent: noon.Add(time.Hour)}
	plan := Invalidate(noon, SourceChange{SourceMemory, "m1", "w", d})
	if at := changesOf[PutClaimEvent](plan)[0].Event.RecordedAt; !at.Equal(noon.Add(time.Hour)) {
		t.Errorf("event at %v, want the time of the newest event", at)
	}
	if at := plan.Audit[0].At; !at.Equal(noon) {
		t.Errorf("audited at %v, want the clock's time", at)
	}
}

func TestSourceIssues(t *testing.T) {
	all := interpretation(ReviewAge + time.Second)
	all.ForgottenAt, all.SecuritySensitive = ptr(noon), true
	stored := interpretation(time.Hour)
	stored.ReviewStatus = ptr(ReviewStale)
	flagged := note()
	flagged.SecuritySensitive = true
	for name, c := range map[string]struct {
		m         *Memory
		labels    []string
		sensitive bool
		want      []IssueCode
	}{
		"missing":                 {nil, nil, true, []IssueCode{IssueMissing}},
		"fine":                    {note(), nil, false, nil},
		"everything":              {all, nil, false, []IssueCode{IssueForgotten, IssueStaleInterpretation, IssueInsufficientCorroboration}},
		"stale by the record":     {stored, nil, false, []IssueCode{IssueStaleInterpretation}},
		"reviewed 30 days ago":    {interpretation(ReviewAge), nil, false, nil},
		"sensitive":               {flagged, nil, false, []IssueCode{IssueInsufficientCorroboration}},
		"sensitive, corroborated": {flagged, []string{"Bea"}, true, nil},
		"sensitive dependent":     {note(), []string{"Ada"}, true, []IssueCode{IssueInsufficientCorroboration}},
	} {
		if got := SourceIssues(c.m, c.labels, c.sensitive, noon); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestNarrativeSensitiveByFlagOrText(t *testing.T) {
	for text, want := range map[string]bool{"a plain account": false, "a note from the developer": true} {
		if got := NarrativeSensitive(Narrative{Content: Text(text)}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !NarrativeSensitive(Narrative{SecuritySensitive: true}) {
		t.Error("the flag alone must do")
	}
}

func TestRecordOverdue(t *testing.T) {
	plan := RecordOverdue(noon, []Sourced{{*interpretation(2 * ReviewAge), citing()}})
	if m := put(t, plan); *m.ReviewStatus != ReviewStale || !m.LastReviewedAt.Equal(noon.Add(-2*ReviewAge)) {
		t.Errorf("recorded %s, last review %v", *m.ReviewStatus, m.LastReviewedAt)
	}
	if got := auditOf(plan); !slices.Equal(got, marksAll(whyOverdue)) {
		t.Errorf("audit %q", got)
	}
}

func TestUnrecorded(t *testing.T) {
	gone, stale := interpretation(2*ReviewAge), interpretation(2*ReviewAge)
	gone.ForgottenAt, stale.ReviewStatus = ptr(noon), ptr(ReviewStale)
	for name, c := range map[string]struct {
		m    *Memory
		want bool
	}{"overdue": {interpretation(2 * ReviewAge), true}, "in time": {interpretation(time.Hour), false}, "forgotten": {gone, false}, "recorded": {stale, false}, "no interpretation": {note(), false}} {
		if got := unrecorded(*c.m, noon, ReviewAge); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTerminal(t *testing.T) {
	for action, want := range map[ClaimAction]bool{ClaimProposed: false, ClaimAdopted: false, ClaimSourceChanged: false, ClaimWithdrawn: true, ClaimSuperseded: true} {
		if got := terminal([]ClaimEvent{{Action: ClaimProposed}, {Action: action}, {Action: ClaimEvidenceRetracted}}); got != want {
			t.Errorf("%s: %v", action, got)
		}
	}
}
