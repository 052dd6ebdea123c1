//go:build unix

package local

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// seesLocks says whether one process can see what another has locked.
const seesLocks = true

// lock takes an exclusive lock on f without waiting. Closing f gives it back.
func lock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}

// lockShared takes a lock on f that several may have. It waits for who only looks
// whether somebody has it.
func lockShared(f *os.File) bool {
	for {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_SH); !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}
