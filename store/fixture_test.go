package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
)

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "memory.db") }

// openStore opens a store that the test's end closes; closing it before is fine.
func openStore(t testing.TB, o Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), o)
	if err != nil {
		t.Fatalf("Open: %v (%v)", err, errors.Unwrap(err))
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v (%v)", err, errors.Unwrap(err))
		}
	})
	return s
}

var moment = time.Date(2024, 5, 8, 12, 30, 0, 0, time.UTC)

// note is a plain memory; its id is made from i.
func note(i int, content string) memory.Memory {
	return memory.Memory{ID: noteID(i), Content: memory.Text(content), Status: memory.Working, Tier: memory.Archive,
		CreatedAt: moment.Add(time.Duration(i) * time.Second), MaterialType: "unspecified", Salience: 0.5}
}

func noteID(i int) memory.ID { return memory.ID(fmt.Sprintf("%012x", i)) }

// apply writes a plan that must be accepted.
func apply(t testing.TB, s *Store, p memory.Plan) {
	t.Helper()
	if err := try(s, p); err != nil {
		t.Fatalf("Update: %v (%v)", err, errors.Unwrap(err))
	}
}

func try(s *Store, p memory.Plan) error {
	ctx := context.Background()
	return s.Update(ctx, func(tx memory.Tx) error { return tx.Apply(ctx, p) })
}

// capturePlan stores notes as remember does, each with its audit row.
func capturePlan(memories ...memory.Memory) (p memory.Plan) {
	for _, m := range memories {
		p.Write(memory.PutMemory{Memory: m})
		p.Record(m.ID, memory.ActRemember, "", m.CreatedAt)
	}
	return p
}

// load reads one memory; nil when it is unknown.
func load(t testing.TB, s *Store, id memory.ID) *memory.Memory {
	t.Helper()
	var m *memory.Memory
	err := s.View(context.Background(), func(r memory.Reader) (err error) {
		m, err = r.Memory(context.Background(), id)
		return err
	})
	if err != nil {
		t.Fatalf("View: %v (%v)", err, errors.Unwrap(err))
	}
	return m
}

func mustCheckClean(t testing.TB, s *Store) {
	t.Helper()
	faults, err := s.Check(context.Background())
	if err != nil {
		t.Fatalf("Check: %v (%v)", err, errors.Unwrap(err))
	}
	for _, f := range faults {
		t.Errorf("Check: %s: %s", f.Where, f.What)
	}
}

// mustRefuse wants a failure of a code, in a sentence of ours with a next step.
func mustRefuse(t testing.TB, err error, code memory.Code) {
	t.Helper()
	var e *memory.Error
	switch {
	case err == nil:
		t.Fatal("the call was accepted")
	case !errors.As(err, &e) || e.Code != code:
		t.Fatalf("error %v (%v), want code %s", err, errors.Unwrap(err), code)
	case e.Hint == "" || strings.Contains(e.Message, "SQLITE") || strings.Contains(e.Message, "SQL logic"):
		t.Fatalf("message %q, hint %q", e.Message, e.Hint)
	}
}

// alter runs SQL on a store's file as a stranger would, without its rules.
func alter(t testing.TB, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", location{path: path}.uri("mode=rw", "busy_timeout(10000)"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// dump writes every row of every table, in the order of keys.
func dump(t testing.TB, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", location{path: path}.uri("mode=rw", "busy_timeout(10000)"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out strings.Builder
	for _, table := range column1(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
		columns := column1(t, db, fmt.Sprintf("SELECT name FROM pragma_table_info('%s') ORDER BY cid", table))
		for i, c := range columns {
			columns[i] = "quote(" + c + ")"
		}
		list := strings.Join(columns, " || ', ' || ")
		for _, row := range column1(t, db, fmt.Sprintf("SELECT %s FROM %s ORDER BY 1", list, table)) {
			fmt.Fprintf(&out, "%s: %s\n", table, row)
		}
	}
	return out.String()
}

// column1 reads the first column of a query.
func column1(t testing.TB, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
