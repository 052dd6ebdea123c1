package memtest

import (
	"fmt"
	"sync"
	"time"

	"combray/internal/memory"
)

var snapshotPromises = []promise{
	{"view-is-one-snapshot", viewIsOneSnapshot},
	{"view-does-not-wait-for-a-writer", viewDoesNotWait},
	{"view-under-writers", viewUnderWriters},
	{"rows-are-the-callers-own", rowsAreTheCallers},
}

// patience is how long a call that must not wait may take before it counts as
// one that waits.
var patience = 20 * time.Second

// A snapshot stays as it was when it began, whatever is committed meanwhile.
func viewIsOneSnapshot(x *subject) {
	m := x.consolidated("before")
	x.view(func(r memory.Reader) {
		x.same("at first", must[*memory.Memory](x)(r.Memory(x.ctx, m.ID)), &m)
		before, sequence := x.tables(r), must[int64](x)(r.Sequence(x.ctx))
		x.same("sequence at first", sequence, m.Seq)
		done := make(chan struct{})
		go func() {
			defer close(done)
			changed := m
			changed.Frame = Of("changed")
			plan := x.everyChange()
			plan.Write(memory.PutMemory{Memory: changed}, memory.PutAnchor{Anchor: x.Anchor(m)})
			if err := x.try(plan); err != nil {
				x.Errorf("a writer beside a snapshot: %v", err)
			}
		}()
		select {
		case <-done:
		case <-time.After(patience):
			x.Fatal("a writer waits for a reader")
		}
		x.same("after a commit", must[*memory.Memory](x)(r.Memory(x.ctx, m.ID)), &m)
		x.same("anchor", must[*memory.Anchor](x)(r.Anchor(x.ctx, m.ID)), (*memory.Anchor)(nil))
		x.same("sequence after a commit", must[int64](x)(r.Sequence(x.ctx)), sequence)
		if now := x.tables(r); now != before {
			x.Errorf("the snapshot went from %s to %s", before, now)
		}
	})
	if got := x.memory(m.ID); got.Frame == nil {
		x.Error("the next snapshot does not show the commit")
	}
}

// A reader never waits for a writer and never sees what is not committed.
func viewDoesNotWait(x *subject) {
	m := x.putOne("m")
	x.update(func(tx memory.Tx) {
		if err := tx.Apply(x.ctx, memory.Plan{Changes: []memory.Change{memory.PutMemory{Memory: x.Memory("new")}}}); err != nil {
			x.Fatalf("Apply: %v", err)
		}
		if n := must[int64](x)(tx.Sequence(x.ctx)); n <= m.Seq {
			x.Errorf("the sequence of a writer is %d after a change, it began with %d", n, m.Seq)
		}
		seen := make(chan []memory.Memory, 1)
		go func() {
			err := x.store.View(x.ctx, func(r memory.Reader) error {
				all, err := r.List(x.ctx, memory.ListQuery{})
				seen <- all
				return err
			})
			if err != nil {
				x.Errorf("a reader beside a writer: %v", err)
				seen <- nil
			}
		}()
		select {
		case all := <-seen:
			x.same("what a reader sees", all, []memory.Memory{m})
		case <-time.After(patience):
			x.Fatal("a reader waits for a writer")
		}
		if n := x.sequence(); n != m.Seq {
			x.Errorf("the sequence is %d before the commit, want %d", n, m.Seq)
		}
	})
}

// Readers among writers see whole transactions only.
func viewUnderWriters(x *subject) {
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for w := range 3 {
		writers.Go(func() {
			for range 6 {
				a, b := x.Memory("a"), x.Memory("b")
				a.Frame, b.Frame = Of(fmt.Sprint(w)), Of(fmt.Sprint(w))
				err := x.store.Update(x.ctx, func(tx memory.Tx) error {
					for _, m := range []memory.Memory{a, b} {
						if err := tx.Apply(x.ctx, memory.Plan{Changes: []memory.Change{memory.PutMemory{Memory: m}}}); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					x.Errorf("a writer: %v", err)
				}
			}
		})
	}
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					x.pairs()
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	if n := ask(x, func(r memory.Reader) (int, error) { return r.Count(x.ctx, memory.ListFilter{}) }); n != 36 {
		x.Errorf("%d memories, want 36", n)
	}
}

// pairs wants an even number of memories, the same for count and list.
func (x *subject) pairs() {
	err := x.store.View(x.ctx, func(r memory.Reader) error {
		n, err := r.Count(x.ctx, memory.ListFilter{})
		if err != nil {
			return err
		}
		all, err := r.List(x.ctx, memory.ListQuery{})
		if n%2 != 0 || len(all) != n {
			x.Errorf("one snapshot counts %d memories and lists %d", n, len(all))
		}
		return err
	})
	if err != nil {
		x.Errorf("a reader: %v", err)
	}
}

// What a caller does to a row, given or got, does not reach the store.
func rowsAreTheCallers(x *subject) {
	given := x.FullMemory("m")
	want := copied(given)
	x.put(given)
	for range 2 {
		*given.Frame, given.Tags[0], given.Biometric["eda"] = "spoilt", "spoilt", 9
		got := x.memory(given.ID)
		x.same("memory", got, &want)
		given = *got
	}
	vector := windows(1)
	x.write(memory.PutVectors{Number: given.Number, Identity: suiteIdentity, Windows: vector})
	vector[0][0] = 7
	got := x.vectors(suiteIdentity, given.Number)
	got[0][0][1] = 7
	x.same("vectors", x.vectors(suiteIdentity, given.Number), [][][]float32{windows(1)})
}
