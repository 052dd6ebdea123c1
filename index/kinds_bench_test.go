package index

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"
)

// This file stands the graph beside the scan, on the same file. Decision 0011
// rests on its figures:
//
//	go test ./index -run xxx -bench Kinds -benchtime 400x -rows 1000000

var vectorsFile = flag.String("vectors", "", "file of float32 vectors of 384 numbers to compare kinds with, besides made ones; the last 200 are questions")

// stock is a Source of vectors and the questions about it.
type stock struct {
	*library
	name      string
	questions [][]float32
}

// kindStocks returns what kinds are compared on: libraries of 10,000 rows on, and
// the vectors of a file if one is given.
func kindStocks(b *testing.B) []stock {
	var stocks []stock
	for _, size := range librarySizes() {
		if size < 10_000 {
			continue
		}
		s := stock{library: newLibrary(size), name: strconv.Itoa(size)}
		for i := range 200 {
			question := s.vector(int64(size + 1 + i))
			if i%2 == 0 {
				question = s.base.near(s.vector(int64(i*37%size+1)), 0.2)
			}
			s.questions = append(s.questions, question)
		}
		stocks = append(stocks, s)
	}
	if *vectorsFile == "" {
		return stocks
	}
	bytes, err := os.ReadFile(*vectorsFile)
	if err != nil {
		b.Fatal(err)
	}
	var vectors [][]float32
	for part := range slices.Chunk(bytes, libraryDims*4) {
		v := make([]float32, libraryDims)
		if _, err := binary.Decode(part, binary.LittleEndian, v); err != nil {
			b.Fatal(err)
		}
		vectors = append(vectors, v)
	}
	rows := len(vectors) - 200
	return append(stocks, stock{library: &library{size: rows, given: vectors[:rows]}, name: "file", questions: vectors[rows:]})
}

// kindConfig is that of an index that is compared; every walk that can be is made.
func kindConfig(dir string, ef int) Config {
	config := libraryConfig(dir)
	if ef > 0 {
		config = graphConfig(config)
		config.Ef = ef
	}
	return config
}

// measureKind asks an index the questions of a stock and reports times and the share
// of the exact ten best that it finds.
func measureKind(b *testing.B, ix *Index, s *stock, filter Filter) {
	var took []time.Duration
	found, due := 0, 0
	for i := 0; b.Loop(); i++ {
		q := Query{Vector: s.questions[i%len(s.questions)], Filter: filter}
		start := time.Now()
		result := ask(b, ix, q)
		took = append(took, time.Since(start))
		if i >= len(s.questions) {
			continue
		}
		b.StopTimer()
		best := byC(result)
		exact := &search{query: &Query{Vector: q.Vector, Filter: filter, PerLane: rescored}, exhaustive: true}
		if err := exact.answer(context.Background(), ix); err != nil {
			b.Fatal(err)
		}
		for _, doc := range byC(exact.result)[:10] {
			due++
			found += count(slices.Contains(best[:min(10, len(best))], doc))
		}
		b.StartTimer()
	}
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(found)/float64(due), "recall@10")
	b.ReportMetric(float64(took[0].Microseconds()), "least-µs")
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// buildKinds writes the file of a stock and its graph, and reports what the graph
// cost: processor time is elapsed time where nothing else runs.
func buildKinds(b *testing.B, s *stock) (dir string) {
	dir = b.TempDir()
	ix := openCaughtUp(b, libraryConfig(dir), s)
	ix.background.Wait()
	start := time.Now()
	rewrite(b, ix)
	file := time.Since(start)
	ix.Close()
	ix = open(b, kindConfig(dir, 1), s)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start = time.Now()
	graphed(b, ix)
	runtime.ReadMemStats(&after)
	rows := float64(s.size)
	fmt.Printf("# %s: file %.1f s and %.0f bytes a row; graph %.1f s and %.0f bytes a row, %.0f allocated a row to build it\n", s.name,
		file.Seconds(), float64(stats(b, ix).FileBytes)/rows, time.Since(start).Seconds(), float64(stats(b, ix).GraphBytes)/rows,
		float64(after.TotalAlloc-before.TotalAlloc)/rows)
	ix.Close()
	return dir
}

func BenchmarkKinds(b *testing.B) {
	for _, s := range kindStocks(b) {
		dir := buildKinds(b, &s)
		for _, ef := range []int{0, 200, 400, 800, 1600, 3200} {
			name := "scan"
			if ef > 0 {
				name = fmt.Sprintf("graph-ef%d", ef)
			}
			b.Run(name+"/"+s.name, func(b *testing.B) {
				ix := open(b, kindConfig(dir, ef), s)
				if ef > 0 {
					graphed(b, ix)
				}
				measureKind(b, ix, &s, Filter{})
			})
		}
	}
}

// BenchmarkKindsUnderFilters shows from which share of the rows on a walk pays.
func BenchmarkKindsUnderFilters(b *testing.B) {
	for _, s := range kindStocks(b) {
		if s.given != nil {
			continue
		}
		dir := buildKinds(b, &s)
		for _, ef := range []int{0, defaultEf} {
			ix := open(b, kindConfig(dir, ef), s)
			if ef > 0 {
				graphed(b, ix)
			}
			for _, part := range []float64{1, 2, 4, 8, 16} {
				b.Run(fmt.Sprintf("%s/ef%d/1-in-%g", s.name, ef, part), func(b *testing.B) {
					since := int64(math.Round(float64(s.size)*(1-1/part))) * 1e6
					measureKind(b, ix, &s, Filter{CapturedSince: &since})
				})
			}
		}
	}
}
