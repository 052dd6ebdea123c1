package store

import (
	"context"
	"os"
	"sync"
	"testing"
)

// TestCheckpointsWaitForEachOther empties the log from several stores on one file
// at once, while another writes: SQLite refuses a checkpoint beside another at
// once, and no caller may hear of it.
func TestCheckpointsWaitForEachOther(t *testing.T) {
	const stores, each = 4, 60
	path := newPath(t)
	var work sync.WaitGroup
	writer := openStore(t, Options{Path: path})
	for range stores {
		s := openStore(t, Options{Path: path})
		work.Go(func() {
			for range each {
				if err := s.Checkpoint(context.Background()); err != nil {
					t.Errorf("checkpoint: %v", err)
					return
				}
			}
		})
	}
	work.Go(func() {
		for n := range each {
			if err := try(writer, capturePlan(note(n, "tea"))); err != nil {
				t.Errorf("write: %v", err)
			}
		}
	})
	work.Wait()
}

// TestTheLogIsMergedBehindTheWriters writes less than makes a commit merge: what is
// in the file then, the merger put there.
func TestTheLogIsMergedBehindTheWriters(t *testing.T) {
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	before := sizeOf(t, path)
	for n := range 2 * changesToMerge {
		apply(t, s, capturePlan(note(n, "tea")))
	}
	if log := sizeOf(t, path+"-wal"); log >= fallbackPages*4096 {
		t.Fatalf("the log has %d bytes: a commit merged it", log)
	}
	if err := s.merger.stop(); err != nil {
		t.Fatal(err)
	}
	s.merger = nil
	if after := sizeOf(t, path); after <= before {
		t.Errorf("the file had %d bytes, and has %d", before, after)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
