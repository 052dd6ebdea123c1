package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Promote consolidates a memory (contract/history.md 1.3). A repeat replaces the
// reason and keeps the first date; a forgotten memory is accepted.
func Promote(x Subject, reason string, now time.Time) (Plan, error) {
	m, plan, err := x.begin(now, given{"reason", reason})
	if err != nil {
		return Plan{}, err
	}
	m.Status, m.ConsolidationReason = Consolidated, &reason
	if m.ConsolidatedAt == nil {
		m.ConsolidatedAt = &now
	}
	plan.Write(PutMemory{m})
	plan.Record(m.ID, ActPromote, reason, now)
	return plan, nil
}

// Review confirms an interpretation. What rests on it while it is unusable is
// marked first, so that the review does not silently revive it.
func Review(x Subject, note string, now time.Time) (Plan, error) {
	m, plan, err := x.begin(now, given{"note", note})
	if err != nil {
		return Plan{}, err
	}
	if m.Tier != Interpretation {
		return Plan{}, Forbidden("Call due_for_review to see which memories need a review; use promote to say that this one matters.",
			"only memories of tier interpretation are reviewed; memory %s has tier %s", m.ID, m.Tier)
	}
	plan.Join(x.hurt(whyReviewed, now))
	current := ReviewCurrent
	m.ReviewStatus, m.LastReviewedAt = &current, &now
	plan.Write(PutMemory{m})
	plan.Record(m.ID, ActReview, note, now)
	return plan, nil
}

// Forget puts a tombstone on a memory. A repeat replaces the reason.
func Forget(x Subject, reason string, now time.Time) (Plan, error) {
	m, plan, err := x.begin(now, given{"reason", reason})
	if err != nil {
		return Plan{}, err
	}
	if err := x.unreserved("forgotten"); err != nil {
		return Plan{}, err
	}
	m.ForgottenReason = &reason
	if m.ForgottenAt == nil {
		m.ForgottenAt = &now
	}
	plan.Join(x.invalidate(whyForgotten, now))
	plan.Write(PutMemory{m})
	plan.Join(takeOut(x.Waiting))
	plan.Record(m.ID, ActForget, reason, now)
	return plan, nil
}

// unreserved refuses to take away a memory that holds a reserved place.
func (x Subject) unreserved(done string) error {
	if x.Anchor != nil {
		return Forbidden("Call unpin for this memory, then call again.",
			"memory %s is pinned as an anchor: call unpin() first, then it can be %s", x.ID, done)
	}
	if len(x.Canon) > 0 {
		return Forbidden("Call decanonize for this memory or end_scope for its scope, then call again.",
			"memory %s is in the active canon of %s: call decanonize() or end_scope() first, then it can be %s",
			x.ID, strings.Join(scopesOf(x.Canon), ", "), done)
	}
	return nil
}

