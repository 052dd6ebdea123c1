package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
)

func TestBackupIsTheSameStore(t *testing.T) {
	s, path := fullStore(t)
	target := filepath.Join(t.TempDir(), "backup.db")
	if err := s.Backup(context.Background(), target); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(target)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if got := namesIn(t, filepath.Dir(target)); !slices.Equal(got, []string{"backup.db"}) {
		t.Errorf("files %q", got)
	}
	if a, b := dump(t, path), dump(t, target); a != b {
		t.Errorf("the backup differs:\n%s\nthe store:\n%s", b, a)
	}
	copied := openStore(t, Options{Path: target})
	mustCheckClean(t, copied)
	memtest.Compare(t, s, copied)
	apply(t, copied, capturePlan(note(9, "tea")))
}

func TestBackupOverwritesNothing(t *testing.T) {
	s, path := fullStore(t)
	for _, target := range []string{path, filepath.Join(t.TempDir(), "other")} {
		if target != path {
			if err := os.WriteFile(target, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		mustRefuse(t, s.Backup(context.Background(), target), memory.CodeConflict)
		if target != path {
			if got, err := os.ReadFile(target); err != nil || string(got) != "mine" {
				t.Errorf("the file now holds %q, %v", got, err)
			}
			if names := namesIn(t, filepath.Dir(target)); len(names) != 1 {
				t.Errorf("files %q", names)
			}
		}
	}
	mustCheckClean(t, s)
}

// TestPublishOverwritesNothing is a file that comes while a backup is made.
func TestPublishOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	made, target := filepath.Join(dir, "made"), filepath.Join(dir, "target")
	for name, content := range map[string]string{made: "backup", target: "mine"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mustRefuse(t, publish(made, target), memory.CodeConflict)
	if got, err := os.ReadFile(target); err != nil || string(got) != "mine" {
		t.Errorf("the file now holds %q, %v", got, err)
	}
}

// TestBackupOfAReadOnlyStoreAndOfOneInMemory also looks that readers cannot write
// afterwards.
func TestBackupOfAReadOnlyStoreAndOfOneInMemory(t *testing.T) {
	inMemoryStore := openStore(t, Options{Path: inMemory})
	apply(t, inMemoryStore, capturePlan(note(1, "tea")))
	for _, s := range []*Store{inMemoryStore, openStore(t, Options{Path: closedStore(t), ReadOnly: true})} {
		target := filepath.Join(t.TempDir(), "backup.db")
		if err := s.Backup(context.Background(), target); err != nil {
			t.Fatal(err)
		}
		if load(t, openStore(t, Options{Path: target}), noteID(1)) == nil {
			t.Error("the memory is not in the backup")
		}
		err := s.view(context.Background(), func(r *reader) error {
			_, err := r.c.exec(context.Background(), "DELETE FROM memories")
			return err
		})
		mustRefuse(t, err, memory.CodeDenied)
	}
}

func TestBackupWhileWriting(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	apply(t, s, capturePlan(note(0, "tea")))
	done, stop := make(chan error), make(chan struct{})
	go func() {
		for i := 1; ; i++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := try(s, capturePlan(note(i, "tea"))); err != nil {
				done <- err
				return
			}
		}
	}()
	for range 3 {
		target := filepath.Join(t.TempDir(), "backup.db")
		if err := s.Backup(context.Background(), target); err != nil {
			t.Fatal(err)
		}
		mustCheckClean(t, openStore(t, Options{Path: target}))
	}
	close(stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestABackupNeedsItsFolder(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	err := s.Backup(context.Background(), filepath.Join(t.TempDir(), "nowhere", "copy.db"))
	mustRefuse(t, err, memory.CodeInvalid)
	if !strings.Contains(err.Error(), "nowhere for the backup") {
		t.Errorf("it says %v", err)
	}
}
