package memory

import (
	"context"
	"slices"
)

// fillCues makes at most so many of the vectors that CueIndex lacks, newest memory
// first, and brings it up to date with them. left is how many memories it knows to
// be still without; when there are, those behind are told. Without an encoder that
// is ready it makes none, and none of a text longer than EmbedAtOnceBytes, for which
// no cue waits.
func (s *Service) fillCues(ctx context.Context, most int) (left int, err error) {
	missing, err := s.cuesMissing(ctx, most+1)
	if err != nil || len(missing) == 0 {
		return 0, err
	}
	now, cancel := context.WithCancel(ctx)
	cancel() // asks without waiting
	made := 0
	short := slices.DeleteFunc(slices.Clone(missing), func(m Memory) bool { return len(m.Content) > EmbedAtOnceBytes })
	if len(short) > 0 && s.encoder.Wait(now).Ready {
		if made, err = s.makeCues(ctx, short[:min(most, len(short))]); err != nil {
			return len(missing) - made, err
		}
	}
	if made > 0 {
		err = s.cues.CatchUp(ctx)
	}
	if left = len(missing) - made; left > 0 {
		s.behind()
	}
	return left, err
}

// BackfillCues makes the vectors that CueIndex lacks, newest memory first, and
// returns for how many memories it made them when none is left or ctx ends. Like
// Backfill it resumes where a killed process stopped, and skips texts that the
// encoder refuses until the next call.
func (s *Service) BackfillCues(ctx context.Context, progress func(made int)) (int, error) {
	made, skipped := 0, 0
	for ctx.Err() == nil {
		missing, err := s.cuesMissing(ctx, backfillBatch+skipped)
		if err != nil || len(missing) <= skipped {
			return made, err
		}
		if state := s.encoder.Wait(ctx); !state.Ready {
			return made, Unavailable("Run combray models verify to see what the encoder needs.", nil, "vectors cannot be made: %s", state.Reason)
		}
		n, err := s.makeCues(ctx, missing[skipped:])
		if err != nil {
			return made, err
		}
		skipped, made = len(missing)-n, made+n
		if err := s.cues.Follow(ctx); err != nil {
			s.log.Warn("cue index not caught up; the next cue does it", "err", err)
		}
		if progress != nil {
			progress(made)
		}
	}
	return made, ctx.Err()
}

// cuesMissing gives memories without cue vectors; none where nothing is compared
// by vectors.
func (s *Service) cuesMissing(ctx context.Context, limit int) ([]Memory, error) {
	if s.cues == nil || s.cues.Identity() == "" {
		return nil, nil
	}
	return s.store.Unembedded(ctx, s.cues.Identity(), limit)
}

// makeCues makes and stores the cue vectors of memories, and counts those of
// which the encoder refused no text.
func (s *Service) makeCues(ctx context.Context, missing []Memory) (made int, err error) {
	ids := make([]ID, len(missing))
	for i, m := range missing {
		ids[i] = m.ID
	}
	var perceived map[ID][]Fingerprint
	err = s.store.View(ctx, func(r Reader) error {
		perceived, err = r.Fingerprints(ctx, ids)
		return err
	})
	if err != nil {
		return 0, err
	}
	var plan Plan
	for _, m := range missing {
		windows, err := s.encodeCues(ctx, cueTexts(m, perceived[m.ID]))
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if err != nil {
			s.log.Warn("a memory could not be encoded for cues", "id", m.ID, "err", err)
			continue
		}
		if s.perceiver != nil {
			windows = append(windows, s.perceiver.InSpace(perceived[m.ID])...)
		}
		plan.Write(PutVectors{Number: m.Number, Identity: s.cues.Identity(), Windows: windows, Cue: true})
	}
	return len(plan.Changes), s.commitVectors(ctx, plan, nil)
}

// encodeCues encodes texts one after the other: Symmetric goes before the stored
// texts, and a question must not wait for many of them.
func (s *Service) encodeCues(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		v, err := s.encoder.Symmetric(ctx, text)
		if err != nil {
			return nil, err
		}
		vectors[i] = v
	}
	return vectors, nil
}
