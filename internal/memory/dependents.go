package memory

import (
	"fmt"
	"slices"
	"time"
)

// Dependents are the claims and narratives that rest on one memory, claim or
// link.
type Dependents struct {
	Claims     []Claim            // live, with active evidence from the memory; by their first evidence
	OfClaims   map[ID][]Narrative // narratives that list one of Claims, oldest first
	Narratives []Narrative        // narratives that list the source itself, oldest first
	LastEvent  time.Time          // newest event of the claim ledger; the zero time when there is none
	Troubled   map[ID]bool        // those of Claims with a source of any kind that they cannot use; asked for by what mends a memory
}

// SourceChange is something that narratives and claims rest on and that is not
// what it was.
type SourceChange struct {
	Kind       SourceKind
	ID         ID
	Why        string // words of the server, without any text of a caller
	Dependents Dependents
}

// Reasons of invalidation, in words of our own (contract/history.md 2.6).
const (
	whyForgotten   = "the source was forgotten"
	whyRestored    = "the source was restored; what was made of it needs a review"
	whyErased      = "the source was erased"
	whyCorrected   = "the source was corrected"
	whyFlagged     = "the source was flagged without independent corroboration"
	whyUnflagged   = "the flag of the source was lifted; what was made of it needs a review"
	whyOverdue     = "the review of the source, an interpretation, is overdue"
	whyReviewed    = "the source was reviewed after it had become unusable"
	whyEvidence    = "the evidence for the source changed after it had become unusable"
	whyContext     = "the time or session of the source changed"
	whyRetiredLink = "the relationship was retired"
	whyClaimEvent  = "the claim changed: "
)

// LedgerTime is when a claim event is recorded at a moment: the times of the
// claim ledger never go backwards (contract/history.md 2.5).
func LedgerTime(now, last time.Time) time.Time {
	if last.After(now) {
		return last
	}
	return now
}

// ClaimChange is the change that an event of any kind is for the narratives
// that list the claim.
func ClaimChange(id ID, event ClaimAction, narratives []Narrative) SourceChange {
	return SourceChange{Kind: SourceClaim, ID: id, Why: whyClaimEvent + string(event), Dependents: Dependents{Narratives: narratives}}
}

// Invalidate marks what rests on changed sources for review: each live claim
// gets an event for each source, each narrative its mark unless it has one.
// Claims stand before narratives, those of a claim before those of a source.
func Invalidate(now time.Time, changes ...SourceChange) Plan {
	var p Plan
	marks := marker{plan: &p, now: now, done: map[ID]bool{}}
	ledger := now
	for _, c := range changes {
		ledger = LedgerTime(ledger, c.Dependents.LastEvent)
	}
	for _, c := range changes {
		reason := fmt.Sprintf("memory=%s: %s", c.ID, c.Why)
		for _, claim := range c.Dependents.Claims {
			p.Write(PutClaimEvent{ClaimEvent{ClaimID: claim.ID, Action: ClaimSourceChanged, Reason: reason, RecordedAt: ledger}})
			p.Record(claim.ID, ActClaimSourceChanged, reason, now)
		}
	}
	for _, c := range changes {
		for _, claim := range c.Dependents.Claims {
			marks.all(c.Dependents.OfClaims[claim.ID], ClaimChange(claim.ID, ClaimSourceChanged, nil))
		}
		marks.all(c.Dependents.Narratives, c)
	}
	return p
}

// marker puts narratives up for review, each once.
type marker struct {
	plan *Plan
	now  time.Time
	done map[ID]bool
}

// sourcePrefix begins the audit reason of an invalidated narrative.
var sourcePrefix = map[SourceKind]string{SourceMemory: "source", SourceClaim: "claim_ids", SourceLink: "link_ids"}

func (m *marker) all(narratives []Narrative, c SourceChange) {
	for _, n := range narratives {
		if n.ReviewRequiredAt != nil || m.done[n.ID] {
			continue
		}
		m.done[n.ID] = true
		n.ReviewRequiredAt, n.ReviewReason = &m.now, &c.Why
		m.plan.Write(PutNarrative{n})
		m.plan.Record(n.ID, ActNarrativeInvalidated, fmt.Sprintf("%s=%s: %s", sourcePrefix[c.Kind], c.ID, c.Why), m.now)
	}
}

// terminal says whether a claim can no longer change.
func terminal(events []ClaimEvent) bool {
	return slices.ContainsFunc(events, func(e ClaimEvent) bool {
		return e.Action == ClaimWithdrawn || e.Action == ClaimSuperseded
	})
}

// SourceIssues says why a memory cannot carry a narrative or claim at a moment,
// nothing when it can. Sensitive says whether what rests on it is
// security-sensitive; a sensitive memory needs the gate in any case.
func SourceIssues(m *Memory, labels []string, sensitive bool, now time.Time) []IssueCode {
	if m == nil {
		return []IssueCode{IssueMissing}
	}
	var issues []IssueCode
	if m.Forgotten() {
		issues = append(issues, IssueForgotten)
	}
	if state := AsOf(*m, now).ReviewStatus; m.Tier == Interpretation && state != nil && *state == ReviewStale {
		issues = append(issues, IssueStaleInterpretation)
	}
	if (sensitive || m.SecuritySensitive) && !Gate(m.Source, labels).Satisfied {
		issues = append(issues, IssueInsufficientCorroboration)
	}
	return issues
}

// hurt are the dependents for which the memory is no usable source at a moment,
// and the claims that have another such source: as in memory-as-history, a claim
// in trouble is told of every change to what it rests on.
func (d Dependents) hurt(m Memory, labels []string, now time.Time) Dependents {
	usable := func(sensitive bool) bool { return len(SourceIssues(&m, labels, sensitive, now)) == 0 }
	out := d
	out.Claims = slices.DeleteFunc(slices.Clone(d.Claims), func(c Claim) bool { return usable(c.SecuritySensitive) && !d.Troubled[c.ID] })
	out.Narratives = slices.DeleteFunc(slices.Clone(d.Narratives), func(n Narrative) bool { return usable(NarrativeSensitive(n)) })
	return out
}

// NarrativeSensitive says whether an account is security-sensitive: by its flag,
// which a sensitive claim brings along, or by its text as it is read now.
func NarrativeSensitive(n Narrative) bool {
	if n.SecuritySensitive {
		return true
	}
	_, found := Screen("content", string(n.Content))
	return found
}

// stale is an interpretation that waits for its review.
func stale(m Memory) Memory {
	status := ReviewStale
	m.ReviewStatus = &status
	return m
}

// unrecorded says whether an interpretation is overdue and nobody wrote it down.
func unrecorded(m Memory, now time.Time, age time.Duration) bool {
	recorded := m.ReviewStatus != nil && *m.ReviewStatus == ReviewStale
	return m.Tier == Interpretation && !m.Forgotten() && !recorded && Overdue(m, now, age)
}

// Sourced is a memory with what rests on it.
type Sourced struct {
	Memory     Memory
	Dependents Dependents
}

// RecordOverdue writes down that interpretations are overdue: they stay stale
// until they are reviewed, and what rests on them is marked for review.
func RecordOverdue(now time.Time, overdue []Sourced) Plan {
	var (
		p       Plan
		changes []SourceChange
	)
	for _, o := range overdue {
		p.Write(PutMemory{stale(o.Memory)})
		changes = append(changes, SourceChange{Kind: SourceMemory, ID: o.Memory.ID, Why: whyOverdue, Dependents: o.Dependents})
	}
	p.Join(Invalidate(now, changes...))
	return p
}
