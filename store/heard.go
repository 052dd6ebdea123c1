package store

import (
	"context"

	"combray/internal/memory"
)

var heard = newTable("heard", "row", func(h *memory.Heard) []column {
	return []column{
		{"row", &h.Row, computed},
		{"kind", &h.Kind, fixed},
		{"key", &h.Key, fixed},
		{"day", &h.Day, fixed},
		{"half", &h.Half, fixed},
		{"value", &h.Value, fixed},
		{"identity", &h.Identity, fixed},
		{"vector", float16Vector{&h.Vector}, fixed},
	}
})

var hearOnce = heard.insert + " ON CONFLICT (kind, key, day, half) DO NOTHING"

// hear adds what was perceived, where it is new.
func (t *tx) hear(ctx context.Context, rows []memory.Heard) error {
	for _, h := range rows {
		if err := keepable(h.Vector); err != nil {
			return err
		}
		if _, err := t.conn().exec(ctx, hearOnce, heard.values(&h, false)...); err != nil {
			return err
		}
	}
	return nil
}

// keepable refuses a vector that packedVector cannot write.
func keepable(vector []float32) error {
	for _, f := range vector {
		if _, err := toFloat16(f); err != nil {
			return fault(memory.CodeInvalid, err, "the encoder gave a vector that cannot be kept", hintModels)
		}
	}
	return nil
}

// forgetHeard removes what is too old to count, and the visits of sources that have
// been quiet since then.
func (t *tx) forgetHeard(ctx context.Context, before int) error {
	if _, err := t.conn().exec(ctx, "DELETE FROM heard WHERE day < ?", before); err != nil {
		return err
	}
	_, err := t.conn().exec(ctx, "DELETE FROM visits WHERE at < ?", memory.ForgetHeard{Before: before}.Start().UnixMicro())
	return err
}

// wipeHeard removes everything that was perceived. NeedsScrub is true until its
// bytes are gone too.
func (t *tx) wipeHeard(ctx context.Context) error {
	t.grow(&t.versions.epoch)
	for _, table := range []string{"heard", "visits"} {
		if _, err := t.conn().exec(ctx, "DELETE FROM "+table); err != nil {
			return err
		}
	}
	return nil
}

// Heard implements memory.SenseReader.
func (r *reader) Heard(ctx context.Context, after int64, sinceDay int, identity string) ([]memory.Heard, int64, error) {
	rows, err := heard.find(ctx, r.conn(), "WHERE row > ? AND day >= ? AND identity IN ('', ?) ORDER BY row", after, sinceDay, identity)
	return rows, r.versions.epoch, err
}
