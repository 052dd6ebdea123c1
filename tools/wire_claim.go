package tools

import "combray/internal/memory"

// evidence ties a memory to a claim.
type evidence struct {
	ID               memory.ID `json:"id"`
	ClaimID          memory.ID `json:"claim_id"`
	MemoryID         memory.ID `json:"memory_id"`
	Stance           string    `json:"stance"`
	Reason           string    `json:"reason"`
	Quote            *string   `json:"quote"`
	Locator          *string   `json:"locator"`
	OriginID         *string   `json:"origin_id"`
	RecordedAt       string    `json:"recorded_at"`
	RetractedAt      *string   `json:"retracted_at"`
	RetractionReason *string   `json:"retraction_reason"`
}

func newEvidence(e memory.Evidence) evidence {
	return evidence{e.ID, e.ClaimID, e.MemoryID, string(e.Stance), e.Reason, e.Quote, e.Locator, e.OriginID,
		memory.FormatInstant(e.RecordedAt), instant(e.RetractedAt), e.RetractionReason}
}

var evidenceShape = keys(field{"id", aString, "the evidence"}, field{"claim_id", aString, "the claim"}, field{"memory_id", aString, "the memory"},
	field{"stance", aString, "`supports`, `challenges` or `context`"}, field{"reason", aString, "why"}, field{"quote", anything, "exact words"},
	field{"locator", anything, "where in the source"}, field{"origin_id", anything, "copied from the memory"}, field{"recorded_at", aString, "when it was recorded"},
	field{"retracted_at", anything, "when it was retracted"}, field{"retraction_reason", anything, "why"})

// redactedEvidence is evidence of a claim that cites a forgotten memory.
type redactedEvidence struct {
	ID       memory.ID `json:"id"`
	ClaimID  memory.ID `json:"claim_id"`
	Redacted bool      `json:"redacted"`
}

// claimEvidence is evidence inside a claim.
type claimEvidence struct {
	evidence
	Active bool `json:"active"`
}

// claimEvent is one step in a claim's life.
type claimEvent struct {
	Sequence      int64      `json:"sequence"`
	ClaimID       memory.ID  `json:"claim_id"`
	Action        string     `json:"action"`
	Reason        string     `json:"reason"`
	RecordedAt    string     `json:"recorded_at"`
	ReplacementID *memory.ID `json:"replacement_id"`
}

// support counts what stands behind a claim.
type support struct {
	SupportingRecords    int      `json:"supporting_records"`
	ChallengingRecords   int      `json:"challenging_records"`
	OriginGroups         []string `json:"origin_groups"`
	UnknownOriginRecords int      `json:"unknown_origin_records"`
	IndependenceVerified bool     `json:"independence_verified"` // false: origins are what callers said
	Basis                string   `json:"basis"`
}

const (
	supportBasis   = "caller_asserted_associations_and_common_origins"
	claimTimeBasis = "system_recorded_time"
)

// claim is a judgement with everything that stands for and against it.
type claim struct {
	ID                         memory.ID       `json:"id"`
	Content                    string          `json:"content"`
	Kind                       string          `json:"kind"`
	Scope                      string          `json:"scope"`
	AssertedBy                 *string         `json:"asserted_by"`
	StatementAt                *string         `json:"statement_at"`
	ValidFrom                  *string         `json:"valid_from"`
	ValidUntil                 *string         `json:"valid_until"`
	RecordedAt                 string          `json:"recorded_at"`
	SecuritySensitive          bool            `json:"security_sensitive"`
	Status                     string          `json:"status"`
	ReplacementID              *memory.ID      `json:"replacement_id"`
	AsOf                       *string         `json:"as_of"`
	TimeBasis                  string          `json:"time_basis"`
	CurrentAccessPolicyApplied bool            `json:"current_access_policy_applied"`
	Support                    support         `json:"support"`
	ReviewRequired             bool            `json:"review_required"`
	Events                     []claimEvent    `json:"events"`
	Evidence                   []claimEvidence `json:"evidence"`
	SourceIssues               []issue         `json:"source_issues"`
	Redacted                   bool            `json:"redacted"`
	EligibleForRecall          bool            `json:"eligible_for_recall"`
	Relevance                  *float64        `json:"relevance,omitempty"`
}

// redactedClaim is a claim that cites a forgotten memory.
type redactedClaim struct {
	ID                         memory.ID `json:"id"`
	Scope                      string    `json:"scope"`
	Kind                       string    `json:"kind"`
	Status                     string    `json:"status"`
	RecordedAt                 string    `json:"recorded_at"`
	AsOf                       *string   `json:"as_of"`
	TimeBasis                  string    `json:"time_basis"`
	Content                    *string   `json:"content"` // always null
	Redacted                   bool      `json:"redacted"`
	EligibleForRecall          bool      `json:"eligible_for_recall"`
	ReviewRequired             bool      `json:"review_required"`
	CurrentAccessPolicyApplied bool      `json:"current_access_policy_applied"`
	Warning                    string    `json:"warning"`
}

