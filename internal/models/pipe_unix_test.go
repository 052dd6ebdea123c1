//go:build unix

package models

import "golang.org/x/sys/unix"

// makePipe creates a named pipe.
func makePipe(path string) error { return unix.Mkfifo(path, 0o600) }
