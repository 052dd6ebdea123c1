package models

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes an exclusive lock that ends when f is closed. It does not wait.
func lockFile(f *os.File) error {
	// One byte far behind the end: Windows locks are mandatory, and the content must stay readable.
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errBusy
	}
	return err
}

// syncFolder does nothing: Windows writes names with the file.
func syncFolder(string) error { return nil }
