package store

import (
	"context"
	"math"

	"combray/internal/memory"
)

// Beside implements memory.MemoryReader. Positions are found by the index of
// positions, the others by that of captures, whose ties are a batch at most.
func (r *reader) Beside(ctx context.Context, m memory.Memory) (before, after *memory.Memory, err error) {
	if m.SessionID == nil {
		return nil, nil, nil
	}
	if m.SessionPosition != nil {
		before, err = r.turn(ctx, "session_id = ? AND session_position < ? ORDER BY session_position DESC", *m.SessionID, *m.SessionPosition)
		if err == nil {
			after, err = r.turn(ctx, "session_id = ? AND session_position > ? ORDER BY session_position", *m.SessionID, *m.SessionPosition)
		}
		return before, after, err
	}
	at, number := m.CreatedAt.UnixMicro(), m.Number
	if number == 0 {
		number = math.MaxInt64
	}
	const others = "session_id = ? AND session_position IS NULL AND "
	before, err = r.turn(ctx, others+"(created_at, number) < (?, ?) ORDER BY created_at DESC, number DESC", *m.SessionID, at, number)
	if err == nil {
		after, err = r.turn(ctx, others+"(created_at, number) > (?, ?) ORDER BY created_at, number", *m.SessionID, at, number)
	}
	return before, after, err
}

// turn gives the first memory that a condition with its order leaves.
func (r *reader) turn(ctx context.Context, which string, args ...any) (*memory.Memory, error) {
	return memories.one(ctx, r.conn(), "WHERE "+which+" LIMIT 1", args...)
}
