package memory

import (
	"fmt"
	"time"
)

// Pair is the two memories that a conflict or link is about.
type Pair struct{ A, B Subject }

// bothLive refuses an unknown or forgotten memory, the first one first.
func (p Pair) bothLive(done string) error {
	for _, x := range []Subject{p.A, p.B} {
		if err := x.known(); err != nil {
			return err
		}
		if x.Memory.Forgotten() {
			return Forbidden("Call restore for that memory, then call again.", "memory %s is forgotten and cannot be %s: call restore() first", x.ID, done)
		}
	}
	return nil
}

// MarkConflict says that two memories contradict each other (contract/history.md
// 1.4). An open conflict of the pair, in either order, is given unchanged. id
// names the new one.
func MarkConflict(p Pair, open *Conflict, reason string, id ID, now time.Time) (Conflict, Plan, error) {
	if err := need(given{"reason", reason}); err != nil {
		return Conflict{}, Plan{}, err
	}
	if p.A.ID == p.B.ID {
		return Conflict{}, Plan{}, Invalid("memory_id_b", "Pass the ids of two different memories.", "a memory cannot be in conflict with itself")
	}
	if err := p.bothLive("part of a new conflict"); err != nil {
		return Conflict{}, Plan{}, err
	}
	if open != nil {
		return *open, Plan{}, nil
	}
	c := Conflict{ID: id, A: p.A.ID, B: p.B.ID, Reason: reason, CreatedAt: now}
	var plan Plan
	plan.Write(PutConflict{c})
	plan.Record(c.A, ActMarkConflict, fmt.Sprintf("with=%s: %s", c.B, reason), now)
	return c, plan, nil
}

// ResolveConflict closes a conflict; neither memory changes. adopted is the
// member that holds, nil when both or none do.
func ResolveConflict(id ID, c *Conflict, reason string, adopted *ID, now time.Time) (Conflict, Plan, error) {
	if err := need(given{"reason", reason}); err != nil {
		return Conflict{}, Plan{}, err
	}
	if c == nil {
		return Conflict{}, Plan{}, NotFound("conflict", id)
	}
	if c.ResolvedAt != nil {
		return Conflict{}, Plan{}, Forbidden("Call mark_conflict to open a new one for the pair.", "conflict %s is already resolved", id)
	}
	name := "None" // as memory-as-history writes it
	if adopted != nil {
		if *adopted != c.A && *adopted != c.B {
			return Conflict{}, Plan{}, Invalid("adopted_memory_id", "Pass the id of the memory that holds, or leave adopted_memory_id out.",
				"adopted_memory_id must be %s or %s, the memories of the conflict", c.A, c.B)
		}
		name = string(*adopted)
	}
	done := *c
	done.ResolvedAt, done.ResolutionReason, done.AdoptedMemoryID = &now, &reason, adopted
	var plan Plan
	plan.Write(PutConflict{done})
	plan.Record(c.A, ActResolveConflict, fmt.Sprintf("conflict=%s adopted=%s: %s", id, name, reason), now)
	return done, plan, nil
}
