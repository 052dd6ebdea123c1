package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"combray/internal/memory"
)

// closedStore makes a store with one memory and closes it.
func closedStore(t *testing.T) string {
	t.Helper()
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea")))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadOnlyRefusesWritesAndMakesNothing(t *testing.T) {
	path := closedStore(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := openStore(t, Options{Path: path, ReadOnly: true})
	if load(t, s, noteID(1)) == nil {
		t.Error("the memory is not there")
	}
	mustCheckClean(t, s)
	mustRefuse(t, try(s, capturePlan(note(2, "tea"))), memory.CodeDenied)
	mustRefuse(t, s.Checkpoint(context.Background()), memory.CodeDenied)
	mustRefuse(t, s.Scrub(context.Background()), memory.CodeDenied)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, filepath.Dir(path)); !slices.Equal(got, []string{"memory.db"}) {
		t.Errorf("files %q", got)
	}
	if after, err := os.ReadFile(path); err != nil || !slices.Equal(before, after) {
		t.Errorf("the file was changed, %v", err)
	}
}

func TestReadOnlyWithoutAStore(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(context.Background(), Options{Path: filepath.Join(dir, "a", "memory.db"), ReadOnly: true})
	mustRefuse(t, err, memory.CodeUnavailable)
	if got := namesIn(t, dir); len(got) != 0 {
		t.Errorf("files %q", got)
	}
	empty := filepath.Join(dir, "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Open(context.Background(), Options{Path: empty, ReadOnly: true})
	mustRefuse(t, err, memory.CodeUnavailable)
}

// TestReadOnlySeesAWriterComeAndGo opens a store that nobody writes to, and then
// somebody does: with its log, and again after the log was merged and removed.
func TestReadOnlySeesAWriterComeAndGo(t *testing.T) {
	path := closedStore(t)
	s := openStore(t, Options{Path: path, ReadOnly: true})
	for i := 2; i < 6; i++ {
		if load(t, s, noteID(i-1)) == nil {
			t.Fatalf("memory %d is not seen", i-1)
		}
		writer := openStore(t, Options{Path: path})
		apply(t, writer, capturePlan(note(i, "tea")))
		if i%2 == 0 && load(t, s, noteID(i)) == nil {
			t.Errorf("memory %d is not seen while its writer runs", i)
		}
		if n, err := s.Sequence(context.Background()); i%2 == 0 && (err != nil || n != int64(i)) {
			t.Errorf("sequence %d, %v, want %d", n, err, i)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadOnlyNoticesThatItReadAMovingFile merges a log into the file under a
// connection that believes it still.
func TestReadOnlyNoticesThatItReadAMovingFile(t *testing.T) {
	path := closedStore(t)
	s := openStore(t, Options{Path: path, ReadOnly: true})
	err := s.View(context.Background(), func(memory.Reader) error {
		writer := openStore(t, Options{Path: path})
		apply(t, writer, capturePlan(note(2, "tea")))
		return writer.Close()
	})
	mustRefuse(t, err, memory.CodeUnavailable)
	if load(t, s, noteID(2)) == nil {
		t.Error("the next view does not see the writer's memory")
	}
}

// TestReadOnlyReadsWhatAFullDiskLeft finds what SQLite leaves of an opening for which
// the disk had no room, and a folder in which it still has none.
func TestReadOnlyReadsWhatAFullDiskLeft(t *testing.T) {
	path := closedStore(t)
	if err := errors.Join(os.WriteFile(path+"-wal", nil, 0o600), os.WriteFile(path+"-shm", []byte{0, 0, 0}, 0o600)); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, Options{Path: path, ReadOnly: true})
	if load(t, s, noteID(1)) == nil {
		t.Error("the memory is not seen")
	}
	if n := size(path + "-shm"); n != 3 {
		t.Errorf("the index of the log grew to %d bytes", n)
	}
	writer := openStore(t, Options{Path: path})
	apply(t, writer, capturePlan(note(2, "tea")))
	if load(t, s, noteID(2)) == nil {
		t.Error("what a writer then stored is not seen")
	}
}

// TestReadOnlyNeedsAMergedLog is a store whose writer was killed, without the
// log's index.
func TestReadOnlyNeedsAMergedLog(t *testing.T) {
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea")))
	copied := filepath.Join(t.TempDir(), "memory.db")
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + suffix)
		if err == nil {
			err = os.WriteFile(copied+suffix, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := Open(context.Background(), Options{Path: copied, ReadOnly: true})
	mustRefuse(t, err, memory.CodeUnavailable)
	if err := openStore(t, Options{Path: copied}).Close(); err != nil {
		t.Fatal(err)
	}
	if load(t, openStore(t, Options{Path: copied, ReadOnly: true}), noteID(1)) == nil {
		t.Error("the memory is not there after the log was merged")
	}
}
