package store

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"combray/internal/memory"
)

// withoutRights runs f as somebody who may not pass permissions, also when the
// tests run as root. SQLite works on the goroutine that calls it, so the file
// system identity of one thread is enough.
func withoutRights(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setfsuid(0)
	}
	f()
}

// lock takes the right to write from a folder and a file.
func lock(t *testing.T, path string) {
	t.Helper()
	dir := filepath.Dir(path)
	for name, mode := range map[string]os.FileMode{filepath.Dir(dir): 0o755, path: 0o444, dir: 0o555} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
}

func TestReadOnlyFolder(t *testing.T) {
	path := closedStore(t)
	lock(t, path)
	withoutRights(t, func() {
		_, err := Open(context.Background(), Options{Path: path})
		mustRefuse(t, err, memory.CodeDenied)
		_, err = Open(context.Background(), Options{Path: filepath.Join(filepath.Dir(path), "other.db")})
		mustRefuse(t, err, memory.CodeDenied)
		s := openStore(t, Options{Path: path, ReadOnly: true})
		if load(t, s, noteID(1)) == nil {
			t.Error("the memory is not there")
		}
		mustRefuse(t, s.Backup(context.Background(), filepath.Join(filepath.Dir(path), "backup.db")), memory.CodeDenied)
		mustRefuse(t, try(s, capturePlan(note(2, "tea"))), memory.CodeDenied)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if got := namesIn(t, filepath.Dir(path)); !slices.Equal(got, []string{"memory.db"}) {
		t.Errorf("files %q", got)
	}
}

// TestReadOnlyFolderOfARunningWriter reads beside a writer with more rights: the
// log and its index are there, and cannot be written.
func TestReadOnlyFolderOfARunningWriter(t *testing.T) {
	path := newPath(t)
	writer := openStore(t, Options{Path: path})
	apply(t, writer, capturePlan(note(1, "tea")))
	lock(t, path)
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Chmod(path+suffix, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getuid() != 0 {
		t.Log("without root the writer has no more rights than the reader")
	}
	withoutRights(t, func() {
		s := openStore(t, Options{Path: path, ReadOnly: true})
		if load(t, s, noteID(1)) == nil {
			t.Error("the memory is not there")
		}
		mustRefuse(t, try(s, capturePlan(note(2, "tea"))), memory.CodeDenied)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestReadOnlyFileInAFolderThatCanBeWritten(t *testing.T) {
	path := closedStore(t)
	dir := filepath.Dir(path)
	lock(t, path)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	withoutRights(t, func() {
		s := openStore(t, Options{Path: path})
		if load(t, s, noteID(1)) == nil {
			t.Error("the memory is not there")
		}
		mustRefuse(t, try(s, capturePlan(note(2, "tea"))), memory.CodeDenied)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}
