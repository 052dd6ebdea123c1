package main

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"combray": func() { os.Exit(run(context.Background(), os.Args[1:], standardStreams())) },
	})
}

// TestScripts drives the commands as a person would, by words alone; the
// encoder has TestRankingOfTheExamples and the smoke run of the gate.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: filepath.Join("testdata", "script"), RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"save": save, "pixels": pixels},
		Setup: func(e *testscript.Env) error {
			e.Setenv("COMBRAY_DB", filepath.Join(e.WorkDir, "data", "combray.db"))
			e.Setenv("COMBRAY_MODEL", "none")
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "config"))
			e.Setenv("XDG_DATA_HOME", filepath.Join(e.WorkDir, "share"))
			e.Setenv("TZ", "Europe/Paris")
			return nil
		}})
}

// save NAME REGEXP keeps the first group of a match in the last output, as $NAME.
func save(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: save NAME REGEXP")
	}
	match := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(match) != 2 {
		ts.Fatalf("no match of %s", args[1])
	}
	ts.Setenv(args[0], match[1])
}

// pixels FILE writes a picture.
func pixels(ts *testscript.TestScript, _ bool, args []string) {
	picture := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range picture.Pix {
		picture.Pix[i] = uint8(i * i / 97)
	}
	var b bytes.Buffer
	ts.Check(png.Encode(&b, picture))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o600))
}
