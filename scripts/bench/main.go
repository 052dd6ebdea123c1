// Command bench measures the real program over pipes: import, cold start,
// remember, recall, and resident memory, on a store of made text. It prints one
// table for docs/BENCHMARKS.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

func main() {
	binary := flag.String("combray", "build/combray", "the program to measure")
	size := flag.Int("n", 10_000, "memories in the store")
	asks := flag.Int("questions", 300, "questions and captures measured")
	keep := flag.String("store", "", "store to use and keep; empty: a new one, removed at the end")
	flag.Parse()
	if err := run(*binary, *keep, *size, *asks); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(binary, keep string, size, asks int) error {
	dir := keep
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "combray-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	b := &bench{binary: binary, db: filepath.Join(dir, "bench.db"), text: newMaker(1)}
	if _, err := os.Stat(b.db); err != nil {
		if err := b.fill(dir, size); err != nil {
			return err
		}
	}
	for _, step := range []func(int) error{b.coldStart, b.remember, b.recall, b.memory} {
		if err := step(asks); err != nil {
			return err
		}
	}
	return nil
}

// bench is a program and a store.
type bench struct {
	binary, db string
	text       *maker
}

// fill imports made lines, words first and vectors behind, each timed.
func (b *bench) fill(dir string, size int) error {
	path := filepath.Join(dir, "made.jsonl")
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	for range size {
		fmt.Fprintln(f, b.text.line())
	}
	if err := f.Close(); err != nil {
		return err
	}
	start := time.Now()
	if out, err := exec.Command(b.binary, "--db", b.db, "import", "--words-only", path).CombinedOutput(); err != nil {
		return fmt.Errorf("import: %w: %s", err, out)
	}
	words := time.Since(start)
	fmt.Printf("import, findable by words      %8.0f memories/s\n", float64(size)/words.Seconds())
	start = time.Now()
	embed := exec.Command(b.binary, "--db", b.db, "import", path)
	if out, err := embed.CombinedOutput(); err != nil {
		return fmt.Errorf("import: %w: %s", err, out)
	}
	fmt.Printf("vectors behind                 %8.0f memories/s\n", float64(size)/time.Since(start).Seconds())
	return nil
}

// coldStart times a new process to its answer to initialize, and to a first
// recall; the smallest of ten.
func (b *bench) coldStart(int) error {
	var inits, firsts []time.Duration
	for range 10 {
		start := time.Now()
		c, err := dial(b.binary, b.db)
		if err != nil {
			return err
		}
		inits = append(inits, time.Since(start))
		if _, err := c.call("recall", map[string]any{"query": b.text.question()}); err != nil {
			return err
		}
		firsts = append(firsts, time.Since(start))
		if err := c.close(); err != nil {
			return err
		}
	}
	fmt.Printf("initialize, cold process       min %s  median %s\n", slices.Min(inits), middle(inits, .5))
	fmt.Printf("first recall, cold process     min %s  median %s\n", slices.Min(firsts), middle(firsts, .5))
	return nil
}

func (b *bench) remember(n int) error {
	return b.timed("remember", n, func() map[string]any { return map[string]any{"content": b.text.note()} })
}

func (b *bench) recall(n int) error {
	return b.timed("recall", n, func() map[string]any { return map[string]any{"query": b.text.question()} })
}

// timed calls a tool n times on a warm server and prints the percentiles.
func (b *bench) timed(tool string, n int, arguments func() map[string]any) error {
	c, err := dial(b.binary, b.db)
	if err != nil {
		return err
	}
	defer c.close()
	for range 20 {
		if _, err := c.call(tool, arguments()); err != nil {
			return err
		}
	}
	took := make([]time.Duration, n)
	for i := range took {
		start := time.Now()
		if _, err := c.call(tool, arguments()); err != nil {
			return err
		}
		took[i] = time.Since(start)
	}
	fmt.Printf("%-30s p50 %s  p95 %s  p99 %s  min %s\n", tool+", warm", middle(took, .5), middle(took, .95), middle(took, .99), slices.Min(took))
	return nil
}

var mapped = regexp.MustCompile(`(?m)^(Anonymous|Rss):\s+(\d+) kB`)

// memory prints resident memory, and what of it is the process's own and not a
// file's (program, model, library, index), before the model is needed and after
// it was used.
func (b *bench) memory(int) error {
	c, err := dial(b.binary, b.db)
	if err != nil {
		return err
	}
	defer c.close()
	if _, err := c.call("recall", map[string]any{"query": "key", "mode": "lexical"}); err != nil {
		return err
	}
	if err := c.printMemory("memory before the model"); err != nil {
		return err
	}
	for range 50 {
		if _, err := c.call("recall", map[string]any{"query": b.text.question()}); err != nil {
			return err
		}
	}
	return c.printMemory("memory after use")
}

func (c *client) printMemory(what string) error {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", c.command.Process.Pid))
	if err != nil {
		return err
	}
	kib := map[string]int{}
	for _, m := range mapped.FindAllStringSubmatch(string(data), -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return err
		}
		kib[m[1]] += n
	}
	fmt.Printf("%-30s resident %d MiB, private %d MiB\n", what, kib["Rss"]>>10, kib["Anonymous"]>>10)
	return nil
}

func middle(took []time.Duration, share float64) time.Duration {
	sorted := slices.Clone(took)
	slices.Sort(sorted)
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)].Round(10 * time.Microsecond)
}
