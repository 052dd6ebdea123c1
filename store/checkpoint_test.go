package store

import (
	"context"
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
