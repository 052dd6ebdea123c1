package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms says which of our packages each package may import. A package that is
// not in the table fails, so a new room is a decision and not an accident.
var rooms = map[string][]string{
	"combray":                           {},
	"combray/cmd/combray":               {"combray", "combray/encoder", "combray/encoder/bundled", "combray/internal/benchmark", "combray/internal/clients", "combray/internal/httpapi", "combray/internal/lives", "combray/internal/local", "combray/internal/loopback", "combray/internal/media", "combray/internal/memory", "combray/internal/models", "combray/internal/notes", "combray/internal/predecessor", "combray/internal/replay", "combray/store", "combray/tools"},
	"combray/tools":                     {"combray/internal/memory"},
	"combray/internal/clients":          {},
	"combray/internal/benchmark":        {"combray/index", "combray/internal/local", "combray/internal/memory"},
	"combray/internal/loopback":         {},
	"combray/internal/httpapi":          {"combray/internal/memory", "combray/tools"},
	"combray/internal/local":            {"combray/encoder", "combray/index", "combray/internal/lexical", "combray/internal/media", "combray/internal/memory", "combray/internal/models", "combray/internal/timewords", "combray/store"},
	"combray/internal/memory":           {"combray/internal/lexical", "combray/internal/sense"},
	"combray/internal/memtest":          {"combray/internal/lexical", "combray/internal/memory"},
	"combray/internal/verbtest":         {"combray/internal/memory", "combray/internal/memtest"},
	"combray/internal/notes":            {"combray/internal/memory"},
	"combray/internal/sense":            {"combray/internal/lexical"},
	"combray/internal/sense/sensetest":  {},
	"combray/internal/media":            {"combray/encoder", "combray/internal/sense"},
	"combray/scripts/media":             {"combray/encoder", "combray/encoder/bundled", "combray/internal/media", "combray/internal/models", "combray/internal/sense"},
	"combray/internal/lexical":          {},
	"combray/internal/timewords":        {"combray/internal/memory"},
	"combray/internal/lives":            {"combray/internal/sense"},
	"combray/internal/replay":           {"combray/internal/lives", "combray/internal/memory"},
	"combray/internal/models":           {"combray"},
	"combray/internal/archtest":         {},
	"combray/store":                     {"combray/internal/lexical", "combray/internal/memory"},
	"combray/encoder":                   {"combray/encoder/tokenizer", "combray/internal/models"},
	"combray/encoder/bundled":           {"combray/encoder"},
	"combray/encoder/tokenizer":         {},
	"combray/index":                     {"combray/index/hnsw", "combray/index/kernel"},
	"combray/index/hnsw":                {"combray/index/kernel"},
	"combray/index/kernel":              {},
	"combray/scripts/flatten-tokenizer": {"combray/encoder/tokenizer"},
	"combray/scripts/eval":              {"combray/encoder", "combray/encoder/bundled", "combray/internal/lexical", "combray/internal/local", "combray/internal/memory", "combray/internal/models", "combray/internal/timewords"},
	"combray/scripts/languages":         {"combray/encoder", "combray/encoder/bundled", "combray/internal/models"},
	"combray/scripts/versus":            {"combray/encoder", "combray/encoder/bundled", "combray/encoder/tokenizer", "combray/index", "combray/internal/lexical", "combray/internal/models"},
	"combray/scripts/mcpb":              {"combray/internal/memory", "combray/internal/models", "combray/tools"},
	"combray/encoder/encodertest":       {"combray/internal/models"},
	"combray/internal/predecessor":      {"combray/internal/memory"},
}

// dialers are the packages that may open network connections: models to where
// models.lock says, loopback to this machine.
var dialers = []string{"combray/internal/models", "combray/internal/loopback"}

// servers are the packages that may listen, and so import the network.
var servers = []string{"combray/internal/httpapi", "combray/cmd/combray"}

// serving is all that a server may use of the network packages: nothing in it
// opens a connection or asks a name server.
var serving = map[string][]string{
	"net": {"Addr", "JoinHostPort", "Listen", "Listener", "SplitHostPort"},
	"net/http": {"Flusher", "Handler", "Header", "MaxBytesError", "MaxBytesReader", "NewResponseController", "Request", "ResponseController",
		"ResponseWriter", "Server"},
}

