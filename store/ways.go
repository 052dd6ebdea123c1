package store

import (
	"context"

	"combray/internal/memory"
)

// way is an index through which a list can be entered, with the condition that
// narrows it there.
type way struct {
	index     string // "" when the condition names rows by number
	condition where
	captured  bool // the index gives its rows as memories_captured does
	tag       bool // the condition is a tag's, counted in memory_tags
	barren    bool // no row stands behind it, so the list is empty
}

func (w way) hint() string {
	if w.index == "" {
		return "NOT INDEXED"
	}
	return "INDEXED BY " + w.index
}

// Bounds of the search for a narrow way: counting stops at wideWay, where
// walking an order and testing its rows is as quick; below narrowWay no better
// way is looked for.
const (
	wideWay   = 4096
	narrowWay = 64
)

// wayInto chooses how to enter a list: through the narrowest filter, else
// through an index that has the filter and the order, else by the order. SQLite
// keeps no statistics here, so the choice is made by counting, and the same for
// the same store (TestListsTakeTheNarrowestWay).
func (r *reader) wayInto(ctx context.Context, f memory.ListFilter, o order) (way, error) {
	best, width := way{index: o.index}, wideWay
	ordered := false
	for _, w := range waysOf(f) {
		n, err := r.width(ctx, w, width)
		if err != nil {
			return way{}, err
		}
		if n < width {
			best, width = w, n
			best.barren = n == 0
		} else if width == wideWay && w.captured && o.captured && !ordered {
			best, ordered = w, true
		}
		if width < narrowWay {
			break
		}
	}
	return best, nil
}

// width counts the rows behind a way, to limit at most.
func (r *reader) width(ctx context.Context, w way, limit int) (n int, err error) {
	if ctx, err = brief(ctx); err != nil {
		return 0, err
	}
	from := "memories " + w.hint()
	condition := w.condition
	if w.tag {
		from, condition.sql = "memory_tags", "tag = ?"
	}
	args := append(condition.args[:len(condition.args):len(condition.args)], limit)
	_, err = r.conn().scan(ctx, []any{&n}, "SELECT count(*) FROM (SELECT 1 FROM "+from+condition.clause()+" LIMIT ?)", args...)
	return n, err
}

// waysOf gives the ways that a filter opens. Partial indexes are known to SQLite
// by the words of their condition, so those are repeated here.
func waysOf(f memory.ListFilter) []way {
	var ways []way
	add := func(index string, captured bool, condition string, args ...any) {
		ways = append(ways, way{index: index, captured: captured, condition: where{condition, args}})
	}
	if f.SessionID != nil {
		add("memories_session", true, "session_id = ?", *f.SessionID)
	}
	for _, tag := range f.Tags {
		ways = append(ways, way{tag: true, condition: where{"number IN (SELECT number FROM memory_tags WHERE tag = ?)", []any{tag}}})
	}
	if f.Near != nil {
		w := boxAround(*f.Near).condition()
		add("memories_place", false, w.sql, w.args...)
	}
	if f.Frame != nil {
		add("memories_frame", true, "frame = ?", *f.Frame)
	}
	if f.Source != nil {
		add("memories_source", false, "source = ?", *f.Source)
	}
	if f.Tier != nil && *f.Tier == memory.Interpretation && f.ReviewedBefore != nil {
		add("memories_review", false, "tier = 'interpretation' AND coalesce(last_reviewed_at, -9223372036854775808) < ?", f.ReviewedBefore.UnixMicro())
	}
	if f.Tier != nil && *f.Tier != memory.Archive {
		w := where{sql: "tier <> 'archive'"}
		w.named("tier", (*string)(f.Tier))
		add("memories_tier", true, w.sql, w.args...)
	}
	if f.Status != nil && *f.Status == memory.Consolidated {
		add("memories_consolidated", true, "status = 'consolidated'")
	}
	if f.Forgotten == memory.ForgottenOnly {
		add("memories_forgotten", false, "forgotten_at IS NOT NULL")
	}
	if f.Since != nil || f.Until != nil {
		ways = append(ways, way{index: "memories_event", condition: eventSpan(f)})
	}
	return ways
}

func eventSpan(f memory.ListFilter) (w where) {
	if f.Since != nil {
		w.and("event_at >= ?", f.Since.UnixMicro())
	}
	if f.Until != nil {
		w.and("event_at <= ?", f.Until.UnixMicro())
	}
	return w
}

func (b box) condition() where {
	w := where{"lat BETWEEN ? AND ?", []any{b.south, b.north}}
	if b.west <= b.east {
		w.and("lon BETWEEN ? AND ?", b.west, b.east)
	} else {
		w.and("(lon >= ? OR lon <= ?)", b.west, b.east)
	}
	return w
}
