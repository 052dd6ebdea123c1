package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"combray/internal/memory"
)

// sqliteDriver is SQLite with the functions that our queries call. Locks of open
// file descriptions, where the system has them, survive a close of the file
// elsewhere in the process; POSIX locks would be dropped by it. The switch has to
// be set before the first file is opened; where it cannot be set, nothing of
// ours opens the file by other means.
var sqliteDriver = sync.OnceValues(func() (driver.Driver, error) {
	_, _ = sqlite.OFDLocking(true)
	d := &sqlite.Driver{}
	return d, d.RegisterDeterministicScalarFunction("metres", 4, metresFunction)
})

// connector opens connections to one URI.
type connector struct {
	driver driver.Driver
	uri    string
}

// Connect implements driver.Connector.
func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.uri) }

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return c.driver }

// connect opens a connection. SQLite touches the file only now.
func connect(ctx context.Context, uri string) (*conn, error) {
	d, err := sqliteDriver()
	if err != nil {
		return nil, explained(err)
	}
	db := sql.OpenDB(connector{driver: d, uri: uri})
	db.SetMaxOpenConns(1)
	raw, err := db.Conn(ctx)
	if err != nil {
		_ = db.Close()
		return nil, explained(err)
	}
	return &conn{db: db, raw: raw, statements: map[string]*sql.Stmt{}}, nil
}

// Sizes of the pools. A reader costs up to 2 MiB of page cache; more than a few
// at once only wait for the same cores.
const (
	readerConnections = 4
	readerCacheKiB    = 2048
	watchCacheKiB     = 64
)

// connectWriter opens a connection that writes and switches the file to a
// write-ahead log. SQLite does not wait for another process that is doing the
// same, so the wait is here (TestOpenWaitsForWhoeverBeginsTheLog).
func (s *Store) connectWriter(ctx context.Context) (*conn, error) {
	pragmas := append(s.pragmas(readerCacheKiB), fmt.Sprintf("wal_autocheckpoint(%d)", fallbackPages))
	c, err := connect(ctx, s.at.uri("mode=rw", pragmas...))
	if err != nil {
		return nil, err
	}
	if err := s.prepareWriter(ctx, c); err != nil {
		_ = c.close()
		return nil, err
	}
	return c, nil
}

func (s *Store) prepareWriter(ctx context.Context, c *conn) error {
	h, err := readHeader(ctx, c)
	if err == nil {
		err = h.accept()
	}
	if err != nil {
		return err
	}
	patience := time.NewTimer(s.options.BusyTimeout)
	defer patience.Stop()
	for {
		var mode string
		_, err := c.scan(ctx, []any{&mode}, "PRAGMA journal_mode = wal")
		switch {
		case err == nil && strings.EqualFold(mode, "wal"):
			return nil
		case err == nil:
			return memory.Unavailable("Put the store on a local disk.", nil,
				"the file system of the store cannot share memory between processes, which a write-ahead log needs")
		case !isLocked(err):
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience.C:
			return err
		case <-time.After(lockedPause):
		}
	}
}

// lockedPause is the wait before the log is asked for again: a few times what a
// migration takes.
const lockedPause = 20 * time.Millisecond

func isLocked(err error) bool {
	var raw *sqlite.Error
	return errors.As(err, &raw) && raw.Code()&0xff == sqlite3.SQLITE_BUSY
}

// connectReader opens a connection that cannot write.
func (s *Store) connectReader(ctx context.Context, cacheKiB int) (*conn, error) {
	pragmas := append(s.pragmas(cacheKiB), "query_only(1)")
	if !s.options.ReadOnly {
		return connect(ctx, s.at.uri("mode=rw", pragmas...))
	}
	still, err := observe(s.at)
	if err != nil {
		return nil, explained(err)
	}
	mode := "mode=ro"
	if still != nil {
		mode = "mode=ro&immutable=1"
	}
	c, err := connect(ctx, s.at.uri(mode, pragmas...))
	if err != nil {
		return nil, err
	}
	c.still = still
	return c, nil
}

// pragmas are the settings of every connection, the busy timeout first, because
// the others may have to wait. secure_delete overwrites what is deleted;
// temp_store keeps sorted text out of temporary files.
func (s *Store) pragmas(cacheKiB int) []string {
	return []string{
		fmt.Sprintf("busy_timeout(%d)", s.options.BusyTimeout.Milliseconds()),
		"synchronous(full)", "foreign_keys(1)", "secure_delete(1)", "temp_store(memory)", "trusted_schema(0)",
		fmt.Sprintf("cache_size(-%d)", cacheKiB),
	}
}
