package clients

import (
	"slices"
	"strings"
	"testing"
)

func TestPlacesOfEachSystem(t *testing.T) {
	linux := Places{OS: "linux", Home: "/home/mira"}
	moved := Places{OS: "linux", Home: "/home/mira", Config: "/cfg", ClaudeConfig: "/cc", CodexHome: "/cx", CopilotHome: "/cp"}
	macOS := Places{OS: mac, Home: "/Users/mira"}
	win := Places{OS: windows, Home: `C:\Users\mira`, AppData: `D:\Roaming`}
	tests := []struct {
		client string
		places Places
		file   string
	}{
		{"claude-code", linux, "/home/mira/.claude.json"},
		{"claude-code", moved, "/cc/.claude.json"},
		{"claude-code", win, `C:\Users\mira\.claude.json`},
		{"claude-desktop", linux, "/home/mira/.config/Claude/claude_desktop_config.json"},
		{"claude-desktop", macOS, "/Users/mira/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", win, `D:\Roaming\Claude\claude_desktop_config.json`},
		{"cursor", macOS, "/Users/mira/.cursor/mcp.json"},
		{"vscode", linux, "/home/mira/.config/Code/User/mcp.json"},
		{"vscode", macOS, "/Users/mira/Library/Application Support/Code/User/mcp.json"},
		{"vscode", Places{OS: windows, Home: `C:\U`}, `C:\U\AppData\Roaming\Code\User\mcp.json`},
		{"windsurf", linux, "/home/mira/.codeium/windsurf/mcp_config.json"},
		{"zed", moved, "/cfg/zed/settings.json"},
		{"zed", macOS, "/Users/mira/.config/zed/settings.json"},
		{"zed", win, `D:\Roaming\Zed\settings.json`},
		{"codex", linux, "/home/mira/.codex/config.toml"},
		{"codex", moved, "/cx/config.toml"},
		{"gemini", win, `C:\Users\mira\.gemini\settings.json`},
		{"goose", macOS, "/Users/mira/.config/goose/config.yaml"},
		{"goose", win, `D:\Roaming\Block\goose\config\config.yaml`},
		{"opencode", linux, "/home/mira/.config/opencode/opencode.json"},
		{"cline", linux, "/home/mira/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
		{"copilot", linux, "/home/mira/.copilot/mcp-config.json"},
		{"copilot", moved, "/cp/mcp-config.json"},
	}
	var seen []string
	for _, test := range tests {
		c, err := Find(test.client)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Files(test.places)[0]; got != test.file {
			t.Errorf("%s: %s, want %s", test.client, got, test.file)
		}
		for _, trace := range c.Traces(test.places) {
			if !strings.Contains(test.file, trace) && !strings.Contains(trace, ".claude") {
				t.Errorf("%s: trace %s is elsewhere than %s", test.client, trace, test.file)
			}
		}
		seen = append(seen, test.client)
	}
	for _, name := range Names() {
		if !slices.Contains(seen, name) {
			t.Errorf("%s is not tested", name)
		}
	}
}

func TestPlacesOfHooks(t *testing.T) {
	p := Places{OS: "linux", Home: "/home/mira"}
	for name, want := range map[string]string{"claude-code": "/home/mira/.claude/settings.json", "codex": "/home/mira/.codex/hooks.json",
		"gemini": "/home/mira/.gemini/settings.json"} {
		c, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.HookFile(p); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	p.ClaudeConfig = "/cc"
	c, _ := Find("claude-code")
	if got := c.HookFile(p); got != "/cc/settings.json" {
		t.Errorf("with CLAUDE_CONFIG_DIR: %s", got)
	}
}
