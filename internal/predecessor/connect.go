package predecessor

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"

	"combray/internal/memory"
)

// opening is how a file is opened, in words of SQLite.
type opening string

const (
	// locked reads with a reader's lock, so that nobody writes meanwhile.
	locked opening = "mode=ro"
	// still reads a file that is written by a log and has none beside it: it is
	// complete, and SQLite would make an index of the log if it were asked to look.
	still opening = "mode=ro&immutable=1"
	// finishing works off what is unfinished, in a copy of our own.
	finishing opening = "mode=rw"
	// logged has a part of it in a log beside it and is not opened where it lies.
	logged opening = ""
)

type connector struct{ uri string }

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.Driver().Open(c.uri) }
func (c connector) Driver() driver.Driver                        { return &sqlite.Driver{} }

// readAt reads the file at a path, in one snapshot.
func (f File) readAt(ctx context.Context, path string, how opening) (in memory.Inheritance, err error) {
	// Closing a file drops POSIX locks elsewhere in the process; these it does not.
	_, _ = sqlite.OFDLocking(true)
	db := sql.OpenDB(connector{uri: f.uri(path, how)})
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return in, f.explained(err)
	}
	defer func() { _ = tx.Rollback() }() // it has read only
	s, err := f.examine(ctx, tx)
	if err != nil {
		return in, f.explained(err)
	}
	in, err = s.inheritance(ctx)
	return in, f.explained(err)
}

// uri names a file to SQLite; every character that a URI gives a meaning is
// escaped.
func (f File) uri(path string, how opening) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	u := url.URL{Scheme: "file", Path: path}
	q := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", f.BusyTimeout.Milliseconds()),
		"query_only(1)", "cell_size_check(1)", "trusted_schema(0)", "temp_store(memory)"}, "_dqs": {"0"}, "_error_rc": {"1"}}
	return fmt.Sprintf("%s?%s&%s", u.String(), how, q.Encode())
}
