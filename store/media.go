package store

import (
	"context"

	"combray/internal/memory"
)

// putMedia sets what is kept whole with a memory. No index looks at it, so the
// memory's change sequence stays.
func (t *tx) putMedia(ctx context.Context, p memory.PutMedia) error {
	var number int64
	found, err := t.conn().scan(ctx, []any{&number}, "SELECT number FROM memories WHERE id = ?", p.MemoryID)
	if err != nil || !found {
		return orNotFound(err, p.MemoryID)
	}
	if _, err := t.c.exec(ctx, "DELETE FROM media WHERE number = ?", number); err != nil {
		return err
	}
	for i, m := range p.Media {
		if _, err := t.c.exec(ctx, "INSERT INTO media (number, position, channel, mime, data) VALUES (?, ?, ?, ?, ?)",
			number, i, m.Channel, m.Mime, m.Data); err != nil {
			return err
		}
	}
	return nil
}
