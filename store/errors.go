package store

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"combray/internal/memory"
)

const hintCheck = "Run combray check to see what the store needs."

// explained turns a failure of SQLite or of the file system into a memory.Error
// whose message is our own sentence; the cause stays in Err. Errors of a context
// and memory errors pass through.
func explained(err error) error {
	var known *memory.Error
	var raw *sqlite.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &known):
		return err
	case errors.As(err, &raw):
		return explainedCode(raw)
	case errors.Is(err, errUnreadable):
		return damaged(err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fault(memory.CodeDenied, err, "the store's folder or file may not be written by this user",
			"Choose another file with --db, or open it with --read-only.")
	case errors.Is(err, fs.ErrNotExist):
		return fault(memory.CodeUnavailable, err, "the store's file or folder is not there", "See the path given with --db.")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EFBIG), errors.Is(err, syscall.EDQUOT):
		return diskFull(err)
	}
	return fault(memory.CodeInternal, err, "the store failed", hintCheck)
}

// explainedCode reads SQLite's result code; its low byte is the kind of failure.
func explainedCode(err *sqlite.Error) error {
	switch err.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return fault(memory.CodeUnavailable, err, "another process kept the store locked for too long",
			"Call again; if it stays so, end the other process.")
	case sqlite3.SQLITE_FULL:
		return diskFull(err)
	case sqlite3.SQLITE_IOERR:
		if err.Code() == sqlite3.SQLITE_IOERR_CORRUPTFS {
			return damaged(err)
		}
		return fault(memory.CodeUnavailable, err, "the disk refused to read or write the store",
			"Nothing was changed. See that the disk is not full and works, then call again. With --read-only Combray reads what is there.")
	case sqlite3.SQLITE_NOMEM:
		return fault(memory.CodeUnavailable, err, "there is not enough memory for the store to work with",
			"Close other programs, then call again.")
	case sqlite3.SQLITE_CANTOPEN:
		return fault(memory.CodeUnavailable, err, "the store's file cannot be opened",
			"See that the path given with --db is a file you may read and write.")
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return fault(memory.CodeDenied, err, "the store's file may not be written by this user",
			"Choose another file with --db, or open it with --read-only.")
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return damaged(err)
	case sqlite3.SQLITE_TOOBIG:
		return fault(memory.CodeLimit, err, "a value is longer than the store can keep", "Shorten the text.")
	case sqlite3.SQLITE_CONSTRAINT:
		return explainedConstraint(err)
	}
	return fault(memory.CodeInternal, err, "the store failed", hintCheck)
}

// explainedConstraint tells a race that was lost from a row that we should not
// have tried to write.
func explainedConstraint(err *sqlite.Error) error {
	switch err.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return fault(memory.CodeConflict, err, "the same record stands in the store already",
			"Read its present state and decide again.")
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return fault(memory.CodeConflict, err, "what the record speaks of is not in the store",
			"Read the present state and decide again.")
	}
	return fault(memory.CodeInternal, err, "the store refused a record that breaks its schema", hintCheck)
}

func diskFull(cause error) error {
	return fault(memory.CodeUnavailable, cause, "the disk is full", "Nothing was changed. Free some space, then call again. With --read-only Combray reads what is there.")
}

func damaged(cause error) error {
	return fault(memory.CodeCorrupt, cause, "the store's file is damaged, or is no Combray store",
		"combray check names what is damaged, where it can be read; a file that combray backup made can take its place.")
}

func fault(code memory.Code, cause error, message, hint string) *memory.Error {
	return &memory.Error{Code: code, Message: message, Hint: hint, Err: cause}
}
