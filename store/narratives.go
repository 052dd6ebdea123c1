package store

import (
	"context"
	"database/sql"

	"combray/internal/memory"
)

var narratives = newTable("narratives", "id", func(n *memory.Narrative) []column {
	return []column{
		{"id", &n.ID, fixed},
		{"scope", &n.Scope, mutable},
		{"created_at", instant{&n.CreatedAt}, mutable},
		{"superseded_at", maybeInstant{&n.SupersededAt}, mutable},
		{"superseded_by", &n.SupersededBy, mutable},
		{"security_sensitive", &n.SecuritySensitive, mutable},
		{"review_required_at", maybeInstant{&n.ReviewRequiredAt}, mutable},
		{"last_reviewed_at", maybeInstant{&n.LastReviewedAt}, mutable},
		{"unreadable", jsonList[string]{&n.Unreadable}, mutable},
		{"recorded_client", &n.RecordedBy.Client, mutable},
		{"recorded_version", &n.RecordedBy.Version, mutable},
		{"recorded_door", &n.RecordedBy.Door, mutable},
		{"perspective", &n.Perspective, mutable},
		{"coverage", &n.Coverage, mutable},
		{"review_reason", &n.ReviewReason, mutable},
		{"review_note", &n.ReviewNote, mutable},
		{"reason", &n.Reason, mutable},
		{"content", &n.Content, mutable},
	}
})

// sources gives the id list of each kind that a narrative cites.
func sources(n *memory.Narrative) map[memory.SourceKind]*[]memory.ID {
	return map[memory.SourceKind]*[]memory.ID{
		memory.SourceMemory: &n.MemoryIDs, memory.SourceClaim: &n.ClaimIDs, memory.SourceLink: &n.LinkIDs}
}

func (t *tx) putNarrative(ctx context.Context, n memory.Narrative) error {
	if err := narratives.put(ctx, t.c, n); err != nil {
		return err
	}
	if _, err := t.c.exec(ctx, "DELETE FROM narrative_sources WHERE narrative_id = ?", n.ID); err != nil {
		return err
	}
	for kind, ids := range sources(&n) {
		for position, id := range *ids {
			if _, err := t.c.exec(ctx, "INSERT INTO narrative_sources (narrative_id, kind, position, ref) VALUES (?, ?, ?, ?)",
				n.ID, kind, position, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// findNarratives gives narratives with what they cite.
func (r *reader) findNarratives(ctx context.Context, tail string, args ...any) ([]memory.Narrative, error) {
	if r.vacant.narratives {
		return nil, ctx.Err()
	}
	found, err := narratives.find(ctx, r.conn(), tail, args...)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	ids := make([]memory.ID, len(found))
	lists := make(map[memory.ID]map[memory.SourceKind]*[]memory.ID, len(found))
	for i := range found {
		ids[i] = found[i].ID
		lists[found[i].ID] = sources(&found[i])
	}
	err = r.c.each(ctx, func(rows *sql.Rows) error {
		var narrative, ref memory.ID
		var kind memory.SourceKind
		if err := rows.Scan(&narrative, &kind, &ref); err != nil {
			return err
		}
		if ids := lists[narrative][kind]; ids != nil {
			*ids = append(*ids, ref)
		}
		return nil
	}, `SELECT narrative_id, kind, ref FROM narrative_sources
		WHERE narrative_id IN `+anyOf+` ORDER BY narrative_id, kind, position`, keys[memory.ID](ids))
	return found, err
}

func (r *reader) oneNarrative(ctx context.Context, tail string, args ...any) (*memory.Narrative, error) {
	found, err := r.findNarratives(ctx, tail, args...)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Narrative implements memory.NarrativeReader.
func (r *reader) Narrative(ctx context.Context, id memory.ID) (*memory.Narrative, error) {
	return r.oneNarrative(ctx, "WHERE id = ?", id)
}

// CurrentNarrative implements memory.NarrativeReader.
func (r *reader) CurrentNarrative(ctx context.Context, scope string) (*memory.Narrative, error) {
	return r.oneNarrative(ctx, "WHERE scope = ? AND superseded_at IS NULL", scope)
}

// CurrentNarratives implements memory.NarrativeReader. A scope has one at most,
// so the scope alone is the order.
func (r *reader) CurrentNarratives(ctx context.Context, limit int) ([]memory.Narrative, error) {
	return r.findNarratives(ctx, "WHERE superseded_at IS NULL ORDER BY scope LIMIT ?", atMost(limit))
}

// NarrativeHistory implements memory.NarrativeReader.
func (r *reader) NarrativeHistory(ctx context.Context, scope *string, limit int) ([]memory.Narrative, error) {
	const order = "ORDER BY created_at DESC, id DESC LIMIT ?"
	if scope == nil {
		return r.findNarratives(ctx, order, atMost(limit))
	}
	return r.findNarratives(ctx, "WHERE scope = ? "+order, *scope, atMost(limit))
}

// NarrativesCiting implements memory.NarrativeReader.
func (r *reader) NarrativesCiting(ctx context.Context, kind memory.SourceKind, id memory.ID) ([]memory.Narrative, error) {
	return r.findNarratives(ctx, `WHERE id IN (SELECT narrative_id FROM narrative_sources WHERE kind = ? AND ref = ?)
		ORDER BY created_at, id`, kind, id)
}
