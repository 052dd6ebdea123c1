package memtest

import (
	"time"

	"combray/internal/memory"
)

var priorityPromises = []promise{
	{"anchors", anchors},
	{"canon", canon},
	{"conflicts", conflicts},
	{"conflict-open-in-either-order", openConflicts},
	{"links", links},
	{"links-active", activeLinks},
}

// consolidated stores a memory that may have a role.
func (x *subject) consolidated(content string) memory.Memory {
	x.Helper()
	m := x.Memory(content)
	m.Status, m.ConsolidatedAt, m.ConsolidationReason = memory.Consolidated, Of(m.CreatedAt), Of("keep")
	return x.put(m)[0]
}

// IDs for rows of equal time, whose order falls back on them.
const (
	lowID  memory.ID = "000000000001"
	midID  memory.ID = "7fffffffffff"
	highID memory.ID = "fffffffffffe"
)

// Anchors come by pin time, then by memory; pinning again overwrites.
func anchors(x *subject) {
	var pins []memory.Anchor
	for _, id := range []memory.ID{highID, lowID, midID} {
		m := x.Memory("m")
		m.ID, m.Status, m.ConsolidatedAt, m.ConsolidationReason = id, memory.Consolidated, Of(m.CreatedAt), Of("keep")
		pins = append(pins, x.Anchor(x.put(m)[0]))
	}
	high, low, mid := pins[0], pins[1], pins[2]
	mid.PinnedAt, low.PinnedAt, high.PinnedAt = Start, at(1), at(1)
	x.write(memory.PutAnchor{Anchor: high}, memory.PutAnchor{Anchor: mid}, memory.PutAnchor{Anchor: low})
	all := func() []memory.Anchor {
		return ask(x, func(r memory.Reader) ([]memory.Anchor, error) { return r.Anchors(x.ctx) })
	}
	one := func(id memory.ID) *memory.Anchor {
		return ask(x, func(r memory.Reader) (*memory.Anchor, error) { return r.Anchor(x.ctx, id) })
	}
	x.same("anchors", all(), []memory.Anchor{mid, low, high})
	mid.Reason, mid.PinnedAt = "", Start.Add(time.Minute)
	x.write(memory.PutAnchor{Anchor: mid})
	x.same("pinned again", all(), []memory.Anchor{low, high, mid})
	x.same("one", one(midID), &mid)
	x.write(memory.RemoveAnchor{MemoryID: lowID})
	x.write(memory.RemoveAnchor{MemoryID: lowID})
	x.same("removed", all(), []memory.Anchor{high, mid})
	x.same("removed one", one(lowID), (*memory.Anchor)(nil))
}

// Canon shows active entries only, oldest first, then ID.
func canon(x *subject) {
	a, b := x.consolidated("a"), x.consolidated("b")
	entry := func(id memory.ID, m memory.Memory, scope string, second int) memory.CanonEntry {
		e := x.Canon(m, scope)
		e.ID, e.CanonizedAt = id, Start.Add(time.Duration(second)*time.Second)
		return e
	}
	late, high := entry(x.IDs.Next(), a, "thesis", 2), entry(highID, b, "thesis", 1)
	low, old := entry(lowID, a, "", 1), entry(midID, b, "move", 0)
	gone := entry(x.IDs.Next(), b, "thesis", 0)
	gone.DecommissionedAt = Of(at(1))
	for _, e := range []memory.CanonEntry{late, gone, high, low, old} {
		x.write(memory.PutCanon{Entry: e})
	}
	get := func(scope *string, id *memory.ID) []memory.CanonEntry {
		return ask(x, func(r memory.Reader) ([]memory.CanonEntry, error) { return r.Canon(x.ctx, scope, id) })
	}
	x.same("all", get(nil, nil), []memory.CanonEntry{old, low, high, late})
	x.same("scope", get(Of("thesis"), nil), []memory.CanonEntry{high, late})
	x.same("blank scope", get(Of(""), nil), []memory.CanonEntry{low})
	x.same("memory", get(nil, &b.ID), []memory.CanonEntry{old, high})
	x.same("both", get(Of("thesis"), &a.ID), []memory.CanonEntry{late})
	x.same("unknown", get(Of("nothing"), nil), []memory.CanonEntry(nil))
	high.DecommissionedAt = Of(Start.Add(time.Hour))
	x.write(memory.PutCanon{Entry: high})
	x.same("decommissioned", get(nil, &b.ID), []memory.CanonEntry{old})
}

// Conflicts come newest first, then by ID descending.
func conflicts(x *subject) {
	a, b, c := x.putOne("a"), x.putOne("b"), x.putOne("c")
	conflict := func(id memory.ID, p, q memory.Memory, second int) memory.Conflict {
		row := x.Conflict(p, q)
		row.ID, row.CreatedAt = id, Start.Add(time.Duration(second)*time.Second)
		return row
	}
	low, high, old := conflict(lowID, a, b, 1), conflict(highID, c, a, 1), conflict(midID, b, c, 0)
	x.write(memory.PutConflict{Conflict: low}, memory.PutConflict{Conflict: old}, memory.PutConflict{Conflict: high})
	get := func(resolved *bool) []memory.Conflict {
		return ask(x, func(r memory.Reader) ([]memory.Conflict, error) { return r.Conflicts(x.ctx, resolved) })
	}
	x.same("all", get(nil), []memory.Conflict{high, low, old})
	x.same("none resolved", get(Of(true)), []memory.Conflict(nil))
	low.ResolvedAt, low.ResolutionReason, low.AdoptedMemoryID = Of(Start.Add(time.Hour)), Of(""), &b.ID
	x.write(memory.PutConflict{Conflict: low})
	x.same("all, one resolved", get(nil), []memory.Conflict{high, low, old})
	x.same("open", get(Of(false)), []memory.Conflict{high, old})
	x.same("resolved", get(Of(true)), []memory.Conflict{low})
	for _, row := range []memory.Conflict{low, high} {
		got := ask(x, func(r memory.Reader) (*memory.Conflict, error) { return r.Conflict(x.ctx, row.ID) })
		x.same("one", got, &row)
	}
}

