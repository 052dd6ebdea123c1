package notes

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"combray/internal/memory"
)

var paris = time.FixedZone("", 2*3600)

// write makes a folder of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, paths ...string) (notes []Note, problems []string) {
	t.Helper()
	r := Reader{Zone: paris, Decode: func(raw json.RawMessage) (memory.RememberInput, error) {
		var fields struct{ Content string }
		if err := json.Unmarshal(raw, &fields); err != nil || fields.Content == "" {
			return memory.RememberInput{}, errors.New("content is required")
		}
		return memory.RememberInput{Content: fields.Content}, nil
	}}
	for n, p := range r.Read(context.Background(), paths, func(int64) {}) {
		if p != nil {
			problems = append(problems, p.Error())
			continue
		}
		notes = append(notes, n)
	}
	return notes, problems
}

func TestMarkdownIsCutAtItsHeadings(t *testing.T) {
	dir := write(t, map[string]string{"trip.md": "before\n\n# A\none\n\n## B\n```\n# not a heading\n```\n# C\n\nD\n===\nfour\r\n\r\n# Empty\n"})
	notes, problems := read(t, dir)
	if problems != nil {
		t.Fatal(problems)
	}
	type got struct {
		Line          int
		Text, Context string
	}
	var have []got
	for _, n := range notes {
		have = append(have, got{n.Line, n.Input.Content, *n.Input.CaptureContext})
	}
	want := []got{
		{1, "before", "trip.md"},
		{3, "# A\none", "trip.md > A"},
		{6, "## B\n```\n# not a heading\n```", "trip.md > A > B"},
		{12, "D\n===\nfour", "trip.md > D"},
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

func TestWhenANoteHappened(t *testing.T) {
	for name, c := range map[string]struct {
		file, text, want string
		day              bool
	}{
		"a day in the name":              {"2024-05-08 walk.md", "x", "2024-05-08T12:00:00+02:00", true},
		"a day without dashes":           {"walk_20240508.md", "x", "2024-05-08T12:00:00+02:00", true},
		"a day in a folder":              {"2024-05-08/walk.md", "x", "2024-05-08T12:00:00+02:00", true},
		"the file's day before folder's": {"2020-01-01/2024-05-08.md", "x", "2024-05-08T12:00:00+02:00", true},
		"no such day":                    {"2024-13-40.md", "x", "", false},
		"a number that is no day":        {"invoice-120240508123.md", "x", "", false},
		"nothing known":                  {"walk.md", "x", "", false},
		"front matter wins":              {"2020-01-01.md", "---\ndate: 2024-05-08\n---\nx", "2024-05-08T12:00:00+02:00", true},
		"a moment in YAML":               {"a.md", "---\ndate: 2024-05-08T14:30:00+05:30\n---\nx", "2024-05-08T14:30:00+05:30", false},
		"a moment without zone":          {"a.md", "---\ncreated: \"2024-05-08 14:30\"\n---\nx", "2024-05-08T14:30:00+02:00", false},
		"a day in TOML":                  {"a.md", "+++\ndate = 2024-05-08\n+++\nx", "2024-05-08T12:00:00+02:00", true},
		"a name in capitals":             {"a.md", "---\nDate: 2024-05-08\n---\nx", "2024-05-08T12:00:00+02:00", true},
		"another name":                   {"a.md", "---\nevent_at: 2024-05-08T14:30:00+01:00\n---\nx", "2024-05-08T14:30:00+01:00", false},
		"text between two rules":         {"a.md", "---\n\nIntro\n\n---\n\nx", "", false},
		"a text file":                    {"2024-05-08.txt", "# x", "2024-05-08T12:00:00+02:00", true},
	} {
		notes, problems := read(t, write(t, map[string]string{c.file: c.text}))
		if problems != nil || len(notes) != 1 {
			t.Errorf("%s: %d notes, problems %v", name, len(notes), problems)
			continue
		}
		in := notes[0].Input
		have := ""
		if in.EventAt != nil {
			have = *in.EventAt
		}
		if have != c.want || in.DayOnly != c.day {
			t.Errorf("%s: %q day %v, want %q day %v", name, have, in.DayOnly, c.want, c.day)
		}
	}
}

func TestFrontMatterGivesTagsAndTitle(t *testing.T) {
	notes, problems := read(t, write(t, map[string]string{"a.md": "---\ntitle: Über Äpfel\ntags: [garden, \"#obst\"]\n---\n# Sorten\nBoskoop\n"}))
	if problems != nil || len(notes) != 1 {
		t.Fatal(notes, problems)
	}
	in := notes[0].Input
	if diff := cmp.Diff([]string{"garden", "obst"}, in.Tags); diff != "" {
		t.Error(diff)
	}
	if *in.CaptureContext != "a.md > Über Äpfel > Sorten" || notes[0].Line != 5 {
		t.Errorf("context %q, line %d", *in.CaptureContext, notes[0].Line)
	}
}

func TestBadFilesAreNamedAndTheRestGoesOn(t *testing.T) {
	dir := write(t, map[string]string{
		"a.jsonl":      "{\"content\":\"one\"}\nnot json\n\n[1]\n{\"content\":\"two\"}\n{\"nothing\":1}",
		"b.md":         "latin \xe4\n",
		"c.md":         "---\ndate: yesterdayish\n---\nx\n",
		"d.md":         "---\na: [\n---\nx\n",
		"e.md":         "good\n",
		"f.pdf":        "%PDF",
		".hidden/g.md": "never\n",
		".h.md":        "never\n",
		"u.md":         "\xff\xfeh\x00i\x00",
	})
	notes, problems := read(t, dir, filepath.Join(dir, "nothing-there"), filepath.Join(dir, "f.pdf"))
	var texts []string
	for _, n := range notes {
		texts = append(texts, n.Input.Content)
	}
	if diff := cmp.Diff([]string{"one", "two", "good", "hi"}, texts); diff != "" {
		t.Error(diff)
	}
	want := []string{"a.jsonl:2: ", "a.jsonl:4: ", "a.jsonl:6: content is required", "b.md: the file is not UTF-8", "c.md: the front matter's date", "d.md: the front matter cannot", "nothing-there: no such file", "f.pdf: only .md"}
	if len(problems) != len(want) {
		t.Fatalf("%d problems: %q", len(problems), problems)
	}
	for i := range want {
		if !strings.Contains(problems[i], want[i]) {
			t.Errorf("problem %d is %q, want %q", i, problems[i], want[i])
		}
	}
}

func TestKeysAreStableAndTellNotesApart(t *testing.T) {
	files := map[string]string{"a.md": "# x\none\n# y\none\n", "b/a.md": "# x\none\n", "c.jsonl": "{\"content\":\"one\"}\n{ \"content\" : \"one\" }\n"}
	first, _ := read(t, write(t, files))
	second, _ := read(t, write(t, files))
	seen := map[string]string{}
	for i := range first {
		if *first[i].Input.IdempotencyKey != *second[i].Input.IdempotencyKey {
			t.Errorf("%s:%d changes its key", first[i].File, first[i].Line)
		}
		seen[*first[i].Input.IdempotencyKey] = first[i].File
	}
	if len(seen) != 4 { // the two lines of JSON say the same
		t.Errorf("%d keys, want 4", len(seen))
	}
}

func FuzzPage(f *testing.F) {
	for _, s := range []string{"", "# a\n\nb", "---\nx: 1\n---\n", "+++\n+++\n", "a\n===\n\n- # b\n", "> # q\n", "\r\n# \r\n", "---\n", "```\n# a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		decoded, err := decodeText([]byte(text))
		if err != nil {
			return
		}
		p, err := parsePage("a.md", decoded, paris)
		if err != nil {
			return
		}
		for _, s := range p.sections {
			if !strings.Contains(decoded, s.text) || strings.TrimSpace(s.text) == "" || s.line < 1 {
				t.Fatalf("section %q at %d is not of the text %q", s.text, s.line, decoded)
			}
		}
	})
}
