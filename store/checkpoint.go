package store

import (
	"context"
	"database/sql"
	"sync/atomic"
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

// A log is merged after so many changes of small transactions, by then some 2 MiB of
// it, while nobody waits: within a commit a merge of 4 MiB took 10 ms of the 15.4 that
// one write in a hundred needed with a million memories. A commit merges by itself
// beyond fallbackPages. That comes with large transactions, which a merge beside
// them would only keep from it, and when writes follow each other without a pause:
// the log can begin anew only when all of it is merged.
const (
	changesToMerge = 64
	fallbackPages  = 4000
)

// merger merges the write-ahead log behind the writers' back.
type merger struct {
	store   *Store
	conns   *pool
	changes atomic.Int64  // since the last merge
	due     chan struct{} // one place: a merge that is due is due once
	ended   chan struct{} // closed when the merger has stopped
}

func newMerger(s *Store) *merger {
	m := &merger{store: s, due: make(chan struct{}, 1), ended: make(chan struct{})}
	m.conns = newPool(1, func(ctx context.Context) (*conn, error) { return s.connectReader(ctx, watchCacheKiB) })
	go m.run()
	return m
}

// wrote counts changes that one transaction committed.
func (m *merger) wrote(changes int) {
	if changes >= changesToMerge || m.changes.Add(int64(changes)) < changesToMerge {
		return
	}
	select {
	case m.due <- struct{}{}:
		m.changes.Store(0)
	default:
	}
}

// run ends with stop. A merge that failed is tried again after the next changes; what
// is committed is safe in the log.
func (m *merger) run() {
	defer close(m.ended)
	ctx := context.Background()
	for range m.due {
		err := m.store.lend(ctx, m.conns, func(c *conn) error { return c.each(ctx, ignored, "PRAGMA wal_checkpoint(PASSIVE)") })
		if err != nil {
			m.store.options.Logger.Warn("the write-ahead log was not merged into the store", "error", err)
		}
	}
}

func ignored(*sql.Rows) error { return nil }

// stop ends the merger. Nobody may write any more.
func (m *merger) stop() error {
	close(m.due)
	<-m.ended
	return m.conns.close()
}
