//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package index

import "os"

// mapFile reads a file into memory.
func mapFile(file *os.File, info os.FileInfo) (*mapping, error) {
	return readAll(file, info)
}

// whole reports whether the file still has all its bytes: a copy always has.
func (m *mapping) whole() bool { return true }

func (m *mapping) close() { m.data = nil }
