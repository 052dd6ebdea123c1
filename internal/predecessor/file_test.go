package predecessor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
)

// TestFilesThatAreRefused holds for each kind of file why it is refused and what
// is to be done.
func TestFilesThatAreRefused(t *testing.T) {
	with := func(statements ...string) func(*testing.T) string {
		return func(t *testing.T) string { return full(t, statements...) }
	}
	bytes := func(b string) func(*testing.T) string {
		return func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "memory.db")
			if err := os.WriteFile(path, []byte(b), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
	}
	for _, c := range []struct {
		name          string
		file          func(*testing.T) string
		code          memory.Code
		keyword, hint string
	}{
		{"missing", func(t *testing.T) string { return filepath.Join(t.TempDir(), "none.db") }, memory.CodeInvalid, "there is no file", "MEMORY_AS_HISTORY_DB"},
		{"a folder", func(t *testing.T) string { return t.TempDir() }, memory.CodeInvalid, "not a file", "MEMORY_AS_HISTORY_DB"},
		{"empty", bytes(""), memory.CodeInvalid, "it is empty", "MEMORY_AS_HISTORY_DB"},
		{"text", bytes("# notes\n" + strings.Repeat("a line\n", 40)), memory.CodeInvalid, "not a SQLite database", "MEMORY_AS_HISTORY_DB"},
		{"the first bytes alone", bytes(magic + "\x10\x00"), memory.CodeInvalid, "not a SQLite database", "MEMORY_AS_HISTORY_DB"},
		{"another program's", func(t *testing.T) string { return makeFile(t, "CREATE TABLE places (id INTEGER)") }, memory.CodeInvalid, "no table memories", "MEMORY_AS_HISTORY_DB"},
		{"another program's with our name", func(t *testing.T) string {
			return makeFile(t, "CREATE TABLE memories (id TEXT, text TEXT); CREATE TABLE audit_log (id TEXT)")
		}, memory.CodeInvalid, "no column content", "MEMORY_AS_HISTORY_DB"},
		{"a store of Combray", with(fmt.Sprintf("PRAGMA application_id = %d", combrayMark)), memory.CodeInvalid, "store of Combray", ""},
		{"a mark of another program", with("PRAGMA application_id = 7"), memory.CodeInvalid, "another program", ""},

		{"a numbered schema", with("PRAGMA user_version = 14"), memory.CodeUnavailable, "number 14", "newer Combray"},
		{"a table that we do not know", with("CREATE TABLE moods (id TEXT)"), memory.CodeUnavailable, "table moods", "newer Combray"},
		{"a column that we do not know", with("ALTER TABLE claims ADD COLUMN weight REAL"), memory.CodeUnavailable, "column weight", "newer Combray"},
		{"a generated column", with("ALTER TABLE claims ADD COLUMN size INTEGER GENERATED ALWAYS AS (length(content))"), memory.CodeUnavailable, "column size", "newer Combray"},

		{"a status that we do not know", with("UPDATE memories SET status = 'dreaming' WHERE id = '0a0000000002'"), memory.CodeCorrupt, `row 2 of memories: status is "dreaming"`, "backup"},
		{"a tier that we do not know", with("UPDATE memories SET tier = 'gospel'"), memory.CodeCorrupt, "tier", "backup"},
		{"a review status that we do not know", with("UPDATE memories SET review_status = 'x'"), memory.CodeCorrupt, "review_status", "backup"},
		{"a material that we do not know", with("UPDATE memories SET material_type = 'x'"), memory.CodeCorrupt, "material_type", "backup"},
		{"a relation that we do not know", with("UPDATE memory_links SET relation = 'x'"), memory.CodeCorrupt, "relation", "backup"},
		{"a kind that we do not know", with("UPDATE claims SET kind = 'x'"), memory.CodeCorrupt, "kind", "backup"},
		{"a stance that we do not know", with("UPDATE claim_evidence SET stance = 'x'"), memory.CodeCorrupt, "stance", "backup"},
		{"an event that we do not know", with("UPDATE claim_events SET action = 'x'"), memory.CodeCorrupt, "action", "backup"},
		{"no time", with("UPDATE memories SET created_at = 'yesterday' WHERE id = '0a0000000001'"), memory.CodeCorrupt, `created_at is no time: "yesterday"`, "backup"},
		{"no time of a pin", with("UPDATE anchors SET pinned_at = ''"), memory.CodeCorrupt, "pinned_at", "backup"},
		{"a number for a text", with("UPDATE audit_log SET reason = x'00ff'"), memory.CodeCorrupt, "reason holds no text", "backup"},
		{"bytes that are no text", with("UPDATE memories SET content = CAST(x'ff41' AS TEXT)"), memory.CodeCorrupt, "content holds bytes that are no text", "backup"},
		{"a flag of two", with("UPDATE memories SET security_sensitive = 2"), memory.CodeCorrupt, "neither 0 nor 1", "backup"},
		{"a flag of text", with("UPDATE narratives SET security_sensitive = 'no'"), memory.CodeCorrupt, "security_sensitive", "backup"},
		{"a position below none", with("UPDATE memories SET session_position = -1 WHERE id = '0a0000000001'"), memory.CodeCorrupt, "session_position", "backup"},
		{"a position without a session", with("UPDATE memories SET session_position = 1 WHERE session_id IS NULL"), memory.CodeCorrupt, "session_position", "backup"},
		{"a blank id", with("UPDATE corroborations SET id = ' ' WHERE id = '0b0000000001'"), memory.CodeCorrupt, "id is blank", "backup"},
		{"a missing id", with("UPDATE conflicts SET id = NULL WHERE id = '0d0000000001'"), memory.CodeCorrupt, "id is missing", "backup"},
		{"evidence of nothing", with("PRAGMA foreign_keys = 0; DELETE FROM memories WHERE id = '0a0000000002'"), memory.CodeCorrupt, "speaks of a row of memories that is not there", "backup"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := c.file(t)
			e := refusal(t, File{Path: path})
			if e.Code != c.code || !strings.Contains(e.Message, c.keyword) || !strings.Contains(e.Message, path) || !strings.Contains(e.Hint, c.hint) {
				t.Errorf("code %s, message %q, hint %q; want %s, %q, %q", e.Code, e.Message, e.Hint, c.code, c.keyword, c.hint)
			}
		})
	}
}

