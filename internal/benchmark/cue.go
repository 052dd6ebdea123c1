package benchmark

import (
	"context"
	"time"

	"combray/internal/local"
	"combray/internal/memory"
)

// sense lets a phone go through town, in a copy of the store that has vectors for
// cues; each cue brings what was said, too, or place and hour alone.
func (r *running) sense(ctx context.Context) error {
	db, err := r.writable(ctx)
	if err != nil {
		return err
	}
	if err := r.addCues(ctx, db); err != nil {
		return err
	}
	return r.served(ctx, db, func(s *server) error {
		if err := r.repeat(func() (time.Duration, error) { return r.cue(s, false) }, "sense_place", "sense, a place and an hour"); err != nil {
			return err
		}
		return r.repeat(func() (time.Duration, error) { return r.cue(s, true) }, "sense_words", "sense, words too")
	})
}

// cueMinutes is how long at most a phone stays silent, and cueHomely how many cues
// come from anywhere for each from home.
const (
	cueMinutes = 35
	cueHomely  = 2
)

// firstCue is after everything that the store remembers.
var firstCue = firstDay.AddDate(0, 0, days+1)

// cue senses where the phone is now.
func (r *running) cue(s *server, words bool) (time.Duration, error) {
	r.asked++
	at := r.Text.random(kindCue, r.asked)
	lat, lon := somewhere(at, cueHomely+1)
	arguments := map[string]any{"lat": lat, "lon": lon, "source": "phone",
		"at": firstCue.Add(time.Duration(r.asked) * cueMinutes * time.Minute).Format(time.RFC3339)}
	if words {
		arguments["text"] = r.Text.note(novel + r.asked)
	}
	_, took, err := s.call("sense", arguments)
	return took, err
}

// addCues gives every memory its vector for cues, which is the one it has for
// questions: how long a cue takes does not hang on which vector it is.
func (r *running) addCues(ctx context.Context, db string) error {
	if r.cued || r.Encoder == nil {
		return nil
	}
	r.cued = true
	r.note("Cues are compared with the vectors that memories have for questions.")
	began := time.Now()
	err := r.opened(ctx, db, func(l *local.Local) error {
		stats, err := l.Store.Stats(ctx, l.VectorIdentity())
		last := int64(stats.Memories) // none was erased, so this is the number of the last one
		for first := int64(1); first <= last && err == nil; first += batch {
			err = r.cuesOf(ctx, l, first, min(first+batch-1, last))
		}
		return err
	})
	if err != nil {
		return err
	}
	r.value("sense_vectors", "vectors for cues written", PerSecond, float64(r.Memories)/time.Since(began).Seconds())
	return r.served(ctx, db, func(s *server) error {
		took, err := r.cue(s, false)
		r.value("sense_first", "the first cue of a store, which makes the index of cues", Seconds, took.Seconds())
		return err
	})
}

// cuesOf writes the vectors for cues of the memories from one number to another.
func (r *running) cuesOf(ctx context.Context, l *local.Local, first, last int64) error {
	var numbers []int64
	for n := first; n <= last; n++ {
		numbers = append(numbers, n)
	}
	windows, err := l.Store.Vectors(ctx, numbers, l.VectorIdentity())
	if err != nil {
		return err
	}
	var plan memory.Plan
	for i, w := range windows {
		if w != nil {
			plan.Write(memory.PutVectors{Number: numbers[i], Identity: memory.CueIdentity(r.Encoder.Identity()), Windows: w[:1], Cue: true})
		}
	}
	return l.Store.Update(ctx, func(tx memory.Tx) error { return tx.Apply(ctx, plan) })
}
