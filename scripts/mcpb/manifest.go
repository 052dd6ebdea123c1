package main

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"combray/tools"
)

// manifestVersion is the newest that the official tool takes for a binary.
const manifestVersion = "0.3"

// manifest is manifest.json of the bundle.
type manifest struct {
	Version       string                `json:"manifest_version"`
	Name          string                `json:"name"`
	DisplayName   string                `json:"display_name"`
	Release       string                `json:"version"`
	Description   string                `json:"description"`
	Author        map[string]string     `json:"author"`
	License       string                `json:"license"`
	Keywords      []string              `json:"keywords"`
	Server        manifestServer        `json:"server"`
	Tools         []manifestTool        `json:"tools"`
	ToolsMore     bool                  `json:"tools_generated"`
	Compatibility map[string][]string   `json:"compatibility"`
	UserConfig    map[string]userConfig `json:"user_config"`
}

type manifestServer struct {
	Type       string `json:"type"`
	EntryPoint string `json:"entry_point"`
	Config     struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env,omitempty"`
	} `json:"mcp_config"`
}

type manifestTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type userConfig struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Default     string `json:"default"`
}

// systems are the names that bundles have for GOOS.
var systems = map[string]string{"darwin": "darwin", "windows": "win32", "linux": "linux"}

func newManifest(s server, o options) (manifest, error) {
	system, known := systems[o.goos]
	if !known {
		return manifest{}, fmt.Errorf("there are no bundles for %s", o.goos)
	}
	shown, err := toolsOf(tools.DefaultProfile)
	if err != nil {
		return manifest{}, err
	}
	m := manifest{Version: manifestVersion, Name: "combray", DisplayName: s.Title, Release: s.Version, Description: s.Description,
		Author: map[string]string{"name": "The Combray authors"}, License: "MIT", Keywords: []string{"memory", "local", "offline", "multilingual"},
		Tools: shown, ToolsMore: true, Compatibility: map[string][]string{"platforms": {system}},
		UserConfig: map[string]userConfig{"profile": {Type: "string", Title: "Profile", Default: tools.DefaultProfile,
			Description: "Which tools are shown: " + strings.Join(tools.ProfileNames(), ", ")}}}
	m.Server.Type, m.Server.EntryPoint = "binary", programPath(o)
	m.Server.Config.Command = "${__dirname}/" + programPath(o)
	m.Server.Config.Args = []string{"mcp", "--profile", "${user_config.profile}"}
	if o.library != "" {
		m.Server.Config.Env = map[string]string{"COMBRAY_ORT_LIB": "${__dirname}/" + libraryPath(o)}
	}
	return m, nil
}

// toolsOf lists a profile's tools with the first sentence about each.
func toolsOf(profile string) ([]manifestTool, error) {
	s, err := tools.New(tools.Config{Profile: profile})
	if err != nil {
		return nil, err
	}
	var out []manifestTool
	for _, t := range s.Tools() {
		first, _, _ := strings.Cut(t.Description, ". ")
		out = append(out, manifestTool{t.Name, strings.TrimSuffix(first, ".") + "."})
	}
	slices.SortFunc(out, func(a, b manifestTool) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// Where the files lie in the bundle.
const serverFolder = "server"

func programPath(o options) string {
	if o.goos == "windows" {
		return path.Join(serverFolder, "combray.exe")
	}
	return path.Join(serverFolder, "combray")
}

func libraryPath(o options) string { return path.Join(serverFolder, filepath.Base(o.library)) }
