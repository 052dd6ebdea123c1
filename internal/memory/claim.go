package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// CreateClaimInput is a claim as the caller gave it.
type CreateClaimInput struct {
	Content, Kind, Reason string
	Scope                 string // "": GlobalScope where the caller gave none
	AssertedBy            *string
	StatementAt           *string
	ValidFrom, ValidUntil *string
	SecuritySensitive     bool
}

// AddEvidenceInput is evidence as the caller gave it.
type AddEvidenceInput struct {
	ClaimID, MemoryID ID
	Stance, Reason    string
	Quote, Locator    *string
}

// RetractedEvidence is evidence after its retraction; of a redacted claim only
// the ids may be shown.
type RetractedEvidence struct {
	Evidence Evidence
	Redacted bool
}

// ClaimSubject is what the store knows of the claim that a verb is about.
type ClaimSubject struct {
	ID         ID
	Facts      *ClaimFacts // nil: unknown
	Narratives []Narrative // that list the claim
	LastEvent  time.Time   // newest event of the claim ledger
}

func (x ClaimSubject) known() error {
	if x.Facts == nil {
		return NotFound("claim", x.ID)
	}
	return nil
}

// event writes one step in the claim's life: consequences first, then the
// audit row of the call.
func (x ClaimSubject) event(e ClaimEvent, audit Action, auditReason string, now time.Time) Plan {
	e.ClaimID, e.RecordedAt = x.ID, LedgerTime(now, x.LastEvent)
	plan := Invalidate(now, ClaimChange(x.ID, e.Action, x.Narratives))
	plan.Write(PutClaimEvent{e})
	plan.Record(x.ID, audit, auditReason, now)
	return plan
}

// CreateClaimFacts is what bears on a new claim beside its own words.
type CreateClaimFacts struct {
	Hit       *Hit      // what screening found in its texts; nil for nothing
	LastEvent time.Time // newest event of the claim ledger
	By        Actor
}

// CreateClaim proposes a judgement (contract/history.md 1.7).
func CreateClaim(in CreateClaimInput, f CreateClaimFacts, id ID, now time.Time) (Plan, error) {
	c := Claim{ID: id, Content: Text(in.Content), Kind: ClaimKind(in.Kind), Scope: in.Scope,
		AssertedBy: in.AssertedBy, SecuritySensitive: in.SecuritySensitive || f.Hit != nil, RecordedBy: f.By}
	if err := need(given{"content", in.Content}, given{"reason", in.Reason}, given{"scope", in.Scope}); err != nil {
		return Plan{}, err
	}
	if !slices.Contains(ClaimKinds, c.Kind) {
		return Plan{}, Invalid("kind", "Use assertion when no other kind fits.",
			"kind must be one of %s, not %q", joinWords(ClaimKinds), in.Kind)
	}
	if err := notBlank("asserted_by", in.AssertedBy); err != nil {
		return Plan{}, err
	}
	if err := c.readTimes(in); err != nil {
		return Plan{}, err
	}
	c.RecordedAt = LedgerTime(now, f.LastEvent)
	var plan Plan
	plan.Write(PutClaim{c}, PutClaimEvent{ClaimEvent{ClaimID: id, Action: ClaimProposed, Reason: in.Reason, RecordedAt: c.RecordedAt}})
	plan.Record(id, ActCreateClaim, in.Reason, now)
	return plan, nil
}

func (c *Claim) readTimes(in CreateClaimInput) error {
	for _, t := range []struct {
		field string
		given *string
		to    **time.Time
	}{{"statement_at", in.StatementAt, &c.StatementAt}, {"valid_from", in.ValidFrom, &c.ValidFrom}, {"valid_until", in.ValidUntil, &c.ValidUntil}} {
		if t.given == nil {
			continue
		}
		at, _, err := ParseInstant(t.field, *t.given)
		if err != nil {
			return err
		}
		*t.to = &at
	}
	if c.ValidFrom != nil && c.ValidUntil != nil && c.ValidFrom.After(*c.ValidUntil) {
		return Invalid("valid_from", "Swap valid_from and valid_until.", "since must be before or equal to until: valid_from lies after valid_until")
	}
	return nil
}

