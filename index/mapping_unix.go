//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package index

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file and keeps it open. Some file systems cannot be mapped:
// there it is read into memory.
func mapFile(file *os.File, info os.FileInfo) (*mapping, error) {
	data, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return readAll(file, info)
	}
	return &mapping{data: data, file: file, info: info, handle: file.Fd()}, nil
}

// whole reports whether the file still has all its bytes. Reading mapped bytes
// beyond the end of a file that someone cut short would end the process.
func (m *mapping) whole() bool {
	if m.file == nil {
		return true
	}
	var stat unix.Stat_t
	err := unix.Fstat(int(m.handle), &stat)
	return err == nil && stat.Size >= m.info.Size()
}

func (m *mapping) close() {
	if m.file != nil {
		unix.Munmap(m.data) // fails only for memory that was not mapped
		m.file.Close()
	}
	m.data = nil
}
