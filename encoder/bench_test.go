package encoder_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/encoder/encodertest"
)

// The figures of docs/BENCHMARKS.md for the encoder:
//
//	go test ./encoder -run '^$' -bench . -cpu 2

// words returns a text that takes about n tokens, different for every k.
func words(n, k int) string {
	list := []string{"the", "garden", "was", "quiet", "in", "May", "and", "we", "had", "tea", "by", "the", "river", "until", "late", "evening"}
	var b strings.Builder
	for i := range n - 4 { // special tokens and prefix
		b.WriteString(list[(i*7+k)%len(list)] + " ")
	}
	return b.String()
}

func BenchmarkQuestion(b *testing.B) {
	e := openBundled(b)
	for _, tokens := range []int{12, 40, 128, 480} {
		b.Run(fmt.Sprintf("tokens=%d", tokens), func(b *testing.B) {
			text := words(tokens, 0)
			least := time.Hour
			b.ReportAllocs()
			for b.Loop() {
				began := time.Now()
				if _, err := e.Question(b.Context(), text); err != nil {
					b.Fatal(err)
				}
				least = min(least, time.Since(began))
			}
			b.ReportMetric(float64(least.Microseconds())/1000, "min-ms")
		})
	}
}

// BenchmarkPassages is the speed of an import: several goroutines, one text each.
func BenchmarkPassages(b *testing.B) {
	for _, tokens := range []int{40, 64} {
		for _, goroutines := range []int{1, 2} {
			b.Run(fmt.Sprintf("tokens=%d/goroutines=%d", tokens, goroutines), func(b *testing.B) {
				e := openBundled(b)
				began := time.Now()
				var group sync.WaitGroup
				for g := range goroutines {
					group.Go(func() {
						for i := g; i < b.N; i += goroutines {
							if _, err := e.Passage(b.Context(), words(tokens, i)); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				group.Wait()
				b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "texts/s")
			})
		}
	}
}

// BenchmarkQuestionDuringImport is the time of a question of 12 tokens while two
// goroutines encode passages.
func BenchmarkQuestionDuringImport(b *testing.B) {
	for _, tokens := range []int{40, 180} {
		b.Run(fmt.Sprintf("passages=%d", tokens), func(b *testing.B) {
			e := openBundled(b)
			done := make(chan struct{})
			var group sync.WaitGroup
			for g := range 2 {
				group.Go(func() {
					for i := 0; ; i++ {
						select {
						case <-done:
							return
						default:
						}
						if _, err := e.Passage(b.Context(), words(tokens, g+i)); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			longest := time.Duration(0)
			for b.Loop() {
				began := time.Now()
				if _, err := e.Question(b.Context(), words(12, 0)); err != nil {
					b.Fatal(err)
				}
				longest = max(longest, time.Since(began))
			}
			close(done)
			group.Wait()
			b.ReportMetric(float64(longest.Microseconds())/1000, "max-ms")
		})
	}
}

// BenchmarkOpen is the time to load the model again in a process that already
// runs the library; BenchmarkProcess has the first load.
func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		e, err := encoder.Open(b.Context(), encoder.Config{Library: encodertest.Library(b), Model: bundled.Files()})
		if err != nil {
			b.Fatal(err)
		}
		e.Close()
	}
}

// BenchmarkProcess starts a fresh process, opens the encoder, and encodes 100
// texts of 40 tokens: load time, resident and private memory.
func BenchmarkProcess(b *testing.B) {
	library := encodertest.Library(b)
	var load, rss, private float64
	for b.Loop() {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFreshProcess$")
		cmd.Env = append(os.Environ(), "COMBRAY_ORT_LIB="+library, "COMBRAY_TEST_FRESH=1")
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		if _, err := fmt.Sscanf(string(out), "%g %g %g", &load, &rss, &private); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	b.ReportMetric(load, "load-ms")
	b.ReportMetric(rss, "rss-MiB")
	b.ReportMetric(private, "private-MiB")
}

// TestFreshProcess is the process of BenchmarkProcess.
func TestFreshProcess(t *testing.T) {
	if os.Getenv("COMBRAY_TEST_FRESH") == "" {
		return
	}
	began := time.Now()
	e := openBundled(t)
	load := time.Since(began)
	for i := range 100 {
		if _, err := e.Passage(t.Context(), words(40, i)); err != nil {
			t.Fatal(err)
		}
	}
	rss, private := memory(t)
	fmt.Printf("%g %g %g\n", float64(load.Microseconds())/1000, rss, private)
}

// memory returns resident and private memory of this process in MiB; zeros where
// the system does not tell.
func memory(tb testing.TB) (rss, private float64) {
	if runtime.GOOS != "linux" {
		return 0, 0
	}
	text, err := os.ReadFile(filepath.FromSlash("/proc/self/smaps_rollup"))
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var kB float64
		var name string
		if n, _ := fmt.Sscanf(line, "%s %g", &name, &kB); n != 2 {
			continue
		}
		switch name {
		case "Rss:":
			rss = kB / 1024
		case "Anonymous:": // Private_Dirty also counts file pages of a program just written
			private = kB / 1024
		}
	}
	return rss, private
}
