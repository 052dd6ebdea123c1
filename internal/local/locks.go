package local

import (
	"fmt"
	"os"
	"path/filepath"
)

// Files in the folder of the index that processes of one store lock. A lock goes
// with its process, however that ends.
const (
	fillLock    = "fill.lock"    // makes missing vectors of the encoder that answers
	changeLock  = "change.lock"  // makes those of the one that is to answer
	servingLock = "serving.lock" // shared by those that serve, and make those vectors when they are told to
)

// takeLock takes a lock that one process at a time has. Without a folder there is
// no other process.
func takeLock(folder, name string) (release func(), held bool) {
	f, held, err := openLock(folder, name, lock)
	if err != nil || !held {
		return nil, false
	}
	return f.release, true
}

// shareLock takes a lock that several processes may have at once.
func shareLock(folder, name string) (release func(), err error) {
	f, held, err := openLock(folder, name, lockShared)
	if err != nil {
		return nil, err
	}
	if !held {
		return func() {}, nil
	}
	return f.release, nil
}

// lockedElsewhere says whether another process, or another Local, has a lock.
func (l *Local) lockedElsewhere(name string) bool { return lockedElsewhere(l.folder, name) }

func lockedElsewhere(folder, name string) bool {
	f, held, err := openLock(folder, name, lock)
	if err != nil {
		return false
	}
	if held {
		f.release()
	}
	return !held
}

// locked is an open lock file; nil where there is no folder.
type locked struct{ file *os.File }

func (l *locked) release() {
	if l != nil {
		l.file.Close()
	}
}

func openLock(folder, name string, take func(*os.File) bool) (l *locked, held bool, err error) {
	if folder == "" {
		return nil, true, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, false, fmt.Errorf("the folder of the index cannot be made: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(folder, name), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, fmt.Errorf("the lock of the index folder cannot be opened: %w", err)
	}
	if !take(f) {
		f.Close()
		return nil, false, nil
	}
	return &locked{f}, true, nil
}
