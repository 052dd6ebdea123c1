//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"combray/internal/memory"
)

func init() { children["fill disk"] = childFillDisk }

// childFillDisk writes until the system refuses to let files grow, and looks
// what is left then. A limit on file size fails as a full disk does, in the
// middle of a transaction.
func childFillDisk(path string, _ int) error {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := Open(context.Background(), Options{Path: path})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := limitFileSize(1 << 20); err != nil {
		return err
	}
	stored := 0
	for ; stored < 1000; stored++ {
		if err = try(s, capturePlan(note(stored, strings.Repeat("tea ", 10_000)), note(10_000+stored, "small"))); err != nil {
			break
		}
	}
	if memory.CodeOf(err) != memory.CodeUnavailable {
		return fmt.Errorf("a full disk gives %v (%v)", err, errors.Unwrap(err))
	}
	if err := holdsExactly(s, stored); err != nil {
		return err
	}
	if err := limitFileSize(1 << 30); err != nil {
		return err
	}
	if err := try(s, capturePlan(note(stored, "tea"), note(10_000+stored, "small"))); err != nil {
		return fmt.Errorf("with room again: %w (%v)", err, errors.Unwrap(err))
	}
	return holdsExactly(s, stored+1)
}

// holdsExactly wants so many pairs of memories with their audit rows, and no part
// of another.
func holdsExactly(s *Store, pairs int) error {
	ctx := context.Background()
	stats, err := s.Stats(ctx, "")
	if err != nil {
		return err
	}
	faults, err := s.Check(ctx)
	if err != nil || len(faults) > 0 || stats.Memories != 2*pairs || stats.Audit != 2*pairs {
		return fmt.Errorf("%d pairs were acknowledged; %d memories, %d audit rows, faults %v, %v", pairs, stats.Memories, stats.Audit, faults, err)
	}
	return nil
}

func limitFileSize(n uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	limit.Cur = n
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
}

// TestFullDiskLeavesNothing tries both ways to run out: the system refuses, and
// SQLite does.
func TestFullDiskLeavesNothing(t *testing.T) {
	if err := child(t, "fill disk", newPath(t), 0).Run(); err != nil {
		t.Error(err)
	}
	s := openStore(t, Options{Path: newPath(t)})
	setMaxPages := func(pages string) {
		if err := s.lend(context.Background(), s.writer, func(c *conn) error {
			return c.script(context.Background(), "PRAGMA max_page_count = "+pages)
		}); err != nil {
			t.Fatal(err)
		}
	}
	setMaxPages("120")
	stored := 0
	var err error
	for ; err == nil && stored < 1000; stored++ {
		err = try(s, capturePlan(note(stored, strings.Repeat("tea ", 2000)), note(10_000+stored, "small")))
	}
	mustRefuse(t, err, memory.CodeUnavailable)
	var told *memory.Error
	if !errors.As(err, &told) || told.Message != "the disk is full" || !strings.Contains(told.Hint, "--read-only") {
		t.Errorf("told %+v", told) // what a longer work kept before is its caller's to tell
	}
	if err := holdsExactly(s, stored-1); err != nil {
		t.Error(err)
	}
	setMaxPages("100000")
	apply(t, s, capturePlan(note(stored-1, "tea"), note(10_000+stored-1, "small")))
	if err := holdsExactly(s, stored); err != nil {
		t.Error(err)
	}
}

// TestNewFilesArePrivate opens a store in new folders under umasks that would
// give too much and too little.
func TestNewFilesArePrivate(t *testing.T) {
	for _, umask := range []int{0, 0o277} {
		root := t.TempDir()
		path := filepath.Join(root, "a", "b", "memory.db")
		before := syscall.Umask(umask)
		s, err := Open(context.Background(), Options{Path: path})
		if err == nil {
			err = try(s, capturePlan(note(1, "tea")))
		}
		syscall.Umask(before)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]fs.FileMode{"a": 0o700, "a/b": 0o700, "a/b/memory.db": 0o600, "a/b/memory.db-wal": 0o600, "a/b/memory.db-shm": 0o600} {
			info, err := os.Stat(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("umask %o: %s has mode %o, want %o", umask, name, got, want)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnExistingStoreKeepsItsMode holds that who opened it to others has it so.
func TestAnExistingStoreKeepsItsMode(t *testing.T) {
	path := newPath(t)
	if err := openStore(t, Options{Path: path}).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	openStore(t, Options{Path: path})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestAStoreBegunInAnEmptyFileIsPrivate begins one where anybody could read.
func TestAStoreBegunInAnEmptyFileIsPrivate(t *testing.T) {
	path := newPath(t)
	if err := errors.Join(os.WriteFile(path, nil, 0o644), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	openStore(t, Options{Path: path})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
