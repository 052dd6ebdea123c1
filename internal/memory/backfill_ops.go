package memory

import (
	"context"
	"sync"
)

// backfillBatch is how many memories are embedded between two commits: small,
// so that other writers never wait long for the store.
const backfillBatch = 32

// Backfill makes the vectors that are missing, newest memory first, and returns
// how many it made when none is left or ctx ends. It resumes where a killed
// process stopped, because each batch commits. A text that the encoder refuses
// is skipped until the next call.
func (s *Service) Backfill(ctx context.Context, progress func(made int)) (int, error) {
	made, skipped := 0, 0
	for ctx.Err() == nil {
		missing, err := s.store.Unembedded(ctx, s.encoder.Identity(), backfillBatch+skipped)
		if err != nil || len(missing) <= skipped {
			return made, err
		}
		if state := s.encoder.Wait(ctx); !state.Ready { // not before something is missing: loading costs time and memory
			return made, Unavailable("Run combray models verify to see what the encoder needs.", nil, "vectors cannot be made: %s", state.Reason)
		}
		plan, refused, err := s.embedMissing(ctx, missing[skipped:])
		if err != nil {
			return made, err
		}
		skipped += refused
		if err := s.commitVectors(ctx, plan); err != nil {
			return made, err
		}
		made += len(plan.Changes)
		if progress != nil {
			progress(made)
		}
	}
	return made, ctx.Err()
}

// backfillWorkers texts are encoded at a time: the encoder takes so many runs of
// stored texts at once (encoder.Config.Workers).
const backfillWorkers = 2

// embedMissing makes the vectors of memories and counts the texts that the
// encoder refused.
func (s *Service) embedMissing(ctx context.Context, missing []Memory) (plan Plan, refused int, err error) {
	vectors := make([][][]float32, len(missing))
	next := make(chan int)
	var workers sync.WaitGroup
	for range backfillWorkers {
		workers.Go(func() {
			for i := range next {
				windows, err := s.encoder.Passage(ctx, Line(missing[i]))
				if err != nil && ctx.Err() == nil {
					s.log.Warn("a memory could not be embedded", "id", missing[i].ID, "err", err)
				}
				vectors[i] = windows
			}
		})
	}
	for i := range missing {
		next <- i
	}
	close(next)
	workers.Wait()
	for i, windows := range vectors {
		if windows == nil {
			refused++
			continue
		}
		plan.Write(PutVectors{Number: missing[i].Number, Identity: s.encoder.Identity(), Windows: windows})
	}
	return plan, refused, ctx.Err()
}

// commitVectors stores vectors of memories that are still there; one erased
// meanwhile gets none.
func (s *Service) commitVectors(ctx context.Context, plan Plan) error {
	if plan.Empty() {
		return nil
	}
	err := s.store.Update(ctx, func(tx Tx) error {
		var numbers []int64
		for _, c := range plan.Changes {
			numbers = append(numbers, c.(PutVectors).Number)
		}
		there, err := tx.Numbered(ctx, numbers)
		if err != nil {
			return err
		}
		known := make(map[int64]bool, len(there))
		for _, m := range there {
			known[m.Number] = true
		}
		var kept Plan
		for _, c := range plan.Changes {
			if known[c.(PutVectors).Number] {
				kept.Write(c)
			}
		}
		return tx.Apply(ctx, kept)
	})
	if err != nil {
		return err
	}
	if err := s.index.Follow(ctx); err != nil {
		s.log.Warn("index not caught up; the next search does it", "err", err)
	}
	return nil
}
