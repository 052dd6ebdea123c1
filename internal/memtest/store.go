package memtest

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"

	"combray/internal/memory"
)

// StoreOptions are the settings of a Store; the zero value works.
type StoreOptions struct {
	// Random feeds salts, audit ids and the store id. Nil means a stream that is
	// the same on every run.
	Random io.Reader
}

// Store is the model of a memory.Store. A committed state never changes: View
// reads the one that is current when it begins, Update changes a copy and swaps
// it in. It keeps nothing on disk. Safe for concurrent use.
type Store struct {
	random io.Reader
	id     string
	writer chan struct{} // holds one token: who has it is the writer

	mu      sync.Mutex // guards what follows
	current *state
	running sync.WaitGroup
	closed  bool
}

var _ memory.Store = (*Store)(nil)

// NewStore makes an empty store.
func NewStore(o StoreOptions) *Store {
	if o.Random == nil {
		o.Random = rand.NewChaCha8([32]byte{})
	}
	s := &Store{random: o.Random, writer: make(chan struct{}, 1), current: newState()}
	s.id = randomHex(s.random, 16)
	return s
}

// begin counts a call in and gives the present state. Every begin that gives no
// error has one s.running.Done.
func (s *Store) begin(ctx context.Context) (*state, error) {
	if err := ctx.Err(); err != nil {
		return nil, cancelled(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, memory.Unavailable("Open the store again.", errors.New("closed"), "the store is closed")
	}
	s.running.Add(1)
	return s.current, nil
}

func cancelled(err error) error {
	return memory.Unavailable("Call again.", err, "the call was cancelled before it was done")
}

// View implements memory.Store.
func (s *Store) View(ctx context.Context, f func(memory.Reader) error) error {
	now, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer s.running.Done()
	return f(reader{now})
}

// Update implements memory.Store.
func (s *Store) Update(ctx context.Context, f func(memory.Tx) error) error {
	if _, err := s.begin(ctx); err != nil {
		return err
	}
	defer s.running.Done()
	select {
	case s.writer <- struct{}{}:
	case <-ctx.Done():
		return cancelled(ctx.Err())
	}
	defer func() { <-s.writer }()

	s.mu.Lock()
	next := s.current.clone()
	s.mu.Unlock()
	if err := f(&tx{reader: reader{next}, random: s.random}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return cancelled(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = next
	return nil
}

// read runs f on the present state.
func (s *Store) read(ctx context.Context, f func(*state)) error {
	now, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer s.running.Done()
	f(now)
	return nil
}

// Sequence implements memory.Store.
func (s *Store) Sequence(ctx context.Context) (n int64, err error) {
	err = s.read(ctx, func(now *state) { n = now.sequence })
	return n, err
}

// Changes implements memory.Store. A limit of 0 or less means none.
func (s *Store) Changes(ctx context.Context, after int64, limit int, identity string) (out []memory.Changed, err error) {
	err = s.read(ctx, func(now *state) { out = cut(now.changes(after, identity), limit) })
	return out, err
}

// Vectors implements memory.Store.
func (s *Store) Vectors(ctx context.Context, numbers []int64, identity string) (out [][][]float32, err error) {
	err = s.read(ctx, func(now *state) {
		for _, n := range numbers {
			out = append(out, copied(now.vectors[n][identity]))
		}
	})
	return out, err
}

// Unembedded implements memory.Store; forgotten memories are among them, equal
// times go by ID. A limit of 0 or less means none.
func (s *Store) Unembedded(ctx context.Context, identity string, limit int) (out []memory.Memory, err error) {
	err = s.read(ctx, func(now *state) {
		q := memory.ListQuery{Filter: memory.ListFilter{Forgotten: memory.ActiveAndForgotten}}
		for _, m := range now.list(q) {
			if len(now.vectors[m.Number][identity]) == 0 {
				out = append(out, m)
			}
		}
		out = cut(out, limit)
	})
	return out, err
}

// Stats implements memory.Store: every stored row counts, retired ones too.
// Bytes and Schema are 0, for there is no file.
func (s *Store) Stats(ctx context.Context, identity string) (out memory.StoreStats, err error) {
	err = s.read(ctx, func(now *state) {
		out = now.stats(identity)
		out.StoreID = s.id
	})
	return out, err
}

// Check implements memory.Store.
func (s *Store) Check(ctx context.Context) (out []memory.Fault, err error) {
	err = s.read(ctx, func(now *state) { out = now.check() })
	return out, err
}

// Close implements memory.Store. Closing twice is no error.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.running.Wait()
	return nil
}
