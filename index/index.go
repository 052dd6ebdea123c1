package index

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// errClosed is what calls to a closed index return.
var errClosed = errors.New("index: the index is closed")

// Index answers what a query ranks with. Its methods may be called from several
// goroutines at once.
type Index struct {
	config Config
	source Source
	log    *slog.Logger

	// mu guards state and what it points to. Searches read under it; changes are
	// brought in under it a few rows at a time.
	mu    sync.RWMutex
	state *state

	// catch is held by the one who brings in changes or takes over files. It is
	// taken before mu, and after the lock of the folder unless that is only tried.
	catch    gate
	closed   bool
	missing  bool        // the folder has no file that can be used
	rejected os.FileInfo // a file that cannot be used
	retryAt  int         // rows in the delta before a rewrite that failed is tried again

	// ctx ends what runs in the background when the index is closed, writing that of
	// a file, which may end first.
	ctx, writing context.Context
	cancel, stop context.CancelFunc
	rewrites     sync.WaitGroup
	background   sync.WaitGroup
	rewriting    atomic.Bool
	graphing     atomic.Bool
	noGraph      atomic.Pointer[graphFailure] // nil until a graph failed
	refused      atomic.Int64                 // rows whose vectors could not be used
	kept         atomic.Pointer[scratch]      // of the search before
	scratch      sync.Pool                    // of *scratch, for searches beside it
}

// Open returns an index that knows what the files in the folder know, which may
// be nothing: CatchUp brings in the rest. Files that are missing, damaged, or
// made by another program version, from another store or with another encoder
// are no error. Open reads files up to 64 MiB to check them, larger ones are
// checked in the background.
func Open(config Config, source Source) (*Index, error) {
	config, err := config.normal()
	if err != nil {
		return nil, err
	}
	if source == nil {
		return nil, errors.New("index: Open needs a source to read rows from")
	}
	ix := &Index{config: config, source: source, log: config.Logger, catch: make(gate, 1)}
	ix.ctx, ix.cancel = context.WithCancel(context.Background())
	ix.writing, ix.stop = context.WithCancel(context.Background())
	ix.state = newState(nil, &config)
	if !nativeOrder() {
		ix.config.Dir = ""
	}
	if ix.writes() {
		if err := os.MkdirAll(config.Dir, 0o700); err != nil {
			ix.log.Warn("the folder of the index cannot be made, the index lives in memory", "error", err)
			ix.config.Dir = ""
		}
	}
	if err := ix.hold(ix.ctx); err != nil {
		return nil, err
	}
	defer ix.catch.leave()
	return ix, ix.refresh(ix.ctx)
}

// gate lets one pass at a time, like a mutex that can be waited for with a
// context. It is a channel of capacity 1.
type gate chan struct{}

func (g gate) enter(ctx context.Context) error {
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) leave() { <-g }

// hold takes catch, unless the index is closed.
func (ix *Index) hold(ctx context.Context) error {
	if err := ix.catch.enter(ctx); err != nil {
		return err
	}
	if ix.closed {
		ix.catch.leave()
		return errClosed
	}
	return nil
}

// closePatience is how long Close waits for a file that is being written: enough for
// 50,000 rows, after which processes that end soon could not write one.
const closePatience = 500 * time.Millisecond

// Close ends what runs in the background and gives the files back. It waits for
// calls that run, whose contexts are the caller's to end, and for a small file that is
// being written, so that a store which only short-lived processes use gets one
// (TestCloseLeavesASmallFile).
func (ix *Index) Close() error {
	ix.cancel()
	if ix.hold(context.Background()) != nil {
		return nil // closed already
	}
	ix.closed = true
	small := ix.state.rows() <= bulkRows
	ix.catch.leave()
	if small {
		ix.awaitRewrite()
	}
	ix.stop()
	ix.background.Wait()
	ix.replace(nil)
	return nil
}

// awaitRewrite waits for a file that is being written, but not for long.
func (ix *Index) awaitRewrite() {
	written := make(chan struct{})
	go func() {
		ix.rewrites.Wait()
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(closePatience):
	}
}

// replace puts a state, nil when closing, in the place of the one there is.
// Nobody reads the old one any more when it returns.
func (ix *Index) replace(next *state) {
	ix.mu.Lock()
	old := ix.state
	ix.state = next
	ix.mu.Unlock()
	old.segment.release()
}

// read calls visit with the state, which must not be kept.
func (ix *Index) read(ctx context.Context, visit func(*state) error) error {
	ix.mu.RLock()
	s := ix.state
	if s != nil && s.segment != nil && !s.segment.mapping.whole() {
		// Someone cut the file short. CatchUp notices and drops it.
		ix.mu.RUnlock()
		if err := ix.CatchUp(ctx); err != nil {
			return err
		}
		ix.mu.RLock()
		s = ix.state
	}
	defer ix.mu.RUnlock()
	if s == nil {
		return errClosed
	}
	return visit(s)
}
