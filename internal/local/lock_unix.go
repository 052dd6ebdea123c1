//go:build unix

package local

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock takes an exclusive lock on f without waiting. Closing f gives it back.
func lock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}
