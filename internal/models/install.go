package models

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// install puts a finished file in its place: contents to the disk, rename, then
// the folder to the disk, so that after a crash the name holds the whole file or
// the old one.
func install(f *os.File, path string) error {
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write %s to the disk: %w", f.Name(), err)
	}
	// Windows refuses to rename an open file.
	if err := f.Close(); err != nil {
		return fmt.Errorf("close %s: %w", f.Name(), err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("put %s in its place: %w", path, err)
	}
	return syncFolder(filepath.Dir(path))
}

// makeFolder creates the folder of path, private to the user.
func makeFolder(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create the folder for %s: %w; name a folder that can be written in COMBRAY_MODELS_DIR", path, err)
	}
	return nil
}

// errBusy is returned when another process holds the lock of a file.
var errBusy = errors.New("another process is fetching this file; wait for it, then run the command again")

// openPart opens the file at path for adding to it and locks it against other
// processes until it is closed.
func openPart(path string) (*os.File, error) {
	if err := makeFolder(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	// Between opening and locking another process may have renamed the file away.
	mine, errMine := f.Stat()
	named, errNamed := os.Stat(path)
	if errMine != nil || errNamed != nil || !os.SameFile(mine, named) {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, errBusy)
	}
	return f, nil
}
