package memtest

import (
	"context"
	"maps"
	"slices"

	"combray/internal/memory"
)

// Anchor implements memory.PriorityReader, and so on to ActiveLink.
func (r reader) Anchor(_ context.Context, id memory.ID) (*memory.Anchor, error) {
	return found(r.anchors, id), nil
}

func (r reader) Anchors(context.Context) ([]memory.Anchor, error) {
	return choose(maps.Values(r.anchors), func(memory.Anchor) bool { return true },
		func(a, b memory.Anchor) int { return oldest(a.PinnedAt, b.PinnedAt, a.MemoryID, b.MemoryID) }), nil
}

func (r reader) Canon(_ context.Context, scope *string, id *memory.ID) ([]memory.CanonEntry, error) {
	return choose(maps.Values(r.canon), func(e memory.CanonEntry) bool {
		return e.DecommissionedAt == nil && matches(scope, &e.Scope) && matches(id, &e.MemoryID)
	}, func(a, b memory.CanonEntry) int { return oldest(a.CanonizedAt, b.CanonizedAt, a.ID, b.ID) }), nil
}

func (r reader) Conflict(_ context.Context, id memory.ID) (*memory.Conflict, error) {
	return found(r.conflicts, id), nil
}

func (r reader) Conflicts(_ context.Context, resolved *bool) ([]memory.Conflict, error) {
	return choose(maps.Values(r.conflicts), func(c memory.Conflict) bool {
		is := c.ResolvedAt != nil
		return matches(resolved, &is)
	}, func(a, b memory.Conflict) int { return -oldest(a.CreatedAt, b.CreatedAt, a.ID, b.ID) }), nil
}

func (r reader) OpenConflict(_ context.Context, a, b memory.ID) (*memory.Conflict, error) {
	key := conflictKey(memory.Conflict{A: a, B: b})
	return first(maps.Values(r.conflicts), func(c memory.Conflict) bool { return conflictKey(c) == key }), nil
}

func (r reader) Link(_ context.Context, id memory.ID) (*memory.Link, error) {
	return found(r.links, id), nil
}

func (r reader) Links(_ context.Context, ids []memory.ID) ([]memory.Link, error) {
	return known(r.links, ids), nil
}

// LinksOf shows retired links beside the active ones, not instead of them.
func (r reader) LinksOf(_ context.Context, memories []memory.ID, retired bool) ([]memory.Link, error) {
	return choose(maps.Values(r.links), func(l memory.Link) bool {
		return (retired || l.RetiredAt == nil) && (slices.Contains(memories, l.From) || slices.Contains(memories, l.To))
	}, func(a, b memory.Link) int { return oldest(a.CreatedAt, b.CreatedAt, a.ID, b.ID) }), nil
}

func (r reader) ActiveLink(_ context.Context, from, to memory.ID, relation memory.Relation) (*memory.Link, error) {
	key := linkKey(memory.Link{From: from, To: to, Relation: relation})
	return first(maps.Values(r.links), func(l memory.Link) bool { return linkKey(l) == key }), nil
}
