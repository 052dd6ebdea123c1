package memory

import (
	"slices"
	"testing"
)

// TestOthersLeavesOutTheMemoryItself holds it when the index heard of the memory
// before its neighbours were looked up.
func TestOthersLeavesOutTheMemoryItself(t *testing.T) {
	for _, c := range []struct{ near, want []ID }{
		{nil, nil},
		{[]ID{"own"}, []ID{}},
		{[]ID{"own", "a", "b", "c"}, []ID{"a", "b", "c"}},
		{[]ID{"a", "b", "c", "own"}, []ID{"a", "b", "c"}},
		{[]ID{"a", "b", "c", "d"}, []ID{"a", "b", "c"}},
	} {
		if got := others(slices.Clone(c.near), "own"); !slices.Equal(got, c.want) {
			t.Errorf("%v without its own: %v, want %v", c.near, got, c.want)
		}
	}
}
