package store

import (
	"os"
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// slow says whether the long forms of the tests are asked for (make slow).
func slow() bool { return os.Getenv("COMBRAY_SLOW") == "1" }

func TestSuiteHoldsForAFile(t *testing.T) {
	memtest.Suite(t, func(t *testing.T) memory.Store { return openStore(t, Options{Path: newPath(t)}) })
}

func TestSuiteHoldsInMemory(t *testing.T) { memtest.Suite(t, openInMemory) }

func openInMemory(t *testing.T) memory.Store { return openStore(t, Options{Path: inMemory}) }

// TestOperationsHold compares with the model after random plans. A file is
// opened again in between; it is left to make slow, because every plan waits for
// the disk.
func TestOperationsHold(t *testing.T) {
	if !slow() {
		memtest.Operations(t, openInMemory, nil)
		return
	}
	paths := map[memory.Store]string{}
	open := func(t *testing.T, path string) memory.Store {
		s := openStore(t, Options{Path: path})
		paths[s] = path
		return s
	}
	memtest.Operations(t,
		func(t *testing.T) memory.Store { return open(t, newPath(t)) },
		func(t *testing.T, s memory.Store) memory.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, paths[s])
		})
}
