package models

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runtimeStore returns an empty store for linux/amd64 whose three sources hold the
// given library; the archive lies at address.
func runtimeStore(t *testing.T, library []byte, address string, archive Digest) Store {
	t.Helper()
	want := digestOf(library)
	lock := &Lock{Version: 1, Runtimes: []Runtime{{Platform: "linux/amd64", Licence: "MIT", Origin: "o", Sources: []Source{
		{Client: clientPip, Package: "onnxruntime", Version: "1.24.3", Tag: "manylinux_2_28_x86_64",
			Member: "onnxruntime/capi/libonnxruntime.so.1.24.3", Bytes: want.Bytes, SHA256: want.SHA256},
		{Client: clientNpm, Package: "onnxruntime-node", Version: "1.24.3",
			Member: "package/bin/libonnxruntime.so.1", Bytes: want.Bytes, SHA256: want.SHA256},
		{Client: clientPublisher, Package: "onnxruntime", Version: "1.24.2", Address: address,
			ArchiveBytes: archive.Bytes, ArchiveSHA256: archive.SHA256, Member: "ort/lib/libonnxruntime.so.1.24.2"},
	}}}}
	if err := lock.check(); err != nil {
		t.Fatal(err)
	}
	return Store{Dir: filepath.Join(t.TempDir(), "models"), Lock: lock, Platform: "linux/amd64"}
}

// fakeClient puts a program of that name on an otherwise empty PATH. It writes
// the package to the folder its arguments name.
func fakeClient(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	// The shell is named by its path: PATH has nothing else.
	text := "#!/bin/sh\nPATH=/usr/bin:/bin\n[ \"$1\" = --version ] && exit 0\nfor last; do case $previous in --dest|--pack-destination) dest=$last;; esac; previous=$last; done\n" + script
	writeFile(t, filepath.Join(dir, name), []byte(text))
	if err := os.Chmod(filepath.Join(dir, name), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

func wheelWith(t *testing.T, library []byte) []byte {
	return zipOf(t, entry{name: "onnxruntime/capi/libonnxruntime.so.1.24.3", content: library})
}

func TestInstallRuntimeWithPip(t *testing.T) {
	library := noise(9000)
	s := runtimeStore(t, library, "https://hub.invalid/ort.tgz", Digest{1, strings.Repeat("0", 64)})
	wheel := writeFile(t, filepath.Join(t.TempDir(), "w"), wheelWith(t, library))
	arguments := filepath.Join(t.TempDir(), "arguments")
	fakeClient(t, "pip3", "echo \"$@\" > "+arguments+"\ncp "+wheel+" \"$dest\"/onnxruntime-1.24.3-cp312.whl\n")
	if _, err := s.FindRuntime(t.Context()); err == nil || !strings.Contains(err.Error(), "make setup") {
		t.Fatalf("FindRuntime in an empty store: %v", err)
	}
	path, err := s.InstallRuntime(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, library)
	got, err := os.ReadFile(arguments)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"download", "--no-deps", "--only-binary :all:", "--platform manylinux_2_28_x86_64", "onnxruntime==1.24.3"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("pip was called with %q, without %q", got, want)
		}
	}
	// Works offline when already there, and asks no client.
	t.Setenv("PATH", "")
	again, err := s.InstallRuntime(t.Context(), Options{})
	if err != nil || again != path {
		t.Errorf("second install: %s, %v", again, err)
	}
	if err := s.Verify(t.Context(), RuntimeName); err != nil {
		t.Error(err)
	}
	st, err := s.Status(t.Context(), RuntimeName)
	if err != nil || st.State != Installed || st.Path != path || st.Present != 9000 {
		t.Errorf("status %+v, %v", st, err)
	}
	leftovers, err := filepath.Glob(filepath.Join(s.runtimeFolder(), "unpack-*"))
	if err != nil || len(leftovers) > 0 {
		t.Errorf("left behind: %v, %v", leftovers, err)
	}
}

func TestInstallRuntimeWithNpm(t *testing.T) {
	library := noise(9000)
	s := runtimeStore(t, library, "https://hub.invalid/ort.tgz", Digest{1, strings.Repeat("0", 64)})
	tarball := writeFile(t, filepath.Join(t.TempDir(), "w"), tgzOf(t, entry{name: "package/bin/libonnxruntime.so.1", content: library}))
	fakeClient(t, "npm", "cp "+tarball+" \"$dest\"/onnxruntime-node-1.24.3.tgz\n")
	path, err := s.InstallRuntime(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, library)
	if !strings.Contains(path, "1.24.3-npm") {
		t.Errorf("path %s", path)
	}
}

func TestInstallRuntimeFromPublisher(t *testing.T) {
	library := noise(9000)
	archive := tgzOf(t, entry{name: "ort/lib/libonnxruntime.so", link: "libonnxruntime.so.1.24.2"}, entry{name: "ort/lib/libonnxruntime.so.1.24.2", content: library})
	h := newHub(t, archive)
	t.Setenv("PATH", "")
	s := runtimeStore(t, []byte("another build"), h.URL+"/ort.tgz", digestOf(archive))
	path, err := s.InstallRuntime(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, library)
	// Its hash was noted when the checked archive was unpacked; a later change is seen.
	if found, err := s.FindRuntime(t.Context()); err != nil || found != path {
		t.Errorf("FindRuntime: %s, %v", found, err)
	}
	writeFile(t, path, append(bytes.Clone(library), 1))
	if _, err := s.FindRuntime(t.Context()); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a changed library: %v", err)
	}
	st, err := s.Status(t.Context(), RuntimeName)
	if err != nil || st.State != Damaged {
		t.Errorf("status %+v, %v", st, err)
	}
	if _, err := s.InstallRuntime(t.Context(), Options{}); err != nil {
		t.Errorf("repair: %v", err)
	}
	wantFile(t, path, library)
	if err := os.Remove(path + digestSuffix); err != nil {
		t.Fatal(err)
	}
	if _, err := s.FindRuntime(t.Context()); err == nil || !strings.Contains(err.Error(), "no note") {
		t.Errorf("without its note: %v", err)
	}
}

