package store

import (
	"context"

	"combray/internal/memory"
)

// Checkpoint merges the write-ahead log into the file and empties it. It waits
// for readers of older snapshots; unavailable when they do not end in time.
func (s *Store) Checkpoint(ctx context.Context) error {
	if err := s.writable(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.running.Done()
	return s.lend(ctx, s.writer, func(c *conn) error { return checkpoint(ctx, c) })
}

func checkpoint(ctx context.Context, c *conn) error {
	var busy, pages, merged int
	if _, err := c.scan(ctx, []any{&busy, &pages, &merged}, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return err
	}
	if busy != 0 {
		return memory.Unavailable("Call again when no other process reads the store.", nil,
			"another process reads an older state of the store, so its write-ahead log cannot be emptied yet")
	}
	return nil
}
