package local

import (
	"path/filepath"
	"testing"

	"combray/internal/memory"
	"combray/internal/verbtest"
)

// TestEveryVerbAgainstTheModel makes random calls of every verb to a store file
// with its index and to the plain model, opening the file again now and then.
func TestEveryVerbAgainstTheModel(t *testing.T) {
	paths := map[memory.Store]string{}
	open := func(t *testing.T, path string, c memory.Config) verbtest.Side {
		s := openSide(t, path, c)
		paths[s.Store] = path
		return s
	}
	verbtest.Against(t,
		func(t *testing.T, c memory.Config) verbtest.Side {
			return open(t, filepath.Join(t.TempDir(), "memory.db"), c)
		},
		func(t *testing.T, c memory.Config, s verbtest.Side) verbtest.Side {
			path := paths[s.Store]
			delete(paths, s.Store)
			if err := s.Store.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, path, c)
		})
}
