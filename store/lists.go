package store

import (
	"context"

	"combray/internal/memory"
)

// List implements memory.MemoryReader.
func (r *reader) List(ctx context.Context, q memory.ListQuery) ([]memory.Memory, error) {
	if q.Order != memory.ByEvent {
		return r.listPart(ctx, q, part{order: orderOf(q), after: after(q)})
	}
	return r.listByEvent(ctx, q)
}

// part is a stretch of a list that one index can give in order.
type part struct {
	order order
	only  string // condition that makes the stretch
	after where  // condition that leaves what lies behind the cursor
}

// order is an order of rows and the index that has it, "" for none.
type order struct {
	sql      string
	index    string
	captured bool // the order of memories_captured, or its reverse
}

var (
	byCapture   = order{"created_at DESC, id", "memories_captured", true}
	fromOldest  = order{"created_at, id", "memories_captured", true}
	byEvent     = order{"event_at, created_at, id", "memories_event", false}
	byForgotten = order{"forgotten_at DESC, id", "memories_forgotten", false}
	// withActive is byForgotten where active memories stand among the forgotten.
	withActive = order{"forgotten_at DESC NULLS FIRST, id", "", false}
)

func orderOf(q memory.ListQuery) order {
	switch {
	case q.Order == memory.OldestCaptured:
		return fromOldest
	case q.Order == memory.NewestForgotten && q.Filter.Forgotten == memory.ForgottenOnly:
		return byForgotten
	case q.Order == memory.NewestForgotten:
		return withActive
	}
	return byCapture
}

// after gives the condition for the rows behind a cursor. The first comparison
// alone lets an index begin there.
func after(q memory.ListQuery) (w where) {
	if q.After == nil {
		return w
	}
	at, id := q.After.At.UnixMicro(), q.After.ID
	switch q.Order {
	case memory.NewestCaptured:
		w.and("created_at <= ? AND (created_at < ? OR id > ?)", at, at, id)
	case memory.OldestCaptured:
		w.and("created_at >= ? AND (created_at > ? OR id > ?)", at, at, id)
	case memory.NewestForgotten:
		w.and("forgotten_at <= ? AND (forgotten_at < ? OR id > ?)", at, at, id)
	}
	return w
}

// listByEvent gives the known event times ascending, then the unknown ones as
// they were captured. A cursor without a time stands among the unknown.
func (r *reader) listByEvent(ctx context.Context, q memory.ListQuery) ([]memory.Memory, error) {
	known := part{order: byEvent, only: "event_at IS NOT NULL"}
	unknown := part{order: fromOldest, only: "event_at IS NULL"}
	inUnknown := false
	if q.After != nil {
		at, captured, id := q.After.At.UnixMicro(), q.After.CreatedAt.UnixMicro(), q.After.ID
		if inUnknown = q.After.At.IsZero(); inUnknown {
			unknown.after.and("created_at >= ? AND (created_at > ? OR id > ?)", captured, captured, id)
		} else {
			known.after.and("event_at >= ? AND (event_at, created_at, id) > (?, ?, ?)", at, at, captured, id)
		}
	}
	var out []memory.Memory
	if !inUnknown && !q.Filter.UnknownEvent {
		var err error
		if out, err = r.listPart(ctx, q, known); err != nil {
			return nil, err
		}
	}
	if q.Limit > 0 {
		if q.Limit -= len(out); q.Limit == 0 {
			return out, nil
		}
	}
	if q.Filter.Since != nil || q.Filter.Until != nil {
		return out, nil
	}
	rest, err := r.listPart(ctx, q, unknown)
	return append(out, rest...), err
}

func (r *reader) listPart(ctx context.Context, q memory.ListQuery, p part) ([]memory.Memory, error) {
	way, err := r.wayInto(ctx, q.Filter, p.order)
	if err != nil || way.barren {
		return nil, err
	}
	w := conditions(q.Filter)
	w.join(where{sql: p.only})
	w.join(p.after)
	w.join(way.condition)
	args := append(w.args, atMost(q.Limit))
	return memories.find(ctx, r.conn(), way.hint()+w.clause()+" ORDER BY "+p.order.sql+" LIMIT ?", args...)
}

// Count implements memory.MemoryReader.
func (r *reader) Count(ctx context.Context, f memory.ListFilter) (int, error) {
	way, err := r.wayInto(ctx, f, byCapture)
	if err != nil || way.barren {
		return 0, err
	}
	w := conditions(f)
	w.join(way.condition)
	var n int
	_, err = r.conn().scan(ctx, []any{&n}, "SELECT count(*) FROM memories "+way.hint()+w.clause(), w.args...)
	return n, err
}

// conditions are what a filter asks of a row, in SQL.
func conditions(f memory.ListFilter) (w where) {
	switch f.Forgotten {
	case memory.ActiveOnly:
		w.and("forgotten_at IS NULL")
	case memory.ForgottenOnly:
		w.and("forgotten_at IS NOT NULL")
	}
	w.equal("frame", f.Frame)
	w.equal("source", f.Source)
	w.equal("session_id", f.SessionID)
	w.named("tier", (*string)(f.Tier))
	w.named("status", (*string)(f.Status))
	for _, tag := range f.Tags {
		w.and("EXISTS (SELECT 1 FROM memory_tags WHERE tag = ? AND memory_tags.number = memories.number)", tag)
	}
	w.join(eventSpan(f))
	if f.Near != nil {
		w.and("metres(lat, lon, ?, ?) <= ?", f.Near.Lat, f.Near.Lon, f.Near.RadiusM)
	}
	if f.UnknownEvent {
		w.and("event_at IS NULL")
	}
	if f.CreatedUntil != nil {
		w.and("created_at <= ?", f.CreatedUntil.UnixMicro())
	}
	if f.ReviewedBefore != nil {
		w.and("(last_reviewed_at IS NULL OR last_reviewed_at < ?)", f.ReviewedBefore.UnixMicro())
	}
	return w
}
