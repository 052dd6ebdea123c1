package predecessor

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"combray/internal/memory"
)

// File is a file of memory-as-history.
type File struct {
	Path string
	// BusyTimeout is how long to wait for a program that writes to the file;
	// 0 means 30 s, the patience of memory-as-history itself.
	BusyTimeout time.Duration
	// Progress, if given, is told now and then how many rows have been read.
	Progress func(read, rows int)
}

const defaultBusyTimeout = 30 * time.Second // contract/history.md 5

// Read reads the file. Errors: invalid for a file of another program, corrupt for
// a damaged one, unavailable for a locked or newer one, denied without the right
// to read it. The file is not changed.
func (f File) Read(ctx context.Context) (memory.Inheritance, error) {
	if f.BusyTimeout <= 0 {
		f.BusyTimeout = defaultBusyTimeout
	}
	how, err := f.look()
	if err != nil {
		return memory.Inheritance{}, f.explained(err)
	}
	if how == logged {
		return f.readCopy(ctx, "-wal")
	}
	before := f.state("-wal")
	in, err := f.readAt(ctx, f.Path, how)
	switch {
	case errors.Is(err, errUnfinished):
		return f.readCopy(ctx, "-journal")
	case how == still && f.state("-wal") != before:
		return memory.Inheritance{}, f.busy(err)
	}
	return in, err
}

// errUnfinished says that a crash has left a journal that must be worked off
// before the file can be read, which a reader may not.
var errUnfinished = errors.New("a transaction was not finished")

// SQLite's header: its first bytes, and where it says how the file is written
// (https://www.sqlite.org/fileformat2.html, 1.3).
const (
	magic        = "SQLite format 3\x00"
	headerBytes  = 100
	writeVersion = 18
	byLog        = 2
)

// look sees whether the file can be what it should be, and how it may be opened.
func (f File) look() (opening, error) {
	info, err := os.Stat(f.Path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", f.refused("it is not a file")
	}
	header, err := f.header()
	switch {
	case err != nil:
		return "", err
	case len(header) == 0:
		return "", f.refused("it is empty")
	case len(header) < headerBytes || string(header[:len(magic)]) != magic:
		return "", f.refused("it is not a SQLite database")
	case header[writeVersion] != byLog:
		return locked, nil
	}
	if log, err := os.Stat(f.Path + "-wal"); err == nil && log.Size() > 0 {
		return logged, nil
	}
	return still, nil
}

// header gives the first bytes of the file, fewer when it has no more.
func (f File) header() ([]byte, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	header := make([]byte, headerBytes)
	n, err := io.ReadFull(file, header)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return header[:n], err
}

// readCopy reads a private copy of the file and of what stands beside it, in
// which SQLite finishes what was left unfinished.
func (f File) readCopy(ctx context.Context, suffix string) (in memory.Inheritance, err error) {
	dir, err := os.MkdirTemp("", "combray-")
	if err != nil {
		return in, f.explained(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "memory.db")
	before := f.state(suffix)
	if err := errors.Join(copyFile(f.Path, path), copyFile(f.Path+suffix, path+suffix)); err != nil {
		return in, f.explained(err)
	}
	if f.state(suffix) != before {
		return in, f.busy(nil)
	}
	return f.readAt(ctx, path, finishing)
}

// pairState is what a file and its companion look like from outside.
type pairState struct {
	size, besideSize int64
	at, besideAt     time.Time
}

func (f File) state(suffix string) (s pairState) {
	if info, err := os.Stat(f.Path); err == nil {
		s.size, s.at = info.Size(), info.ModTime()
	}
	if info, err := os.Stat(f.Path + suffix); err == nil {
		s.besideSize, s.besideAt = info.Size(), info.ModTime()
	}
	return s
}

const privateMode fs.FileMode = 0o600 // the owner alone reads memories

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, privateMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
