package store

import (
	"context"
	"database/sql"

	"combray/internal/memory"
)

// Sequence implements memory.Store. It reads one cell on a connection of its
// own, about 5 µs: as cheap as asking SQLite whether anything has changed
// (PRAGMA data_version), so nothing is cached that could be wrong
// (BenchmarkSequence).
func (s *Store) Sequence(ctx context.Context) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := s.enter(); err != nil {
		return 0, err
	}
	defer s.running.Done()
	var sequence int64
	err := s.lend(ctx, s.watch, func(c *conn) error {
		// A context that can end costs as much again as the read.
		_, err := c.scan(context.WithoutCancel(ctx), []any{&sequence}, newestSequence)
		return err
	})
	return sequence, err
}

const newestSequence = "SELECT sequence FROM store"

// Sequence implements memory.MemoryReader.
func (r *reader) Sequence(ctx context.Context) (sequence int64, err error) {
	_, err = r.conn().scan(ctx, []any{&sequence}, newestSequence)
	return sequence, err
}

// Sequence implements memory.Tx: what it has written counts.
func (t *tx) Sequence(context.Context) (int64, error) { return t.sequence, nil }

// Changes implements memory.Store. A limit of 0 or less means none.
func (s *Store) Changes(ctx context.Context, after int64, limit int, identity string) (out []memory.Changed, err error) {
	err = s.view(ctx, func(r *reader) error {
		changed, err := r.changed(ctx, after, limit, identity)
		if err != nil {
			return err
		}
		erased, err := r.erased(ctx, after, limit)
		if err != nil {
			return err
		}
		out = mergeChanges(changed, erased, limit)
		return nil
	})
	return out, err
}

func (r *reader) changed(ctx context.Context, after int64, limit int, identity string) ([]memory.Changed, error) {
	var out []memory.Changed
	var row, empty memory.Memory
	var packed windowsColumns
	cells := append(memories.cells(&row), packed.cells()...)
	err := r.c.each(ctx, func(rows *sql.Rows) error {
		row = empty
		if err := rows.Scan(cells...); err != nil {
			return err
		}
		windows, err := packed.decode()
		out = append(out, memory.Changed{Memory: row, Vectors: windows})
		return err
	}, "SELECT "+memories.selection+", "+windowsSelection+`
		FROM memories LEFT JOIN vectors ON vectors.number = memories.number
			AND vectors.identity = (SELECT identity FROM identities WHERE name = ?)
		WHERE memories.seq > ? ORDER BY memories.seq LIMIT ?`, identity, after, atMost(limit))
	return out, err
}

func (r *reader) erased(ctx context.Context, after int64, limit int) ([]memory.Changed, error) {
	var out []memory.Changed
	err := r.c.each(ctx, func(rows *sql.Rows) error {
		gone := memory.Changed{Erased: true}
		err := rows.Scan(&gone.Memory.Number, &gone.Memory.Seq)
		out = append(out, gone)
		return err
	}, "SELECT number, seq FROM erased WHERE seq > ? ORDER BY seq LIMIT ?", after, atMost(limit))
	return out, err
}

// mergeChanges puts two lists, each by sequence, into one of at most limit.
func mergeChanges(a, b []memory.Changed, limit int) []memory.Changed {
	var out []memory.Changed
	for len(a)+len(b) > 0 && (limit <= 0 || len(out) < limit) {
		from := &a
		if len(a) == 0 || len(b) > 0 && b[0].Memory.Seq < a[0].Memory.Seq {
			from = &b
		}
		out = append(out, (*from)[0])
		*from = (*from)[1:]
	}
	return out
}
