package store

import (
	"context"
	"database/sql"
	"slices"

	"combray/internal/memory"
)

// fingerprint is a row of fingerprints: what is kept, and of which memory.
type fingerprint struct {
	memory.Fingerprint
	number   int64
	position int
	memory   memory.ID
}

var fingerprints = newTable("fingerprints", "number, position", func(f *fingerprint) []column {
	return []column{
		{"(SELECT id FROM memories WHERE memories.number = fingerprints.number)", &f.memory, computed},
		{"number", &f.number, fixed},
		{"position", &f.position, fixed},
		{"channel", &f.Channel, mutable},
		{"backend", &f.Backend, mutable},
		{"chance", &f.Chance, mutable},
		{"data", &f.Data, mutable},
		{"text", &f.Text, mutable},
	}
})

// putFingerprints sets the fingerprints of a memory. Vectors that were made for
// cues speak of the perceived words too, so other words take them away.
func (t *tx) putFingerprints(ctx context.Context, p memory.PutFingerprints) error {
	number, err := t.touch(ctx, p.MemoryID)
	if err != nil {
		return err
	}
	before, err := fingerprints.find(ctx, t.c, "WHERE number = ? ORDER BY position", number)
	if err != nil {
		return err
	}
	old := make([]memory.Fingerprint, len(before))
	for i, f := range before {
		old[i] = f.Fingerprint
	}
	if !slices.Equal(wordsOf(old), wordsOf(p.Fingerprints)) {
		if err := t.removeCueVectors(ctx, number); err != nil {
			return err
		}
	}
	if _, err := t.c.exec(ctx, "DELETE FROM fingerprints WHERE number = ?", number); err != nil {
		return err
	}
	for i, f := range p.Fingerprints {
		if err := fingerprints.add(ctx, t.c, fingerprint{Fingerprint: f, number: number, position: i}); err != nil {
			return err
		}
	}
	t.grow(&t.versions.perceived)
	return nil
}

// wordsOf gives the perceived texts in their order.
func wordsOf(list []memory.Fingerprint) (texts []memory.Text) {
	for _, f := range list {
		if f.Text != "" {
			texts = append(texts, f.Text)
		}
	}
	return texts
}

// touch gives a memory the next change sequence, and its number.
func (t *tx) touch(ctx context.Context, id memory.ID) (number int64, err error) {
	found, err := t.conn().scan(ctx, []any{&number}, "SELECT number FROM memories WHERE id = ?", id)
	if err != nil || !found {
		return 0, orNotFound(err, id)
	}
	_, err = t.c.exec(ctx, "UPDATE memories SET seq = ? WHERE number = ?", t.nextSequence(), number)
	return number, err
}

// Fingerprints implements memory.SenseReader.
func (r *reader) Fingerprints(ctx context.Context, ids []memory.ID) (map[memory.ID][]memory.Fingerprint, error) {
	rows, err := fingerprints.find(ctx, r.conn(), `WHERE number IN (SELECT memories.number FROM memories WHERE id IN `+anyOf+`)
		ORDER BY number, position`, keys[memory.ID](ids))
	out := map[memory.ID][]memory.Fingerprint{}
	for _, row := range rows {
		out[row.memory] = append(out[row.memory], row.Fingerprint)
	}
	return out, err
}

// PerceivedBy implements memory.SenseReader; those of one memory stand in the
// order they were put.
func (r *reader) PerceivedBy(ctx context.Context, channel memory.Channel, backend string) (out []memory.Perceived, err error) {
	err = r.conn().each(ctx, func(rows *sql.Rows) error {
		var p memory.Perceived
		err := rows.Scan(&p.Number, &p.Data)
		out = append(out, p)
		return err
	}, "SELECT number, data FROM fingerprints WHERE channel = ? AND backend = ? ORDER BY number, position", channel, backend)
	return out, err
}
