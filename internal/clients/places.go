package clients

import (
	"path"
	"strings"
)

// Places are the folders from which paths are computed. Home is required; the
// others may be empty and then follow from it.
type Places struct {
	OS           string // as runtime.GOOS; empty: a system with XDG folders
	Home         string
	Config       string // XDG_CONFIG_HOME; empty: .config in Home
	AppData      string // %APPDATA%; empty: AppData\Roaming in Home
	ClaudeConfig string // CLAUDE_CONFIG_DIR
	CodexHome    string // CODEX_HOME
	CopilotHome  string // COPILOT_HOME
}

const (
	mac     = "darwin"
	windows = "windows"
)

// join joins with the separator of the system asked about, not of this one, so
// that the paths of every system can be tested on any.
func (p Places) join(first string, rest ...string) string {
	if p.OS == windows {
		return strings.ReplaceAll(strings.Join(append([]string{first}, rest...), `\`), "/", `\`)
	}
	return path.Join(append([]string{first}, rest...)...)
}

// folder is the folder of a file.
func (p Places) folder(file string) string {
	if p.OS == windows {
		return file[:strings.LastIndex(file, `\`)]
	}
	return path.Dir(file)
}

// config is the folder of programs that follow the XDG rules; on a Mac these use
// .config too.
func (p Places) config(rest ...string) string {
	if p.Config != "" {
		return p.join(p.Config, rest...)
	}
	return p.join(p.Home, append([]string{".config"}, rest...)...)
}

// application is the folder of programs that follow their system's rules.
func (p Places) application(rest ...string) string {
	switch {
	case p.OS == mac:
		return p.join(p.Home, append([]string{"Library", "Application Support"}, rest...)...)
	case p.OS == windows && p.AppData != "":
		return p.join(p.AppData, rest...)
	case p.OS == windows:
		return p.join(p.Home, append([]string{"AppData", "Roaming"}, rest...)...)
	}
	return p.config(rest...)
}

func inHome(names ...string) func(Places) []string {
	return func(p Places) []string { return []string{p.join(p.Home, names...)} }
}

// inCode is the folder of a user of VS Code.
func inCode(names ...string) func(Places) []string {
	return func(p Places) []string {
		return []string{p.application(append([]string{"Code", "User"}, names...)...)}
	}
}

func claudeCodeFiles(p Places) []string {
	if p.ClaudeConfig != "" {
		return []string{p.join(p.ClaudeConfig, ".claude.json")}
	}
	return []string{p.join(p.Home, ".claude.json")}
}

func claudeCodeTraces(p Places) []string {
	return append(claudeCodeFiles(p), p.folder(claudeSettings(p)))
}

// claudeSettings is the file of hooks, which is not that of servers.
func claudeSettings(p Places) string {
	if p.ClaudeConfig != "" {
		return p.join(p.ClaudeConfig, "settings.json")
	}
	return p.join(p.Home, ".claude", "settings.json")
}

func claudeDesktopFiles(p Places) []string {
	return []string{p.application("Claude", "claude_desktop_config.json")}
}

func zedFiles(p Places) []string {
	if p.OS == windows {
		return []string{p.application("Zed", "settings.json")}
	}
	return []string{p.config("zed", "settings.json")}
}

func inCodex(name string) func(Places) []string {
	return func(p Places) []string {
		if p.CodexHome != "" {
			return []string{p.join(p.CodexHome, name)}
		}
		return []string{p.join(p.Home, ".codex", name)}
	}
}

func gooseFiles(p Places) []string {
	if p.OS == windows {
		return []string{p.application("Block", "goose", "config", "config.yaml")}
	}
	return []string{p.config("goose", "config.yaml")}
}

func openCodeFiles(p Places) []string {
	return []string{p.config("opencode", "opencode.json"), p.config("opencode", "opencode.jsonc")}
}

func copilotFiles(p Places) []string {
	if p.CopilotHome != "" {
		return []string{p.join(p.CopilotHome, "mcp-config.json")}
	}
	return []string{p.join(p.Home, ".copilot", "mcp-config.json")}
}
