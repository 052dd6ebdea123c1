package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"combray/internal/local"
	"combray/internal/memory"
)

// BenchmarkHook runs the hook as a client does: a process a prompt, with something
// to say and with nothing. COMBRAY_BENCH_BINARY names the program, COMBRAY_BENCH_DB
// a store that may be changed; the bars are 60 and 40 ms at 10,000 memories.
func BenchmarkHook(b *testing.B) {
	program, path := os.Getenv("COMBRAY_BENCH_BINARY"), os.Getenv("COMBRAY_BENCH_DB")
	if program == "" || path == "" {
		b.Skip("COMBRAY_BENCH_BINARY and COMBRAY_BENCH_DB name no program and no store")
	}
	ask := func(b *testing.B, says bool) time.Duration {
		c := exec.Command(program, "hook", "--db", path)
		c.Stdin = strings.NewReader(`{"hook_event_name":"UserPromptSubmit","prompt":"what did we plan for the weekend?"}`)
		start := time.Now()
		out, err := c.Output()
		took := time.Since(start)
		if err != nil || (len(out) > 0) != says {
			b.Fatalf("%q %v", out, err)
		}
		return took
	}
	ask(b, false)
	for name, before := range map[string]func(*testing.B, int){"nothing": func(*testing.B, int) {}, "something": func(b *testing.B, i int) { surfaceIn(b, path, i) }} {
		b.Run(name, func(b *testing.B) {
			least := time.Hour
			for i := 0; b.Loop(); i++ {
				before(b, i)
				least = min(least, ask(b, name == "something"))
			}
			b.ReportMetric(least.Seconds()*1e3, "min-ms")
		})
	}
}

// surfaceIn lets a memory of a place of its own come back.
func surfaceIn(b *testing.B, path string, i int) {
	l, err := local.Open(b.Context(), local.Config{Path: path, Model: local.ModelNone})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	lat, lon := float64(i%160-80), float64(time.Now().UnixNano()%170)
	at, later := "2019-04-14T16:05:00+02:00", time.Date(2019, 5, 5, 16, 5, 0, 0, time.UTC).AddDate(0, 0, 7*(i%300)).Format(time.RFC3339)
	if _, err := l.Remember(b.Context(), memory.RememberInput{Content: "a place of its own", Lat: &lat, Lon: &lon, At: &at}); err != nil {
		b.Fatal(err)
	}
	if _, err := l.Sense(b.Context(), memory.SenseInput{Lat: &lat, Lon: &lon, At: &later}); err != nil {
		b.Fatal(err)
	}
}
