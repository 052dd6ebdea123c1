package store

import (
	"context"
	"database/sql"

	"combray/internal/memory"
)

// Choice says which encoder a store is to be searched with, by names that the
// store does not look into.
type Choice struct {
	Chosen    string // what a person named last; "": nobody did
	Answering string // whose vectors answer; "": those of the encoder in the box
}

// Choice gives the encoder that was chosen and the one that answers. Like Sequence
// it is cheap enough to be asked every second.
func (s *Store) Choice(ctx context.Context) (out Choice, err error) {
	if err := s.enter(); err != nil {
		return out, err
	}
	defer s.running.Done()
	var chosen, answering sql.NullString
	err = s.lend(ctx, s.watch, func(c *conn) error {
		_, err := c.scan(ctx, []any{&chosen, &answering}, "SELECT chosen, answering FROM store")
		return err
	})
	return Choice{chosen.String, answering.String}, err
}

// Choose writes down which encoder is to answer. Its vectors are made by whoever
// has the time; Answer then lets them.
func (s *Store) Choose(ctx context.Context, name string) error {
	return s.amend(ctx, func(ctx context.Context, c *conn) error {
		_, err := c.exec(ctx, "UPDATE store SET chosen = ?", name)
		return err
	})
}

// Answer lets an encoder answer, and makes its identity the present one when there
// are vectors of it. It does nothing, and says so, when another was chosen
// meanwhile.
func (s *Store) Answer(ctx context.Context, name, identity string) (done bool, err error) {
	err = s.amend(ctx, func(ctx context.Context, c *conn) error {
		result, err := c.exec(ctx, `UPDATE store SET answering = chosen,
			identity = coalesce((SELECT identity FROM identities WHERE name = ? AND cue = 0), identity) WHERE chosen = ?`, identity, name)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		done = n > 0
		return err
	})
	return done, err
}

// amend runs f as the only writer.
func (s *Store) amend(ctx context.Context, f func(context.Context, *conn) error) error {
	if err := s.writable(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.running.Done()
	return s.lend(ctx, s.writer, func(c *conn) error {
		return c.transact(ctx, func() error { return f(ctx, c) })
	})
}

// VectorSet is what is kept of one encoder.
type VectorSet struct {
	Identity string
	Cue      bool  // for cues
	Present  bool  // of the encoder whose vectors were stored last
	Memories int   // that have vectors of it
	Windows  int64 // of all of them
	Bytes    int64 // of the numbers alone
}

// VectorSets gives what is kept of each encoder, the first met first. It reads an
// index, some 100 ms for a million memories.
func (s *Store) VectorSets(ctx context.Context) (out []VectorSet, err error) {
	err = s.view(ctx, func(r *reader) error {
		return r.c.each(ctx, func(rows *sql.Rows) error {
			var set VectorSet
			err := rows.Scan(&set.Identity, &set.Cue, &set.Present, &set.Memories, &set.Windows, &set.Bytes)
			out = append(out, set)
			return err
		}, `SELECT name, cue, coalesce(identities.identity = (SELECT identity FROM store), 0),
				count(vectors.number), coalesce(sum(windows), 0), coalesce(sum(windows), 0) * dims * 2
			FROM identities LEFT JOIN vectors INDEXED BY vectors_memory ON vectors.identity = identities.identity
			GROUP BY identities.identity ORDER BY identities.identity`)
	})
	return out, err
}

// Embedded counts the memories and those that have vectors of an encoder.
func (s *Store) Embedded(ctx context.Context, identity string) (embedded, memories int, err error) {
	err = s.view(ctx, func(r *reader) error {
		_, err := r.c.scan(ctx, []any{&embedded, &memories}, `SELECT coalesce((SELECT all_of_them.n -
				(SELECT count(*) FROM unembedded WHERE unembedded.identity = identities.identity) FROM identities WHERE name = ?), 0), n
			FROM (SELECT count(*) AS n FROM memories) AS all_of_them`, identity)
		return err
	})
	return embedded, memories, err
}

// pruneBatch is how many memories lose their vectors between two commits, so that
// no other writer waits long.
const pruneBatch = 1024

// Prune deletes the vectors of an encoder that does not answer, and forgets that
// it was ever met: they are made anew when it is used again. It goes on where a
// killed process stopped. The file keeps its size; the room is used again.
// conflict: they are those of the present encoder.
func (s *Store) Prune(ctx context.Context, identity string) error {
	var after int64
	for more := true; more; {
		err := s.amend(ctx, func(ctx context.Context, c *conn) (err error) {
			after, more, err = pruneSome(ctx, c, identity, after)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pruneSome takes the vectors of the next memories behind a number, and the
// encoder itself when none is left.
func pruneSome(ctx context.Context, c *conn, name string, after int64) (last int64, more bool, err error) {
	var identity int64
	var present bool
	known, err := c.scan(ctx, []any{&identity, &present},
		"SELECT identity, coalesce(identity = (SELECT identity FROM store), 0) FROM identities WHERE name = ?", name)
	switch {
	case err != nil || !known:
		return 0, false, err
	case present:
		return 0, false, memory.Forbidden("Run combray models use with another encoder first.", "the vectors of %s are those that answer", name)
	}
	_, err = c.scan(ctx, []any{&last}, "SELECT coalesce(max(number), 0) FROM (SELECT number FROM memories WHERE number > ? ORDER BY number LIMIT ?)", after, pruneBatch)
	if err != nil {
		return 0, false, err
	}
	if last == 0 {
		return 0, false, forgetEncoder(ctx, c, identity)
	}
	_, err = c.exec(ctx, `INSERT OR IGNORE INTO unembedded (identity, created_at, id)
		SELECT ?, created_at, id FROM memories WHERE number > ? AND number <= ?`, identity, after, last)
	if err == nil {
		_, err = c.exec(ctx, "DELETE FROM vectors WHERE identity = ? AND number > ? AND number <= ?", identity, after, last)
	}
	return last, true, err
}

func forgetEncoder(ctx context.Context, c *conn, identity int64) error {
	for _, statement := range []string{"DELETE FROM unembedded WHERE identity = ?", "DELETE FROM identities WHERE identity = ?"} {
		if _, err := c.exec(ctx, statement, identity); err != nil {
			return err
		}
	}
	return nil
}
