package store

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"combray/internal/memory"
)

// stillness is what a read-only connection believes: nobody writes to the store.
// Then SQLite can read it without a write-ahead log and its index, so without
// making a file and without a lock, also from a folder that cannot be written
// (immutable=1). A writer that comes makes a log first and changes the file only
// when it merges the log, so both are looked at before and after every use.
// A nil stillness believes nothing and cannot be broken.
type stillness struct {
	at       location
	size     int64
	modified time.Time
}

// logIndexPart is the size of the parts in which a log's index grows
// (https://www.sqlite.org/walformat.html 2.2): a shorter one was begun where the
// disk was full, and nobody reads or writes with it.
const logIndexPart = 32 << 10

// observe says how a store that is only read must be opened: still, or together
// with its log. A log without its index cannot be read without making one.
func observe(at location) (*stillness, error) {
	info, err := os.Stat(at.path)
	if err != nil {
		return nil, err
	}
	log, index := size(at.walPath()), size(at.shmPath())
	switch {
	case log > 0 && index >= 0, log == 0 && index >= logIndexPart:
		return nil, nil
	case log > 0:
		return nil, memory.Unavailable("Open the store once without --read-only; that merges its log.", nil,
			"the store was not closed properly: its write-ahead log still has to be merged, which a read-only store cannot do")
	}
	return &stillness{at: at, size: info.Size(), modified: info.ModTime()}, nil
}

// size is the length of a file in bytes; -1 when there is none.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// broken says whether a writer has come since the connection was opened.
func (s *stillness) broken() bool {
	return s != nil && (s.changed() || size(s.at.walPath()) > 0)
}

// changed says whether the file itself is another, so that what was read from it
// cannot be trusted.
func (s *stillness) changed() bool {
	if s == nil {
		return false
	}
	info, err := os.Stat(s.at.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false // unlinked: what is open stays as it is
	}
	return err != nil || info.Size() != s.size || !info.ModTime().Equal(s.modified)
}

// errMoved tells a caller that the store was written while a still connection
// read it.
func errMoved() error {
	return memory.Unavailable("Call again.", nil, "another process began to write the store while it was read")
}
