package benchmark

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// cools says whether this system can take a file out of the page cache.
const cools = true

// cool takes a file that nobody has open out of the page cache. What is not on the
// disk yet is written first, because the system keeps it otherwise.
func cool(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = unix.Fdatasync(int(f.Fd()))
	if err == nil {
		err = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
	}
	return errors.Join(err, f.Close())
}
