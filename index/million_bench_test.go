package index

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"time"
)

// This file measures what a large index costs a process, on a file that is kept
// between runs:
//
//	go test ./index -run xxx -bench Million -rows 1000000 -kept FOLDER -benchtime 500x

var keptFolder = flag.String("kept", "", "folder in which BenchmarkMillion keeps its index; empty: one of its own for each run")

// keptLibrary opens the index of a library of the largest size, which is made if it is
// not there.
func keptLibrary(b *testing.B) (*Index, *library) {
	l := newLibrary(*largestLibrary)
	dir := b.TempDir()
	if *keptFolder != "" {
		dir = filepath.Join(*keptFolder, strconv.Itoa(l.size))
	}
	ix := openCaughtUp(b, libraryConfig(dir), l)
	ix.background.Wait()
	if stats(b, ix).DeltaRows > 0 {
		rewrite(b, ix)
	}
	return ix, l
}

// quantiles reports the least, the median and the 99th percentile of times.
func quantiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took[0].Microseconds()), "least-µs")
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkMillion measures each thing that a recall asks of the index.
func BenchmarkMillion(b *testing.B) {
	ix, l := keptLibrary(b)
	questions := l.questions(300)
	ctx := context.Background()
	tag, halfway := []string{"tag=7"}, int64(l.size/2)*1e6
	search := func(change func(*Query)) func(Query) {
		return func(q Query) { change(&q); ask(b, ix, q) }
	}
	check := func(_ any, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	for _, part := range []struct {
		name string
		run  func(Query)
	}{
		{"both", search(func(*Query) {})},
		{"words", search(func(q *Query) { q.Vector = nil })},
		{"words-common", search(func(q *Query) {
			// Three terms that stand in one line of five to twelve, and the seven most frequent words.
			q.Vector, q.Terms = nil, []string{"year2", "month3", "speaker1", "word0", "word1", "word2", "word3", "word4", "word5", "word6"}
		})},
		{"vectors", search(func(q *Query) { q.Terms = nil })},
		{"narrow", search(func(q *Query) { q.Filter.All = tag })},
		{"half", search(func(q *Query) { q.Filter.CapturedSince = &halfway })},
		{"dates", search(func(q *Query) { q.Filter.EventSince, q.Filter.EventUntil = &halfway, &halfway })},
		{"count", func(Query) { check(ix.Count(ctx, Filter{})) }},
		{"count-narrow", func(Query) { check(ix.Count(ctx, Filter{All: tag})) }},
		{"recent", func(Query) { check(ix.Recent(ctx, Filter{}, 18)) }},
		{"recent-narrow", func(Query) { check(ix.Recent(ctx, Filter{All: tag}, 18)) }},
		{"stats", func(Query) { check(ix.Stats(ctx)) }},
		{"catch-up", func(Query) { catchUp(b, ix) }},
		{"audit", func(q Query) { check(ix.Audit(ctx, q.Vector, 10)) }},
	} {
		b.Run(part.name, func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				q := questions[i%len(questions)]
				start := time.Now()
				part.run(q)
				took = append(took, time.Since(start))
			}
			quantiles(b, took)
		})
	}
	runtime.GC()
	debug.FreeOSMemory()
	fmt.Printf("# %+v\n# own memory %d MiB\n", stats(b, ix), own(b)>>20)
}

// BenchmarkMillionRewrite measures what writing the file anew costs the process that
// does it, with the heap of a server, and how long the searches beside it take.
func BenchmarkMillionRewrite(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // heapGrowth of cmd/combray
	ix, l := keptLibrary(b)
	questions := l.questions(300)
	for _, q := range questions[:20] {
		ask(b, ix, q)
	}
	runtime.GC()
	debug.FreeOSMemory()
	before := own(b)
	most := before
	var took []time.Duration
	for b.Loop() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			rewrite(b, ix)
		}()
		for i := 0; ; i++ {
			select {
			case <-done:
			case <-time.After(20 * time.Millisecond):
				most = max(most, own(b))
				start := time.Now()
				ask(b, ix, questions[i%len(questions)])
				took = append(took, time.Since(start))
				continue
			}
			break
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(before>>20), "own-MiB-before")
	b.ReportMetric(float64(most>>20), "own-MiB-most")
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// halved is a library of which every second row was erased, and to which a tenth was added.
type halved struct{ *library }

func (h halved) Sequence(context.Context) (int64, error) {
	n := int64(h.size)
	return n + n/2 + n/10, nil
}

func (h halved) Rows(_ context.Context, after int64, limit int) ([]Row, error) {
	n := int64(h.size)
	var rows []Row
	for seq, last := after+1, n+n/2+n/10; seq <= last && len(rows) < limit; seq++ {
		switch {
		case seq > n+n/2:
			row := h.row(seq - n/2)
			row.Seq = seq
			rows = append(rows, row)
		case seq > n:
			rows = append(rows, Row{Doc: 2 * (seq - n), Seq: seq, Gone: true})
		case seq%2 == 1:
			rows = append(rows, h.row(seq))
		}
	}
	return rows, nil
}

// BenchmarkMillionHalved erases half of the rows and adds a tenth, and reports the share
// of the ten nearest by all codes that searches find, before and after the file is
// written anew. An erased row in an answer ends it.
func BenchmarkMillionHalved(b *testing.B) {
	whole, l := keptLibrary(b)
	file := filePath(&whole.config)
	whole.Close()
	config := libraryConfig(b.TempDir())
	content, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filePath(&config), content, 0o600)
	}
	if err != nil {
		b.Fatal(err)
	}
	content = nil
	start := time.Now()
	ix := openCaughtUp(b, config, halved{l})
	fmt.Printf("# caught up in %.1f s\n", time.Since(start).Seconds())
	questions := l.questions(200)
	share := func() float64 {
		due, found := 0, 0
		for _, q := range questions {
			audit, err := ix.Audit(context.Background(), q.Vector, 10)
			if err != nil {
				b.Fatal(err)
			}
			due, found = due+len(audit.Docs), found+audit.Found
			for _, c := range ask(b, ix, q).Candidates {
				if c.Doc <= int64(l.size) && c.Doc%2 == 0 {
					b.Fatalf("row %d is found and was erased", c.Doc)
				}
			}
		}
		return float64(found) / float64(due)
	}
	before := share()
	ix.background.Wait()
	rewrite(b, ix)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		ask(b, ix, questions[i%len(questions)])
		took = append(took, time.Since(start))
	}
	quantiles(b, took)
	b.ReportMetric(before, "recall@10-before")
	b.ReportMetric(share(), "recall@10-after")
	fmt.Printf("# %+v\n", stats(b, ix))
}

// own returns how many bytes of memory the process shares with no file, 0 where the
// system does not tell.
func own(b *testing.B) int {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range bytes.Lines(status) {
		if f := bytes.Fields(line); len(f) == 3 && string(f[0]) == "RssAnon:" {
			kb, err := strconv.Atoi(string(f[1]))
			if err != nil {
				b.Fatal(err)
			}
			return kb << 10
		}
	}
	return 0
}
