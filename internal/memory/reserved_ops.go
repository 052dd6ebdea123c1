package memory

import (
	"context"
	"maps"
	"slices"
	"time"
)

// reserved are the places of an answer that no ranking decides.
type reserved struct {
	anchors []AnchorRow
	canon   []CanonRow
	numbers []int64 // of every anchor and eligible canon memory, shown or not
	room    int     // what they leave of the limit
}

func (r reserved) holds(number int64) bool { return slices.Contains(r.numbers, number) }

func (s *Service) reserved(ctx context.Context, limit int) (out reserved, err error) {
	err = s.store.View(ctx, func(r Reader) error {
		out, err = loadReserved(ctx, r, limit)
		return err
	})
	return out, err
}

func loadReserved(ctx context.Context, r Reader, limit int) (reserved, error) {
	anchors, err := loadAnchors(ctx, r)
	if err != nil {
		return reserved{}, err
	}
	canon, err := loadCanon(ctx, r, nil)
	if err != nil {
		return reserved{}, err
	}
	return reserve(anchors, canon, limit), nil
}

func loadAnchors(ctx context.Context, r Reader) ([]AnchorRow, error) {
	anchors, err := r.Anchors(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]ID, len(anchors))
	for i, a := range anchors {
		ids[i] = a.MemoryID
	}
	memories, err := memoriesByID(ctx, r, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]AnchorRow, 0, len(anchors))
	for _, a := range anchors {
		if m, known := memories[a.MemoryID]; known && !m.Forgotten() {
			rows = append(rows, AnchorRow{Memory: m, Anchor: a})
		}
	}
	return rows, nil
}

// loadCanon gives the active memberships of a scope (nil: all), oldest first,
// without those of forgotten memories.
func loadCanon(ctx context.Context, r Reader, scope *string) ([]CanonRow, error) {
	entries, err := r.Canon(ctx, scope, nil)
	if err != nil {
		return nil, err
	}
	ids := make([]ID, len(entries))
	for i, e := range entries {
		ids[i] = e.MemoryID
	}
	memories, err := memoriesByID(ctx, r, ids)
	if err != nil {
		return nil, err
	}
	labels, err := r.Labels(ctx, sensitiveOf(memories))
	if err != nil {
		return nil, err
	}
	rows := make([]CanonRow, 0, len(entries))
	for _, e := range entries {
		if m, known := memories[e.MemoryID]; known && !m.Forgotten() {
			rows = append(rows, newCanonRow(e, m, labels[m.ID]))
		}
	}
	return rows, nil
}

func sensitiveOf(memories map[ID]Memory) []ID {
	var ids []ID
	for id, m := range memories {
		if m.SecuritySensitive {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// keysOf gives the ids of a map, sorted.
func keysOf(memories map[ID]Memory) []ID {
	return slices.Sorted(maps.Keys(memories))
}

// memoriesByID loads memories once each, known ones only.
func memoriesByID(ctx context.Context, r Reader, ids []ID) (map[ID]Memory, error) {
	unique := slices.Clone(ids)
	slices.Sort(unique)
	memories, err := r.Memories(ctx, slices.Compact(unique))
	if err != nil {
		return nil, err
	}
	out := make(map[ID]Memory, len(memories))
	for _, m := range memories {
		out[m.ID] = m
	}
	return out, nil
}

// overdue gives the interpretations whose review is due, oldest captured first,
// marked stale as they now are; nothing is written.
func overdue(ctx context.Context, r Reader, now time.Time) ([]Memory, error) {
	tier, before := Interpretation, now.Add(-ReviewAge)
	rows, err := r.List(ctx, ListQuery{Order: OldestCaptured, Filter: ListFilter{Tier: &tier, ReviewedBefore: &before}})
	for i := range rows {
		rows[i] = AsOf(rows[i], now)
	}
	return rows, err
}

// openConflicts gives the open conflicts whose members are both active.
func openConflicts(ctx context.Context, r Reader) ([]ConflictRow, error) {
	open := false
	conflicts, err := r.Conflicts(ctx, &open)
	if err != nil {
		return nil, err
	}
	rows, err := conflictRows(ctx, r, conflicts)
	return slices.DeleteFunc(rows, func(c ConflictRow) bool { return c.A.Forgotten() || c.B.Forgotten() }), err
}

func conflictRows(ctx context.Context, r Reader, conflicts []Conflict) ([]ConflictRow, error) {
	var ids []ID
	for _, c := range conflicts {
		ids = append(ids, c.A, c.B)
	}
	memories, err := memoriesByID(ctx, r, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]ConflictRow, len(conflicts))
	for i, c := range conflicts {
		rows[i] = ConflictRow{Conflict: c, A: memories[c.A], B: memories[c.B]}
	}
	return rows, nil
}

// showNarrative puts the current global narrative into an answer: whole when it
// is usable, else only its review state.
func (s *Service) showNarrative(ctx context.Context, r Reader, now time.Time, out *RecallResult) error {
	n, err := r.CurrentNarrative(ctx, GlobalScope)
	if err != nil || n == nil {
		return err
	}
	view, err := viewNarrative(ctx, r, *n, now)
	if err != nil {
		return err
	}
	if view.Usable() {
		out.Narrative = &view
	} else {
		out.NarrativeReview = &view
	}
	return nil
}