// AddEvidence ties a memory to a claim. The same active tie is given unchanged.
// id names a new one; m is nil for an unknown memory.
func AddEvidence(x ClaimSubject, m *Memory, in AddEvidenceInput, id ID, now time.Time) (Evidence, Plan, error) {
	if err := checkEvidence(in); err != nil {
		return Evidence{}, Plan{}, err
	}
	if err := x.known(); err != nil {
		return Evidence{}, Plan{}, err
	}
	if status, _ := statusOf(x.Facts.Events); status == ClaimWithdrawn || status == ClaimSuperseded {
		return Evidence{}, Plan{}, Forbidden("Call create_claim for a new judgement.", "evidence cannot be added to a %s claim", status)
	}
	if m == nil {
		return Evidence{}, Plan{}, NotFound("memory", in.MemoryID)
	}
	if m.Forgotten() {
		return Evidence{}, Plan{}, Forbidden("Call restore first, or cite another memory.", "memory %s is forgotten and cannot be evidence", m.ID)
	}
	if in.Quote != nil && !quoted(*in.Quote, string(m.Content)) {
		return Evidence{}, Plan{}, Invalid("quote", "Copy the words from inspect_memory exactly, or leave quote out.",
			"quote must be an exact part of the memory's content")
	}
	for _, e := range x.Facts.Evidence {
		if e.RetractedAt == nil && e.MemoryID == in.MemoryID && e.Stance == Stance(in.Stance) {
			return e, Plan{}, nil
		}
	}
	e := Evidence{ID: id, ClaimID: in.ClaimID, MemoryID: in.MemoryID, Stance: Stance(in.Stance), Reason: in.Reason,
		Quote: in.Quote, Locator: in.Locator, OriginID: m.OriginID,
		RecordedAt: LedgerTime(LedgerTime(now, x.LastEvent), m.CreatedAt)}
	x.LastEvent = e.RecordedAt
	plan := Plan{Changes: []Change{PutEvidence{e}}}
	plan.Join(x.event(ClaimEvent{Action: ClaimEvidenceAdded, Reason: fmt.Sprintf("evidence=%s: %s", e.ID, in.Reason)},
		ActAddEvidence, fmt.Sprintf("evidence=%s memory=%s stance=%s: %s", e.ID, e.MemoryID, e.Stance, in.Reason), now))
	return e, plan, nil
}

func checkEvidence(in AddEvidenceInput) error {
	if err := need(given{"reason", in.Reason}); err != nil {
		return err
	}
	if err := notBlank("quote", in.Quote); err != nil {
		return err
	}
	if err := notBlank("locator", in.Locator); err != nil {
		return err
	}
	if !slices.Contains(Stances, Stance(in.Stance)) {
		return Invalid("stance", "Use context for a memory that is neither for nor against.",
			"stance must be one of supports, challenges, context, not %q", in.Stance)
	}
	return nil
}

// quoted says whether a quote stands in a content, as it is stored or as it is
// shown with control characters written out.
func quoted(quote, content string) bool {
	return strings.Contains(content, quote) || strings.Contains(Visible(content), quote)
}

// RetractEvidence withdraws evidence and keeps it on record. A repeat gives it
// unchanged.
func RetractEvidence(x ClaimSubject, e Evidence, reason string, now time.Time) (RetractedEvidence, Plan, error) {
	redacted := x.Facts != nil && x.Facts.redacted()
	if e.RetractedAt != nil {
		return RetractedEvidence{e, redacted}, Plan{}, nil
	}
	at := LedgerTime(LedgerTime(now, x.LastEvent), e.RecordedAt)
	e.RetractedAt, e.RetractionReason = &at, &reason
	x.LastEvent = at
	plan := Plan{Changes: []Change{PutEvidence{e}}}
	said := fmt.Sprintf("evidence=%s: %s", e.ID, reason)
	plan.Join(x.event(ClaimEvent{Action: ClaimEvidenceRetracted, Reason: said}, ActRetractEvidence, said, now))
	return RetractedEvidence{e, redacted}, plan, nil
}

// AdoptClaim accepts a proposed claim, or reviews an adopted one.
func AdoptClaim(x ClaimSubject, reason string, now time.Time) (Plan, error) {
	if err := need(given{"reason", reason}); err != nil {
		return Plan{}, err
	}
	if err := x.known(); err != nil {
		return Plan{}, err
	}
	if err := x.adoptable(now); err != nil {
		return Plan{}, err
	}
	return x.event(ClaimEvent{Action: ClaimAdopted, Reason: reason}, ActAdoptClaim, reason, now), nil
}

