package clients

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

var server = Server{Command: "/home/mira/bin/combray", Args: []string{"mcp"}}

// sample is an existing configuration.
type sample struct {
	name string
	file []byte
}

// samples gives the configurations of a client: those of its format in
// testdata/in, with the client's own name for the table of servers.
func samples(t testing.TB, c Client) []sample {
	t.Helper()
	pattern := map[format]string{jsonFormat{}: "mcpServers.*.json", tomlFormat{}: "*.toml", yamlFormat{}: "*.yaml"}[c.format]
	paths, err := filepath.Glob(filepath.Join("testdata", "in", pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples for %s: %v", c.Name, err)
	}
	out := []sample{{"missing", nil}}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		data = bytes.ReplaceAll(data, []byte(`"mcpServers"`), []byte(`"`+c.container[0]+`"`))
		out = append(out, sample{filepath.Base(p), data})
	}
	return out
}

// variants gives a sample as editors of other systems save it.
func (s sample) variants() []sample {
	crlf := bytes.ReplaceAll(s.file, []byte("\n"), []byte("\r\n"))
	mark := []byte(byteOrderMark)
	return []sample{s, {s.name + "+crlf", crlf}, {s.name + "+bom", append(mark, s.file...)}, {s.name + "+bom+crlf", append(mark, crlf...)}}
}

func TestGolden(t *testing.T) {
	for _, c := range All() {
		t.Run(c.Name, func(t *testing.T) {
			got := &txtar.Archive{}
			for _, s := range samples(t, c) {
				added, err := c.Add(s.file, server)
				if err != nil {
					t.Fatalf("%s: %v", s.name, err)
				}
				got.Files = append(got.Files, txtar.File{Name: s.name, Data: added})
			}
			compareGolden(t, filepath.Join("testdata", "golden", c.Name+".txtar"), txtar.Format(got))
		})
	}
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s differs, -want +got:\n%s", path, d)
	}
}

// each runs f on every configuration of every client in every variant.
func each(t *testing.T, f func(*testing.T, Client, sample)) {
	for _, c := range All() {
		for _, s := range samples(t, c) {
			for _, v := range s.variants() {
				t.Run(c.Name+"/"+v.name, func(t *testing.T) { f(t, c, v) })
			}
		}
	}
}

func mustAdd(t *testing.T, c Client, file []byte, s Server) []byte {
	t.Helper()
	added, err := c.Add(file, s)
	if err != nil {
		t.Fatalf("add: %v", err)
	}
	return added
}

func mustRemove(t *testing.T, c Client, file []byte) []byte {
	t.Helper()
	removed, err := c.Remove(file)
	if err != nil {
		t.Fatalf("remove: %v", err)
	}
	return removed
}

func TestAddingTwiceChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, c Client, s sample) {
		once := mustAdd(t, c, s.file, server)
		if twice := mustAdd(t, c, once, server); !bytes.Equal(once, twice) {
			t.Errorf("the second time changed the file:\n%s", cmp.Diff(string(once), string(twice)))
		}
		got, present, err := c.Entry(once)
		if err != nil || !present || cmp.Diff(server, got) != "" {
			t.Errorf("the entry reads %v, %v, %v", got, present, err)
		}
	})
}

// TestRemoveGivesTheOriginal compares bytes. Only a file that held nothing, or a
// YAML key without a value, may come back in another form of nothing.
func TestRemoveGivesTheOriginal(t *testing.T) {
	each(t, func(t *testing.T, c Client, s sample) {
		_, present, err := c.Entry(s.file)
		if err != nil || present {
			t.Skip("has an entry of its own")
		}
		removed := mustRemove(t, c, mustAdd(t, c, s.file, server))
		if bytes.Equal(removed, s.file) {
			return
		}
		if strings.HasPrefix(s.name, "goose.null") || strings.Trim(string(s.file), byteOrderMark+" \r\n{}") == "" {
			want, _ := c.format.decode(newSource(s.file))
			got, err := c.format.decode(newSource(removed))
			dropEmpty(want, c.container)
			if err == nil && cmp.Diff(want, got) == "" {
				return
			}
		}
		t.Errorf("not what it was:\n%s", cmp.Diff(string(s.file), string(removed)))
	})
}

