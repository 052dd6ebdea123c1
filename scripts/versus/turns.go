package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// contestant answers questions by their numbers. take leaves what it found with
// the contestant.
type contestant struct {
	name string
	take func(ctx context.Context, question int) error
}

// times are what one contestant took.
type times struct {
	least []time.Duration // of each question, over all rounds
	all   []time.Duration
	cpu   time.Duration // of the process in the cheapest round, a question
}

// match lets contestants answer the same questions in rounds: in a round each
// answers all of them, one contestant after the other. A round is short against
// what neighbours on the machine do, so they slow all contestants alike, and
// each has its own data in the processor's cache.
type match struct {
	contestants       []contestant
	questions, rounds int
	repeats           int // of each question at once, each timed; 0 means 1
}

func (m match) run(ctx context.Context) ([]times, error) {
	took := make([]times, len(m.contestants))
	for round := range m.rounds {
		for i, c := range m.contestants {
			if err := m.round(ctx, round, &took[i], c); err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return took, nil
}

func (m match) round(ctx context.Context, round int, t *times, c contestant) error {
	runtime.GC() // of what others left
	repeats, before := max(m.repeats, 1), processorTime()
	for question := range m.questions {
		if err := ctx.Err(); err != nil {
			return err
		}
		for range repeats {
			start := time.Now()
			if err := c.take(ctx, question); err != nil {
				return err
			}
			t.note(question, time.Since(start))
		}
	}
	t.spent(round, (processorTime()-before)/time.Duration(m.questions*repeats))
	return nil
}

// note takes in what a question took. New questions come in order.
func (t *times) note(question int, took time.Duration) {
	t.all = append(t.all, took)
	if question == len(t.least) {
		t.least = append(t.least, took)
		return
	}
	t.least[question] = min(t.least[question], took)
}

// spent takes in the processor time of a round, a question.
func (t *times) spent(round int, cpu time.Duration) {
	if round == 0 || cpu < t.cpu {
		t.cpu = cpu
	}
}

// processorTime is what this process has used, in user and kernel.
func processorTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// share returns the value below which a share of the durations lies.
func share(took []time.Duration, part float64) time.Duration {
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

// machine tells what the figures were taken on.
func machine() string {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		load = []byte("unknown")
	}
	return fmt.Sprintf("%d processors, %s, %s/%s, load %s", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		strings.Join(strings.Fields(string(load))[:1], ""))
}