func TestInstallRuntimeNamesEveryFailure(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	s := runtimeStore(t, noise(10), server.URL+"/ort.tgz", digestOf(noise(10)))
	fakeClient(t, "pip3", "echo 'Looking in indexes' >&2\necho 'ERROR: No matching distribution found' >&2\nexit 1\n")
	_, err := s.InstallRuntime(t.Context(), Options{})
	if err == nil {
		t.Fatal("installed from nothing")
	}
	for _, part := range []string{"linux/amd64", "pip (onnxruntime 1.24.3)", "No matching distribution", "npm (onnxruntime-node 1.24.3)",
		"not on this machine", "404", server.URL + "/ort.tgz", "apt install python3-pip", "COMBRAY_ORT_LIB"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error does not contain %q:\n%v", part, err)
		}
	}
}

func TestInstallRuntimeRefusesWrongLibrary(t *testing.T) {
	library := noise(9000)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	s := runtimeStore(t, library, server.URL+"/ort.tgz", digestOf(noise(10)))
	wrong := bytes.Clone(library)
	wrong[100] ^= 1
	wheel := writeFile(t, filepath.Join(t.TempDir(), "w"), wheelWith(t, wrong))
	fakeClient(t, "pip", "cp "+wheel+" \"$dest\"/onnxruntime-1.24.3-cp312.whl\n")
	_, err := s.InstallRuntime(t.Context(), Options{})
	if err == nil || !strings.Contains(err.Error(), "SHA-256 differs") {
		t.Errorf("error %v", err)
	}
	if _, err := s.FindRuntime(t.Context()); err == nil {
		t.Error("a wrong library was installed")
	}
}

func TestInstallRuntimeCancelled(t *testing.T) {
	s := runtimeStore(t, noise(10), "https://hub.invalid/ort.tgz", digestOf(noise(10)))
	started := filepath.Join(t.TempDir(), "started")
	if err := makePipe(started); err != nil {
		t.Skip("no named pipes here")
	}
	fakeClient(t, "pip3", "echo x > "+started+"\nexec sleep 600\n")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(started) // returns when the client runs
		cancel()
	}()
	if _, err := s.InstallRuntime(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestInstallRuntimeFromFolder(t *testing.T) {
	library := noise(9000)
	archive := tgzOf(t, entry{name: "ort/lib/libonnxruntime.so.1.24.2", content: library})
	cases := map[string]struct {
		name    string
		content []byte
	}{
		"the library": {"libonnxruntime.so.1.24.3", library},
		"the wheel":   {"onnxruntime-1.24.3-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl", wheelWith(t, library)},
		"the tarball": {"onnxruntime-node-1.24.3.tgz", tgzOf(t, entry{name: "package/bin/libonnxruntime.so.1", content: library})},
		"the archive": {"ort.tgz", archive},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", "")
			s := runtimeStore(t, library, "https://hub.invalid/ort.tgz", digestOf(archive))
			from := t.TempDir()
			writeFile(t, filepath.Join(from, c.name), c.content)
			if err := s.Download(t.Context(), RuntimeName, Options{From: from}); err != nil {
				t.Fatal(err)
			}
			path, err := s.FindRuntime(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			wantFile(t, path, library)
			if err := s.Remove(RuntimeName); err != nil {
				t.Fatal(err)
			}
			if _, err := s.FindRuntime(t.Context()); err == nil {
				t.Error("still there after Remove")
			}
		})
	}
	t.Run("a damaged archive", func(t *testing.T) {
		s := runtimeStore(t, library, "https://hub.invalid/ort.tgz", digestOf(archive))
		from := t.TempDir()
		writeFile(t, filepath.Join(from, "ort.tgz"), archive[:100])
		if err := s.Download(t.Context(), RuntimeName, Options{From: from}); err == nil || !strings.Contains(err.Error(), "cut off") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("nothing", func(t *testing.T) {
		s := runtimeStore(t, library, "https://hub.invalid/ort.tgz", digestOf(archive))
		if err := s.Download(t.Context(), RuntimeName, Options{From: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "onnxruntime-node-1.24.3.tgz") {
			t.Errorf("error %v", err)
		}
	})
}

func TestUsersOwnLibrary(t *testing.T) {
	s := Store{Dir: t.TempDir(), Library: filepath.Join(t.TempDir(), "none.so")}
	if _, err := s.InstallRuntime(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), "COMBRAY_ORT_LIB") {
		t.Errorf("missing: %v", err)
	}
	s.Library = writeFile(t, s.Library, []byte("mine"))
	found, err := s.FindRuntime(t.Context())
	if err != nil || found != s.Library {
		t.Errorf("found %s, %v", found, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(s.Library)); len(entries) != 1 {
		t.Errorf("something was written beside the user's file: %v", entries)
	}
}
