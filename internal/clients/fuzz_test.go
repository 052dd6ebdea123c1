package clients

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fuzzEdits holds the properties for any bytes: an edit fails and gives nothing,
// or a second one changes nothing, and taking the entry out again leaves what was
// there in meaning.
func fuzzEdits(f *testing.F, names ...string) {
	for i, name := range names {
		c, err := Find(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, s := range samples(f, c) {
			for _, v := range s.variants() {
				f.Add(v.file, i)
			}
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, which int) {
		c, err := Find(names[(which%len(names)+len(names))%len(names)])
		if err != nil {
			t.Fatal(err)
		}
		once, err := c.Add(file, server)
		if err != nil {
			if once != nil {
				t.Fatalf("an error and %q", once)
			}
			return
		}
		if twice, err := c.Add(once, server); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("the second time: %v\n%s", err, cmp.Diff(string(once), string(twice)))
		}
		removed, err := c.Remove(once)
		if err != nil {
			t.Fatalf("what was added cannot be removed: %v\n%q", err, once)
		}
		want, _ := c.format.decode(newSource(file))
		got, err := c.format.decode(newSource(removed))
		for _, tree := range []map[string]any{want, got} {
			dropEntry(tree, c.entryPath())
			dropEmpty(tree, c.container)
		}
		if err != nil || cmp.Diff(want, got) != "" {
			t.Fatalf("%v\n%s", err, cmp.Diff(want, got))
		}
	})
}

func FuzzJSON(f *testing.F) { fuzzEdits(f, "claude-desktop", "opencode") }
func FuzzTOML(f *testing.F) { fuzzEdits(f, "codex") }
func FuzzYAML(f *testing.F) { fuzzEdits(f, "goose") }

func FuzzHook(f *testing.F) {
	for _, s := range hookSamples {
		f.Add([]byte(s.file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		c, _ := Find("claude-code")
		once, err := c.AddHook(file, hook)
		if err != nil {
			return
		}
		if twice, err := c.AddHook(once, hook); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("the second time: %v\n%s", err, cmp.Diff(string(once), string(twice)))
		}
		if _, err := c.RemoveHook(once, hook); err != nil {
			t.Fatalf("what was added cannot be removed: %v\n%q", err, once)
		}
	})
}

func FuzzSplitLine(f *testing.F) {
	for _, w := range []string{"/a/combray", "/with space/x", "it's", `C:\Program Files\combray.exe`, "", "ä\"b"} {
		f.Add(w, "hook")
	}
	f.Fuzz(func(t *testing.T, command, arg string) {
		h := Hook{Command: command, Args: []string{arg}}
		if got := splitLine(h.Line()); cmp.Diff([]string{command, arg}, got) != "" {
			t.Fatalf("%q is read as %q", h.Line(), got)
		}
	})
}
