package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Issue is what is wrong with one source of a narrative or claim.
type Issue struct {
	MemoryID *ID
	ClaimID  *ID
	LinkID   *ID
	Code     IssueCode
}

// IssueCode names what is wrong with a source.
type IssueCode string

// The issue codes of contract/history.md 1.2.
const (
	IssueMissing                   IssueCode = "missing"
	IssueForgotten                 IssueCode = "forgotten"
	IssueStaleInterpretation       IssueCode = "stale_interpretation"
	IssueInsufficientCorroboration IssueCode = "insufficient_corroboration"
	IssueMissingEvidence           IssueCode = "missing_evidence"
	IssueInvalidMemoryIDs          IssueCode = "invalid_memory_ids"
	IssueInvalidClaimIDs           IssueCode = "invalid_claim_ids"
	IssueInvalidLinkIDs            IssueCode = "invalid_link_ids"
	IssueMissingClaim              IssueCode = "missing_claim"
	IssueUnusableClaim             IssueCode = "unusable_claim"
	IssueUnusableRelationship      IssueCode = "unusable_relationship"
)

// NarrativeView is a narrative as it stands at a moment.
type NarrativeView struct {
	Narrative    Narrative
	Issues       []Issue
	ReviewStatus ReviewStatus // stale when a review is required or a source has an issue
	Linked       bool         // has sources; else its provenance is unlinked
	Warning      string       // "" when there is none
}

// Usable says whether the account may be shown as current.
func (v NarrativeView) Usable() bool { return v.ReviewStatus == ReviewCurrent }

// NarrativeSources is everything that narratives cite, as it is on record.
type NarrativeSources struct {
	Memories map[ID]Memory
	Labels   map[ID][]string
	Claims   map[ID]ClaimFacts
	Links    map[ID]Link
}

// ViewNarrative computes the state of a narrative at a moment. Its issues stand in
// this order: lists that cannot be read, claims, links, memories. The memories are
// those that it rests on now: evidence that its claims got later counts too, so
// that nothing uncorroborated slips under a sensitive account
// (TestLaterEvidenceCountsForTheAccount).
func ViewNarrative(n Narrative, s NarrativeSources, now time.Time) NarrativeView {
	v := NarrativeView{Narrative: n, Linked: len(n.MemoryIDs) > 0, ReviewStatus: ReviewCurrent}
	for _, list := range n.Unreadable {
		v.Issues = append(v.Issues, Issue{Code: IssueCode("invalid_" + list)})
	}
	v.Issues = append(v.Issues, s.otherIssues(n.ClaimIDs, n.LinkIDs, now)...)
	v.Issues = append(v.Issues, s.memoryIssues(s.effective(n.MemoryIDs, n.ClaimIDs, n.LinkIDs), NarrativeSensitive(n), now)...)
	if n.ReviewRequiredAt != nil || len(v.Issues) > 0 {
		v.ReviewStatus = ReviewStale
	}
	if len(n.MemoryIDs) == 0 {
		v.Warning = "This account names no memories: nothing on record supports it."
	}
	return v
}

func (s NarrativeSources) memoryIssues(ids []ID, sensitive bool, now time.Time) []Issue {
	var issues []Issue
	if sensitive && len(ids) == 0 {
		issues = append(issues, Issue{Code: IssueMissingEvidence})
	}
	for _, id := range ids {
		for _, code := range SourceIssues(knownMemory(s.Memories, id), s.Labels[id], sensitive, now) {
			issues = append(issues, Issue{MemoryID: &id, Code: code})
		}
	}
	return issues
}

func (s NarrativeSources) otherIssues(claims, links []ID, now time.Time) []Issue {
	var issues []Issue
	for _, id := range claims {
		if f, known := s.Claims[id]; !known {
			issues = append(issues, Issue{ClaimID: &id, Code: IssueMissingClaim})
		} else if v := viewClaim(f, nil, now); !v.EligibleForRecall {
			issues = append(issues, Issue{ClaimID: &id, Code: IssueUnusableClaim})
		}
	}
	for _, id := range links {
		if l, known := s.Links[id]; !known || l.RetiredAt != nil {
			issues = append(issues, Issue{LinkID: &id, Code: IssueUnusableRelationship})
		}
	}
	return issues
}

// NarrateInput is an account as the caller gave it.
type NarrateInput struct {
	Content, Reason              string
	MemoryIDs, ClaimIDs, LinkIDs []string
	SecuritySensitive            bool
	Scope                        string
	Perspective, Coverage        *string
}

// NarrateFacts is what the store knows that bears on a new account.
type NarrateFacts struct {
	Sources NarrativeSources
	Current *Narrative // of the scope; nil when it has none
	Hit     *Hit       // what screening found in the account
	By      Actor
}

// checkNarrate are the guards that need no facts, in their order.
func checkNarrate(in NarrateInput) error {
	if err := need(given{"content", in.Content}, given{"reason", in.Reason}, given{"scope", in.Scope}); err != nil {
		return err
	}
	if err := notBlank("perspective", in.Perspective); err != nil {
		return err
	}
	if err := notBlank("coverage", in.Coverage); err != nil {
		return err
	}
	for _, list := range []struct {
		field string
		ids   []string
	}{{"memory_ids", in.MemoryIDs}, {"claim_ids", in.ClaimIDs}, {"link_ids", in.LinkIDs}} {
		if slices.ContainsFunc(list.ids, func(id string) bool { return strings.TrimSpace(id) == "" }) {
			return Invalid(list.field, "Leave empty ids out.", "%s must be a list of ids, and an id cannot be empty", list.field)
		}
	}
	return nil
}

