package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"combray/internal/memory"
)

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"with space.db", "100%.db", "%41.db", "what?.db", "a#b.db", "a&_pragma=query_only(1).db", "été 記憶.db", "quote'\".db", "+plus=.db", "file:x.db", "back\\slash.db"} {
		dir := t.TempDir()
		s := openStore(t, Options{Path: filepath.Join(dir, name)})
		apply(t, s, capturePlan(note(1, "tea")))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if got := namesIn(t, dir); !slices.Equal(got, []string{name}) {
			t.Errorf("%q made %q", name, got)
		}
		if m := load(t, openStore(t, Options{Path: filepath.Join(dir, name), ReadOnly: true}), noteID(1)); m == nil {
			t.Errorf("%q: the memory is not there", name)
		}
	}
}

func namesIn(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestARelativePathAndALinkNameTheSameStore(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s := openStore(t, Options{Path: "memory.db"})
	apply(t, s, capturePlan(note(1, "tea")))
	if err := os.Symlink("memory.db", "link.db"); err != nil {
		t.Fatal(err)
	}
	if load(t, openStore(t, Options{Path: filepath.Join(dir, "link.db"), ReadOnly: true}), noteID(1)) == nil {
		t.Error("a store opened through a link does not see the write-ahead log")
	}
}

func TestPathsThatCannotBeStores(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, code := range map[string]memory.Code{
		"": memory.CodeInvalid, "a\x00b": memory.CodeInvalid, filepath.Join(file, "memory.db"): memory.CodeInvalid, dir: memory.CodeUnavailable} {
		_, err := Open(context.Background(), Options{Path: path})
		mustRefuse(t, err, code)
	}
	_, err := Open(context.Background(), Options{Path: inMemory, ReadOnly: true})
	mustRefuse(t, err, memory.CodeInvalid)
}

func TestFilesThatAreNoStores(t *testing.T) {
	garbage := make([]byte, 8192)
	for i := range garbage {
		garbage[i] = byte(i * 7)
	}
	path := newPath(t)
	for name, content := range map[string][]byte{"garbage": garbage, "text": []byte("Longtemps, je me suis couché de bonne heure.")} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, readOnly := range []bool{false, true} {
			_, err := Open(context.Background(), Options{Path: path, ReadOnly: readOnly})
			mustRefuse(t, err, memory.CodeCorrupt)
		}
		if got, err := os.ReadFile(path); err != nil || !slices.Equal(got, content) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

func TestATruncatedStoreIsCorrupt(t *testing.T) {
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	for i := range 50 {
		apply(t, s, capturePlan(note(i, "tea")))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size(path)/2); err != nil {
		t.Fatal(err)
	}
	s, err := Open(context.Background(), Options{Path: path})
	if err != nil {
		mustRefuse(t, err, memory.CodeCorrupt)
		return
	}
	defer s.Close()
	if faults, err := s.Check(context.Background()); err != nil || len(faults) == 0 {
		t.Errorf("Check found %v, %v", faults, err)
	}
}

// TestOtherProgramsAndNewerVersionsAreLeftAlone also looks that the file was not
// switched to a write-ahead log before it was refused.
func TestOtherProgramsAndNewerVersionsAreLeftAlone(t *testing.T) {
	for what, text := range map[string]string{
		"another program": "CREATE TABLE cookies (name TEXT)",
		"another id":      "PRAGMA application_id = 77; PRAGMA user_version = 1",
		"a newer version": "CREATE TABLE store (x); PRAGMA application_id = 0x436f6d62; PRAGMA user_version = 99",
	} {
		path := newPath(t)
		if err := makePrivate(path); err != nil {
			t.Fatal(err)
		}
		alter(t, path, text)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code := memory.CodeInvalid
		if what == "a newer version" {
			code = memory.CodeUnavailable
		}
		for _, readOnly := range []bool{false, true} {
			_, err = Open(context.Background(), Options{Path: path, ReadOnly: readOnly})
			mustRefuse(t, err, code)
		}
		want := fmt.Sprintf("the store has schema version 99, and this Combray knows versions up to %d", schemaVersion)
		if what == "a newer version" && err.Error() != want {
			t.Errorf("message %q", err)
		}
		if after, err := os.ReadFile(path); err != nil || !slices.Equal(before, after) {
			t.Errorf("%s: the file was changed", what)
		}
	}
}

// TestANewerSchemaStopsWriting is two versions of Combray on one file: the older
// process must not write to what the newer one has migrated.
func TestANewerSchemaStopsWriting(t *testing.T) {
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea")))
	alter(t, path, fmt.Sprintf("PRAGMA user_version = %d", schemaVersion+1))
	mustRefuse(t, try(s, capturePlan(note(2, "tea"))), memory.CodeUnavailable)
	if load(t, s, noteID(1)) == nil || load(t, s, noteID(2)) != nil {
		t.Error("the refused write was kept, or reading stopped too")
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	path := newPath(t)
	s, other := openStore(t, Options{Path: path}), openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea")))
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if load(t, s, noteID(1)) == nil {
		t.Error("closing one store took the other's memory")
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, filepath.Dir(path)); !slices.Equal(got, []string{"memory.db"}) {
		t.Errorf("files %q", got)
	}
	mustRefuse(t, try(s, capturePlan(note(2, "tea"))), memory.CodeUnavailable)
	_, err := s.Sequence(context.Background())
	mustRefuse(t, err, memory.CodeUnavailable)
}

func TestCloseWaitsForRunningCalls(t *testing.T) {
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	inside, written := make(chan struct{}), make(chan error)
	go func() {
		written <- s.Update(context.Background(), func(tx memory.Tx) error {
			close(inside)
			for s.enter() == nil { // until Close has begun
				s.running.Done()
			}
			return tx.Apply(context.Background(), capturePlan(note(1, "tea")))
		})
	}()
	<-inside
	if err := errors.Join(s.Close(), <-written); err != nil {
		t.Fatal(err)
	}
	if load(t, openStore(t, Options{Path: path}), noteID(1)) == nil {
		t.Error("what a running call wrote is lost")
	}
}

func TestInMemoryLeavesNoFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := openStore(t, Options{Path: inMemory})
	apply(t, s, capturePlan(note(1, "tea")))
	if _, err := os.Stat(s.at.scratch); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder %s is there while the store is open: %v", s.at.scratch, err)
	}
	if stats, err := s.Stats(context.Background(), ""); err != nil || stats.Bytes == 0 || stats.Memories != 1 {
		t.Errorf("stats %+v, %v", stats, err)
	}
	other := openStore(t, Options{Path: inMemory})
	if load(t, other, noteID(1)) != nil {
		t.Error("two stores in memory are one")
	}
}

// TestSequenceOfAnotherStore is how an index hears of other processes.
func TestSequenceOfAnotherStore(t *testing.T) {
	path := newPath(t)
	s, other := openStore(t, Options{Path: path}), openStore(t, Options{Path: path})
	for i := range 5 {
		apply(t, s, capturePlan(note(i, "tea")))
		for _, each := range []*Store{s, other} {
			if n, err := each.Sequence(context.Background()); err != nil || n != int64(i+1) {
				t.Fatalf("sequence %d, %v, want %d", n, err, i+1)
			}
		}
	}
}

// TestEveryConnectionIsSet looks at what the promises of the package rest on.
func TestEveryConnectionIsSet(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t), BusyTimeout: 7 * time.Second})
	for name, p := range map[string]*pool{"writer": s.writer, "reader": s.readers, "watch": s.watch} {
		want := map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "secure_delete": "1",
			"temp_store": "2", "trusted_schema": "0", "busy_timeout": "7000", "query_only": "1"}
		if name == "writer" {
			want["query_only"] = "0"
		}
		err := s.lend(context.Background(), p, func(c *conn) error {
			for pragma, value := range want {
				var got string
				if _, err := c.scan(context.Background(), []any{&got}, "PRAGMA "+pragma); err != nil {
					return err
				}
				if got != value {
					t.Errorf("%s: %s is %s, want %s", name, pragma, got, value)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestOpenWaitsForWhoeverBeginsTheLog: a backup has no write-ahead log yet, and
// SQLite does not wait for another process that is about to write one.
func TestOpenWaitsForWhoeverBeginsTheLog(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	apply(t, s, capturePlan(note(1, "tea")))
	path := filepath.Join(t.TempDir(), "backup.db")
	if err := s.Backup(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	other, err := connect(context.Background(), location{path: path}.uri("mode=rw"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.close()
	if err := other.begin(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	_, err = Open(context.Background(), Options{Path: path, BusyTimeout: 30 * time.Millisecond})
	mustRefuse(t, err, memory.CodeUnavailable)
	ended := make(chan struct{})
	time.AfterFunc(30*time.Millisecond, func() {
		other.rollback()
		close(ended)
	})
	if load(t, openStore(t, Options{Path: path}), noteID(1)) == nil {
		t.Error("the memory is not there")
	}
	<-ended
}

func TestLockedForTooLong(t *testing.T) {
	path := newPath(t)
	s, impatient := openStore(t, Options{Path: path}), openStore(t, Options{Path: path, BusyTimeout: 20 * time.Millisecond})
	err := s.Update(context.Background(), func(memory.Tx) error {
		mustRefuse(t, try(impatient, capturePlan(note(1, "tea"))), memory.CodeUnavailable)
		if load(t, impatient, noteID(1)) != nil {
			t.Error("a refused write was kept")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, impatient, capturePlan(note(1, "tea")))
}
