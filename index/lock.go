package index

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// lockName is the file whose lock lets one process write index files. It holds
// the floor: no file may be written from a state older than that sequence, so
// that a process that is behind cannot bring back what was erased.
const lockName = "lock"

// errBusy says that another process, or another index, writes files just now.
var errBusy = errors.New("index: another process is writing the index files")

// Bounds of the wait between two tries to get the lock.
const (
	leastLockWait = 2 * time.Millisecond
	mostLockWait  = 100 * time.Millisecond
)

// fileLock is the lock, held.
type fileLock struct{ file *os.File }

// takeLock takes the lock of a folder. Without wait it gives up with errBusy.
func takeLock(ctx context.Context, dir string, wait bool) (*fileLock, error) {
	return lockFile(ctx, filepath.Join(dir, lockName), wait)
}

// lockFile takes the lock of a file, which is made if it is not there.
func lockFile(ctx context.Context, path string, wait bool) (*fileLock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for pause := leastLockWait; ; pause = min(2*pause, mostLockWait) {
		err = tryLock(file)
		if err == nil {
			return &fileLock{file}, nil
		}
		if !wait || !errors.Is(err, errBusy) {
			break
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
	file.Close()
	return nil, err
}

// release gives the lock back.
func (l *fileLock) release() { l.file.Close() }

// floor returns the least sequence that may be written, 0 if none was set.
func (l *fileLock) floor() int64 {
	var bytes [8]byte
	if _, err := l.file.ReadAt(bytes[:], 0); err != nil && err != io.EOF {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(bytes[:]))
}

// setFloor sets the least sequence that may be written from now on.
func (l *fileLock) setFloor(seq int64) error {
	if _, err := l.file.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(seq)), 0); err != nil {
		return err
	}
	return l.file.Sync()
}
