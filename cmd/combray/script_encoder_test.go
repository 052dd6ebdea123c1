package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"combray/encoder/encodertest"
)

// TestScriptsWithTheEncoder drives the commands that are nothing without it.
func TestScriptsWithTheEncoder(t *testing.T) {
	library := encodertest.Library(t)
	testscript.Run(t, testscript.Params{Dir: filepath.Join("testdata", "encoder"), RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("COMBRAY_ORT_LIB", library)
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "config"))
			e.Setenv("XDG_DATA_HOME", filepath.Join(e.WorkDir, "share"))
			return nil
		}})
}
