package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// legacyFile makes a database of memory-as-history from the SQL that package
// predecessor keeps for its tests.
func legacyFile(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, part := range parts {
		text, err := os.ReadFile(filepath.Join("..", "..", "internal", "predecessor", "testdata", part))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(string(text)); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// shell runs commands on a store of its own, by words alone.
type shell struct {
	testing.TB
	db string
}

func newShell(t testing.TB) shell {
	for _, folder := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"} {
		t.Setenv(folder, t.TempDir())
	}
	t.Setenv("COMBRAY_MODEL", "none")
	return shell{t, filepath.Join(t.TempDir(), "combray.db")}
}

func (s shell) run(args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = run(context.Background(), append([]string{"--db", s.db}, args...), streams{in: strings.NewReader(""), out: &o, err: &e})
	return code, o.String(), e.String()
}

func (s shell) must(args ...string) string {
	s.Helper()
	code, out, err := s.run(args...)
	if code != exitDone {
		s.Fatalf("combray %s ended with %d: %s", strings.Join(args, " "), code, err)
	}
	return out
}

// recorded is what memory-as-history 1.3.1 itself answered to a call on a file.
type recorded struct {
	Tool      string
	Arguments map[string]any
	Answer    any
}

func recordings(t testing.TB, name string) (out []recorded) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// TestImportedHistoryAnswersAsBefore asks every reading tool about an imported
// file and wants what memory-as-history 1.3.1 answered about it, key by key; our
// answers may have more keys. The recordings were made with that program; its
// warnings, which are worded differently, are left out.
func TestImportedHistoryAnswersAsBefore(t *testing.T) {
	for golden, parts := range map[string][]string{
		"history-1.3.1.golden": {"schema-1.3.1.sql", "rows-1.3.1.sql"},
		"history-1.0.golden":   {"schema-1.0.sql"},
	} {
		s := newShell(t)
		s.must("import", historySystem, legacyFile(t, parts...))
		for _, r := range recordings(t, golden) {
			args := []string{"--json", "call", r.Tool}
			for name, value := range r.Arguments {
				text, isText := value.(string)
				if !isText {
					raw, _ := json.Marshal(value)
					text = string(raw)
				}
				args = append(args, name+"="+text)
			}
			var got any
			if err := json.Unmarshal([]byte(s.must(args...)), &got); err != nil {
				t.Fatal(err)
			}
			if object, is := got.(map[string]any); is && len(object) == 1 {
				if inner, wrapped := object["result"]; wrapped {
					got = inner
				}
			}
			for _, d := range differences("", r.Answer, got) {
				t.Errorf("%s %v%s", r.Tool, r.Arguments, d)
			}
		}
		if out := s.must("check"); !strings.Contains(out, "Everything fits together") {
			t.Errorf("%s: %s", golden, out)
		}
	}
}

// differences names what a recorded answer has and ours has not.
func differences(path string, want, got any) []string {
	switch want := want.(type) {
	case map[string]any:
		object, is := got.(map[string]any)
		if !is {
			return []string{fmt.Sprintf("%s: %v, want an object", path, got)}
		}
		var out []string
		for key, value := range want {
			out = append(out, differences(path+"."+key, value, object[key])...)
		}
		return out
	case []any:
		list, is := got.([]any)
		if !is || len(list) != len(want) {
			return []string{fmt.Sprintf("%s: %v, want %v", path, got, want)}
		}
		var out []string
		for i := range want {
			out = append(out, differences(fmt.Sprintf("%s[%d]", path, i), want[i], list[i])...)
		}
		return out
	}
	if !reflect.DeepEqual(want, got) {
		return []string{fmt.Sprintf("%s: %v, want %v", path, got, want)}
	}
	return nil
}

func TestSecondImportOfHistoryAddsNothing(t *testing.T) {
	s := newShell(t)
	file := legacyFile(t, "schema-1.3.1.sql", "rows-1.3.1.sql")
	first := s.must("import", historySystem, file)
	for _, want := range []string{"memories              7 added, 0 already there", "claim events         16 added", "59 rows added, 0 already there"} {
		if !strings.Contains(first, want) {
			t.Errorf("output\n%s\nwant %q", first, want)
		}
	}
	before := s.must("--json", "call", "audit_log", "captures=true", "limit=1000")
	var got struct {
		Added, Present, Embedded int
		Rows                     []adoptedRows
		Notices                  []adoptedNotice
	}
	if err := json.Unmarshal([]byte(s.must("--json", "import", historySystem, file)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Added != 0 || got.Present != 59 || len(got.Rows) != 11 || got.Notices == nil || len(got.Notices) != 0 {
		t.Errorf("the second import gave %+v", got)
	}
	if after := s.must("--json", "call", "audit_log", "captures=true", "limit=1000"); after != before {
		t.Error("the second import wrote to the audit log")
	}
}

func TestImportedHistoryKeepsWhoBroughtIt(t *testing.T) {
	s := newShell(t)
	s.must("import", historySystem, legacyFile(t, "schema-1.3.1.sql", "rows-1.3.1.sql"))
	out := s.must("--json", "call", "audit_log", "captures=true", "limit=1000")
	if n := strings.Count(out, `"door":"import"`); n != 17 { // 10 rows of the file and 7 captures
		t.Errorf("%d audit rows name the import, want 17", n)
	}
	s.must("check", "--audit")
}

// TestImportTellsWhatGaveWay: a row whose place is taken is named on stderr, and
// the import goes on.
func TestImportTellsWhatGaveWay(t *testing.T) {
	s := newShell(t)
	s.must("call", "remember", "content=here first", "session_id=s1", "session_position=1")
	s.must("call", "narrate", "content=the account of here", "reason=r")
	code, out, err := s.run("import", historySystem, legacyFile(t, "schema-1.3.1.sql", "rows-1.3.1.sql"))
	if code != exitDone || !strings.Contains(out, "59 rows added") {
		t.Errorf("ended with %d: %s", code, out)
	}
	for _, want := range []string{"memories 0a0000000002: session_position 1", "set_history_context", "narratives 2a0000000002: scope \"global\""} {
		if !strings.Contains(err, want) {
			t.Errorf("stderr\n%s\nwant %q", err, want)
		}
	}
}

func TestImportOfHistoryIsRefused(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "notes.md")
	if err := os.WriteFile(notes, []byte("# a note\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	for _, c := range []struct {
		args          []string
		code          int
		message, hint string
	}{
		{[]string{"no such file"}, exitFailed, "there is no file", "MEMORY_AS_HISTORY_DB"},
		{[]string{notes}, exitFailed, "not a SQLite database", "MEMORY_AS_HISTORY_DB"},
		{[]string{notes, notes}, exitUsage, "takes one file, not 2", "combray import --help"},
	} {
		code, _, err := s.run(append([]string{"import", historySystem}, c.args...)...)
		if code != c.code || !strings.Contains(err, c.message) || !strings.Contains(err, c.hint) {
			t.Errorf("%v ended with %d: %s", c.args, code, err)
		}
	}
	if _, err := os.Stat(s.db); err == nil {
		t.Error("a file that was refused began a store")
	}
	// Alone, the word is a name like any other.
	if code, _, err := s.run("import", historySystem); code != exitFailed || !strings.Contains(err, "memory-as-history: no such file") {
		t.Errorf("the word alone ended with %d: %s", code, err)
	}
}