// adoptable are the guards of contract/history.md 4.4 in their order. Challenges
// do not block.
func (x ClaimSubject) adoptable(now time.Time) error {
	v := viewClaim(*x.Facts, nil, now)
	if v.Status == ClaimWithdrawn || v.Status == ClaimSuperseded {
		return Forbidden("Call create_claim for a new judgement.", "a %s claim cannot be adopted", v.Status)
	}
	if v.Redacted {
		return Forbidden("Call restore for the forgotten memory, or create_claim with other evidence.", "the claim cites a forgotten memory and cannot be adopted")
	}
	for _, i := range v.Issues {
		if i.Code == IssueInsufficientCorroboration {
			return Denied("Call corroborate for that memory with an independent source first.",
				"independent corroboration is required for memory %s before the claim can be adopted", *i.MemoryID)
		}
	}
	if len(v.Issues) > 0 {
		return sourceIssues(v.Issues)
	}
	if v.Support.Supporting == 0 {
		return Forbidden("Call add_evidence with stance supports first.", "supporting evidence is required before a claim can be adopted")
	}
	return nil
}

// sourceIssues refuses a claim or narrative whose sources cannot carry it.
func sourceIssues(issues []Issue) *Error {
	return Forbidden("Mend the sources (review, restore, corroborate), or name others.", "source issues: %s", issueList(issues))
}

// ReviseClaim replaces an adopted claim by a proposed one of the same scope in
// one step; next is the replacement.
func ReviseClaim(old, next ClaimSubject, reason string, now time.Time) (Plan, error) {
	if err := need(given{"reason", reason}); err != nil {
		return Plan{}, err
	}
	if err := old.known(); err != nil {
		return Plan{}, err
	}
	if err := next.known(); err != nil {
		return Plan{}, err
	}
	if status, _ := statusOf(old.Facts.Events); status != ClaimAdopted {
		return Plan{}, Forbidden("Call adopt_claim for the replacement instead.", "only an adopted claim can be revised, and %s is %s", old.ID, status)
	}
	if status, _ := statusOf(next.Facts.Events); status != ClaimProposed {
		return Plan{}, Forbidden("Call create_claim for the replacement.", "replacement must be a proposed claim, and %s is %s", next.ID, status)
	}
	if old.Facts.Claim.Scope != next.Facts.Claim.Scope {
		return Plan{}, Forbidden("Call create_claim with the scope of the old claim.", "replacement must have the scope of the claim it replaces")
	}
	if err := next.adoptable(now); err != nil {
		return Plan{}, err
	}
	at := LedgerTime(now, old.LastEvent)
	plan := Invalidate(now, ClaimChange(next.ID, ClaimAdopted, next.Narratives), ClaimChange(old.ID, ClaimSuperseded, old.Narratives))
	plan.Write(PutClaimEvent{ClaimEvent{ClaimID: next.ID, Action: ClaimAdopted, Reason: reason, RecordedAt: at}},
		PutClaimEvent{ClaimEvent{ClaimID: old.ID, Action: ClaimSuperseded, Reason: reason, RecordedAt: at, ReplacementID: &next.ID}})
	plan.Record(old.ID, ActReviseClaim, fmt.Sprintf("replacement=%s: %s", next.ID, reason), now)
	return plan, nil
}

// WithdrawClaim takes a proposed or adopted claim back for good.
func WithdrawClaim(x ClaimSubject, reason string, now time.Time) (Plan, error) {
	if err := need(given{"reason", reason}); err != nil {
		return Plan{}, err
	}
	if err := x.known(); err != nil {
		return Plan{}, err
	}
	if status, _ := statusOf(x.Facts.Events); status != ClaimProposed && status != ClaimAdopted {
		return Plan{}, Forbidden("Nothing is left to do: inspect_claim shows its state.", "a %s claim cannot be withdrawn", status)
	}
	return x.event(ClaimEvent{Action: ClaimWithdrawn, Reason: reason}, ActWithdrawClaim, reason, now), nil
}
