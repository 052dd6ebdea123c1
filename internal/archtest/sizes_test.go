package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Bounds of design: a file stops at 800 lines, a function at 100.
const (
	maxFileLines     = 800
	maxFunctionLines = 100
)

// tooLong lists the exceptions, each with its reason.
var tooLong = map[string]string{}

func TestFilesAndFunctionsStayShort(t *testing.T) {
	for _, file := range goFiles(t) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(source, []byte("\n")); n > maxFileLines && tooLong[file] == "" {
			t.Errorf("%s has %d lines; a file stops at %d", file, n, maxFileLines)
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || strings.HasSuffix(file, "_test.go") {
				continue
			}
			lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1
			if lines > maxFunctionLines && tooLong[file+":"+f.Name.Name] == "" {
				t.Errorf("%s: %s has %d lines; a function stops at %d", file, f.Name.Name, lines, maxFunctionLines)
			}
		}
	}
}

func TestFunctionsTakeAtMostSixParameters(t *testing.T) {
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Type.Params.NumFields() > 6 {
				t.Errorf("%s: %s takes %d parameters; use a struct", file, f.Name.Name, f.Type.Params.NumFields())
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for _, p := range packages(t) {
		documented := false
		for _, file := range p.files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			documented = documented || parsed.Doc != nil
		}
		if !documented {
			t.Errorf("%s has no package comment", p.path)
		}
	}
}

func TestNoDrawerNames(t *testing.T) {
	for _, p := range packages(t) {
		for _, drawer := range []string{"util", "utils", "common", "helpers", "types", "base", "manager"} {
			if filepath.Base(p.path) == drawer {
				t.Errorf("%s is named for a drawer, not for what it gives", p.path)
			}
			for _, f := range p.files {
				if strings.TrimSuffix(filepath.Base(f), ".go") == drawer {
					t.Errorf("%s is named for a drawer, not for a concept", f)
				}
			}
		}
	}
}

// pkg is one of our packages with its files, tests left out.
type pkg struct {
	path  string
	files []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	byDir := map[string]*pkg{}
	var order []string
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		dir := filepath.Dir(file)
		if byDir[dir] == nil {
			rel, err := filepath.Rel("../..", dir)
			if err != nil {
				t.Fatal(err)
			}
			path := "combray"
			if rel != "." {
				path += "/" + filepath.ToSlash(rel)
			}
			byDir[dir] = &pkg{path: path}
			order = append(order, dir)
		}
		byDir[dir].files = append(byDir[dir].files, file)
	}
	out := make([]pkg, len(order))
	for i, dir := range order {
		out[i] = *byDir[dir]
	}
	return out
}

func goFiles(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "build" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && path != "../..") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") {
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
