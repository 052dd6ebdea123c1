package tools

import "combray/internal/memory"

// canonMember is an active membership in a task scope.
type canonMember struct {
	ID                memory.ID `json:"id"`
	MemoryID          memory.ID `json:"memory_id"`
	Scope             string    `json:"scope"`
	Reason            string    `json:"reason"`
	CanonizedAt       string    `json:"canonized_at"`
	DecommissionedAt  *string   `json:"decommissioned_at"`
	Content           string    `json:"content"`
	Status            string    `json:"status"`
	Tier              string    `json:"tier"`
	SecuritySensitive bool      `json:"security_sensitive"`
	EligibleForRecall bool      `json:"eligible_for_recall"`
	Warning           string    `json:"warning,omitempty"`
}

func newCanonMember(r memory.CanonRow) canonMember {
	return canonMember{ID: r.Entry.ID, MemoryID: r.Entry.MemoryID, Scope: r.Entry.Scope, Reason: r.Entry.Reason,
		CanonizedAt: memory.FormatInstant(r.Entry.CanonizedAt), DecommissionedAt: instant(r.Entry.DecommissionedAt),
		Content: string(r.Memory.Content), Status: string(r.Memory.Status), Tier: string(r.Memory.Tier),
		SecuritySensitive: r.Memory.SecuritySensitive, EligibleForRecall: r.Eligible, Warning: r.Warning}
}

// conflict is a pair of memories that contradict each other.
type conflict struct {
	ID               memory.ID  `json:"id"`
	MemoryIDA        memory.ID  `json:"memory_id_a"`
	MemoryIDB        memory.ID  `json:"memory_id_b"`
	Reason           string     `json:"reason"`
	CreatedAt        string     `json:"created_at"`
	ResolvedAt       *string    `json:"resolved_at"`
	ResolutionReason *string    `json:"resolution_reason"`
	AdoptedMemoryID  *memory.ID `json:"adopted_memory_id"`
}

// conflictPair is a conflict in a list, with both texts.
type conflictPair struct {
	conflict
	ContentA     string  `json:"content_a"`
	FrameA       *string `json:"frame_a"`
	ContentB     string  `json:"content_b"`
	FrameB       *string `json:"frame_b"`
	ForgottenAtA *string `json:"forgotten_at_a"`
	ForgottenAtB *string `json:"forgotten_at_b"`
}

func newConflict(c memory.Conflict) conflict {
	return conflict{c.ID, c.A, c.B, c.Reason, memory.FormatInstant(c.CreatedAt), instant(c.ResolvedAt), c.ResolutionReason, c.AdoptedMemoryID}
}

func newConflictPair(r memory.ConflictRow) conflictPair {
	return conflictPair{newConflict(r.Conflict), string(r.A.Content), r.A.Frame, string(r.B.Content), r.B.Frame,
		instant(r.A.ForgottenAt), instant(r.B.ForgottenAt)}
}

// narrative is one version of the account of a scope.
type narrative struct {
	ID                memory.ID   `json:"id"`
	Content           string      `json:"content"`
	Reason            string      `json:"reason"`
	MemoryIDs         []memory.ID `json:"memory_ids"`
	CreatedAt         string      `json:"created_at"`
	SupersededAt      *string     `json:"superseded_at"`
	SupersededBy      *memory.ID  `json:"superseded_by"`
	SecuritySensitive bool        `json:"security_sensitive"`
	ReviewRequiredAt  *string     `json:"review_required_at"`
	ReviewReason      *string     `json:"review_reason"`
	LastReviewedAt    *string     `json:"last_reviewed_at"`
	ReviewNote        *string     `json:"review_note"`
	Scope             string      `json:"scope"`
	Perspective       *string     `json:"perspective"`
	Coverage          *string     `json:"coverage"`
	ClaimIDs          []memory.ID `json:"claim_ids"`
	LinkIDs           []memory.ID `json:"link_ids"`
	SourceIssues      []issue     `json:"source_issues"`
	ReviewStatus      string      `json:"review_status"`
	ProvenanceStatus  string      `json:"provenance_status"`
	Warning           string      `json:"warning,omitempty"`
}

func newNarrative(v memory.NarrativeView) narrative {
	n := v.Narrative
	return narrative{ID: n.ID, Content: string(n.Content), Reason: n.Reason, MemoryIDs: notNil(n.MemoryIDs),
		CreatedAt: memory.FormatInstant(n.CreatedAt), SupersededAt: instant(n.SupersededAt), SupersededBy: n.SupersededBy,
		SecuritySensitive: n.SecuritySensitive, ReviewRequiredAt: instant(n.ReviewRequiredAt), ReviewReason: n.ReviewReason,
		LastReviewedAt: instant(n.LastReviewedAt), ReviewNote: n.ReviewNote, Scope: n.Scope, Perspective: n.Perspective,
		Coverage: n.Coverage, ClaimIDs: notNil(n.ClaimIDs), LinkIDs: notNil(n.LinkIDs), SourceIssues: mapped(v.Issues, newIssue),
		ReviewStatus: string(v.ReviewStatus), ProvenanceStatus: provenanceStatus(v.Linked), Warning: v.Warning}
}

func provenanceStatus(linked bool) string {
	if linked {
		return "linked"
	}
	return "unlinked"
}

// narrativeReview says why a narrative is not usable, without its text.
type narrativeReview struct {
	ID               memory.ID `json:"id"`
	ReviewStatus     string    `json:"review_status"`
	SourceIssues     []issue   `json:"source_issues"`
	ReviewRequiredAt *string   `json:"review_required_at"`
	ReviewReason     *string   `json:"review_reason"`
}

func newNarrativeReview(v memory.NarrativeView) *narrativeReview {
	return &narrativeReview{v.Narrative.ID, string(v.ReviewStatus), mapped(v.Issues, newIssue),
		instant(v.Narrative.ReviewRequiredAt), v.Narrative.ReviewReason}
}

// issue is what is wrong with one source.
type issue struct {
	MemoryID *memory.ID `json:"memory_id"`
	Issue    string     `json:"issue"`
	ClaimID  *memory.ID `json:"claim_id,omitempty"`
	LinkID   *memory.ID `json:"link_id,omitempty"`
}

func newIssue(i memory.Issue) issue { return issue{i.MemoryID, string(i.Code), i.ClaimID, i.LinkID} }
