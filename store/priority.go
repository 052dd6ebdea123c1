package store

import (
	"context"

	"combray/internal/memory"
)

var anchors = newTable("anchors", "memory_id", func(a *memory.Anchor) []column {
	return []column{
		{"memory_id", &a.MemoryID, fixed},
		{"reason", &a.Reason, mutable},
		{"pinned_at", instant{&a.PinnedAt}, mutable},
	}
})

var corroborations = newTable("corroborations", "id", func(c *memory.Corroboration) []column {
	return []column{
		{"id", &c.ID, fixed},
		{"memory_id", &c.MemoryID, fixed},
		{"source", &c.Source, fixed},
		{"at", instant{&c.At}, fixed},
	}
})

var canonEntries = newTable("canon_entries", "id", func(e *memory.CanonEntry) []column {
	return []column{
		{"id", &e.ID, fixed},
		{"memory_id", &e.MemoryID, mutable},
		{"scope", &e.Scope, mutable},
		{"reason", &e.Reason, mutable},
		{"canonized_at", instant{&e.CanonizedAt}, mutable},
		{"decommissioned_at", maybeInstant{&e.DecommissionedAt}, mutable},
	}
})

var conflicts = newTable("conflicts", "id", func(c *memory.Conflict) []column {
	return []column{
		{"id", &c.ID, fixed},
		{"memory_id_a", &c.A, mutable},
		{"memory_id_b", &c.B, mutable},
		{"reason", &c.Reason, mutable},
		{"created_at", instant{&c.CreatedAt}, mutable},
		{"resolved_at", maybeInstant{&c.ResolvedAt}, mutable},
		{"resolution_reason", &c.ResolutionReason, mutable},
		{"adopted_memory_id", &c.AdoptedMemoryID, mutable},
	}
})

var links = newTable("links", "id", func(l *memory.Link) []column {
	return []column{
		{"id", &l.ID, fixed},
		{"from_id", &l.From, mutable},
		{"to_id", &l.To, mutable},
		{"relation", &l.Relation, mutable},
		{"reason", &l.Reason, mutable},
		{"created_at", instant{&l.CreatedAt}, mutable},
		{"retired_at", maybeInstant{&l.RetiredAt}, mutable},
		{"retirement_reason", &l.RetirementReason, mutable},
	}
})

// Anchor implements memory.PriorityReader.
func (r *reader) Anchor(ctx context.Context, id memory.ID) (*memory.Anchor, error) {
	return anchors.one(ctx, r.conn(), "WHERE memory_id = ?", id)
}

// Anchors implements memory.PriorityReader.
func (r *reader) Anchors(ctx context.Context) ([]memory.Anchor, error) {
	if r.vacant.anchors {
		return nil, ctx.Err()
	}
	return anchors.find(ctx, r.conn(), "ORDER BY pinned_at, memory_id")
}

// Canon implements memory.PriorityReader.
func (r *reader) Canon(ctx context.Context, scope *string, id *memory.ID) ([]memory.CanonEntry, error) {
	if r.vacant.canon {
		return nil, ctx.Err()
	}
	w := where{"decommissioned_at IS NULL", nil}
	if scope != nil {
		w.and("scope = ?", *scope)
	}
	if id != nil {
		w.and("memory_id = ?", *id)
	}
	return canonEntries.find(ctx, r.conn(), "WHERE "+w.sql+" ORDER BY canonized_at, id", w.args...)
}

// Conflict implements memory.PriorityReader.
func (r *reader) Conflict(ctx context.Context, id memory.ID) (*memory.Conflict, error) {
	return conflicts.one(ctx, r.conn(), "WHERE id = ?", id)
}

// Conflicts implements memory.PriorityReader.
func (r *reader) Conflicts(ctx context.Context, resolved *bool) ([]memory.Conflict, error) {
	if r.vacant.conflicts {
		return nil, ctx.Err()
	}
	condition := ""
	switch {
	case resolved == nil:
	case *resolved:
		condition = "WHERE resolved_at IS NOT NULL "
	default:
		condition = "WHERE resolved_at IS NULL "
	}
	return conflicts.find(ctx, r.conn(), condition+"ORDER BY created_at DESC, id DESC")
}

// OpenConflict implements memory.PriorityReader.
func (r *reader) OpenConflict(ctx context.Context, a, b memory.ID) (*memory.Conflict, error) {
	return conflicts.one(ctx, r.conn(), `WHERE resolved_at IS NULL
		AND min(memory_id_a, memory_id_b) = ? AND max(memory_id_a, memory_id_b) = ?`, min(a, b), max(a, b))
}

// Link implements memory.PriorityReader.
func (r *reader) Link(ctx context.Context, id memory.ID) (*memory.Link, error) {
	return links.one(ctx, r.conn(), "WHERE id = ?", id)
}

// Links implements memory.PriorityReader.
func (r *reader) Links(ctx context.Context, ids []memory.ID) ([]memory.Link, error) {
	rows, err := links.find(ctx, r.conn(), "WHERE id IN "+anyOf, keys[memory.ID](ids))
	return inOrder(rows, ids, func(l memory.Link) memory.ID { return l.ID }), err
}

// LinksOf implements memory.PriorityReader; retired links come beside the active
// ones, not instead of them.
func (r *reader) LinksOf(ctx context.Context, memories []memory.ID, retired bool) ([]memory.Link, error) {
	list := keys[memory.ID](memories)
	active := "AND retired_at IS NULL"
	if retired {
		active = ""
	}
	return links.find(ctx, r.conn(), `WHERE id IN (
		SELECT id FROM links WHERE from_id IN (SELECT value FROM json_each(?1))
		UNION SELECT id FROM links WHERE to_id IN (SELECT value FROM json_each(?1))) `+active+`
		ORDER BY created_at, id`, list)
}

// ActiveLink implements memory.PriorityReader.
func (r *reader) ActiveLink(ctx context.Context, from, to memory.ID, relation memory.Relation) (*memory.Link, error) {
	return links.one(ctx, r.conn(), "WHERE from_id = ? AND to_id = ? AND relation = ? AND retired_at IS NULL", from, to, relation)
}
