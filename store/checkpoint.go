package store

import (
	"context"
	"time"

	"combray/internal/memory"
)

// Checkpoint merges the write-ahead log into the file and empties it. It waits
// for readers of older snapshots and for another process that does the same;
// unavailable when they do not end in time.
func (s *Store) Checkpoint(ctx context.Context) error {
	if err := s.writable(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.running.Done()
	return s.lend(ctx, s.writer, func(c *conn) error { return s.checkpoint(ctx, c) })
}

// checkpoint asks again while another connection is at it: for that SQLite does
// not wait (https://www.sqlite.org/c3ref/wal_checkpoint_v2.html), as it does for
// readers, whose time this shares (TestCheckpointsWaitForEachOther).
func (s *Store) checkpoint(ctx context.Context, c *conn) error {
	patience := time.NewTimer(s.options.BusyTimeout)
	defer patience.Stop()
	for {
		var busy, pages, merged int
		if _, err := c.scan(ctx, []any{&busy, &pages, &merged}, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil || busy == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience.C:
			return memory.Unavailable("Call again when no other process reads the store.", nil,
				"another process reads an older state of the store, so its write-ahead log cannot be emptied yet")
		case <-time.After(lockedPause):
		}
	}
}
