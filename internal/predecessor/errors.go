package predecessor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"combray/internal/memory"
)

const (
	hintPath    = "Name the database of memory-as-history: its variable MEMORY_AS_HISTORY_DB, or ~/.memory-as-history/memory.db."
	hintNewer   = "Install a newer Combray, then import again. The file was not changed and nothing was imported."
	hintDamaged = "Restore a backup of the file, or save what can be read with sqlite3 FILE .recover, then import again. Nothing was imported."
	hintBusy    = "End the programs that use it, memory-as-history above all, then import again."
)

// refused reports a file that is none of memory-as-history.
func (f File) refused(format string, args ...any) error {
	return memory.Invalid("file", hintPath, "%s is no file of memory-as-history: %s", f.Path, fmt.Sprintf(format, args...))
}

// newer reports a file that a later version has written.
func (f File) newer(format string, args ...any) error {
	return memory.Unavailable(hintNewer, nil, "%s was written by a version of memory-as-history after 1.3.1: %s", f.Path, fmt.Sprintf(format, args...))
}

// damaged reports a file that holds what memory-as-history never writes.
func (f File) damaged(cause error, format string, args ...any) error {
	return &memory.Error{Code: memory.CodeCorrupt, Field: "file", Hint: hintDamaged, Err: cause,
		Message: fmt.Sprintf("%s is damaged: %s", f.Path, fmt.Sprintf(format, args...))}
}

func (f File) busy(cause error) error {
	return memory.Unavailable(hintBusy, cause, "%s is being written by another program", f.Path)
}

// explained turns a failure of SQLite or of the file system into a sentence.
// Errors of a context and memory errors pass through.
func (f File) explained(err error) error {
	var known *memory.Error
	var raw *sqlite.Error
	switch {
	case err == nil, errors.Is(err, errUnfinished), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded), errors.As(err, &known):
		return err
	case errors.As(err, &raw):
		return f.explainedCode(raw)
	case errors.Is(err, fs.ErrNotExist):
		return memory.Invalid("file", hintPath, "there is no file %s", f.Path)
	case errors.Is(err, fs.ErrPermission):
		return &memory.Error{Code: memory.CodeDenied, Field: "file", Err: err,
			Message: fmt.Sprintf("%s may not be read by this user", f.Path), Hint: "Give yourself the right to read it, or copy it to a place of your own."}
	}
	return memory.Unavailable("See that the disk works and has room, then import again.", err, "%s cannot be read", f.Path)
}

// explainedCode reads SQLite's result code; its low byte is the kind of failure.
func (f File) explainedCode(err *sqlite.Error) error {
	switch err.Code() {
	case sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY:
		return errUnfinished
	case sqlite3.SQLITE_IOERR_SHORT_READ:
		return f.damaged(err, "it ends too early")
	}
	switch err.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return f.busy(err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return f.damaged(err, "SQLite cannot read it to its end")
	case sqlite3.SQLITE_ERROR:
		return f.damaged(err, "its tables are not what memory-as-history makes")
	}
	return memory.Unavailable("See that the disk works and has room, then import again.", err, "%s cannot be read", f.Path)
}
