package clients

import (
	"os"
	"strings"
	"testing"
)

// TestTheGuideShowsEveryEntry keeps the entries for pasting in the guide true.
func TestTheGuideShowsEveryEntry(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range All() {
		text, err := c.Snippet(Server{Command: "/path/to/combray", Args: []string{"mcp"}})
		if err != nil {
			t.Fatal(err)
		}
		indented := "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ")
		if !strings.Contains(string(guide), indented) {
			t.Errorf("%s: the guide lacks\n%s", c.Title, indented)
		}
		if !strings.Contains(string(guide), c.Title) {
			t.Errorf("the guide does not name %s", c.Title)
		}
	}
	for _, name := range HookNames() {
		if !strings.Contains(string(guide), "combray setup hook "+name) {
			t.Errorf("the guide does not tell of the hook of %s", name)
		}
	}
}
