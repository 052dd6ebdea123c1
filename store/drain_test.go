package store

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// TestProcessesDrainAQueueOnce lets eight processes empty a queue of 1,000: each
// item is delivered by one of them (contract/sense.md 4.16).
func TestProcessesDrainAQueueOnce(t *testing.T) {
	const processes, items = 8, 1000
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	plan := capturePlan(note(1, "tea"))
	for i := range items {
		plan.Write(memory.PutRecollection{Recollection: recollection(i, 1)})
	}
	apply(t, s, plan)

	outputs := make([]bytes.Buffer, processes)
	running := make([]*exec.Cmd, processes)
	for i := range running {
		running[i] = child(t, "drain", path, 1+i%3*10) // batches of 1, 11 and 21
		running[i].Stdout = &outputs[i]
		if err := running[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	delivered := map[string]int{}
	for i, c := range running {
		if err := c.Wait(); err != nil {
			t.Errorf("process %d: %v", i, err)
		}
		for _, id := range strings.Fields(outputs[i].String()) {
			delivered[id]++
		}
	}
	for id, n := range delivered {
		if n != 1 {
			t.Errorf("%s was delivered %d times", id, n)
		}
	}
	if len(delivered) != items {
		t.Errorf("%d of %d items were delivered", len(delivered), items)
	}
	mustCheckClean(t, s)
	stats, err := s.Stats(context.Background(), "")
	if err != nil || stats.Queued != 0 || stats.Recollections != items {
		t.Errorf("stats %+v, %v", stats, err)
	}
}

// childDrain takes what waits, so many at a time, and says what it took.
func childDrain(path string, limit int) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Path: path})
	if err != nil {
		return err
	}
	for {
		taken, err := memtest.Drain(ctx, s, limit)
		if err != nil {
			return err
		}
		if len(taken) == 0 {
			return s.Close()
		}
		for _, r := range taken {
			fmt.Println(r.ID)
		}
	}
}
