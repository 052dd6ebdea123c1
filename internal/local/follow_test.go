package local

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"combray/internal/memory"
)

// TestAProcessFollowsWhenOthersPause holds that a process takes in what another wrote
// before anybody asks, and not while it writes.
func TestAProcessFollowsWhenOthersPause(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "combray.db")
	writer := open(t, path)
	remember(t, writer, memory.RememberInput{Content: "one"})
	other := open(t, path)
	var p pause
	rows := func() int {
		t.Helper()
		if err := other.followOnce(ctx, &p); err != nil {
			t.Fatal(err)
		}
		s, err := other.Index.Stats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return s.Rows
	}
	if got := rows(); got != 1 {
		t.Errorf("at the start: %d rows", got)
	}
	for i := range 3 {
		remember(t, writer, memory.RememberInput{Content: []string{"two", "three", "four"}[i]})
		if got := rows(); got != 1 {
			t.Errorf("while the other writes: %d rows", got)
		}
	}
	if got := rows(); got != 4 {
		t.Errorf("after it paused: %d rows", got)
	}
}

// TestAQuietStoreIsSettled holds that rows that came in one by one go into the files when
// nobody writes any more.
func TestAQuietStoreIsSettled(t *testing.T) {
	ctx := context.Background()
	l := open(t, filepath.Join(t.TempDir(), "combray.db"))
	var many []memory.RememberInput
	for i := range 1100 {
		many = append(many, memory.RememberInput{Content: "note " + strconv.Itoa(i)})
	}
	for part := range slices.Chunk(many, 100) {
		if _, err := l.RememberMany(ctx, part); err != nil {
			t.Fatal(err)
		}
	}
	var p pause
	for range settleAfter {
		if err := l.followOnce(ctx, &p); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := l.Index.Stats(ctx); err != nil || s.FileRows != 1100 || s.DeltaRows != 0 {
		t.Errorf("%+v (%v)", s, err)
	}
}
