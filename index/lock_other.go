//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package index

import "os"

// tryLock never gets a lock here, so that no index files are written.
func tryLock(*os.File) error { return errBusy }

func syncDir(string) error { return nil }
