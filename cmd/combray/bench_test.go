package main

import (
	"os"
	"slices"
	"testing"
	"time"

	"combray/encoder/bundled"
	"combray/encoder/encodertest"
	"combray/internal/local"
	"combray/internal/memory"
	"combray/internal/models"
)

// BenchmarkRecall asks a store that combray bench --store FOLDER made inside this
// process: encoder, index and rows, without a client. It is told the store by
// COMBRAY_BENCH_DB.
func BenchmarkRecall(b *testing.B) {
	path := os.Getenv("COMBRAY_BENCH_DB")
	if path == "" {
		b.Skip("COMBRAY_BENCH_DB names no store")
	}
	l, err := local.Open(b.Context(), local.Config{Path: path, Bundled: bundled.Files(), Models: models.Store{Library: encodertest.Library(b)}})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	questions := []string{"why was the photograph cancelled by Giulia because of the traffic?", "who repaired the boiler in the kitchen?", "what did Anna say about the key near Oslo?"}
	ask := func(i int) time.Duration {
		start := time.Now()
		if _, err := l.Recall(b.Context(), memory.RecallInput{Query: &questions[i%len(questions)], Limit: 10, Mode: memory.ModeHybrid}); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	for i := range 30 {
		ask(i)
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		took = append(took, ask(i))
	}
	slices.Sort(took)
	for name, share := range map[string]float64{"p50-ms": .50, "p99-ms": .99} {
		b.ReportMetric(took[int(share*float64(len(took)-1))].Seconds()*1e3, name)
	}
}