// TestEveryEditChangesOnlyTheEntry reads the files before and after with plain
// decoders and compares everything but the entry.
func TestEveryEditChangesOnlyTheEntry(t *testing.T) {
	each(t, func(t *testing.T, c Client, s sample) {
		before, err := c.format.decode(newSource(s.file))
		if err != nil {
			t.Fatal(err)
		}
		added := mustAdd(t, c, s.file, Server{Command: `/with a space/"quote"\back/combray`, Args: []string{"mcp", "--db", "/tmp/ü #x: y.db"}})
		after, err := c.format.decode(newSource(added))
		if err != nil {
			t.Fatal(err)
		}
		removed, err := c.format.decode(newSource(mustRemove(t, c, added)))
		if err != nil {
			t.Fatal(err)
		}
		for _, tree := range []map[string]any{before, after, removed} {
			dropEntry(tree, c.entryPath())
			dropEmpty(tree, c.container)
		}
		if d := cmp.Diff(before, after); d != "" {
			t.Errorf("adding changed something else:\n%s", d)
		}
		if d := cmp.Diff(before, removed); d != "" {
			t.Errorf("removing changed something else:\n%s", d)
		}
		if mark := bytes.HasPrefix(s.file, []byte(byteOrderMark)); mark != bytes.HasPrefix(added, []byte(byteOrderMark)) {
			t.Error("the byte order mark came or went")
		}
		if strings.HasSuffix(s.name, "crlf") && len(s.file) > 3 && bytes.Contains(s.file, []byte("\n")) {
			if n := bytes.Count(added, []byte("\n")) - bytes.Count(added, []byte("\r\n")); n != 0 {
				t.Errorf("%d lines do not end as the others do", n)
			}
		}
	})
}

func TestAStaleEntryKeepsWhatItsOwnerAdded(t *testing.T) {
	tests := []struct{ client, file, keeps string }{
		{"cursor", "mcpServers.stale.json", `"env": {"COMBRAY_LOG": "debug"}`},
		{"cursor", "mcpServers.stale.json", "// moved to the other disk in May"},
		{"codex", "codex.stale.toml", "startup_timeout_sec = 20.5"},
		{"codex", "codex.stale.toml", "# moved"},
		{"codex", "codex.stale.toml", "COMBRAY_LOG = \"debug\""},
		{"goose", "goose.stale.yaml", "enabled: false   # for now"},
		{"goose", "goose.stale.yaml", "env_keys: [A, B]"},
	}
	for _, test := range tests {
		c, err := Find(test.client)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join("testdata", "in", test.file))
		if err != nil {
			t.Fatal(err)
		}
		added := string(mustAdd(t, c, data, server))
		if !strings.Contains(added, test.keeps) || strings.Contains(added, "/old/place") {
			t.Errorf("%s: want %q kept and the path changed in\n%s", test.client, test.keeps, added)
		}
	}
}

func TestAFileThatCannotBeReadIsRefused(t *testing.T) {
	tests := []struct{ client, file, says string }{
		{"cursor", "{\n  \"mcpServers\": {,}\n}", "line 2, column 18"},
		{"cursor", "{\"mcpServers\": {}", "not valid JSON"},
		{"cursor", "[1]", "not a JSON object"},
		{"cursor", "null", "not a JSON object"},
		{"cursor", "{\"mcpServers\": []}", `"mcpServers" is not a table`},
		{"cursor", "{\"mcpServers\": {\"combray\": \"x\"}}", `"mcpServers.combray" is not a table`},
		{"cursor", "{\"mcpServers\": {}, \"mcpServers\": {\"a\": {}}}", "stands twice"},
		{"cursor", "{\"a\": \"\xff\"}", "UTF-8"},
		{"cursor", "{\x00", "UTF-8"},
		{"cursor", "\xff\xfe{\x00}\x00", "UTF-8"},
		{"codex", "model = \n[x]", "line 1"},
		{"codex", "mcp_servers = 3", "not a table"},
		{"codex", "mcp_servers = { a = { command = \"x\" } }", "by hand"},
		{"codex", "[mcp_servers]\ncombray = { command = \"x\" }", "by hand"},
		{"codex", "[mcp_servers.combray.env]\nA = \"b\"", "by hand"},
		{"codex", "[[mcp_servers]]\na = 1", "not a table"},
		{"goose", "extensions: [a, b]", "not a table"},
		{"goose", "a: 1\n b: 2", "not valid YAML"},
		{"goose", "- a", "not valid YAML"},
		{"goose", "a: 1\n---\nb: 2", "several YAML documents"},
		{"goose", "extensions: &all\n  a: {}\nmore: *all", "by hand"},
		{"goose", "a: 1\rb: 2", "carriage return"},
		{"goose", "a: \x01", "not valid YAML"},
	}
	for _, test := range tests {
		c, err := Find(test.client)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Add([]byte(test.file), server)
		if err == nil || got != nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s %q: %q, %v; want %q", test.client, test.file, got, err, test.says)
		}
	}
}

