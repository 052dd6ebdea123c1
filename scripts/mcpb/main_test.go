package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const root = "../.."

// trialOptions packs small files instead of the program.
func trialOptions(t *testing.T) options {
	t.Helper()
	dir := t.TempDir()
	o := options{root: root, binary: filepath.Join(dir, "program"), library: filepath.Join(dir, "libonnxruntime.so"), out: filepath.Join(dir, "out"),
		url: "https://example.org/releases/combray-mcp.mcpb", goos: "linux", goarch: "amd64"}
	for _, f := range []string{o.binary, o.library} {
		if err := os.WriteFile(f, []byte(f), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func TestTheSameFilesGiveTheSameBytes(t *testing.T) {
	o := trialOptions(t)
	first, err := run(o)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	second, err := run(o)
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(second)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("two runs differ: %v", err)
	}
}

func TestBundleHoldsWhatItsManifestNames(t *testing.T) {
	o := trialOptions(t)
	path, err := run(o)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	modes := map[string]os.FileMode{}
	for _, f := range z.File {
		modes[f.Name] = f.Mode()
		if !f.Modified.Equal(packed) {
			t.Errorf("%s is of %v: the bytes depend on when they were packed", f.Name, f.Modified)
		}
	}
	f, err := z.Open("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.NewDecoder(f).Decode(&m); err != nil {
		t.Fatal(err)
	}
	if modes[m.Server.EntryPoint]&0o111 == 0 {
		t.Errorf("%s cannot be run: %v", m.Server.EntryPoint, modes)
	}
	for _, named := range []string{m.Server.Config.Command, m.Server.Config.Env["COMBRAY_ORT_LIB"]} {
		if _, there := modes[strings.TrimPrefix(named, "${__dirname}/")]; !there {
			t.Errorf("%s is not in the bundle", named)
		}
	}
	if len(m.Tools) < 5 || !slices.ContainsFunc(m.Tools, func(t manifestTool) bool { return t.Name == "remember" }) {
		t.Errorf("tools %v", m.Tools)
	}
	if _, there := modes["LICENSE"]; !there {
		t.Error("no licence")
	}
}

func TestPublishedEntryNamesTheBundleAndItsHash(t *testing.T) {
	o := trialOptions(t)
	path, err := run(o)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := readServer(filepath.Join(o.out, "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if len(s.Packages) != 1 || s.Packages[0].FileSHA256 != hex.EncodeToString(sum[:]) || s.Packages[0].Version != s.Version {
		t.Errorf("%+v", s.Packages)
	}
}

func TestNoBundleForUnknownSystems(t *testing.T) {
	o := trialOptions(t)
	o.goos = "plan9"
	if _, err := run(o); err == nil {
		t.Error("a bundle was made")
	}
}

// TestServerJSON holds the entry to the registry's schema of 2025-12-11.
func TestServerJSON(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s server
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&s); err != nil {
		t.Fatal(err)
	}
	if s.Schema != "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" {
		t.Errorf("schema %q", s.Schema)
	}
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(s.Name) || !strings.HasSuffix(s.Name, "/combray") {
		t.Errorf("name %q", s.Name)
	}
	for key, text := range map[string]string{"description": s.Description, "title": s.Title} {
		if n := utf8.RuneCountInString(text); n < 1 || n > 100 {
			t.Errorf("%s has %d characters; 1 to 100 are allowed", key, n)
		}
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(s.Version) {
		t.Errorf("version %q is not one exact release", s.Version)
	}
}

func TestGlamaJSON(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "glama.json"))
	if err != nil {
		t.Fatal(err)
	}
	var g struct {
		Schema      string   `json:"$schema"`
		Maintainers []string `json:"maintainers"`
	}
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	if g.Schema != "https://glama.ai/mcp/schemas/server.json" || len(g.Maintainers) == 0 {
		t.Errorf("%+v", g)
	}
}
