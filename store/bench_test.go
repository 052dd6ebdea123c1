package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

const benchIdentity = "bench/384"

// benchMemory is a memory of some 150 characters with a session and a place in
// it, as a conversation leaves them.
func benchMemory(i int) memory.Memory {
	session, source := fmt.Sprintf("session-%d", i/20), "Ada"
	position := int64(i % 20)
	return memory.Memory{
		ID:      memory.ID(fmt.Sprintf("%012x", i)),
		Content: memory.Text(fmt.Sprintf("%d: the madeleine dipped in lime-blossom tea brought back the house in Combray, the garden and the bells of Saint-Hilaire %d", i, i)),
		Source:  &source, SessionID: &session, SessionPosition: &position,
		Status: memory.Working, Tier: memory.Archive, MaterialType: "utterance", Salience: 0.5,
		CreatedAt:  time.Date(2024, 5, 8, 12, 0, 0, i*1000, time.UTC),
		RecordedBy: memory.Actor{Client: "bench", Version: "1", Door: memory.DoorImport},
	}
}

// capture is what a remember writes: row, audit row, vector.
func capture(ctx context.Context, tx memory.Tx, vector []float32, memories ...memory.Memory) error {
	var rows, vectors memory.Plan
	ids := make([]memory.ID, len(memories))
	for i, m := range memories {
		rows.Write(memory.PutMemory{Memory: m})
		rows.Record(m.ID, memory.ActRemember, "", m.CreatedAt)
		ids[i] = m.ID
	}
	if err := tx.Apply(ctx, rows); err != nil || vector == nil {
		return err
	}
	stored, err := tx.Memories(ctx, ids)
	if err != nil {
		return err
	}
	for _, m := range stored {
		vectors.Write(memory.PutVectors{Number: m.Number, Identity: benchIdentity, Windows: [][]float32{vector}})
	}
	return tx.Apply(ctx, vectors)
}

func fill(b testing.TB, s *Store, from, n int, vector []float32) {
	ctx := context.Background()
	for i := from; i < from+n; i += 200 {
		batch := make([]memory.Memory, min(200, from+n-i))
		for j := range batch {
			batch[j] = benchMemory(i + j)
		}
		if err := s.Update(ctx, func(tx memory.Tx) error { return capture(ctx, tx, vector, batch...) }); err != nil {
			b.Fatal(err)
		}
	}
}

func openBench(b *testing.B, n int) *Store {
	b.Helper()
	s := openStore(b, Options{Path: filepath.Join(b.TempDir(), "memory.db")})
	fill(b, s, 0, n, memtest.Vector(1, 384))
	return s
}

// BenchmarkWrite is one durable capture: row, vector, audit row, one fsync. What
// the durability costs shows beside NORMAL, which may lose the last writes when
// the power fails.
func BenchmarkWrite(b *testing.B) {
	for _, synchronous := range []string{"full", "normal"} {
		b.Run(synchronous, func(b *testing.B) {
			s := openBench(b, 10_000)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if err := s.lend(ctx, s.writer, func(c *conn) error { return c.script(ctx, "PRAGMA synchronous = "+synchronous) }); err != nil {
				b.Fatal(err)
			}
			vector := memtest.Vector(2, 384)
			i := 1_000_000
			for b.Loop() {
				i++
				if err := s.Update(ctx, func(tx memory.Tx) error { return capture(ctx, tx, vector, benchMemory(i)) }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBatch is 100 captures in one transaction, with and without vectors.
func BenchmarkBatch(b *testing.B) {
	for name, vector := range map[string][]float32{"rows": nil, "rows and vectors": memtest.Vector(2, 384)} {
		b.Run(name, func(b *testing.B) {
			s := openBench(b, 10_000)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			i := 1_000_000
			for b.Loop() {
				batch := make([]memory.Memory, 100)
				for j := range batch {
					i++
					batch[j] = benchMemory(i)
				}
				if err := s.Update(ctx, func(tx memory.Tx) error { return capture(ctx, tx, vector, batch...) }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(100/(b.Elapsed().Seconds()/float64(b.N)), "rows/s")
		})
	}
}

// BenchmarkRead is what a recall loads: 20 rows by number, in one snapshot.
func BenchmarkRead(b *testing.B) {
	s := openBench(b, 20_000)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := make([]int64, 20)
	for b.Loop() {
		for i := range numbers {
			numbers[i] = 1 + rng.Int64N(20_000)
		}
		if err := s.View(ctx, func(r memory.Reader) error {
			_, err := r.Numbered(ctx, numbers)
			return err
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSequence is the look before every search.
func BenchmarkSequence(b *testing.B) {
	s := openBench(b, 1000)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for b.Loop() {
		if _, err := s.Sequence(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkChanges is what an index reads of the whole store when it is built.
func BenchmarkChanges(b *testing.B) {
	s := openBench(b, 20_000)
	ctx := context.Background()
	rows := 0
	for b.Loop() {
		for after := int64(0); ; {
			changes, err := s.Changes(ctx, after, 1000, benchIdentity)
			if err != nil {
				b.Fatal(err)
			}
			if len(changes) == 0 {
				break
			}
			rows += len(changes)
			after = changes[len(changes)-1].Memory.Seq
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkOpen is a cold start on a store of 20,000 memories.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "memory.db")
	s := openStore(b, Options{Path: path})
	fill(b, s, 0, 20_000, memtest.Vector(1, 384))
	for b.Loop() {
		again, err := Open(b.Context(), Options{Path: path})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := again.Sequence(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := again.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
