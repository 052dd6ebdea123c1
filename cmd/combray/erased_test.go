package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"combray/internal/local"
	"combray/internal/memory"
)

// TestCheckFinishesAnErasure erases without rewriting the files, as a process does
// that is killed in between.
func TestCheckFinishesAnErasure(t *testing.T) {
	h := newHome(t)
	ctx := context.Background()
	if code, _, said := h.run("remember", "The key lies under the pot."); code != exitDone {
		t.Fatal(said)
	}
	l, err := local.Open(ctx, local.Config{Path: h.data("combray.db"), Model: local.ModelNone})
	if err != nil {
		t.Fatal(err)
	}
	page, err := l.ListMemories(ctx, memory.ListInput{Limit: 1})
	if err != nil || len(page.Memories) != 1 {
		t.Fatal(page, err)
	}
	err = l.Store.Update(ctx, func(tx memory.Tx) error {
		return tx.Apply(ctx, memory.Plan{Changes: []memory.Change{memory.EraseMemory{MemoryID: page.Memories[0].ID}}})
	})
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	const left = "some bytes of what was erased may still be in"
	if _, out, _ := h.run("doctor"); !strings.Contains(out, left) {
		t.Errorf("doctor says %s", out)
	}
	if code, _, said := h.run("--read-only", "check"); code != exitFailed || !strings.Contains(said, left) {
		t.Errorf("check that may not write ended with %d: %s", code, said)
	}
	if code, out, said := h.run("check"); code != exitDone || strings.Contains(said, left) {
		t.Errorf("check ended with %d: %s%s", code, out, said)
	}
	if _, out, _ := h.run("doctor"); strings.Contains(out, left) {
		t.Errorf("then doctor says %s", out)
	}
}
