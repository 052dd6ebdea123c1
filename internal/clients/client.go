package clients

import (
	"fmt"
	"slices"
	"strings"
)

// ServerName is the name of the entry in every client. With its prefixes a tool's
// name must stay below 60 characters in some clients, so it is short.
const ServerName = "combray"

// Server is how a client starts Combray.
type Server struct {
	Command string   // absolute path: programs with a window have no shell's PATH
	Args    []string // what follows it, mcp first
}

// Client is an MCP client whose configuration can be edited.
type Client struct {
	Name  string // as it is typed, "claude-code"
	Title string // as its owner writes it, "Claude Code"

	format    format
	container []string // keys from the root to the table of servers
	fields    func(Server) fields
	files     func(Places) []string // the first that exists counts, else the first
	traces    func(Places) []string // any of them tells that the client is installed
	hook      *hookShape            // nil: the client has no hooks we know
}

// table lists the clients in the order in which they are shown.
var table = []Client{
	{Name: "claude-code", Title: "Claude Code", format: jsonFormat{}, container: []string{"mcpServers"}, fields: typed("stdio"),
		files: claudeCodeFiles, traces: claudeCodeTraces, hook: &claudeHook},
	{Name: "claude-desktop", Title: "Claude Desktop", format: jsonFormat{}, container: []string{"mcpServers"}, fields: plain,
		files: claudeDesktopFiles},
	{Name: "cursor", Title: "Cursor", format: jsonFormat{}, container: []string{"mcpServers"}, fields: plain,
		files: inHome(".cursor", "mcp.json")},
	{Name: "vscode", Title: "VS Code", format: jsonFormat{}, container: []string{"servers"}, fields: typed("stdio"),
		files: inCode("mcp.json")},
	{Name: "windsurf", Title: "Windsurf", format: jsonFormat{}, container: []string{"mcpServers"}, fields: plain,
		files: inHome(".codeium", "windsurf", "mcp_config.json")},
	{Name: "zed", Title: "Zed", format: jsonFormat{}, container: []string{"context_servers"}, fields: plain,
		files: zedFiles},
	{Name: "codex", Title: "Codex", format: tomlFormat{}, container: []string{"mcp_servers"}, fields: plain,
		files: inCodex("config.toml"), hook: &codexHook},
	{Name: "gemini", Title: "Gemini CLI", format: jsonFormat{}, container: []string{"mcpServers"}, fields: plain,
		files: inHome(".gemini", "settings.json"), hook: &geminiHook},
	{Name: "goose", Title: "Goose", format: yamlFormat{}, container: []string{"extensions"}, fields: gooseFields,
		files: gooseFiles},
	{Name: "opencode", Title: "OpenCode", format: jsonFormat{}, container: []string{"mcp"}, fields: openCodeFields,
		files: openCodeFiles},
	{Name: "cline", Title: "Cline", format: jsonFormat{}, container: []string{"mcpServers"}, fields: plain,
		files:  inCode("globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json"),
		traces: inCode("globalStorage", "saoudrizwan.claude-dev")},
	{Name: "copilot", Title: "Copilot CLI", format: jsonFormat{}, container: []string{"mcpServers"}, fields: copilotFields,
		files: copilotFiles},
}

// All lists the clients in the order in which they are shown.
func All() []Client { return slices.Clone(table) }

// Names lists the names that Find takes.
func Names() []string {
	names := make([]string, len(table))
	for i, c := range table {
		names[i] = c.Name
	}
	return names
}

// HookNames lists the clients that have a hook.
func HookNames() []string {
	var names []string
	for _, c := range table {
		if c.hook != nil {
			names = append(names, c.Name)
		}
	}
	return names
}

// Find gives the client of a name. Letters' case, spaces, hyphens and a trailing
// "cli" do not matter: "VS Code", "Gemini CLI" and "copilot-cli" are found. The
// error lists the names.
func Find(name string) (Client, error) {
	wanted := plainName(name)
	for _, c := range table {
		if plainName(c.Name) == wanted || plainName(c.Title) == wanted {
			return c, nil
		}
	}
	return Client{}, fmt.Errorf("unknown client %q; there are %s", name, strings.Join(Names(), ", "))
}

func plainName(s string) string {
	s = strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(s))
	return strings.TrimSuffix(s, "cli")
}

// Files gives the paths at which the client looks for its configuration: the
// first that exists counts, and a new one is made at the first.
func (c Client) Files(p Places) []string { return c.files(p) }

// Traces gives paths of which one exists when the client is installed.
func (c Client) Traces(p Places) []string {
	if c.traces != nil {
		return c.traces(p)
	}
	var folders []string
	for _, f := range c.files(p) {
		folders = append(folders, p.folder(f))
	}
	return folders
}

// Add gives the file with the entry in it; empty bytes stand for no file. An
// entry that is there keeps the keys that its owner added. A file that has the
// entry already comes back as it is. The error says what is wrong with the file.
func (c Client) Add(file []byte, s Server) ([]byte, error) {
	values := c.fields(s)
	return guard(c.format, file, change{
		meant: func(tree map[string]any) error { return setEntry(tree, c.entryPath(), values) },
		edit:  func(text source) ([]byte, error) { return c.format.add(text, c.entryPath(), values) },
	})
}

// Remove gives the file without the entry, and without the table around it when
// nothing else is in there. A file without the entry comes back as it is.
func (c Client) Remove(file []byte) ([]byte, error) {
	return guard(c.format, file, change{
		meant:  func(tree map[string]any) error { dropEntry(tree, c.entryPath()); return nil },
		edit:   func(text source) ([]byte, error) { return c.format.remove(text, c.entryPath()) },
		settle: func(tree map[string]any) { dropEmpty(tree, c.container) },
	})
}

// Entry gives how the file starts Combray. Without an entry present is false.
func (c Client) Entry(file []byte) (s Server, present bool, err error) {
	tree, err := c.format.decode(newSource(file))
	if err != nil {
		return Server{}, false, err
	}
	entry, ok := dig(tree, c.entryPath()).(map[string]any)
	if !ok {
		return Server{}, false, nil
	}
	words := asWords(entry["command"])
	if _, whole := entry["command"].([]any); !whole { // OpenCode has program and arguments in one list
		words = slices.Concat(words, asWords(entry["cmd"]), asWords(entry["args"]))
	}
	if len(words) == 0 {
		return Server{}, true, nil
	}
	return Server{Command: words[0], Args: words[1:]}, true, nil
}

// Snippet is the entry for those who paste: a whole file with nothing else in it.
func (c Client) Snippet(s Server) (string, error) {
	file, err := c.Add(nil, s)
	return string(file), err
}

func (c Client) entryPath() []string { return append(slices.Clone(c.container), ServerName) }

// asWords reads a string or a list of strings.
func asWords(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var words []string
		for _, one := range v {
			if s, ok := one.(string); ok {
				words = append(words, s)
			}
		}
		return words
	}
	return nil
}
