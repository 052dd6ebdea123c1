package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"combray/encoder/bundled"
	"combray/encoder/encodertest"
	"combray/internal/lives"
	"combray/internal/local"
	"combray/internal/memory"
	"combray/internal/models"
)

// BenchmarkSense senses in stores of made memories: cues with a place and an hour,
// and cues that bring words too, each other words, encoder included. One in twenty
// memories is of home, the rest of places all over town. The store is made anew,
// with made vectors: what is compared is as much as with real ones.
func BenchmarkSense(b *testing.B) {
	for _, size := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("memories=%d", size), func(b *testing.B) {
			l, err := local.Open(b.Context(), local.Config{Path: filepath.Join(b.TempDir(), "memory.db"), Bundled: bundled.Files(),
				Models: models.Store{Library: encodertest.Library(b)}})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			fillForCues(b, l, size)
			walk := &walker{r: rand.New(rand.NewPCG(1, 1)), at: time.Date(2023, 3, 1, 8, 0, 0, 0, time.UTC)}
			for range 300 {
				walk.sense(b, l, walk.words())
			}
			b.Run("place and hour", func(b *testing.B) { timed(b, func() { walk.sense(b, l, nil) }) })
			b.Run("words too", func(b *testing.B) {
				var texts []*string
				for range 64 {
					texts = append(texts, walk.words())
				}
				timed(b, func() { walk.sense(b, l, texts[walk.cues%len(texts)]) })
			})
		})
	}
}

// timed reports what one call costs: the middle, the 95th percentile, the least,
// and how many follow each other in a second.
func timed(b *testing.B, do func()) {
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		do()
		took = append(took, time.Since(start))
	}
	sum := time.Duration(0)
	for _, t := range took {
		sum += t
	}
	slices.Sort(took)
	for name, t := range map[string]time.Duration{"p50-ms": took[len(took)/2], "p95-ms": took[len(took)*95/100], "least-ms": took[0]} {
		b.ReportMetric(t.Seconds()*1e3, name)
	}
	b.ReportMetric(float64(len(took))/sum.Seconds(), "cues/s")
}

// town is where the memories of the benchmark were made.
var town = struct{ lat, lon, degrees float64 }{48.2, 16.37, 0.1}

// walker goes through town with a phone, from place to place.
type walker struct {
	r    *rand.Rand
	at   time.Time
	cues int
}

// words are a sentence that was not heard before.
func (w *walker) words() *string {
	return &lives.Others(1, w.r.Uint64(), w.at)[0].Text
}

func (w *walker) sense(b *testing.B, l *local.Local, text *string) {
	w.at = w.at.Add(time.Duration(5+w.r.IntN(30)) * time.Minute)
	w.cues++
	at, lat, lon := w.at.Format(time.RFC3339), town.lat, town.lon
	if w.cues%3 > 0 {
		lat, lon = lat+w.r.Float64()*town.degrees, lon+w.r.Float64()*town.degrees
	}
	if _, err := l.Sense(b.Context(), memory.SenseInput{Text: text, Lat: &lat, Lon: &lon, At: &at, Source: "phone"}); err != nil {
		b.Fatal(err)
	}
}

// fillForCues stores memories with places, hours and made vectors.
func fillForCues(b *testing.B, l *local.Local, n int) {
	b.Helper()
	r := rand.New(rand.NewPCG(2, 2))
	others := lives.Others(n, 1, time.Date(2023, 2, 1, 0, 0, 0, 0, time.UTC))
	identity := memory.CueIdentity(bundled.Files().Identity())
	for batch := range slices.Chunk(others, memory.MaxBatch) {
		var items []memory.RememberInput
		for _, e := range batch {
			lat, lon := town.lat, town.lon
			if r.IntN(20) > 0 {
				lat, lon = lat+r.Float64()*town.degrees, lon+r.Float64()*town.degrees
			}
			items = append(items, memory.RememberInput{Content: e.Text, EventAt: &e.At, Lat: &lat, Lon: &lon, Salience: e.Salience})
		}
		stored, refused, err := l.Import(b.Context(), items)
		if err != nil || len(refused) > 0 {
			b.Fatal(err, refused)
		}
		var plan memory.Plan
		for _, s := range stored {
			plan.Write(memory.PutVectors{Number: s.Memory.Number, Identity: identity, Windows: [][]float32{direction(r, bundled.Files().Dims)}, Cue: true})
		}
		if err := l.Store.Update(b.Context(), func(tx memory.Tx) error { return tx.Apply(b.Context(), plan) }); err != nil {
			b.Fatal(err)
		}
	}
	if err := l.Settle(context.WithoutCancel(b.Context())); err != nil {
		b.Fatal(err)
	}
}

// direction is a random unit vector.
func direction(r *rand.Rand, dims int) []float32 {
	v, sum := make([]float32, dims), 0.0
	for i := range v {
		x := r.NormFloat64()
		v[i], sum = float32(x), sum+x*x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
