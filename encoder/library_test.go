package encoder

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"combray/encoder/encodertest"
)

func TestProbeLibrary(t *testing.T) {
	good := encodertest.Library(t)
	version, err := probeLibrary(good)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" && checkVersion(version) != nil {
		t.Errorf("version %q", version)
	}
	content, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		content []byte
		says    string
	}{
		"half of it":     {content[:len(content)/2], "cut off"},
		"all but a page": {content[:len(content)-4096], "cut off"},
		"a text":         {[]byte("#!/bin/sh\n"), "not a"},
		"empty":          {nil, "not a"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "libonnxruntime.so")
			if err := os.WriteFile(path, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := probeLibrary(path)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "COMBRAY_ORT_LIB") {
				t.Errorf("error %v", err)
			}
		})
	}
	if _, err := probeLibrary(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := probeLibrary(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "make setup") {
		t.Errorf("missing: %v", err)
	}
}

// Fields of an ELF header that a file of the wrong kind has otherwise.
func TestProbeELFHeader(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the case is made for ELF files")
	}
	good, err := os.ReadFile(encodertest.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	for says, change := range map[string]func(b []byte){
		"another processor (RISCV)": func(b []byte) { b[18], b[19] = 0xF3, 0 }, // e_machine
		"not a 64-bit shared":       func(b []byte) { b[16] = 2 },              // e_type: a program
		"is cut off": func(b []byte) { // p_filesz of the first loaded part reaches behind the end
			for at := 64; ; at += 56 {
				if b[at] == 1 {
					b[at+32+5] = 1
					return
				}
			}
		},
	} {
		content := append([]byte(nil), good...)
		change(content)
		path := filepath.Join(t.TempDir(), "lib.so")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := probeLibrary(path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v does not contain %q", err, says)
		}
	}
}

func TestCheckVersion(t *testing.T) {
	for version, ok := range map[string]bool{
		"1.24.0": true, "1.24.3": true, "1.30.0": true, "2.0.0": true, "1.24": true,
		"1.23.2": false, "1.9.0": false, "0.30.0": false,
		"": true, "local": true, "1.x.0": true, // tells nothing: the library itself is asked
	} {
		if err := checkVersion(version); (err == nil) != ok {
			t.Errorf("%q: %v", version, err)
		}
	}
}

// stubSource is a library that has the entry point of ONNX Runtime but only an
// older interface, the way a too old one answers.
const stubSource = `
static const char *version(void) { return "1.23.2"; }
static const void *api(unsigned v) { (void)v; return 0; }
struct base { const void *(*api)(unsigned); const char *(*version)(void); };
static const struct base b = { api, version };
const struct base *OrtGetApiBase(void) { return &b; }
`

// buildStub compiles the stub; script is a linker version script, or empty.
func buildStub(t *testing.T, script string) string {
	t.Helper()
	dir := t.TempDir()
	source, lib := filepath.Join(dir, "stub.c"), filepath.Join(dir, "libonnxruntime.so")
	if err := os.WriteFile(source, []byte(stubSource), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-shared", "-fPIC", "-o", lib, source}
	if script != "" {
		file := filepath.Join(dir, "stub.map")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-Wl,--version-script="+file)
	}
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("build the stub: %v: %s", err, out)
	}
	return lib
}

func TestTooOldLibraryIsSeenBeforeLoading(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only ELF files tell their version")
	}
	lib := buildStub(t, "VERS_1.23.2 { global: OrtGetApiBase; local: *; };")
	if _, err := probeLibrary(lib); err == nil || !strings.Contains(err.Error(), "version 1.23.2, too old") {
		t.Errorf("error %v", err)
	}
	other := buildStub(t, "V { local: *; };")
	if _, err := probeLibrary(other); err == nil || !strings.Contains(err.Error(), "another library") {
		t.Errorf("error %v", err)
	}
}

// A too old library that does not tell its version in the file is loaded, says
// no, and is left without ending the process; the right one can then be started.
func TestTooOldLibraryIsLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the stub is built for Linux")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestStartTwice$", "-test.v")
	cmd.Env = append(os.Environ(), "COMBRAY_TEST_STUB="+buildStub(t, ""), "COMBRAY_TEST_GOOD="+encodertest.Library(t))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "started after the stub") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestStartTwice is the process of TestTooOldLibraryIsLeft: the runtime can be
// started only once in a process.
func TestStartTwice(t *testing.T) {
	stub, good := os.Getenv("COMBRAY_TEST_STUB"), os.Getenv("COMBRAY_TEST_GOOD")
	if stub == "" {
		return
	}
	if _, err := startEnvironment(stub); err == nil || !strings.Contains(err.Error(), "1.24 or newer") {
		t.Fatalf("stub: %v", err)
	}
	version, err := startEnvironment(good)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := startEnvironment(buildStub(t, "")); err == nil || !strings.Contains(err.Error(), "already uses") {
		t.Errorf("a second library: %v", err)
	}
	t.Logf("started after the stub: %s", version)
}
