package store

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"combray/internal/memory"
)

var update = flag.Bool("update", false, "write testdata/release-*.sql anew for the present schema")

func TestMigrationsAreNumbered(t *testing.T) {
	for i, name := range migrationNames {
		if want := fmt.Sprintf("schema/%04d.sql", i+1); name != want {
			t.Errorf("migration %d is %s, want %s", i+1, name, want)
		}
	}
}

func releaseFile(version int) string {
	return filepath.Join("testdata", fmt.Sprintf("release-%04d.sql", version))
}

// TestEveryReleaseMigrates opens a full store of each schema that was released,
// the present one included: it must be read, be sound and take writes.
func TestEveryReleaseMigrates(t *testing.T) {
	if *update {
		s, path := fullStore(t)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(releaseFile(schemaVersion), []byte(script(t, path)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for version := 1; version <= schemaVersion; version++ {
		text, err := os.ReadFile(releaseFile(version))
		if err != nil {
			t.Fatalf("%v: run the tests of store once with -update", err)
		}
		path := newPath(t)
		if err := makePrivate(path); err != nil {
			t.Fatal(err)
		}
		alter(t, path, string(text))
		s := openStore(t, Options{Path: path})
		mustCheckClean(t, s)
		for since, hold := range map[int]func(memory.Reader) error{1: mustHoldAll, 2: mustHoldPerceptions} {
			if version < since {
				continue
			}
			if err := s.View(context.Background(), hold); err != nil {
				t.Errorf("release %d: %v", version, err)
			}
		}
		apply(t, s, capturePlan(note(9, "tea")))
		if h := headerOf(t, s); h.version != schemaVersion || h.application != applicationID {
			t.Errorf("release %d became %+v", version, h)
		}
	}
}

// mustHoldAll looks for what fullStore wrote, in every family.
func mustHoldAll(r memory.Reader) error {
	ctx := context.Background()
	if err := readAll(ctx, r); err != nil {
		return err
	}
	m, err := r.Memory(ctx, noteID(2))
	if err != nil || m == nil || m.Content != "cake" || m.Windows == nil || *m.Windows != 2 {
		return fmt.Errorf("memory %+v, %w", m, err)
	}
	n, err := r.CurrentNarrative(ctx, "global")
	if err != nil || n == nil || fmt.Sprint(n.MemoryIDs, n.ClaimIDs, n.LinkIDs) != "[000000000003 000000000001] [a01] [101]" {
		return fmt.Errorf("narrative %+v, %w", n, err)
	}
	evidence, err := r.EvidenceFor(ctx, []memory.ID{"a01"})
	if err != nil || len(evidence) != 1 {
		return fmt.Errorf("evidence %+v, %w", evidence, err)
	}
	rows, err := r.Audit(ctx, memory.AuditQuery{Captures: true})
	if err != nil || len(rows) != 7 {
		return fmt.Errorf("%d audit rows, %w", len(rows), err)
	}
	return nil
}

// mustHoldPerceptions looks for what everyPerception wrote.
func mustHoldPerceptions(r memory.Reader) error {
	ctx := context.Background()
	queue, err := r.Pending(ctx, 0)
	if err != nil || len(queue) != 1 || queue[0].ID != recollection(1, 1).ID || queue[0].At.Format("15:04 -0700") != "14:30 +0200" {
		return fmt.Errorf("queue %+v, %w", queue, err)
	}
	firings, err := r.Firings(ctx, []memory.ID{noteID(2)})
	if err != nil || len(firings) != 1 || firings[0].Useful == nil || !*firings[0].Useful || firings[0].Channels[memory.ChannelGeo] != 0.97 {
		return fmt.Errorf("firings %+v, %w", firings, err)
	}
	perceived, err := r.Fingerprints(ctx, []memory.ID{noteID(1)})
	if list := perceived[noteID(1)]; err != nil || len(list) != 2 || list[0].Text != "bells" || list[1].Chance != 0.5 {
		return fmt.Errorf("fingerprints %+v, %w", perceived, err)
	}
	rows, epoch, err := r.Heard(ctx, 0, 0, "e5/cue")
	if err != nil || len(rows) != 3 || epoch != 1 || fmt.Sprint(rows[1].Vector, rows[2].Value) != "[0 1] 61.5" {
		return fmt.Errorf("heard %+v in epoch %d, %w", rows, epoch, err)
	}
	visit, err := r.Visit(ctx, "phone")
	if err != nil || visit == nil || visit.Lat != 48.3 || visit.Cue != 5 {
		return fmt.Errorf("visit %+v, %w", visit, err)
	}
	return nil
}

func headerOf(t *testing.T, s *Store) (h header) {
	t.Helper()
	err := s.lend(context.Background(), s.readers, func(c *conn) (err error) {
		h, err = readHeader(context.Background(), c)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestReleasedMigrationsDoNotChange compares the schema that the migrations up to
// each release make with the one that stands in the file of that release.
func TestReleasedMigrationsDoNotChange(t *testing.T) {
	path := newPath(t)
	if err := makePrivate(path); err != nil {
		t.Fatal(err)
	}
	for i, name := range migrationNames {
		migration, err := migrations.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		alter(t, path, string(migration))
		released, err := os.ReadFile(releaseFile(i + 1))
		if err != nil {
			t.Fatal(err)
		}
		for _, statement := range schemaOf(t, path) {
			if !strings.Contains(string(released), statement) {
				t.Errorf("not in %s:\n%s", releaseFile(i+1), statement)
			}
		}
	}
}

func schemaOf(t *testing.T, path string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", location{path: path}.uri("mode=rw"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return column1(t, db, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
}

// script writes a store as SQL that makes it again.
func script(t *testing.T, path string) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\nPRAGMA foreign_keys = 0;\nBEGIN;\n", applicationID, schemaVersion)
	for _, statement := range schemaOf(t, path) {
		fmt.Fprintf(&out, "%s;\n", statement)
	}
	out.WriteString("DELETE FROM sqlite_sequence;\n")
	for _, row := range strings.Split(strings.TrimSpace(dump(t, path)), "\n") {
		table, values, _ := strings.Cut(row, ": ")
		fmt.Fprintf(&out, "INSERT INTO %s VALUES (%s);\n", table, values)
	}
	out.WriteString("COMMIT;\n")
	return out.String()
}

// TestAFailedMigrationLeavesNothing takes the random numbers away that a new
// store's name is made from.
func TestAFailedMigrationLeavesNothing(t *testing.T) {
	path := newPath(t)
	_, err := Open(context.Background(), Options{Path: path, Random: strings.NewReader("short")})
	mustRefuse(t, err, memory.CodeInternal)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the cause is %v", errors.Unwrap(err))
	}
	if tables := schemaOf(t, path); len(tables) > 0 {
		t.Errorf("left behind: %q", tables)
	}
	mustCheckClean(t, openStore(t, Options{Path: path}))
}