const redactedWarning = "The claim cites a forgotten memory. Restore the memory to read the claim."

// newClaim puts a claim on the wire, without its text when it is redacted.
func newClaim(v memory.ClaimView) any {
	c := v.Claim
	if v.Redacted {
		return redactedClaim{ID: c.ID, Scope: c.Scope, Kind: string(c.Kind), Status: string(v.Status), RecordedAt: memory.FormatInstant(c.RecordedAt),
			AsOf: instant(v.AsOf), TimeBasis: claimTimeBasis, Redacted: true, ReviewRequired: true, CurrentAccessPolicyApplied: true, Warning: redactedWarning}
	}
	return claim{ID: c.ID, Content: string(c.Content), Kind: string(c.Kind), Scope: c.Scope, AssertedBy: c.AssertedBy,
		StatementAt: instant(c.StatementAt), ValidFrom: instant(c.ValidFrom), ValidUntil: instant(c.ValidUntil),
		RecordedAt: memory.FormatInstant(c.RecordedAt), SecuritySensitive: c.SecuritySensitive, Status: string(v.Status),
		ReplacementID: v.ReplacementID, AsOf: instant(v.AsOf), TimeBasis: claimTimeBasis, CurrentAccessPolicyApplied: true,
		Support:        support{v.Support.Supporting, v.Support.Challenging, notNil(v.Support.OriginGroups), v.Support.UnknownOrigin, false, supportBasis},
		ReviewRequired: v.ReviewRequired, Events: mapped(v.Events, newClaimEvent),
		Evidence: mapped(v.Evidence, newClaimEvidence), SourceIssues: mapped(v.Issues, newIssue),
		EligibleForRecall: v.EligibleForRecall, Relevance: rounded(v.Relevance, relevanceDecimals)}
}

func newClaimEvent(e memory.ClaimEvent) claimEvent {
	return claimEvent{e.Sequence, e.ClaimID, string(e.Action), e.Reason, memory.FormatInstant(e.RecordedAt), e.ReplacementID}
}

func newClaimEvidence(e memory.ClaimEvidence) claimEvidence {
	return claimEvidence{newEvidence(e.Evidence), e.Active}
}

var claimShape = keys(
	field{"id", aString, "the claim"}, field{"content", anything, "the judgement; null when redacted"}, field{"kind", aString, "what sort of judgement"},
	field{"scope", aString, "what it belongs to"}, field{"asserted_by", anything, "who said it"}, field{"statement_at", anything, "when it was said"},
	field{"valid_from", anything, "from when it holds"}, field{"valid_until", anything, "until when, exclusive"}, field{"recorded_at", aString, "when it was recorded"},
	field{"security_sensitive", aBoolean, "flagged"}, field{"status", aString, "`proposed`, `adopted`, `withdrawn` or `superseded`"},
	field{"replacement_id", anything, "the claim that took its place"}, field{"as_of", anything, "the time asked for"},
	field{"time_basis", aString, "`system_recorded_time`"}, field{"current_access_policy_applied", aBoolean, "always true"},
	field{"support", anObject, "`supporting_records`, `challenging_records`, `origin_groups`, `unknown_origin_records`, `independence_verified`, `basis`"},
	field{"review_required", aBoolean, "whether something it rests on changed"}, field{"events", someObjects, "`sequence`, `claim_id`, `action`, `reason`, `recorded_at`, `replacement_id`"},
	field{"evidence", someObjects, "the keys of add_evidence and `active`"}, field{"source_issues", someObjects, "what is wrong with its sources now"},
	field{"redacted", aBoolean, "true when it cites a forgotten memory; then only some keys are shown"}, field{"eligible_for_recall", aBoolean, "adopted and in no need of review"},
	field{"relevance", sometimes, "with a query"}, field{"warning", sometimes, "of a redacted claim"},
)

const adoptedWarning = "Adopted means that somebody decided so; it is no proof. Whether sources may be used is judged now."

func newRecalledClaims(r memory.RecallClaimsResult) outcome {
	body := &recalledClaims{Claims: mapped(r.Claims, newClaim), EligibleCount: r.Eligible, Truncated: r.Truncated, Scope: r.Scope,
		AsOf: instant(r.AsOf), ValidAt: instant(r.ValidAt), TimeBasis: claimTimeBasis, CurrentAccessPolicyApplied: true, Warning: adoptedWarning}
	rows := rowsOf("claims", &body.Claims).onCut(func(int) error { body.Truncated = true; return nil })
	return object(body, nil, rows)
}
