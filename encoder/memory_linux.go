package encoder

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// giveBack lets the pages of a file-backed view go; they are read again from the
// file when they are used. Only whole pages inside b are touched.
func giveBack(b []byte) {
	page := uintptr(os.Getpagesize())
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	skip := (page - start%page) % page
	if uintptr(len(b)) < skip+page {
		return
	}
	whole := (uintptr(len(b)) - skip) / page * page
	// Failing costs memory, nothing else.
	_ = unix.Madvise(b[skip:skip+whole], unix.MADV_DONTNEED)
}