// sources are the ids an account names, each once, in order.
func (in NarrateInput) sources() (memories, claims, links []ID) {
	return uniqueIDs(in.MemoryIDs), uniqueIDs(in.ClaimIDs), uniqueIDs(in.LinkIDs)
}

func uniqueIDs(given []string) []ID {
	var out []ID
	for _, id := range given {
		if !slices.Contains(out, ID(id)) {
			out = append(out, ID(id))
		}
	}
	return out
}

// Narrate writes a new current version of a scope's account (contract/history.md
// 4.3). id names it; now is the moment of writing.
func Narrate(in NarrateInput, f NarrateFacts, id ID, now time.Time) (Plan, error) {
	if err := checkNarrate(in); err != nil {
		return Plan{}, err
	}
	memories, claims, links := in.sources()
	if issues := f.Sources.otherIssues(claims, links, now); len(issues) > 0 {
		return Plan{}, sourceIssues(issues)
	}
	n := Narrative{ID: id, Content: Text(in.Content), Reason: in.Reason, ClaimIDs: claims, LinkIDs: links, CreatedAt: now,
		Scope: in.Scope, Perspective: in.Perspective, Coverage: in.Coverage, RecordedBy: f.By,
		MemoryIDs:         f.Sources.effective(memories, claims, links),
		SecuritySensitive: in.SecuritySensitive || f.Hit != nil || f.Sources.anySensitiveClaim(claims)}
	issues := f.Sources.memoryIssues(n.MemoryIDs, n.SecuritySensitive, now)
	gate, other := splitGate(issues)
	if len(other) > 0 {
		return Plan{}, sourceIssues(other)
	}
	var plan Plan
	if len(gate) > 0 {
		plan.Denial = Denied("Call corroborate for those memories with an independent source, or leave them out.",
			"independent corroboration is required before this account can be told: %s", issueList(gate))
		plan.Record(id, ActNarrateDenied, plan.Denial.Message, now)
		return plan, nil
	}
	if f.Current != nil {
		old := *f.Current
		old.SupersededAt, old.SupersededBy = &now, &id
		plan.Write(PutNarrative{old})
	}
	plan.Write(PutNarrative{n})
	plan.Record(id, ActNarrate, in.Reason, now)
	return plan, nil
}

// splitGate parts what corroboration would mend from the rest.
func splitGate(issues []Issue) (gate, other []Issue) {
	for _, i := range issues {
		if i.Code == IssueInsufficientCorroboration || i.Code == IssueMissingEvidence {
			gate = append(gate, i)
		} else {
			other = append(other, i)
		}
	}
	return gate, other
}

func issueList(issues []Issue) string {
	said := make([]string, len(issues))
	for i, x := range issues {
		said[i] = x.String()
	}
	return strings.Join(said, "; ")
}

// effective are all memories that an account rests on: named, cited by the
// active evidence of its claims, and at the ends of its links. A redacted claim
// tells nothing of its evidence.
func (s NarrativeSources) effective(memories, claims, links []ID) []ID {
	out := slices.Clone(memories)
	add := func(id ID) {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	for _, id := range claims {
		if f := s.Claims[id]; !f.redacted() {
			for _, e := range f.active() {
				add(e.MemoryID)
			}
		}
	}
	for _, id := range links {
		if l, known := s.Links[id]; known {
			add(l.From)
			add(l.To)
		}
	}
	return out
}

func (s NarrativeSources) anySensitiveClaim(claims []ID) bool {
	return slices.ContainsFunc(claims, func(id ID) bool { return s.Claims[id].Claim.SecuritySensitive })
}

// ReviewNarrative clears the mark of a current account whose sources hold.
func ReviewNarrative(id ID, v *NarrativeView, note string, now time.Time) (Plan, error) {
	if err := need(given{"note", note}); err != nil {
		return Plan{}, err
	}
	if v == nil {
		return Plan{}, NotFound("narrative", id)
	}
	n := v.Narrative
	if n.SupersededAt != nil {
		return Plan{}, Forbidden("Call current_narrative for the version that counts.", "narrative %s is superseded and cannot be reviewed", id)
	}
	if len(v.Issues) > 0 {
		return Plan{}, sourceIssues(v.Issues)
	}
	n.ReviewRequiredAt, n.ReviewReason = nil, nil
	n.LastReviewedAt, n.ReviewNote = &now, &note
	var plan Plan
	plan.Write(PutNarrative{n})
	plan.Record(id, ActReviewNarrative, note, now)
	return plan, nil
}

// checkNarrativeList reads the limit and scope of a list of narratives.
func checkNarrativeList(limit int, scope *string) (int, error) {
	if limit < 0 {
		return 0, Invalid("limit", "Pass a limit of 0 or more.", "limit must be a whole number of 0 or more")
	}
	if scope != nil && strings.TrimSpace(*scope) == "" {
		return 0, Invalid("scope", "Leave scope out to see all scopes.", "scope is required and cannot be empty when it is given")
	}
	return min(limit, MaxList), nil
}

// String names an issue for a message.
func (i Issue) String() string {
	said := strings.ReplaceAll(string(i.Code), "_", " ")
	for _, named := range []struct {
		kind string
		id   *ID
	}{{"memory", i.MemoryID}, {"claim", i.ClaimID}, {"link", i.LinkID}} {
		if named.id != nil {
			return fmt.Sprintf("%s %s: %s", named.kind, *named.id, said)
		}
	}
	return said
}
