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
		missing, err := s.store.Unembedded(ctx, s.lines(), backfillBatch+skipped)
		if err != nil || len(missing) <= skipped {
			return made, err
		}
		if state := s.encoder.Wait(ctx); !state.Ready { // not before something is missing: loading costs time and memory
			return made, Unavailable("Run combray models verify to see what the encoder needs.", nil, "vectors cannot be made: %s", state.Reason)
		}
		plan, lines, refused, err := s.embedMissing(ctx, missing[skipped:])
		if err != nil {
			return made, err
		}
		skipped += refused
		if err := s.commitVectors(ctx, plan, lines); err != nil {
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
// encoder refused. lines are what they were made of, by number.
func (s *Service) embedMissing(ctx context.Context, missing []Memory) (plan Plan, lines map[int64]string, refused int, err error) {
	if lines, err = s.turnLines(ctx, missing); err != nil {
		return plan, nil, 0, err
	}
	vectors := make([][][]float32, len(missing))
	next := make(chan int)
	var workers sync.WaitGroup
	for range backfillWorkers {
		workers.Go(func() {
			for i := range next {
				windows, err := s.encoder.Passage(ctx, lines[missing[i].Number])
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
		plan.Write(PutVectors{Number: missing[i].Number, Identity: s.lines(), Windows: windows, Next: s.next})
	}
	return plan, lines, refused, ctx.Err()
}

// turnLines gives the lines of memories by number.
func (s *Service) turnLines(ctx context.Context, memories []Memory) (map[int64]string, error) {
	lines := make(map[int64]string, len(memories))
	err := s.store.View(ctx, func(r Reader) (err error) {
		for _, m := range memories {
			if lines[m.Number], err = turnLine(ctx, r, m); err != nil {
				return err
			}
		}
		return nil
	})
	return lines, err
}

// commitVectors stores vectors of memories that are still there; one erased
// meanwhile gets none, nor one whose line is not the one they were made of. Vectors
// that are not made of lines come without.
func (s *Service) commitVectors(ctx context.Context, plan Plan, lines map[int64]string) error {
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
			if lines != nil {
				now, err := turnLine(ctx, tx, m)
				if err != nil {
					return err
				}
				known[m.Number] = now == lines[m.Number]
			}
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
