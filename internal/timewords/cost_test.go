package timewords

import (
	"runtime"
	"testing"
)

// Questions of a hundred characters.
const (
	plainQuestion = "Which of the two recipes for bread did my sister like more, the one with seeds or the one with milk?"
	timedQuestion = "Which of the two recipes did my sister like more when she came on 8 May 2023, seeds or the other one?"
)

func BenchmarkPlain(b *testing.B) { benchmark(b, plainQuestion, false) }
func BenchmarkTimed(b *testing.B) { benchmark(b, timedQuestion, true) }

func benchmark(b *testing.B, question string, want bool) {
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := (Reader{}).Understand(question, asked); ok != want {
			b.Fatal(ok)
		}
	}
}

// TestTableIsSmall holds the budget of 300 KB for the tables.
func TestTableIsSmall(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	table := newTable(languages)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if size := int64(after.HeapAlloc) - int64(before.HeapAlloc); size > 300_000 {
		t.Errorf("the table holds %d bytes", size)
	} else {
		t.Logf("%d words, %d bytes", len(table.words), size)
	}
	runtime.KeepAlive(table)
}
