package local

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"combray/index"
	"combray/internal/memory"
	"combray/internal/memtest"
	"combray/internal/verbtest"
	"combray/store"
)

// files are the store and the index of one folder, opened without the rest of a
// Local so that a test can give the service a clock, names, and what stands
// between it and them.
type files struct {
	store *store.Store
	index *index.Index
}

// rewriteOften makes the index rewrite its files after so few rows.
const rewriteOften = 16

func openFiles(ctx context.Context, path string, wrap func(index.Source) index.Source) (f files, err error) {
	if f.store, err = store.Open(ctx, store.Options{Path: path}); err != nil {
		return f, err
	}
	id, err := f.store.ID(ctx)
	if err != nil {
		return f, err
	}
	f.index, err = index.Open(index.Config{Dir: indexFolder(path), StoreID: id, RewriteRows: rewriteOften}, wrap(source{store: f.store}))
	return f, err
}

func plainly(s index.Source) index.Source { return s }

// openSide opens a folder for verbtest. The index lives as long as its store.
func openSide(t *testing.T, path string, c memory.Config) verbtest.Side {
	t.Helper()
	f, err := openFiles(context.Background(), path, plainly)
	if err != nil {
		t.Fatal(err)
	}
	c.Store, c.Index = closing{f.store, f.index}, ranker{f.index}
	return verbtest.Side{Service: memory.New(c), Store: c.Store}
}

// closing is a store that closes its index before itself.
type closing struct {
	*store.Store
	index *index.Index
}

func (c closing) Close() error { return errors.Join(c.index.Close(), c.Store.Close()) }

// bothStores runs a test on the plain model and on a file.
func bothStores(t *testing.T, f func(t *testing.T, side verbtest.Side, clock *memtest.Clock)) {
	for name, open := range map[string]func(memory.Config) verbtest.Side{
		"plain": func(c memory.Config) verbtest.Side {
			c.Store = memtest.NewStore(memtest.StoreOptions{})
			c.Index = memtest.NewIndex(c.Store, "")
			return verbtest.Side{Service: memory.New(c), Store: c.Store}
		},
		"SQLite": func(c memory.Config) verbtest.Side {
			return openSide(t, filepath.Join(t.TempDir(), "memory.db"), c)
		},
	} {
		t.Run(name, func(t *testing.T) {
			clock := &memtest.Clock{}
			side := open(memory.Config{Now: clock.Now, Random: &memtest.IDs{}, Zone: time.UTC})
			defer func() { _ = side.Store.Close() }()
			f(t, side, clock)
			faults, err := side.Store.Check(t.Context())
			if err != nil || len(faults) > 0 {
				t.Errorf("Check: %v, %v", faults, err)
			}
		})
	}
}
