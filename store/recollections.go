package store

import (
	"context"
	"time"

	"combray/internal/memory"
)

// A recollection keeps the place in the queue that it came in with.
var recollections = newTable("recollections", "id", func(r *memory.Recollection) []column {
	return []column{
		{"id", &r.ID, fixed},
		{"sequence", &r.Sequence, fixed},
		{"memory_id", &r.MemoryID, mutable},
		{"score", &r.Score, mutable},
		{"at", instant{&r.At}, mutable},
		{"at_offset", wallOffset{&r.At}, mutable},
		{"fired_at", instant{&r.FiredAt}, mutable},
		{"queued", &r.Queued, mutable},
		{"useful", &r.Useful, mutable},
		{"channels", jsonMap[memory.Channel]{&r.Channels}, mutable},
		{"via", jsonList[memory.Channel]{&r.Via}, mutable},
		{"source", &r.Source, mutable},
	}
})

// putRecollection inserts a new recollection behind all others, or with a
// Sequence in the place of the one it replaces; or overwrites a known one, which
// keeps its place. The queue's version grows with each, so a place is never given
// twice.
func (t *tx) putRecollection(ctx context.Context, r memory.Recollection) error {
	t.grow(&t.versions.queue)
	if r.Sequence == 0 {
		r.Sequence = t.versions.queue
	}
	return recollections.put(ctx, t.conn(), r)
}

// Recollection implements memory.SenseReader.
func (r *reader) Recollection(ctx context.Context, id memory.ID) (*memory.Recollection, error) {
	return recollections.one(ctx, r.conn(), "WHERE id = ?", id)
}

// Firings implements memory.SenseReader.
func (r *reader) Firings(ctx context.Context, ids []memory.ID) ([]memory.Recollection, error) {
	return recollections.find(ctx, r.conn(), "WHERE memory_id IN "+anyOf+" ORDER BY at, sequence, id", keys[memory.ID](ids))
}

// FiredBetween implements memory.SenseReader.
func (r *reader) FiredBetween(ctx context.Context, after, until time.Time) (n int, err error) {
	_, err = r.conn().scan(ctx, []any{&n}, "SELECT count(*) FROM recollections WHERE at > ? AND at <= ?", after.UnixMicro(), until.UnixMicro())
	return n, err
}

// Pending implements memory.SenseReader.
func (r *reader) Pending(ctx context.Context, limit int) ([]memory.Recollection, error) {
	return recollections.find(ctx, r.conn(), "WHERE queued = 1 ORDER BY sequence, id LIMIT ?", atMost(limit))
}
