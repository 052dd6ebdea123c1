package local

import (
	"context"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"combray/index"
	"combray/internal/memory"
	"combray/store"
)

// The points at which a process can die. Those of the store are the steps of one
// write; those of the index lie in the work behind it.
var points = []string{
	"never",
	"before it becomes the writer", "as the writer, before it looks", "between the rows of a plan", "after the plan, before the commit",
	"in the commit", "after the commit, before the index follows", "while the index follows", "after the index has followed",
	"while the index reads its rows", "before the files are scrubbed", "while the files are scrubbed",
}

// fate kills this process with -9 when it passes a point for the n-th time.
type fate struct {
	point string
	left  atomic.Int64
}

func newFate(point string, times int) *fate {
	f := &fate{point: point}
	f.left.Store(int64(times))
	return f
}

// meets says whether the process is to die here and now.
func (f *fate) meets(point string) bool { return point == f.point && f.left.Add(-1) == 0 }

func (f *fate) pass(point string) {
	if f.meets(point) {
		die()
	}
}

// during lets the process die while something runs that has no point of its own.
func (f *fate) during(point string, most time.Duration) {
	if f.meets(point) {
		time.AfterFunc(rand.N(most), die)
	}
}

func die() {
	self, err := os.FindProcess(os.Getpid())
	if err != nil || self.Kill() != nil {
		os.Exit(3)
	}
	select {}
}

// commitMost and scrubMost are about how long a commit and a scrub of a small
// store take, so that a death falls into any part of them.
const (
	commitMost = 6 * time.Millisecond
	scrubMost  = 40 * time.Millisecond
)

// deadlyStore is a store that notes what each call has committed.
type deadlyStore struct {
	*store.Store
	fate *fate
	done memory.Plan // committed since the last call
}

func (d *deadlyStore) Update(ctx context.Context, f func(memory.Tx) error) error {
	d.fate.pass("before it becomes the writer")
	var written memory.Plan
	err := d.Store.Update(ctx, func(tx memory.Tx) error {
		d.fate.pass("as the writer, before it looks")
		written = memory.Plan{}
		if err := f(deadlyTx{tx, d.fate, &written}); err != nil {
			return err
		}
		d.fate.pass("after the plan, before the commit")
		d.fate.during("in the commit", commitMost)
		return nil
	})
	if err == nil {
		d.done.Join(written)
		d.fate.pass("after the commit, before the index follows")
	}
	return err
}

func (d *deadlyStore) Scrub(ctx context.Context) error {
	d.fate.pass("before the files are scrubbed")
	d.fate.during("while the files are scrubbed", scrubMost)
	return d.Store.Scrub(ctx)
}

type deadlyTx struct {
	memory.Tx
	fate    *fate
	written *memory.Plan
}

func (d deadlyTx) Apply(ctx context.Context, p memory.Plan) error {
	if d.fate.meets("between the rows of a plan") {
		_ = d.Tx.Apply(ctx, memory.Plan{Changes: p.Changes[:(len(p.Changes)+1)/2]})
		die()
	}
	d.written.Join(p)
	return d.Tx.Apply(ctx, p)
}

// deadlyIndex and deadlySource are the index and what it reads.
type deadlyIndex struct {
	memory.Index
	fate *fate
}

func (d deadlyIndex) CatchUp(ctx context.Context) error {
	d.fate.during("while the index follows", commitMost)
	err := d.Index.CatchUp(ctx)
	d.fate.pass("after the index has followed")
	return err
}

type deadlySource struct {
	index.Source
	fate *fate
}

func (d deadlySource) Rows(ctx context.Context, after int64, limit int) ([]index.Row, error) {
	d.fate.pass("while the index reads its rows")
	return d.Source.Rows(ctx, after, limit)
}
