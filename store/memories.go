package store

import (
	"context"
	"database/sql"

	"combray/internal/memory"
)

// windowsOfPresentEncoder is how many windows the newest encoder made of a
// memory: the one whose vectors were stored last.
const windowsOfPresentEncoder = `(SELECT windows FROM vectors
	WHERE vectors.number = memories.number AND vectors.identity = (SELECT identity FROM store))`

// perceivedChannels says of which channels a memory has fingerprints: 1 for audio, 2
// for image, null for none (mediaCell).
const perceivedChannels = `(SELECT max(channel = 'audio') + 2 * max(channel = 'image') FROM fingerprints
	WHERE fingerprints.number = memories.number AND data IS NOT NULL)`

// What a memory was captured with never changes: id, text, moment, who, key.
var memories = newTable("memories", "id", func(m *memory.Memory) []column {
	return []column{
		{"memories.number", &m.Number, computed},
		{windowsOfPresentEncoder, &m.Windows, computed},
		{perceivedChannels, mediaCell{&m.Perceived}, computed},
		{"id", &m.ID, fixed},
		{"seq", &m.Seq, mutable},
		{"status", &m.Status, mutable},
		{"tier", &m.Tier, mutable},
		{"created_at", instant{&m.CreatedAt}, fixed},
		{"event_at", maybeInstant{&m.EventAt}, mutable},
		{"forgotten_at", maybeInstant{&m.ForgottenAt}, mutable},
		{"security_sensitive", &m.SecuritySensitive, mutable},
		{"frame", &m.Frame, mutable},
		{"source", &m.Source, mutable},
		{"session_id", &m.SessionID, mutable},
		{"session_position", &m.SessionPosition, mutable},
		{"last_reviewed_at", maybeInstant{&m.LastReviewedAt}, mutable},
		{"review_status", &m.ReviewStatus, mutable},
		{"consolidated_at", maybeInstant{&m.ConsolidatedAt}, mutable},
		{"material_type", &m.MaterialType, mutable},
		{"event_offset", &m.EventOffset, mutable},
		{"event_precision", &m.EventPrecision, mutable},
		{"lat", placeCell[float64]{&m.Place, func(p *memory.Place) *float64 { return &p.Lat }}, mutable},
		{"lon", placeCell[float64]{&m.Place, func(p *memory.Place) *float64 { return &p.Lon }}, mutable},
		{"geohash", placeCell[string]{&m.Place, func(p *memory.Place) *string { return &p.Geohash }}, mutable},
		{"accuracy_m", placeCell[*float64]{&m.Place, func(p *memory.Place) **float64 { return &p.AccuracyM }}, mutable},
		{"salience", &m.Salience, mutable},
		{"recorded_client", &m.RecordedBy.Client, fixed},
		{"recorded_version", &m.RecordedBy.Version, fixed},
		{"recorded_door", &m.RecordedBy.Door, fixed},
		{"idempotency_key", &m.IdempotencyKey, fixed},
		{"origin_id", &m.OriginID, mutable},
		{"tags", jsonList[string]{&m.Tags}, mutable},
		{"media_refs", jsonList[string]{&m.MediaRefs}, mutable},
		{"biometric", jsonMap[string]{&m.Biometric}, mutable},
		{"consolidation_reason", &m.ConsolidationReason, mutable},
		{"forgotten_reason", &m.ForgottenReason, mutable},
		{"capture_context", &m.CaptureContext, mutable},
		{"metadata", &m.Metadata, mutable},
		{"content", &m.Content, fixed},
	}
})

// putMemory inserts a new memory, or overwrites what may change of a known one.
func (t *tx) putMemory(ctx context.Context, m memory.Memory) error {
	m.Seq = t.nextSequence()
	if m.Number == 0 {
		return t.insertMemory(ctx, m)
	}
	if err := t.removeTags(ctx, m.Number); err != nil {
		return err
	}
	args := append(memories.values(&m, true), m.Number, m.ID)
	result, err := t.c.exec(ctx, memories.update+" WHERE number = ? AND id = ?", args...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return orNotFound(err, m.ID)
	}
	return t.indexTags(ctx, m)
}

func orNotFound(err error, id memory.ID) error {
	if err != nil {
		return explained(err)
	}
	return memory.NotFound("memory", id)
}

