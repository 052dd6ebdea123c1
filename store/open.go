package store

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"combray/internal/memory"
)

// Options say how a store is opened. Path is required; the rest may be zero.
type Options struct {
	// Path of the file, or ":memory:" for a store that ends with the process.
	// Missing folders and the file are made, readable for their owner alone.
	Path string
	// ReadOnly refuses writes and makes no file. It reads from folders that
	// cannot be written, as long as no write-ahead log has to be merged.
	ReadOnly bool
	// BusyTimeout is how long a call waits for other processes; 0 means 30 s.
	BusyTimeout time.Duration
	// Random feeds ids and salts; nil means the system's.
	Random io.Reader
	// Logger hears what no caller does; nil discards.
	Logger *slog.Logger
}

// defaultBusyTimeout is the patience of the system that Combray continues
// (contract/history.md 5).
const defaultBusyTimeout = 30 * time.Second

func (o Options) withDefaults() Options {
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = defaultBusyTimeout
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Store is a memory.Store on one SQLite file. Safe for concurrent use.
type Store struct {
	options Options
	at      location

	writer  *pool // nil when only reading
	readers *pool
	watch   *pool   // reads the change sequence
	merger  *merger // nil when only reading, and for a store in memory

	mu      sync.Mutex // guards closed, and running while it may grow
	closed  bool
	running sync.WaitGroup
}

var _ memory.Store = (*Store)(nil)

// Open opens or makes a store and brings its schema up to date. Errors: invalid
// for a path that cannot be a store, denied without the rights, corrupt for a
// damaged file, unavailable for a locked file or one of a newer version.
func Open(ctx context.Context, o Options) (*Store, error) {
	o = o.withDefaults()
	at, err := locate(o.Path, o.ReadOnly)
	if err != nil {
		return nil, explained(err)
	}
	s := &Store{options: o, at: at}
	s.readers = newPool(readerConnections, func(ctx context.Context) (*conn, error) { return s.connectReader(ctx, readerCacheKiB) })
	s.watch = newPool(1, func(ctx context.Context) (*conn, error) { return s.connectReader(ctx, watchCacheKiB) })
	if !o.ReadOnly {
		s.writer = newPool(1, s.connectWriter)
	}
	if err := s.start(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// start makes sure that the file is ours and up to date.
func (s *Store) start(ctx context.Context) error {
	if s.options.ReadOnly {
		return s.lend(ctx, s.readers, func(c *conn) error { return s.acceptReadOnly(ctx, c) })
	}
	err := s.lend(ctx, s.writer, func(c *conn) error {
		from, err := migrate(ctx, c, s.options.Random)
		if err == nil && from != schemaVersion {
			s.options.Logger.Info("store migrated", "from", from, "to", schemaVersion)
		}
		return err
	})
	if err != nil {
		return err
	}
	if s.at.scratch == "" {
		s.merger = newMerger(s)
		return nil
	}
	if err := errors.Join(s.readers.fill(ctx), s.watch.fill(ctx)); err != nil {
		return err
	}
	if unlinksOpenFiles {
		s.at.forget()
	}
	return nil
}

func (s *Store) acceptReadOnly(ctx context.Context, c *conn) error {
	h, err := readHeader(ctx, c)
	switch {
	case err != nil:
		return err
	case h.empty():
		return memory.Unavailable("Store something without --read-only: that begins it.", nil, "the file is empty: no store has been begun in it")
	case h.accept() != nil:
		return h.accept()
	case h.version < schemaVersion:
		return memory.Unavailable("Open the store once without --read-only; that brings it up to date.", nil,
			"the store has schema version %d, and this Combray reads version %d", h.version, schemaVersion)
	}
	return nil
}

// lend gives f a connection of a pool, which takes it back whole.
func (s *Store) lend(ctx context.Context, p *pool, f func(*conn) error) error {
	c, err := p.get(ctx)
	if err != nil {
		return err
	}
	defer p.put(c)
	return f(c)
}

// enter counts a call in; s.running.Done counts it out.
func (s *Store) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return memory.Unavailable("Open the store again.", nil, "the store is closed")
	}
	s.running.Add(1)
	return nil
}

// Close refuses new calls, waits for running ones (which their contexts can cut
// short) and closes the connections. The last process to close merges the
// write-ahead log into the file. Closing twice is no error.
func (s *Store) Close() error {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	s.mu.Unlock()
	s.running.Wait()
	if !first {
		return nil
	}
	errs := []error{s.readers.close(), s.watch.close()}
	if s.merger != nil {
		errs = append(errs, s.merger.stop())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close()) // last: only it may merge the log
	}
	s.at.forget()
	return explained(errors.Join(errs...))
}

func (s *Store) writable() error {
	if s.writer == nil {
		return memory.Denied("Start Combray without --read-only to write.", "the store is open read-only")
	}
	return nil
}