// scopesOf gives the distinct scopes of canon entries, sorted.
func scopesOf(entries []CanonEntry) []string {
	scopes := make([]string, len(entries))
	for i, e := range entries {
		scopes[i] = e.Scope
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}

// Restore takes the tombstone away. What rests on the memory is marked for
// review all the same.
func Restore(x Subject, reason string, now time.Time) (Plan, error) {
	m, plan, err := x.begin(now, given{"reason", reason})
	if err != nil {
		return Plan{}, err
	}
	if !m.Forgotten() {
		return Plan{}, Forbidden("Call list_forgotten to see what can be restored.", "memory %s is not forgotten, so there is nothing to restore", m.ID)
	}
	m.ForgottenAt, m.ForgottenReason = nil, nil
	plan.Join(x.invalidate(whyRestored, now))
	plan.Write(PutMemory{m})
	plan.Record(m.ID, ActRestore, reason, now)
	return plan, nil
}

// Effects are the places that a memory lost because it was flagged.
type Effects struct {
	Unpinned    bool
	Decanonized []string // scopes, sorted
}

// FlagSensitive flags a memory. Without independent corroboration it loses its
// anchor and canon places, and what rests on it is marked.
func FlagSensitive(x Subject, reason string, now time.Time) (Plan, Effects, error) {
	if err := need(given{"reason", reason}); err != nil {
		return Plan{}, Effects{}, err
	}
	if err := x.known(); err != nil {
		return Plan{}, Effects{}, err
	}
	m := *x.Memory
	m.SecuritySensitive = true
	plan, effects := x.flagged(reason, now)
	plan.Write(PutMemory{m})
	plan.Record(m.ID, ActFlagSensitive, reason, now)
	return plan, effects, nil
}

// flagged is what follows from a flag, in the contract's order (history.md 2.6).
func (x *Subject) flagged(reason string, now time.Time) (Plan, Effects) {
	var plan Plan
	var effects Effects
	if Gate(x.Memory.Source, x.Labels).Satisfied {
		return plan, effects
	}
	if x.Anchor != nil {
		effects.Unpinned = true
		plan.Write(RemoveAnchor{x.ID})
		plan.Record(x.ID, ActUnpinBySensitivity, "the anchor was lifted: security-sensitive without independent corroboration", now)
	}
	effects.Decanonized = scopesOf(x.Canon)
	for _, scope := range effects.Decanonized {
		plan.Write(decommission(x.Canon, &scope, now)...)
		plan.Record(x.ID, ActDecanonizeBySensitivity, "scope="+scope+": "+reason, now)
	}
	plan.Join(x.invalidate(whyFlagged, now))
	x.Marked = true
	return plan, effects
}

// ClearSensitive lifts a flag; a person does it, on the command line. What could
// not use the memory while it was flagged is marked first.
func ClearSensitive(x Subject, reason string, now time.Time) (Plan, error) {
	if err := need(given{"reason", reason}); err != nil {
		return Plan{}, err
	}
	if err := x.known(); err != nil {
		return Plan{}, err
	}
	m := *x.Memory
	if !m.SecuritySensitive {
		return Plan{}, Forbidden("Call inspect_memory to see the memory as it is.", "memory %s is not flagged as security-sensitive", m.ID)
	}
	m.SecuritySensitive = false
	plan := x.hurt(whyUnflagged, now)
	plan.Write(PutMemory{m})
	plan.Record(m.ID, ActClearSensitive, reason, now)
	return plan, nil
}

// Correct replaces a memory's text by a new memory that is linked to the old
// one, which gets a tombstone (contract/surface.md 4). It has the guards and
// consequences of Forget, and an old memory that is forgotten already is
// refused, for it may have been corrected before.
func Correct(x Subject, c Correction, now time.Time) (Plan, error) {
	if err := captureText(&Memory{}, RememberInput{Content: c.Content}, RememberFacts{}, nil); err != nil {
		return Plan{}, err
	}
	old, plan, err := x.begin(now, given{"reason", c.Reason})
	if err != nil {
		return Plan{}, err
	}
	if old.Forgotten() {
		return Plan{}, Forbidden("Call restore first, or inspect_memory to find the memory that replaced it.",
			"memory %s is forgotten and cannot be corrected", old.ID)
	}
	if err := x.unreserved("corrected"); err != nil {
		return Plan{}, err
	}
	old.ForgottenAt, old.ForgottenReason = &now, &c.Reason
	plan.Join(x.invalidate(whyCorrected, now))
	plan.Write(PutMemory{old})
	corrected := c.of(old, now)
	plan.Join(capturePlan(&corrected, now))
	plan.Write(PutLink{Link{ID: c.LinkID, From: c.ID, To: old.ID, Relation: "updates", Reason: c.Reason, CreatedAt: now}})
	plan.Record(old.ID, ActUpdateMemory, fmt.Sprintf("by=%s: %s", c.ID, c.Reason), now)
	return plan, nil
}

// Correction is the new text of a memory and the names of the rows that it makes.
type Correction struct {
	Content, Reason string
	ID, LinkID      ID
	By              Actor
}

// of gives the new memory: everything that was captured with the old, but
// nothing that happened to it afterwards.
func (c Correction) of(old Memory, now time.Time) Memory {
	m := old
	m.ID, m.Number, m.Seq, m.Windows, m.Perceived = c.ID, 0, 0, nil, nil
	m.Content, m.CreatedAt, m.RecordedBy = Text(c.Content), now, c.By
	m.Status, m.ConsolidatedAt, m.ConsolidationReason = Working, nil, nil
	m.ForgottenAt, m.ForgottenReason = nil, nil
	m.SessionPosition, m.IdempotencyKey = nil, nil
	m.Tier, m.ReviewStatus, m.LastReviewedAt = Archive, nil, nil
	if old.Tier == Interpretation {
		current := ReviewCurrent
		m.Tier, m.ReviewStatus, m.LastReviewedAt = Interpretation, &current, &now
	}
	return m
}

// Erase removes a memory for good, whatever role it holds.
func Erase(x Subject, reason string, confirm bool, now time.Time) (Plan, error) {
	if err := need(given{"reason", reason}); err != nil {
		return Plan{}, err
	}
	if !confirm {
		return Plan{}, Invalid("confirm", "Call erase again with confirm true, or call forget, which restore can undo.",
			"confirm must be true: erasing cannot be undone")
	}
	if err := x.known(); err != nil {
		return Plan{}, err
	}
	var plan Plan
	plan.Write(EraseMemory{x.ID})
	plan.Join(x.invalidate(whyErased, now))
	plan.Record(x.ID, ActErase, reason, now)
	return plan, nil
}
