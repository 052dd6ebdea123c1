package memtest

import (
	"context"
	"maps"
	"slices"
	"time"

	"combray/internal/memory"
)

// Recollection implements memory.SenseReader, and so on to Visit.
func (r reader) Recollection(_ context.Context, id memory.ID) (*memory.Recollection, error) {
	for _, one := range r.recollected(func(c memory.Recollection) bool { return c.ID == id }) {
		return &one, nil
	}
	return nil, nil
}

// recollected gives copies of recollections by their places in the queue.
func (s *state) recollected(keep func(memory.Recollection) bool) []memory.Recollection {
	var out []memory.Recollection
	for _, row := range slices.SortedFunc(maps.Values(s.recollections), byPlace) {
		if keep(row) {
			out = append(out, recalled(row))
		}
	}
	return out
}

func (r reader) Firings(_ context.Context, ids []memory.ID) ([]memory.Recollection, error) {
	rows := r.recollected(func(c memory.Recollection) bool { return slices.Contains(ids, c.MemoryID) })
	slices.SortStableFunc(rows, func(a, b memory.Recollection) int { return a.At.Compare(b.At) })
	return rows, nil
}

func (r reader) FiredBetween(_ context.Context, after, until time.Time) (int, error) {
	return len(r.recollected(func(c memory.Recollection) bool { return c.At.After(after) && !c.At.After(until) })), nil
}

func (r reader) Pending(_ context.Context, limit int) ([]memory.Recollection, error) {
	return cut(r.recollected(func(c memory.Recollection) bool { return c.Queued }), limit), nil
}

func (r reader) QueueVersion(context.Context) (int64, error) { return r.queueVersion, nil }

func (r reader) Fingerprints(_ context.Context, ids []memory.ID) (map[memory.ID][]memory.Fingerprint, error) {
	out := map[memory.ID][]memory.Fingerprint{}
	for _, id := range ids {
		if list := r.fingerprints[id]; len(list) > 0 {
			out[id] = copied(list)
		}
	}
	return out, nil
}

func (r reader) PerceivedBy(_ context.Context, channel memory.Channel, backend string) ([]memory.Perceived, error) {
	var out []memory.Perceived
	byNumber := slices.SortedFunc(maps.Values(r.memories), func(a, b memory.Memory) int { return int(a.Number - b.Number) })
	for _, m := range byNumber {
		for _, f := range r.fingerprints[m.ID] {
			if f.Channel == channel && f.Backend == backend {
				out = append(out, memory.Perceived{Number: m.Number, Data: copied(f.Data)})
			}
		}
	}
	return out, nil
}

func (r reader) PerceivedVersion(context.Context) (int64, error) { return r.perceivedVersion, nil }

func (r reader) Heard(_ context.Context, after int64, sinceDay int, identity string) ([]memory.Heard, int64, error) {
	var out []memory.Heard
	for _, h := range r.heard {
		if h.Row > after && h.Day >= sinceDay && (h.Identity == "" || h.Identity == identity) {
			out = append(out, copied(h))
		}
	}
	return out, r.epoch, nil
}

func (r reader) Visit(_ context.Context, source string) (*memory.Visit, error) {
	v, known := r.visits[source]
	if !known {
		return nil, nil
	}
	v = copied(v)
	return &v, nil
}
