package index

import (
	"runtime"
	"testing"
)

// TestDeltaTakesLittleMemory holds what config.go says of a row that waits in memory,
// one with 28 terms, of which six stand in no other.
func TestDeltaTakesLittleMemory(t *testing.T) {
	const rows = 8192
	l := newLibrary(rows)
	heap := func() uint64 {
		runtime.GC()
		runtime.GC() // what the first one found dead is free after the second
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	ix := openCaughtUp(t, libraryConfig(""), l)
	row := (heap() - before) / rows
	if row > 1600 {
		t.Errorf("a row takes %d bytes", row)
	}
	t.Logf("%d bytes a row", row)
	runtime.KeepAlive(ix)
}
