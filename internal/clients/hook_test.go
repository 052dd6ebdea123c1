package clients

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var hook = Hook{Command: "/home/mira/bin/combray", Args: []string{"hook"}}

// hookSamples are settings with and without hooks of others.
var hookSamples = []struct{ name, file string }{
	{"missing", ""},
	{"braces", "{}\n"},
	{"plain", "{\n    \"permissions\": {\"allow\": [\"Bash(go test:*)\"]}\n}\n"},
	{"others", `{
  // two of ours already
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "~/bin/guard.sh"}]}
    ],
    "UserPromptSubmit": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "date", // for the model
          },
        ],
      },
    ],
    "BeforeAgent": [{"hooks": [{"type": "command", "command": "date"}]}]
  },
  "model": "opus"
}
`},
	{"stale", `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "date"}, {"type": "command", "command": "'/old place/combray' hook", "timeout": 9}]}],
  "BeforeAgent": [{"hooks": [{"type": "command", "command": "/old/combray hook --db x"}]}]}}
`},
}

func hookClients(t *testing.T) []Client {
	t.Helper()
	var out []Client
	for _, name := range HookNames() {
		c, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if len(out) != 3 {
		t.Fatalf("%d clients with hooks", len(out))
	}
	return out
}

func TestGoldenHooks(t *testing.T) {
	for _, c := range hookClients(t) {
		got := &txtar.Archive{}
		for _, s := range hookSamples {
			added, err := c.AddHook([]byte(s.file), hook)
			if err != nil {
				t.Fatalf("%s %s: %v", c.Name, s.name, err)
			}
			got.Files = append(got.Files, txtar.File{Name: s.name, Data: added})
		}
		compareGolden(t, filepath.Join("testdata", "golden", c.Name+".hook.txtar"), txtar.Format(got))
	}
}

func TestHooksComeAndGo(t *testing.T) {
	for _, c := range hookClients(t) {
		for _, s := range hookSamples {
			for _, v := range (sample{s.name, []byte(s.file)}).variants() {
				once, err := c.AddHook(v.file, hook)
				if err != nil {
					t.Fatalf("%s %s: %v", c.Name, v.name, err)
				}
				if twice, err := c.AddHook(once, hook); err != nil || !bytes.Equal(once, twice) {
					t.Errorf("%s %s: the second time changed the file: %v", c.Name, v.name, err)
				}
				if line, err := c.HookLine(once, hook); err != nil || line != hook.Line() {
					t.Errorf("%s %s: reads %q, %v", c.Name, v.name, line, err)
				}
				removed, err := c.RemoveHook(once, hook)
				if err != nil {
					t.Fatalf("%s %s: %v", c.Name, v.name, err)
				}
				if line, err := c.HookLine(removed, hook); err != nil || line != "" {
					t.Errorf("%s %s: still there: %q, %v", c.Name, v.name, line, err)
				}
				if s.name != "stale" && s.name != "missing" && !bytes.Equal(removed, v.file) {
					t.Errorf("%s %s: not what it was:\n%s", c.Name, v.name, cmp.Diff(string(v.file), string(removed)))
				}
			}
		}
	}
}

func TestHooksOfAnotherShapeAreRefused(t *testing.T) {
	for file, says := range map[string]string{
		`{"hooks": []}`: "another shape",
		`{"hooks": {"UserPromptSubmit": "date"}}`: "another shape",
		`{"hooks": `: "not valid JSON",
	} {
		c, _ := Find("claude-code")
		if got, err := c.AddHook([]byte(file), hook); err == nil || got != nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q, %v", file, got, err)
		}
	}
}

func TestHookLinesAreQuoted(t *testing.T) {
	tests := []struct {
		hook Hook
		line string
	}{
		{Hook{Command: "/usr/bin/combray", Args: []string{"hook"}}, "/usr/bin/combray hook"},
		{Hook{Command: "/Users/Ada B/it's/combray", Args: []string{"hook", "--db", "/x"}}, `'/Users/Ada B/it'\''s/combray' hook --db /x`},
		{Hook{Command: `C:\Program Files\combray.exe`, Args: []string{"hook"}, Windows: true}, `"C:\Program Files\combray.exe" hook`},
	}
	for _, test := range tests {
		if got := test.hook.Line(); got != test.line {
			t.Errorf("%q, want %q", got, test.line)
		}
		if !(Hook{Command: "/elsewhere"}).ours(test.line) {
			t.Errorf("%q is not recognised", test.line)
		}
	}
	for _, line := range []string{"date", "", "combray", "/x/combray mcp", "/x/madeleine hook", "echo combray hook"} {
		if hook.ours(line) {
			t.Errorf("%q is taken for ours", line)
		}
	}
}