// TestRemoveKeepsWhatIsNotOurs has layouts that add does not make.
func TestRemoveKeepsWhatIsNotOurs(t *testing.T) {
	tests := []struct{ client, file, want string }{
		{"cursor", "{\"mcpServers\": {\"a\": {}, // note\n \"combray\": {} }}", "{\"mcpServers\": {\"a\": {} // note\n }}"},
		{"cursor", "{\n  \"mcpServers\": {\n    \"combray\": {},\n    \"a\": {}\n  }\n}", "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}"},
		{"cursor", "{\n  \"mcpServers\": {\n    // mine\n    \"combray\": {}\n  }\n}", "{\n  \"mcpServers\": {\n    // mine\n  }\n}"},
		{"codex", "a = 1\n\n[mcp_servers.combray]\ncommand = \"x\" # c\n\n[mcp_servers.combray.env]\nA = \"b\"\n\n# next\n[b]\nc = 2\n", "a = 1\n\n# next\n[b]\nc = 2\n"},
		{"goose", "extensions:\n  combray:\n    args:\n    - mcp\n    x: |\n      # y\n\n  # next\n  b: {}\n", "extensions:\n\n  # next\n  b: {}\n"},
		{"goose", "extensions: {a: {b: 1}, combray: {cmd: \"}\"}}\n", "extensions: {a: {b: 1}}\n"},
	}
	for _, test := range tests {
		c, err := Find(test.client)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(mustRemove(t, c, []byte(test.file))); got != test.want {
			t.Errorf("%s: %q gives %q, want %q", test.client, test.file, got, test.want)
		}
	}
}

// TestATOMLValueOfItsOwnerStays has a field that no client with TOML has yet.
func TestATOMLValueOfItsOwnerStays(t *testing.T) {
	got, err := tomlFormat{}.add(newSource([]byte("[a.b]\nenabled = false\n")), []string{"a", "b"},
		fields{{key: "enabled", value: true, once: true}, {key: "more", value: 3, once: true}})
	if want := "[a.b]\nmore = 3\nenabled = false\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestFindTakesTheNamesThatPeopleUse(t *testing.T) {
	for typed, want := range map[string]string{"Claude Code": "claude-code", "VS Code": "vscode", "vs-code": "vscode", "Gemini CLI": "gemini",
		"gemini": "gemini", "copilot-cli": "copilot", "GOOSE": "goose", "claude-desktop": "claude-desktop"} {
		if c, err := Find(typed); err != nil || c.Name != want {
			t.Errorf("%q gives %q, %v", typed, c.Name, err)
		}
	}
	if _, err := Find("emacs"); err == nil || !strings.Contains(err.Error(), "opencode") {
		t.Errorf("an unknown name says %v, want the list", err)
	}
}

func TestEntryOfForeignShapes(t *testing.T) {
	c, err := Find("opencode")
	if err != nil {
		t.Fatal(err)
	}
	got, present, err := c.Entry([]byte(`{"mcp": {"combray": {"command": []}}}`))
	if err != nil || !present || got.Command != "" {
		t.Errorf("%v, %v, %v", got, present, err)
	}
	if _, present, err = c.Entry([]byte(`{"mcp": 3}`)); err != nil || present {
		t.Errorf("%v, %v", present, err)
	}
	if _, _, err = c.Entry([]byte(`{`)); err == nil {
		t.Error("an invalid file is read")
	}
}

func ExampleClient_Snippet() {
	c, _ := Find("goose")
	text, _ := c.Snippet(Server{Command: "/usr/local/bin/combray", Args: []string{"mcp"}})
	fmt.Print(text)
	// Output:
	// extensions:
	//   combray:
	//     enabled: true
	//     type: stdio
	//     name: combray
	//     cmd: /usr/local/bin/combray
	//     args:
	//     - mcp
	//     envs: {}
	//     timeout: 300
}
