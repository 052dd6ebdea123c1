package memtest

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"math"
	"slices"
	"time"

	"combray/internal/memory"
)

// reader reads one state. It cannot fail.
type reader struct{ *state }

var _ memory.Reader = reader{}

// found gives a copy of a row, nil when it is unknown.
func found[V any](table map[memory.ID]V, id memory.ID) *V {
	row, known := table[id]
	if !known {
		return nil
	}
	row = copied(row)
	return &row
}

// known gives copies of the known rows among ids, in the order of ids.
func known[V any](table map[memory.ID]V, ids []memory.ID) []V {
	var out []V
	for _, id := range ids {
		if row, known := table[id]; known {
			out = append(out, copied(row))
		}
	}
	return out
}

// choose gives copies of the rows to keep, in order.
func choose[V any](rows iter.Seq[V], keep func(V) bool, order func(a, b V) int) []V {
	var out []V
	for row := range rows {
		if keep(row) {
			out = append(out, copied(row))
		}
	}
	slices.SortFunc(out, order)
	return out
}

// first gives the one row to keep, nil when there is none.
func first[V any](rows iter.Seq[V], keep func(V) bool) *V {
	for row := range rows {
		if keep(row) {
			row = copied(row)
			return &row
		}
	}
	return nil
}

// oldest orders by a time, then by ID.
func oldest(a, b time.Time, idA, idB memory.ID) int {
	return cmp.Or(a.Compare(b), cmp.Compare(idA, idB))
}

// Memory implements memory.MemoryReader, and so on to Frames.
func (r reader) Memory(_ context.Context, id memory.ID) (*memory.Memory, error) {
	return r.one(func(m memory.Memory) bool { return m.ID == id }), nil
}

func (r reader) one(is func(memory.Memory) bool) *memory.Memory {
	m := first(maps.Values(r.memories), is)
	if m != nil {
		*m = r.shown(*m)
	}
	return m
}

func (r reader) Memories(_ context.Context, ids []memory.ID) ([]memory.Memory, error) {
	out := known(r.memories, ids)
	for i := range out {
		out[i] = r.shown(out[i])
	}
	return out, nil
}

func (r reader) Numbered(_ context.Context, numbers []int64) ([]memory.Memory, error) {
	var out []memory.Memory
	for _, n := range numbers {
		if m := r.one(func(m memory.Memory) bool { return m.Number == n }); m != nil {
			out = append(out, *m)
		}
	}
	return out, nil
}

func (r reader) Sequence(context.Context) (int64, error) { return r.sequence, nil }

func (r reader) List(_ context.Context, q memory.ListQuery) ([]memory.Memory, error) {
	return r.list(q), nil
}

func (r reader) Count(_ context.Context, f memory.ListFilter) (int, error) {
	return len(r.list(memory.ListQuery{Filter: f})), nil
}

func (r reader) AtPosition(_ context.Context, session string, position int64) (*memory.Memory, error) {
	return r.one(func(m memory.Memory) bool {
		return m.SessionID != nil && *m.SessionID == session && m.SessionPosition != nil && *m.SessionPosition == position
	}), nil
}

func (r reader) Beside(_ context.Context, m memory.Memory) (before, after *memory.Memory, err error) {
	if m.SessionID == nil {
		return nil, nil, nil
	}
	if m.Number == 0 {
		m.Number = math.MaxInt64
	}
	turns := choose(maps.Values(r.memories), func(o memory.Memory) bool {
		return o.SessionID != nil && *o.SessionID == *m.SessionID && (o.SessionPosition == nil) == (m.SessionPosition == nil)
	}, turnOrder)
	for _, o := range turns {
		switch n := turnOrder(o, m); {
		case n < 0:
			before = &o
		case n > 0 && after == nil:
			after = &o
		}
	}
	for _, o := range []*memory.Memory{before, after} {
		if o != nil {
			*o = r.shown(*o)
		}
	}
	return before, after, nil
}

// turnOrder orders memories of one session, either all with a position or all
// without.
func turnOrder(a, b memory.Memory) int {
	if a.SessionPosition != nil {
		return cmp.Compare(*a.SessionPosition, *b.SessionPosition)
	}
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Number, b.Number))
}

func (r reader) ByIdempotencyKey(_ context.Context, key string) (*memory.Memory, error) {
	return r.one(func(m memory.Memory) bool { return m.IdempotencyKey != nil && *m.IdempotencyKey == key }), nil
}

func (r reader) Labels(_ context.Context, ids []memory.ID) (map[memory.ID][]string, error) {
	rows := choose(maps.Values(r.corroborations),
		func(c memory.Corroboration) bool { return slices.Contains(ids, c.MemoryID) },
		func(a, b memory.Corroboration) int { return oldest(a.At, b.At, a.ID, b.ID) })
	out := map[memory.ID][]string{}
	for _, c := range rows {
		out[c.MemoryID] = append(out[c.MemoryID], c.Source)
	}
	return out, nil
}

func (r reader) Frames(context.Context) ([]string, error) {
	frames := map[string]bool{}
	for _, m := range r.memories {
		if m.Frame != nil {
			frames[*m.Frame] = true
		}
	}
	return slices.Sorted(maps.Keys(frames)), nil
}

// Audit implements memory.Reader. Both ends of the span are included.
func (r reader) Audit(_ context.Context, q memory.AuditQuery) ([]memory.AuditRow, error) {
	newest := func(a, b memory.AuditRow) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Sequence, a.Sequence))
	}
	rows := choose(slices.Values(r.audit), func(row memory.AuditRow) bool {
		return matches(q.Subject, &row.Subject) && matches(q.Action, &row.Action) &&
			within(&row.At, q.Since, q.Until) &&
			(q.Captures || row.Action != memory.ActRemember) &&
			(q.Before == nil || newest(memory.AuditRow{At: q.Before.At, Sequence: q.Before.Sequence}, row) < 0)
	}, newest)
	return cut(rows, q.Limit), nil
}
