package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImportsShowABarOnATerminalAlone for notes and for another system's file;
// elsewhere not a byte of it reaches stderr.
func TestImportsShowABarOnATerminalAlone(t *testing.T) {
	lines := filepath.Join(t.TempDir(), "chat.jsonl")
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "{\"content\":\"line %d\"}\n", i)
	}
	if err := os.WriteFile(lines, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"notes":   {"import", lines},
		"history": {"import", historySystem, longHistory(t)},
	} {
		for _, terminal := range []bool{true, false} {
			s := newShell(t)
			var out, err bytes.Buffer
			code := run(context.Background(), append([]string{"--db", s.db}, args...),
				streams{in: strings.NewReader(""), out: &out, err: &err, errTTY: terminal})
			if drawn := strings.Contains(err.String(), "importing"); code != exitDone || drawn != terminal || !terminal && err.Len() > 0 {
				t.Errorf("%s on a terminal %t: code %d, stderr %q", name, terminal, code, err.String())
			}
		}
	}
}

// longHistory is a file of memory-as-history of so many rows that they come in
// several parts.
func longHistory(t *testing.T) string {
	t.Helper()
	path := legacyFile(t, "schema-1.3.1.sql")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
		INSERT INTO memories (id, content, status, created_at) SELECT printf('%012x', i), 'line ' || i, 'working', '2025-01-01T00:00:00.000000+00:00' FROM n`)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
