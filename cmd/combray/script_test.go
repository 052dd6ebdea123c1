package main

import (
	"context"
	"os"
	"path/filepath"
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
