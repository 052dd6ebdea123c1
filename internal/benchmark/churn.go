package benchmark

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"combray/internal/local"
	"combray/internal/memory"
)

// forgetReason stands in the audit log of the copy.
const forgetReason = "combray bench"

// churn forgets every second memory of a fresh copy and adds a tenth, then measures
// again what that may have spoilt.
func (r *running) churn(ctx context.Context) error {
	db := filepath.Join(r.work, "churn", storeName)
	if err := copyStore(ctx, r.path, db); err != nil {
		return err
	}
	mixed, err := r.mixerOf(ctx, db)
	if err != nil {
		return err
	}
	err = r.opened(ctx, db, func(l *local.Local) error { return r.replace(ctx, l, mixed) })
	if err == nil && r.Encoder != nil {
		err = r.opened(ctx, db, func(l *local.Local) error {
			return r.recallOf(ctx, l, afterChurn)
		})
	}
	if err == nil {
		lanes := r.lanesHere()
		err = r.served(ctx, db, func(s *server) error { return r.askAll(s, afterChurn, lanes[len(lanes)-1:], widths[:1]) })
	}
	return errors.Join(err, Remove(db))
}

// mixerOf makes vectors for new memories, nil without an encoder.
func (r *running) mixerOf(ctx context.Context, db string) (*mixer, error) {
	if r.Encoder == nil {
		return nil, nil
	}
	vectors, err := r.someVectors(ctx, db)
	if err != nil {
		return nil, err
	}
	return newMixer(ctx, r.Text, vectors)
}

// replace forgets and adds, and leaves the index to its own devices but for a
// catch-up at the end.
func (r *running) replace(ctx context.Context, l *local.Local, mixed *mixer) error {
	began := time.Now()
	for first := 0; first < r.Memories; first += 2 * batch {
		var ids []memory.ID
		for turn := first; turn < min(first+2*batch, r.Memories); turn += 2 {
			ids = append(ids, r.id(turn))
		}
		if err := forget(ctx, l, ids); err != nil {
			return err
		}
	}
	r.value("churn_forget", "memories forgotten, in batches", PerSecond, float64(r.Memories)/2/time.Since(began).Seconds())
	added := turns{first: r.Memories, last: r.Memories + r.Memories/10}
	if err := r.write(ctx, l, &row{builder: &r.Builder, mixer: mixed}, added); err != nil {
		return err
	}
	began = time.Now()
	err := l.Settle(ctx)
	r.value("churn_settle", "the index brought up to date after it", Seconds, time.Since(began).Seconds())
	return err
}

// forget forgets memories that nothing rests on, in one transaction.
func forget(ctx context.Context, l *local.Local, ids []memory.ID) error {
	return l.Store.Update(memory.WithActor(ctx, actor), func(tx memory.Tx) error {
		there, err := tx.Memories(ctx, ids)
		if err != nil {
			return err
		}
		if len(there) != len(ids) {
			return fmt.Errorf("%d of %d memories are not where the builder put them", len(ids)-len(there), len(ids))
		}
		var all memory.Plan
		for i := range there {
			plan, err := memory.Forget(memory.Subject{ID: there[i].ID, Memory: &there[i]}, forgetReason, lastDay)
			if err != nil {
				return err
			}
			all.Join(plan)
		}
		return tx.Apply(ctx, all)
	})
}

// lastDay is when the memories of a churned store are forgotten.
var lastDay = firstCue
