package predecessor

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
)

// Files of testdata that make a database.
const (
	schema131 = "schema-1.3.1.sql"
	rows131   = "rows-1.3.1.sql"
	schema10  = "schema-1.0.sql"
)

// makeFile makes a database from files of testdata and further statements.
func makeFile(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	do(t, open(t, path), parts...)
	return path
}

// open opens a database for writing, as the other system would.
func open(t testing.TB, path string) *sql.DB {
	t.Helper()
	db := sql.OpenDB(connector{uri: File{Path: path}.uri(path, "mode=rwc")})
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.Exec("PRAGMA query_only = 0"); err != nil {
		t.Fatal(err)
	}
	return db
}

func do(t testing.TB, db *sql.DB, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.HasSuffix(part, ".sql") {
			text, err := os.ReadFile(filepath.Join("testdata", part))
			if err != nil {
				t.Fatal(err)
			}
			part = string(text)
		}
		if _, err := db.Exec(part); err != nil {
			t.Fatalf("%v in\n%s", err, part)
		}
	}
}

func full(t testing.TB, more ...string) string {
	t.Helper()
	return makeFile(t, append([]string{schema131, rows131}, more...)...)
}

func read(t testing.TB, path string) memory.Inheritance {
	t.Helper()
	in, err := File{Path: path, BusyTimeout: time.Second}.Read(context.Background())
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	return in
}

// refusal gives the error of a file that is refused.
func refusal(t testing.TB, f File) *memory.Error {
	t.Helper()
	_, err := f.Read(context.Background())
	var e *memory.Error
	if !errors.As(err, &e) || e.Hint == "" || e.Message == "" {
		t.Fatalf("error %v, want a memory.Error with a hint", err)
	}
	return e
}

// content is what stands in a folder: the bytes of each file.
func content(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		bytes, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(bytes)
	}
	return out
}