func TestUnreadableFileIsDenied(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	path := full(t)
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if e := refusal(t, File{Path: path}); e.Code != memory.CodeDenied {
		t.Errorf("code %s, want denied: %v", e.Code, e)
	}
}

// TestTruncatedFilesAreRefused cuts a file at every page and at odd places.
func TestTruncatedFilesAreRefused(t *testing.T) {
	whole, err := os.ReadFile(full(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cut.db")
	for length := 0; length < len(whole); length += 1531 {
		if err := os.WriteFile(path, whole[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		e := refusal(t, File{Path: path})
		if length >= headerBytes && e.Code != memory.CodeCorrupt {
			t.Errorf("cut at %d: code %s: %v", length, e.Code, e)
		}
	}
}

// TestFlippedBytesAreRefusedOrHarmless turns bytes over. SQLite keeps no sums, so
// a letter may become another; the file is refused, or every row is there.
func TestFlippedBytesAreRefusedOrHarmless(t *testing.T) {
	path := full(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, refused := len(read(t, path).Audit), 0
	for at := 0; at < len(whole); at += 97 {
		flipped := append([]byte(nil), whole...)
		flipped[at] ^= 0xff
		if err := os.WriteFile(path, flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := File{Path: path, BusyTimeout: time.Millisecond}.Read(context.Background())
		var e *memory.Error
		switch {
		case err == nil && len(in.Audit) != want:
			t.Errorf("byte %d: %d audit rows came through, want %d", at, len(in.Audit), want)
		case err != nil && (!errors.As(err, &e) || e.Hint == ""):
			t.Errorf("byte %d: %v", at, err)
		case err != nil:
			refused++
		}
	}
	if refused < 100 {
		t.Errorf("%d of %d flipped files were refused", refused, len(whole)/97)
	}
}

// TestReadingChangesNothing holds for each way a file is opened that no byte of
// its folder changes, and that it can be read where nobody may write.
func TestReadingChangesNothing(t *testing.T) {
	for name, prepare := range map[string]func(*testing.T) string{
		"at rest": func(t *testing.T) string { return full(t) },
		"in use":  func(t *testing.T) string { path := full(t); do(t, open(t, path), "SELECT 1"); return path },
		"written by a log": func(t *testing.T) string {
			path := full(t)
			db := open(t, path)
			do(t, db, "PRAGMA journal_mode = wal", "DELETE FROM anchors")
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			return path
		},
		"with a log":     func(t *testing.T) string { return copyOpen(t, loggedFile(t), "-wal") },
		"with a journal": func(t *testing.T) string { return copyOpen(t, unfinishedFile(t), "-journal") },
	} {
		t.Run(name, func(t *testing.T) {
			path := prepare(t)
			dir := filepath.Dir(path)
			before := content(t, dir)
			if err := os.Chmod(dir, 0o500); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(dir, 0o700)
			read(t, path)
			if after := content(t, dir); !reflect.DeepEqual(after, before) {
				t.Errorf("the folder changed: %d files, %d before", len(after), len(before))
			}
		})
	}
}

// loggedFile is a file whose newest change stands in a log beside it.
func loggedFile(t *testing.T) string {
	path := full(t)
	do(t, open(t, path), "PRAGMA journal_mode = wal", "UPDATE anchors SET reason = 'from the log'")
	return path
}

// unfinishedFile is a file in the middle of a transaction that has already
// written to it.
func unfinishedFile(t *testing.T) string {
	path := full(t)
	db := open(t, path)
	do(t, db, "PRAGMA cache_size = 1", "BEGIN")
	do(t, db, `UPDATE anchors SET reason = 'never happened'`,
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
		 INSERT INTO audit_log SELECT printf('x%d', i), 'x', 'x', hex(zeroblob(400)), '2026-01-01T00:00:00+00:00' FROM n`)
	return path
}

// copyOpen copies a file that is in use with what stands beside it, as a crash
// would leave both.
func copyOpen(t *testing.T, path, suffix string) string {
	to := filepath.Join(t.TempDir(), "memory.db")
	if err := errors.Join(copyFile(path, to), copyFile(path+suffix, to+suffix)); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestLogIsPartOfTheFile(t *testing.T) {
	for name, path := range map[string]string{"in use": loggedFile(t), "left behind": copyOpen(t, loggedFile(t), "-wal")} {
		if got := read(t, path).Anchors[0].Reason; got != "from the log" {
			t.Errorf("%s: the anchor's reason is %q, want that of the log", name, got)
		}
	}
}

func TestUnfinishedTransactionIsTakenBack(t *testing.T) {
	path := copyOpen(t, unfinishedFile(t), "-journal")
	if _, err := (File{Path: path}).readAt(context.Background(), path, locked); !errors.Is(err, errUnfinished) {
		t.Fatalf("the journal is not hot: %v", err)
	}
	in := read(t, path)
	if in.Anchors[0].Reason != "the village clock" || len(in.Audit) != 10 {
		t.Errorf("anchor %q and %d audit rows, want those of before", in.Anchors[0].Reason, len(in.Audit))
	}
}

func TestFileInUseIsReadBetweenWrites(t *testing.T) {
	path := full(t)
	db := open(t, path)
	do(t, db, "BEGIN IMMEDIATE", "DELETE FROM anchors")
	if got := len(read(t, path).Anchors); got != 1 {
		t.Errorf("%d anchors, want the one of before the transaction", got)
	}
}

func TestLockedFileSaysWho(t *testing.T) {
	path := full(t)
	do(t, open(t, path), "BEGIN EXCLUSIVE")
	e := refusal(t, File{Path: path, BusyTimeout: time.Millisecond})
	if e.Code != memory.CodeUnavailable || !strings.Contains(e.Message, "written by another program") || !strings.Contains(e.Hint, "End the programs") {
		t.Errorf("%s: %s (%s)", e.Code, e.Message, e.Hint)
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (File{Path: full(t)}).Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

// FuzzRead gives files of any bytes: none may end otherwise than by rows or by an
// error that says what to do.
func FuzzRead(f *testing.F) {
	whole, err := os.ReadFile(full(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:8192])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "fuzz.db")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := File{Path: path, BusyTimeout: time.Millisecond}.Read(context.Background())
		var e *memory.Error
		if err != nil && (!errors.As(err, &e) || e.Hint == "") {
			t.Errorf("%v", err)
		}
	})
}