// The open conflict of a pair is found in either order, a resolved one not; the
// pair may be marked again.
func openConflicts(x *subject) {
	a, b, c := x.putOne("a"), x.putOne("b"), x.putOne("c")
	get := func(p, q memory.Memory) *memory.Conflict {
		return ask(x, func(r memory.Reader) (*memory.Conflict, error) { return r.OpenConflict(x.ctx, p.ID, q.ID) })
	}
	row := x.Conflict(b, a)
	x.write(memory.PutConflict{Conflict: row})
	x.same("as marked", get(b, a), &row)
	x.same("the other way", get(a, b), &row)
	x.same("another pair", get(a, c), (*memory.Conflict)(nil))
	row.ResolvedAt, row.ResolutionReason = Of(x.Clock.Now()), Of("both were right")
	x.write(memory.PutConflict{Conflict: row})
	x.same("resolved", get(b, a), (*memory.Conflict)(nil))
	again := x.Conflict(a, b)
	x.write(memory.PutConflict{Conflict: again})
	x.same("marked again", get(b, a), &again)
}

// Links at memories come in either direction, oldest first, then by ID, each
// once; retired ones beside the active ones when asked for.
func links(x *subject) {
	a, b, c, d := x.putOne("a"), x.putOne("b"), x.putOne("c"), x.putOne("d")
	link := func(id memory.ID, from, to memory.Memory, second int) memory.Link {
		row := x.Link(from, to, "related")
		row.ID, row.CreatedAt = id, Start.Add(time.Duration(second)*time.Second)
		return row
	}
	high, low, old := link(highID, a, b, 1), link(lowID, b, c, 1), link(midID, c, a, 0)
	gone := link(x.IDs.Next(), a, c, 2)
	gone.RetiredAt, gone.RetirementReason = Of(Start.Add(time.Hour)), Of("no longer")
	for _, row := range []memory.Link{gone, high, low, old} {
		x.write(memory.PutLink{Link: row})
	}
	of := func(retired bool, memories ...memory.ID) []memory.Link {
		return ask(x, func(r memory.Reader) ([]memory.Link, error) { return r.LinksOf(x.ctx, memories, retired) })
	}
	x.same("at a", of(false, a.ID), []memory.Link{old, high})
	x.same("at b", of(false, b.ID), []memory.Link{low, high})
	x.same("at all", of(false, c.ID, b.ID, a.ID, d.ID), []memory.Link{old, low, high})
	x.same("retired too", of(true, a.ID), []memory.Link{old, high, gone})
	x.same("at nothing", of(true, d.ID, x.IDs.Next()), []memory.Link(nil))
	x.same("of nothing", of(true), []memory.Link(nil))
	byID := func(ids ...memory.ID) []memory.Link {
		return ask(x, func(r memory.Reader) ([]memory.Link, error) { return r.Links(x.ctx, ids) })
	}
	x.same("by ids", byID(low.ID, x.IDs.Next(), gone.ID, old.ID), []memory.Link{low, gone, old})
	high.RetiredAt, high.RetirementReason = Of(Start.Add(time.Hour)), Of("")
	x.write(memory.PutLink{Link: high})
	x.same("one retired", of(false, a.ID), []memory.Link{old})
	one := ask(x, func(r memory.Reader) (*memory.Link, error) { return r.Link(x.ctx, high.ID) })
	x.same("one", one, &high)
}

// A link counts from, to and relation; a retired one is not active and may be
// made again.
func activeLinks(x *subject) {
	a, b := x.putOne("a"), x.putOne("b")
	row := x.Link(a, b, "updates")
	x.write(memory.PutLink{Link: row}, memory.PutLink{Link: x.Link(a, b, "explains")})
	get := func(from, to memory.Memory, relation memory.Relation) *memory.Link {
		return ask(x, func(r memory.Reader) (*memory.Link, error) { return r.ActiveLink(x.ctx, from.ID, to.ID, relation) })
	}
	x.same("there", get(a, b, "updates"), &row)
	x.same("the other way", get(b, a, "updates"), (*memory.Link)(nil))
	x.same("another relation", get(a, b, "related"), (*memory.Link)(nil))
	row.RetiredAt, row.RetirementReason = Of(x.Clock.Now()), Of("no longer")
	x.write(memory.PutLink{Link: row})
	x.same("retired", get(a, b, "updates"), (*memory.Link)(nil))
	again := x.Link(a, b, "updates")
	x.write(memory.PutLink{Link: again})
	x.same("made again", get(a, b, "updates"), &again)
}
