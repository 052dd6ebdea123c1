package verbtest

import (
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// TestAgainstTheModelItself shows that calls and comparison are deterministic, and
// on fakes alone they are quick.
func TestAgainstTheModelItself(t *testing.T) {
	Against(t, func(_ *testing.T, c memory.Config) Side {
		c.Store = memtest.NewStore(memtest.StoreOptions{})
		c.Index = memtest.NewIndex(c.Store, "")
		return Side{memory.New(c), c.Store}
	}, func(_ *testing.T, c memory.Config, s Side) Side {
		c.Store, c.Index = s.Store, memtest.NewIndex(s.Store, "")
		return Side{memory.New(c), s.Store}
	})
}
