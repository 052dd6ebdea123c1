package store

import (
	"context"
	"database/sql"

	"combray/internal/memory"
)

// putVectors stores the windows of a memory for one encoder, which from now on
// is the present one unless it is one for cues or the next. No windows at all take
// the vectors away again.
func (t *tx) putVectors(ctx context.Context, p memory.PutVectors) error {
	seq := t.nextSequence()
	result, err := t.c.exec(ctx, "UPDATE memories SET seq = ? WHERE number = ?", seq, p.Number)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return orUnknownNumber(err, p.Number)
	}
	if p.Reworded {
		if err := t.removeOtherVectors(ctx, p); err != nil {
			return err
		}
	}
	if len(p.Windows) == 0 {
		return t.removeVectors(ctx, p)
	}
	e, err := t.identify(ctx, p)
	if err != nil {
		return err
	}
	t.setPresent(e, p)
	data, err := encodePacked(p.Windows, e.dims)
	if err != nil {
		return fault(memory.CodeInvalid, err, "the encoder gave vectors that cannot be kept", hintModels)
	}
	if err := t.deleteVectors(ctx, p.Number, e.identity); err != nil {
		return err
	}
	_, err = t.c.exec(ctx, "INSERT INTO vectors (number, identity, windows, data, bits) VALUES (?, ?, ?, ?, ?)",
		p.Number, e.identity, len(p.Windows), data, packedBits)
	if err != nil {
		return err
	}
	_, err = t.c.exec(ctx, `DELETE FROM unembedded WHERE identity = ?
		AND (created_at, id) = (SELECT created_at, id FROM memories WHERE number = ?)`, e.identity, p.Number)
	return err
}

const hintModels = "Run combray models verify to see whether the model is whole."

func orUnknownNumber(err error, number int64) error {
	if err != nil {
		return explained(err)
	}
	return &memory.Error{Code: memory.CodeNotFound, Field: "number", Hint: "Read the memory again: it may have been erased.",
		Message: "no memory has the number that the vectors are for"}
}

func (t *tx) removeVectors(ctx context.Context, p memory.PutVectors) error {
	e, known, err := t.known(ctx, p)
	if err != nil || !known {
		return err
	}
	t.setPresent(e, p)
	if err := t.deleteVectors(ctx, p.Number, e.identity); err != nil {
		return err
	}
	_, err = t.c.exec(ctx, `INSERT OR IGNORE INTO unembedded (identity, created_at, id)
		SELECT ?, created_at, id FROM memories WHERE number = ?`, e.identity, p.Number)
	return err
}

// removeCueVectors takes a memory's vectors for cues away, so that they are made
// again.
func (t *tx) removeCueVectors(ctx context.Context, number int64) error {
	return t.removeVectorsOf(ctx, number, "cue = 1 AND name <> ?", "")
}

// removeOtherVectors takes what every other encoder made of a memory's line away,
// so that it is made again.
func (t *tx) removeOtherVectors(ctx context.Context, p memory.PutVectors) error {
	return t.removeVectorsOf(ctx, p.Number, "cue = 0 AND name <> ?", p.Identity)
}

