package models

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"path/filepath"
	"strings"
	"testing"
)

// entry is one file of an archive made for a test.
type entry struct {
	name    string
	content []byte
	link    string // symbolic link to it, instead of content
}

func zipOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		f, err := w.Create(e.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func tgzOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	gz := gzip.NewWriter(&out)
	w := tar.NewWriter(gz)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.content)), Typeflag: tar.TypeReg}
		if e.link != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, e.link
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestExtract(t *testing.T) {
	library := noise(5000)
	source := Source{Member: "pkg/lib/libonnxruntime.so.1", Bytes: 5000}
	right := []entry{{name: "pkg/README", content: []byte("x")}, {name: "./pkg/lib/libonnxruntime.so.1", content: library}}
	long := []entry{{name: "pkg/lib/libonnxruntime.so.1", content: append(bytes.Clone(library), 1)}}
	absent := []entry{{name: "pkg/lib/libonnxruntime.so.2", content: library}, {name: "../pkg/lib/libonnxruntime.so.1", content: library}}
	link := []entry{{name: "pkg/lib/libonnxruntime.so.1", link: "/etc/passwd"}}
	cases := map[string]struct {
		file    string
		content []byte
		says    string
	}{
		"wheel":           {"a.whl", zipOf(t, right...), ""},
		"zip":             {"a.zip", zipOf(t, right...), ""},
		"tgz":             {"a.tgz", tgzOf(t, right...), ""},
		"zip, too long":   {"a.zip", zipOf(t, long...), "more than"},
		"tgz, too long":   {"a.tgz", tgzOf(t, long...), "more than"},
		"zip, not there":  {"a.zip", zipOf(t, absent...), "no such file"},
		"tgz, not there":  {"a.tgz", tgzOf(t, absent...), "no such file"},
		"tgz, a link":     {"a.tgz", tgzOf(t, link...), "no such file"},
		"zip, broken":     {"a.zip", []byte("PK"), "a.zip"},
		"tgz, broken":     {"a.tgz", tgzOf(t, right...)[:60], "a.tgz"},
		"tgz, no gzip":    {"a.tgz", []byte("plain"), "a.tgz"},
		"unknown archive": {"a.rar", []byte("Rar!"), "no archive"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, filepath.Join(t.TempDir(), c.file), c.content)
			var out bytes.Buffer
			err := extract(t.Context(), path, source, &out)
			if c.says == "" {
				if err != nil || !bytes.Equal(out.Bytes(), library) {
					t.Errorf("error %v, %d bytes", err, out.Len())
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v does not contain %q", err, c.says)
			}
		})
	}
}

// A member whose size the lock does not know is bounded too, and so is what is
// walked over on the way to it.
func TestExtractBomb(t *testing.T) {
	// Zeros pack a thousandfold; 1 MiB over the bound is enough to show it.
	bomb := tgzOf(t, entry{name: "lib.so", content: make([]byte, maxMember+1<<20)})
	path := writeFile(t, filepath.Join(t.TempDir(), "a.tgz"), bomb)
	counted := &countWriter{}
	err := extract(t.Context(), path, Source{Member: "lib.so"}, counted)
	if err == nil || !strings.Contains(err.Error(), "more than") || counted.n > maxMember+1 {
		t.Errorf("error %v after %d bytes", err, counted.n)
	}
	var many []entry
	for range maxEntries + 1 {
		many = append(many, entry{name: "x"})
	}
	path = writeFile(t, filepath.Join(t.TempDir(), "b.tgz"), tgzOf(t, many...))
	if err := extract(t.Context(), path, Source{Member: "lib.so"}, counted); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("too many entries: %v", err)
	}
}

type countWriter struct{ n int64 }

func (c *countWriter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

func FuzzExtract(f *testing.F) {
	var t testing.T
	right := entry{name: "lib.so", content: []byte("library")}
	f.Add("a.tgz", tgzOf(&t, right))
	f.Add("a.zip", zipOf(&t, right))
	f.Add("a.tgz", []byte{0x1f, 0x8b})
	f.Add("a.zip", []byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		if name != "a.tgz" {
			name = "a.zip"
		}
		path := writeFile(t, filepath.Join(t.TempDir(), name), content)
		counted := &countWriter{}
		if err := extract(t.Context(), path, Source{Member: "lib.so", Bytes: 7}, counted); err == nil && counted.n > 7 {
			t.Errorf("%d bytes came out, at most 7 may", counted.n)
		}
	})
}
