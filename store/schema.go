package store

import (
	"context"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"combray/internal/memory"
)

// applicationID marks a SQLite file as ours (PRAGMA application_id): "Comb".
const applicationID = 0x436f6d62

// migrations are numbered from 1, run in order, and never change once released.
//
//go:embed schema/*.sql
var migrations embed.FS

// migrationNames are the embedded files in order (TestMigrationsAreNumbered).
var migrationNames = func() []string {
	names, err := fs.Glob(migrations, "schema/*.sql")
	if err != nil {
		panic("store: " + err.Error()) // the pattern is a constant
	}
	slices.Sort(names)
	return names
}()

// schemaVersion is the version that this program writes.
var schemaVersion = len(migrationNames)

// header is what a file says of itself.
type header struct{ application, version, tables int }

func readHeader(ctx context.Context, c *conn) (h header, err error) {
	_, err = c.scan(ctx, []any{&h.application, &h.version, &h.tables},
		`SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
		        (SELECT count(*) FROM sqlite_schema)`)
	return h, err
}

// empty says whether nobody has written to the file yet.
func (h header) empty() bool { return h == header{} }

// accept refuses files of other programs and of newer versions of this one.
func (h header) accept() error {
	switch {
	case h.empty():
		return nil
	case h.application != applicationID:
		return memory.Invalid("db", "Give --db another path.", "the file is a SQLite database of another program, not a Combray store")
	case h.version > schemaVersion:
		return memory.Unavailable("Install the newer Combray, or give --db another path.", nil,
			"the store has schema version %d, and this Combray knows versions up to %d", h.version, schemaVersion)
	}
	return nil
}

// migrate brings the file to the present schema, in one transaction. Of several
// processes that start at once the first does it; the others look again once
// they are the writer.
func migrate(ctx context.Context, c *conn, random io.Reader) (from int, err error) {
	h, err := readHeader(ctx, c)
	if err != nil || h.version == schemaVersion {
		return h.version, err
	}
	err = c.transact(ctx, func() error {
		h, err = readHeader(ctx, c)
		if err != nil {
			return err
		}
		if err := h.accept(); err != nil {
			return err
		}
		return applyMigrations(ctx, c, h, random)
	})
	return h.version, err
}

func applyMigrations(ctx context.Context, c *conn, h header, random io.Reader) error {
	for i, name := range migrationNames {
		if i < h.version {
			continue
		}
		text, err := migrations.ReadFile(name)
		if err != nil {
			return explained(err)
		}
		if err := c.script(ctx, string(text)); err != nil {
			return err
		}
	}
	if h.empty() {
		if err := christen(ctx, c, random); err != nil {
			return err
		}
	}
	return c.script(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaVersion))
}

// storeIDBytes is the length of a store's random name before it is written in
// hexadecimal digits; 128 bits never meet twice.
const storeIDBytes = 16

// christen gives a new store its name.
func christen(ctx context.Context, c *conn, random io.Reader) error {
	id, err := randomHex(random, storeIDBytes)
	if err != nil {
		return err
	}
	_, err = c.exec(ctx, "INSERT INTO store (one, store_id, created_at, sequence) VALUES (1, ?, ?, 0)", id, time.Now().UnixMicro())
	return err
}

func randomBytes(random io.Reader, n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(random, b); err != nil {
		return nil, fault(memory.CodeInternal, err, "the system gave no random numbers", hintCheck)
	}
	return b, nil
}

func randomHex(random io.Reader, n int) (string, error) {
	b, err := randomBytes(random, n)
	return hex.EncodeToString(b), err
}