func (t *tx) removeVectorsOf(ctx context.Context, number int64, encoders, but string) error {
	for _, statement := range []string{
		"DELETE FROM vectors WHERE number = ? AND identity IN (SELECT identity FROM identities WHERE " + encoders + ")",
		`INSERT OR IGNORE INTO unembedded (identity, created_at, id)
			SELECT identity, created_at, id FROM memories, identities WHERE number = ? AND ` + encoders,
	} {
		if _, err := t.c.exec(ctx, statement, number, but); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) deleteVectors(ctx context.Context, number, identity int64) error {
	_, err := t.c.exec(ctx, "DELETE FROM vectors WHERE number = ? AND identity = ?", number, identity)
	return err
}

// identify gives an encoder's row. One that is met for the first time is written
// down, with every memory as still to be embedded.
func (t *tx) identify(ctx context.Context, p memory.PutVectors) (encoder, error) {
	e, known, err := t.known(ctx, p)
	if err == nil && !known {
		e, err = t.meet(ctx, p)
	}
	if err != nil {
		return encoder{}, err
	}
	t.encoders[p.Identity] = e
	return e, nil
}

// known gives the row of an encoder that was met before. Its vectors are for
// cues or they are not: they never become the other.
func (t *tx) known(ctx context.Context, p memory.PutVectors) (e encoder, known bool, err error) {
	if e, known = t.encoders[p.Identity]; !known {
		known, err = t.c.scan(ctx, []any{&e.identity, &e.dims, &e.cue}, "SELECT identity, dims, cue FROM identities WHERE name = ?", p.Identity)
	}
	if err == nil && known && e.cue != p.Cue {
		return e, known, memory.Invalid("identity", "Give vectors for cues an identity of their own.",
			"vectors of one encoder are either for cues or for what is stored, and %q was first met as the other", p.Identity)
	}
	return e, known, err
}

func (t *tx) meet(ctx context.Context, p memory.PutVectors) (encoder, error) {
	dims := len(p.Windows[0])
	result, err := t.c.exec(ctx, "INSERT INTO identities (name, dims, cue) VALUES (?, ?, ?)", p.Identity, dims, p.Cue)
	if err != nil {
		return encoder{}, err
	}
	identity, err := result.LastInsertId()
	if err != nil {
		return encoder{}, explained(err)
	}
	_, err = t.c.exec(ctx, "INSERT INTO unembedded (identity, created_at, id) SELECT ?, created_at, id FROM memories", identity)
	return encoder{identity, dims, p.Cue}, err
}

// encoder is the row of an encoder's identity.
type encoder struct {
	identity int64
	dims     int
	cue      bool // its vectors are compared with cues alone
}

func (t *tx) setPresent(e encoder, p memory.PutVectors) {
	if e.cue || p.Next {
		return
	}
	present := sql.NullInt64{Int64: e.identity, Valid: true}
	t.dirty = t.dirty || t.identity != present
	t.identity = present
}

// identityOf gives the key of an identity, if vectors of it were ever stored.
func identityOf(ctx context.Context, c *conn, name string) (identity int64, known bool, err error) {
	known, err = c.scan(ctx, []any{&identity}, "SELECT identity FROM identities WHERE name = ?", name)
	return identity, known, err
}

// Vectors implements memory.Store.
func (s *Store) Vectors(ctx context.Context, numbers []int64, identity string) ([][][]float32, error) {
	found := make(map[int64][][]float32, len(numbers))
	err := s.view(ctx, func(r *reader) error {
		return r.c.each(ctx, func(rows *sql.Rows) error {
			var number int64
			var packed windowsColumns
			if err := rows.Scan(append([]any{&number}, packed.cells()...)...); err != nil {
				return err
			}
			windows, err := packed.decode()
			found[number] = windows
			return err
		}, "SELECT number, "+windowsSelection+` FROM vectors
			WHERE number IN `+anyOf+` AND identity = (SELECT identity FROM identities WHERE name = ?)`, keys[int64](numbers), identity)
	})
	if err != nil {
		return nil, err
	}
	out := make([][][]float32, len(numbers))
	for i, n := range numbers {
		out[i] = found[n]
	}
	return out, nil
}

// windowsColumns are the columns of windowsSelection, null where a memory has none.
type windowsColumns struct {
	windows, bits sql.NullInt64
	data          sql.RawBytes
}

const windowsSelection = "vectors.windows, vectors.bits, vectors.data"

func (w *windowsColumns) cells() []any { return []any{&w.windows, &w.bits, &w.data} }

func (w *windowsColumns) decode() ([][]float32, error) {
	if !w.windows.Valid {
		return nil, nil
	}
	decode := decodePacked
	if w.bits.Int64 != packedBits {
		decode = decodeFloat16 // of schema 1 to 3; Check tells of any other
	}
	windows, err := decode(w.data, int(w.windows.Int64))
	if err != nil {
		return nil, damaged(err)
	}
	return windows, nil
}

// Unembedded implements memory.Store; forgotten memories are among them. A limit
// of 0 or less means none.
func (s *Store) Unembedded(ctx context.Context, identity string, limit int) (out []memory.Memory, err error) {
	err = s.view(ctx, func(r *reader) error {
		key, known, err := identityOf(ctx, r.c, identity)
		if err != nil {
			return err
		}
		if !known { // nothing has vectors of it
			out, err = memories.find(ctx, r.c, "ORDER BY created_at DESC, id LIMIT ?", atMost(limit))
			return err
		}
		out, err = memories.from(ctx, r.c, `unembedded CROSS JOIN memories ON memories.id = unembedded.id
			WHERE unembedded.identity = ? ORDER BY unembedded.created_at DESC, unembedded.id LIMIT ?`, key, atMost(limit))
		return err
	})
	return out, err
}

// atMost is a limit as SQLite has it, where a negative one means none.
func atMost(limit int) int {
	if limit <= 0 {
		return -1
	}
	return limit
}