func (t *tx) insertMemory(ctx context.Context, m memory.Memory) error {
	result, err := t.c.exec(ctx, memories.insert, memories.values(&m, false)...)
	if err != nil {
		return err
	}
	if m.Number, err = result.LastInsertId(); err != nil {
		return explained(err)
	}
	if err := t.indexTags(ctx, m); err != nil {
		return err
	}
	_, err = t.c.exec(ctx, "INSERT INTO unembedded (identity, created_at, id) SELECT identity, ?, ? FROM identities",
		m.CreatedAt.UnixMicro(), m.ID)
	return err
}

// indexTags reads the tags from the list that is stored, so that both say the
// same.
func (t *tx) indexTags(ctx context.Context, m memory.Memory) error {
	if len(m.Tags) == 0 {
		return nil
	}
	_, err := t.c.exec(ctx, "INSERT OR IGNORE INTO memory_tags (tag, number) SELECT value, ? FROM json_each(?)", m.Number, jsonList[string]{&m.Tags})
	return err
}

// removeTags takes a memory out of the index of tags, by the list that is stored. When
// that cannot be read, every tag is looked at, so that none outlives its memory.
func (t *tx) removeTags(ctx context.Context, number int64) error {
	var listed bool
	if _, err := t.c.scan(ctx, []any{&listed}, "SELECT tags IS NULL OR json_valid(tags) FROM memories WHERE number = ?", number); err != nil {
		return err
	}
	statement := "DELETE FROM memory_tags WHERE number = ?1"
	if listed {
		statement += " AND tag IN (SELECT value FROM json_each((SELECT tags FROM memories WHERE number = ?1)))"
	}
	_, err := t.c.exec(ctx, statement, number)
	return err
}

// Memory implements memory.MemoryReader.
func (r *reader) Memory(ctx context.Context, id memory.ID) (*memory.Memory, error) {
	return memories.one(ctx, r.conn(), "WHERE id = ?", id)
}

// Memories implements memory.MemoryReader.
func (r *reader) Memories(ctx context.Context, ids []memory.ID) ([]memory.Memory, error) {
	ctx, err := brief(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := memories.find(ctx, r.conn(), "WHERE id IN "+anyOf, keys[memory.ID](ids))
	return inOrder(rows, ids, func(m memory.Memory) memory.ID { return m.ID }), err
}

// Numbered implements memory.MemoryReader.
func (r *reader) Numbered(ctx context.Context, numbers []int64) ([]memory.Memory, error) {
	ctx, err := brief(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := memories.find(ctx, r.conn(), "WHERE number IN "+anyOf, keys[int64](numbers))
	return inOrder(rows, numbers, func(m memory.Memory) int64 { return m.Number }), err
}

// AtPosition implements memory.MemoryReader.
func (r *reader) AtPosition(ctx context.Context, session string, position int64) (*memory.Memory, error) {
	return memories.one(ctx, r.conn(), "WHERE session_id = ? AND session_position = ?", session, position)
}

// ByIdempotencyKey implements memory.MemoryReader.
func (r *reader) ByIdempotencyKey(ctx context.Context, key string) (*memory.Memory, error) {
	return memories.one(ctx, r.conn(), "WHERE idempotency_key = ?", key)
}

// Labels implements memory.MemoryReader.
func (r *reader) Labels(ctx context.Context, ids []memory.ID) (map[memory.ID][]string, error) {
	rows, err := corroborations.find(ctx, r.conn(), "WHERE memory_id IN "+anyOf+" ORDER BY at, id", keys[memory.ID](ids))
	labels := map[memory.ID][]string{}
	for _, row := range rows {
		labels[row.MemoryID] = append(labels[row.MemoryID], row.Source)
	}
	return labels, err
}

// Frames implements memory.MemoryReader. It leaps from frame to frame in the
// index, so it costs as much as there are frames, not memories.
func (r *reader) Frames(ctx context.Context) ([]string, error) {
	var frames []string
	err := r.conn().each(ctx, func(rows *sql.Rows) error {
		var frame string
		if err := rows.Scan(&frame); err != nil {
			return err
		}
		frames = append(frames, frame)
		return nil
	}, `WITH RECURSIVE leap (frame) AS (
		SELECT min(frame) FROM memories WHERE frame IS NOT NULL
		UNION ALL
		SELECT (SELECT min(frame) FROM memories WHERE frame > leap.frame) FROM leap WHERE leap.frame IS NOT NULL)
		SELECT frame FROM leap WHERE frame IS NOT NULL`)
	return frames, err
}
