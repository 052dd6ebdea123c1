package memory

import (
	"cmp"
	"fmt"
	"time"
)

// Pin makes a memory an anchor (contract/history.md 1.3). pinned counts the
// anchors before. A repeat replaces reason and time.
func Pin(x Subject, reason string, pinned int, now time.Time) (Anchor, string, Plan, error) {
	m, plan, err := x.begin(now, given{"reason", reason})
	if err != nil {
		return Anchor{}, "", Plan{}, err
	}
	if err := reservable(m, "pinned as an anchor"); err != nil {
		return Anchor{}, "", Plan{}, err
	}
	if !MayRank(m, x.Labels) {
		plan.Denial = denyPlace(m, "pinned as an anchor", x.Hit)
		plan.Record(m.ID, ActPinDenied, plan.Denial.Message, now)
		return Anchor{}, "", plan, nil
	}
	anchor := Anchor{MemoryID: m.ID, Reason: reason, PinnedAt: now}
	plan.Write(PutAnchor{anchor})
	plan.Record(m.ID, ActPin, reason, now)
	if x.Anchor == nil {
		pinned++
	}
	return anchor, crowded(pinned, AnchorsSoft, "anchors are pinned", "unpin those that need not open every answer"), plan, nil
}

// reservable refuses a memory that may hold no reserved place whatever its
// corroboration.
func reservable(m Memory, done string) error {
	if m.Forgotten() {
		return Forbidden("Call restore for this memory, then call again.", "memory %s is forgotten and cannot be %s: call restore() first", m.ID, done)
	}
	if m.Status != Consolidated {
		return Forbidden("Call promote for this memory, then call again.",
			"memory %s must be consolidated before it can be %s: call promote() first", m.ID, done)
	}
	return nil
}

// denyPlace is the denial of the corroboration gate.
func denyPlace(m Memory, done string, hit *Hit) *Error {
	why := ""
	if hit != nil {
		why = fmt.Sprintf(" (%s of this call)", hit.Reason())
	}
	return Denied("Call corroborate with a source that is independent of the memory's own, then call again; provenance shows what counts so far.",
		"memory %s is security-sensitive%s and has no independent corroboration, so it cannot be %s", m.ID, why, done)
}

// crowded is the warning that a soft limit is passed, "" when it is not.
func crowded(n, soft int, what, advice string) string {
	if n <= soft {
		return ""
	}
	return fmt.Sprintf("%d %s, more than the soft limit of %d: %s.", n, what, soft, advice)
}

// unpinNote is the audit reason of a client that gives none.
const unpinNote = "legacy unpin: caller did not provide a reason"

// Unpin takes an anchor away. An id that is unknown or not pinned is recorded as
// having had no effect. A nil reason is allowed, a blank one is not.
func Unpin(id ID, anchor *Anchor, reason *string, now time.Time) (Plan, error) {
	note := unpinNote
	if reason != nil {
		if err := need(given{"reason", *reason}); err != nil {
			return Plan{}, err
		}
		note = *reason
	}
	var plan Plan
	if anchor == nil {
		plan.Record(id, ActUnpinNoop, note, now)
		return plan, nil
	}
	plan.Write(RemoveAnchor{id})
	plan.Record(id, ActUnpin, note, now)
	return plan, nil
}

// CanonAsk asks for a place in the canon of a task.
type CanonAsk struct {
	Scope, Reason string
	ID            ID  // of the new membership
	Active        int // memberships over all scopes before
}

// Canonize makes a memory a member of a task scope (contract/history.md 1.4).
func Canonize(x Subject, ask CanonAsk, now time.Time) (CanonEntry, string, Plan, error) {
	m, plan, err := x.begin(now, given{"scope", ask.Scope}, given{"reason", ask.Reason})
	if err != nil {
		return CanonEntry{}, "", Plan{}, err
	}
	if err := reservable(m, "made part of a canon"); err != nil {
		return CanonEntry{}, "", Plan{}, err
	}
	if !MayRank(m, x.Labels) {
		plan.Denial = denyPlace(m, "made part of a canon", x.Hit)
		plan.Record(m.ID, ActCanonizeDenied, "scope="+ask.Scope+": "+plan.Denial.Message, now)
		return CanonEntry{}, "", plan, nil
	}
	if len(inScope(x.Canon, &ask.Scope)) > 0 {
		return CanonEntry{}, "", Plan{}, Forbidden("Call list_canon to see the scope; call decanonize first to give another reason.",
			"memory %s is already in the active canon for scope %q", m.ID, ask.Scope)
	}
	entry := CanonEntry{ID: ask.ID, MemoryID: m.ID, Scope: ask.Scope, Reason: ask.Reason, CanonizedAt: now}
	plan.Write(PutCanon{entry})
	plan.Record(m.ID, ActCanonize, "scope="+ask.Scope+": "+ask.Reason, now)
	return entry, crowded(ask.Active+1, CanonSoft, "canon memberships are active", "end the scopes of finished tasks"), plan, nil
}

// inScope gives the entries of a scope; nil means all.
func inScope(entries []CanonEntry, scope *string) []CanonEntry {
	var out []CanonEntry
	for _, e := range entries {
		if scope == nil || e.Scope == *scope {
			out = append(out, e)
		}
	}
	return out
}

// decommission ends the active memberships of a scope; nil means all.
func decommission(entries []CanonEntry, scope *string, now time.Time) []Change {
	var changes []Change
	for _, e := range inScope(entries, scope) {
		e.DecommissionedAt = &now
		changes = append(changes, PutCanon{e})
	}
	return changes
}

// Decanonize ends a memory's membership in a scope, or in all (nil). It gives
// how many ended.
func Decanonize(x Subject, scope *string, reason string, now time.Time) (int, Plan, error) {
	if err := need(given{"reason", reason}); err != nil {
		return 0, Plan{}, err
	}
	if err := x.known(); err != nil {
		return 0, Plan{}, err
	}
	where, prefix := "any scope", "all scopes: "
	if scope != nil {
		where, prefix = fmt.Sprintf("scope %q", *scope), "scope="+*scope+": "
	}
	var plan Plan
	plan.Write(decommission(x.Canon, scope, now)...)
	if plan.Empty() {
		return 0, Plan{}, Forbidden("Call list_canon to see the active memberships.", "memory %s has no active canon entries in %s", x.ID, where)
	}
	plan.Record(x.ID, ActDecanonize, prefix+reason, now)
	return len(plan.Changes), plan, nil
}

// EndScope ends every membership of a scope, with an audit row for each.
func EndScope(scope, reason string, entries []CanonEntry, now time.Time) (Plan, error) {
	if err := need(given{"scope", scope}, given{"reason", reason}); err != nil {
		return Plan{}, err
	}
	if len(entries) == 0 {
		return Plan{}, Forbidden("Call active_scopes to see which scopes can be ended.", "scope %q has no active canon entries", scope)
	}
	var plan Plan
	plan.Write(decommission(entries, nil, now)...)
	for _, e := range entries {
		plan.Record(e.MemoryID, ActEndScope, "scope="+scope+": "+reason, now)
	}
	return plan, nil
}

// behind says whether an anchor stands behind a place in the order of pinning.
func (a Anchor) behind(p place) bool {
	return cmp.Or(a.PinnedAt.Compare(p.at), cmp.Compare(a.MemoryID, p.id)) > 0
}