func TestImportsRunOneWay(t *testing.T) {
	for _, p := range packages(t) {
		allowed, known := rooms[p.path]
		if !known {
			t.Errorf("%s is not in the table of rooms: add it with what it may import, or put its code where it belongs", p.path)
			continue
		}
		for _, f := range p.files {
			for _, imported := range importsOf(t, f) {
				if strings.HasPrefix(imported+"/", "combray/") && !slices.Contains(allowed, imported) {
					t.Errorf("%s imports %s, which the table of rooms does not allow", f, imported)
				}
			}
		}
	}
}

func TestOnlyModelsDialsOut(t *testing.T) {
	for _, p := range packages(t) {
		if slices.Contains(dialers, p.path) || slices.Contains(servers, p.path) {
			continue
		}
		for _, f := range p.files {
			for _, imported := range importsOf(t, f) {
				if imported == "net/http" && p.path != "combray/tools" || imported == "net" {
					t.Errorf("%s imports %s: only %v may dial out", f, imported, dialers)
				}
			}
		}
	}
}

// TestServersNeverDial looks at every name that a server uses of net and
// net/http. A status, a method or another constant is no way out.
func TestServersNeverDial(t *testing.T) {
	for _, p := range packages(t) {
		if !slices.Contains(servers, p.path) {
			continue
		}
		for _, f := range p.files {
			for _, used := range namesOf(t, f) {
				from, name, _ := strings.Cut(used, ":")
				constant := strings.HasPrefix(name, "Status") || strings.HasPrefix(name, "Method")
				if allowed, watched := serving[from]; watched && !constant && !slices.Contains(allowed, name) {
					t.Errorf("%s uses %s of %s, which is not in the table of what only serves", f, name, from)
				}
			}
		}
	}
}

// namesOf gives each name that a file uses of a package it imports, as
// "path:name".
func namesOf(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	paths := make(map[string]string)
	for _, i := range parsed.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		if _, watched := serving[path]; watched && name == "." {
			t.Errorf("%s imports %s without a name", file, path)
		}
		paths[name] = path
	}
	var used []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && paths[x.Name] != "" {
				used = append(used, paths[x.Name]+":"+s.Sel.Name)
			}
		}
		return true
	})
	return used
}

// TestBundledStaysInTheBinary keeps 70 MB out of every test binary.
func TestBundledStaysInTheBinary(t *testing.T) {
	for _, p := range packages(t) {
		for _, f := range p.files {
			bundles := slices.Contains(importsOf(t, f), "combray/encoder/bundled")
			if bundles && !slices.Contains([]string{"combray/cmd/combray", "combray/scripts/eval", "combray/scripts/languages", "combray/scripts/media", "combray/scripts/versus"}, p.path) {
				t.Errorf("%s imports encoder/bundled, which only the binary and the evaluations may", f)
			}
		}
	}
}

// TestRulesKnowNoPorts keeps contexts, clocks and ports out of rule files.
func TestRulesKnowNoPorts(t *testing.T) {
	exempt := []string{"ports.go", "service.go", "memory.go"}
	files, err := filepath.Glob("../memory/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no rule files found: %v", err)
	}
	for _, f := range files {
		name := filepath.Base(f)
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_ops.go") || slices.Contains(exempt, name) {
			continue
		}
		for _, imported := range importsOf(t, f) {
			if slices.Contains([]string{"context", "os", "database/sql", "encoding/json", "net/http", "math/rand", "math/rand/v2", "sync"}, imported) {
				t.Errorf("%s is a rule file and imports %s", f, imported)
			}
		}
	}
}

// TestMemoryKnowsNoWire keeps SQL, JSON and paths out of the home of rules.
func TestMemoryKnowsNoWire(t *testing.T) {
	files, _ := filepath.Glob("../memory/*.go")
	for _, f := range files {
		for _, imported := range importsOf(t, f) {
			if slices.Contains([]string{"database/sql", "encoding/json", "net/http", "path/filepath", "os"}, imported) && !strings.HasSuffix(f, "_test.go") {
				t.Errorf("%s imports %s", f, imported)
			}
		}
	}
}

func importsOf(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range parsed.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, path)
	}
	return out
}
