package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// hub is a publisher on this machine with one file.
type hub struct {
	*httptest.Server
	content []byte
	etag    string
	cutAt   int // closes the connection after so many bytes of a body; zero: never

	mu       sync.Mutex
	requests []http.Header
}

func newHub(t *testing.T, content []byte) *hub {
	h := &hub{content: content, etag: `"v1"`}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.Close)
	return h
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.requests = append(h.requests, r.Header.Clone())
	h.mu.Unlock()
	if h.etag != "" {
		w.Header().Set("ETag", h.etag)
	}
	if h.cutAt > 0 {
		w = &cutter{w, h.cutAt}
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(h.content))
}

func (h *hub) ranges() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, r := range h.requests {
		out = append(out, r.Get("Range"))
	}
	return out
}

// cutter breaks the connection after left bytes.
type cutter struct {
	http.ResponseWriter
	left int
}

func (c *cutter) Write(p []byte) (int, error) {
	if len(p) > c.left {
		_, _ = c.ResponseWriter.Write(p[:c.left])
		c.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(p)
	return c.ResponseWriter.Write(p)
}

// storeFor returns an empty store whose one model has one file at address with the digest want.
func storeFor(t *testing.T, address string, want Digest) (Store, string) {
	t.Helper()
	lock := &Lock{Version: 1, Models: []Model{{
		Name: "sample", Title: "a sample", Kind: "text", Licence: "MIT", Origin: "o", Revision: "r",
		Address: address, Dims: 4, Pooling: "mean", MaxTokens: 16,
		Files: []File{{Role: RoleModel, Path: "onnx/model.onnx", Bytes: want.Bytes, SHA256: want.SHA256}},
	}}}
	if err := lock.check(); err != nil {
		t.Fatal(err)
	}
	s := Store{Dir: filepath.Join(t.TempDir(), "models"), Lock: lock}
	return s, filepath.Join(s.Dir, "sample", "onnx", "model.onnx")
}

func wantState(t *testing.T, s Store, want State) {
	t.Helper()
	st, err := s.Status(t.Context(), "sample")
	if err != nil {
		t.Fatal(err)
	}
	if st.State != want {
		t.Errorf("state %s (%s), want %s", st.State, st.Problem, want)
	}
}

func wantFile(t *testing.T, path string, content []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, content) {
		t.Error("the installed file has other content")
	}
	for _, suffix := range []string{partSuffix, partSuffix + validatorSuffix} {
		if _, err := os.Stat(path + suffix); err == nil {
			t.Errorf("%s was left behind", path+suffix)
		}
	}
}

func TestDownload(t *testing.T) {
	content := noise(3_000_000)
	h := newHub(t, content)
	s, path := storeFor(t, h.URL, digestOf(content))
	wantState(t, s, Missing)
	var last Progress
	if err := s.Download(t.Context(), "sample", Options{Progress: func(p Progress) {
		if p.Done < last.Done || p.Total != int64(len(content)) {
			t.Errorf("progress went from %+v to %+v", last, p)
		}
		last = p
	}}); err != nil {
		t.Fatal(err)
	}
	if last.Done != int64(len(content)) || last.File != "onnx/model.onnx" {
		t.Errorf("last progress %+v", last)
	}
	wantFile(t, path, content)
	wantState(t, s, Installed)
	if err := s.Download(t.Context(), "sample", Options{}); err != nil {
		t.Fatal(err)
	}
	if got := len(h.ranges()); got != 1 {
		t.Errorf("%d requests, the second download should have made none", got)
	}
	paths, err := s.Installed(t.Context(), "sample")
	if err != nil || paths["onnx/model.onnx"] != path {
		t.Errorf("Installed: %v, %v", paths, err)
	}
}

func TestDownloadResumes(t *testing.T) {
	content := noise(1_000_000)
	cases := map[string]struct {
		have     []byte
		etag     string // the server's
		noted    string // beside the part
		requests []string
	}{
		"part kept":                 {content[:400_000], `"v1"`, `"v1"`, []string{"bytes=400000-"}},
		"no note":                   {content[:400_000], "", "", []string{"bytes=400000-"}},
		"file changed at the hub":   {noise(400_001)[1:], `"v2"`, `"v1"`, []string{"bytes=400000-"}},
		"part wrong":                {bytes.Repeat([]byte{7}, 400_000), `"v1"`, `"v1"`, []string{"bytes=400000-", ""}},
		"part complete":             {content, `"v1"`, `"v1"`, nil},
		"part complete and wrong":   {bytes.Repeat([]byte{7}, 1_000_000), `"v1"`, `"v1"`, []string{""}},
		"part too long":             {append(bytes.Clone(content), 1), `"v1"`, `"v1"`, []string{""}},
		"weak tag is not a version": {content[:10], `W/"v1"`, "", []string{"bytes=10-"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHub(t, content)
			h.etag = c.etag
			s, path := storeFor(t, h.URL, digestOf(content))
			writeFile(t, path+partSuffix, c.have)
			if c.noted != "" {
				writeFile(t, path+partSuffix+validatorSuffix, []byte(c.noted))
			}
			wantState(t, s, Partial)
			if err := s.Download(t.Context(), "sample", Options{}); err != nil {
				t.Fatal(err)
			}
			wantFile(t, path, content)
			if got := h.ranges(); fmt.Sprint(got) != fmt.Sprint(c.requests) {
				t.Errorf("ranges asked for: %q, want %q", got, c.requests)
			}
		})
	}
}

func TestDownloadSendsIfRange(t *testing.T) {
	content := noise(1000)
	h := newHub(t, content)
	s, path := storeFor(t, h.URL, digestOf(content))
	writeFile(t, path+partSuffix, content[:10])
	writeFile(t, path+partSuffix+validatorSuffix, []byte(`"v1"`))
	if err := s.Download(t.Context(), "sample", Options{}); err != nil {
		t.Fatal(err)
	}
	if got := h.requests[0].Get("If-Range"); got != `"v1"` {
		t.Errorf("If-Range %q", got)
	}
	if got := h.requests[0].Get("Accept-Encoding"); got != "identity" {
		t.Errorf("Accept-Encoding %q: a compressed answer would not match the size", got)
	}
}

func TestDownloadContinuesBrokenTransfer(t *testing.T) {
	content := noise(1_000_000)
	h := newHub(t, content)
	h.cutAt = 300_000
	s, path := storeFor(t, h.URL, digestOf(content))
	if err := s.Download(t.Context(), "sample", Options{}); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, content)
	if got := len(h.ranges()); got != 4 {
		t.Errorf("%d requests, want 4", got)
	}
}

func TestDownloadKeepsPartWhenServerGivesUp(t *testing.T) {
	content := noise(1_000_000)
	half := newHub(t, content[:500_000]) // a server that has only half
	s, path := storeFor(t, half.URL, digestOf(content))
	err := s.Download(t.Context(), "sample", Options{})
	if err == nil {
		t.Fatal("half a file was accepted")
	}
	if got := sizeOf(path + partSuffix); got != 500_000 {
		t.Errorf("the part has %d bytes, want 500000", got)
	}
	wantState(t, s, Partial)
}

func TestDownloadRefusesWhatIsNotTheFile(t *testing.T) {
	right := noise(50_000)
	flipped := bytes.Clone(right)
	flipped[40_000] ^= 1
	zeroed := bytes.Clone(right)
	clear(zeroed[30_000:])
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + digestOf(right).SHA256 + "\nsize 50000\n"
	cases := map[string]struct {
		content []byte
		says    string
	}{
		"wrong hash":  {flipped, "SHA-256 differs"},
		"too long":    {append(bytes.Clone(right), 1), "longer than the 50000 bytes"},
		"LFS pointer": {[]byte(pointer), "Git LFS pointer"},
		"web page":    {[]byte("<!doctype html><p>Please sign in"), "web page"},
		"zeroed tail": {zeroed, "ends in zeros"},
		"empty":       {nil, "0 of 50000"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHub(t, c.content)
			s, path := storeFor(t, h.URL, digestOf(right))
			err := s.Download(t.Context(), "sample", Options{})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("error %v does not contain %q", err, c.says)
			}
			for _, part := range []string{"onnx/model.onnx", "sample", h.URL, "combray models download sample"} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not name %q", err, part)
				}
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("a wrong file was installed")
			}
		})
	}
}

func TestDownloadReplacesDamagedFile(t *testing.T) {
	content := noise(5000)
	h := newHub(t, content)
	s, path := storeFor(t, h.URL, digestOf(content))
	writeFile(t, path, content[:1024])
	wantState(t, s, Damaged)
	if _, err := s.Installed(t.Context(), "sample"); err == nil || !strings.Contains(err.Error(), "combray models download sample") {
		t.Errorf("Installed on a damaged file: %v", err)
	}
	if err := s.Download(t.Context(), "sample", Options{}); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, content)
}

func TestVerifyForgetsTheNoteOfADamagedFile(t *testing.T) {
	content := noise(5000)
	h := newHub(t, content)
	s, path := storeFor(t, h.URL, digestOf(content))
	if err := s.Download(t.Context(), "sample", Options{}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, bytes.Repeat([]byte{1}, 5000)) // the disk lost it: same size, same time
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(t.Context(), "sample"); err == nil {
		t.Fatal("Verify did not read the file")
	}
	wantState(t, s, Damaged)
}

func TestDownloadHTTPErrorStatus(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	s, _ := storeFor(t, server.URL, digestOf(noise(10)))
	err := s.Download(t.Context(), "sample", Options{})
	if err == nil || !strings.Contains(err.Error(), "404") || !strings.Contains(err.Error(), "--from FOLDER") {
		t.Errorf("error %v", err)
	}
}

func TestDownloadProxyRefuses(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "blocked by policy", http.StatusForbidden)
	}))
	defer proxy.Close()
	t.Setenv("HTTPS_PROXY", strings.Replace(proxy.URL, "http://", "http://me:secret@", 1))
	t.Setenv("NO_PROXY", "")
	s, _ := storeFor(t, "https://hub.invalid/sample/abc", digestOf(noise(10)))
	err := s.Download(t.Context(), "sample", Options{})
	var failed *FetchError
	if !errors.As(err, &failed) {
		t.Fatalf("error %v", err)
	}
	for _, part := range []string{"onnx/model.onnx", "https://hub.invalid/sample/abc", strings.TrimPrefix(proxy.URL, "http://"), "Forbidden", "NO_PROXY"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not name %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("error %q shows the proxy's password", err)
	}
}

func TestDownloadFollowsRedirectOnlyToHTTPS(t *testing.T) {
	content := noise(1000)
	h := newHub(t, content)
	target := h.URL + "/file"
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target, http.StatusFound)
	}))
	defer front.Close()
	s, path := storeFor(t, front.URL, digestOf(content))
	if err := s.Download(t.Context(), "sample", Options{}); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, content)
	target = "http://plain.invalid/file"
	s, _ = storeFor(t, front.URL, digestOf(content))
	if err := s.Download(t.Context(), "sample", Options{}); err == nil || !strings.Contains(err.Error(), "not https") {
		t.Errorf("error %v", err)
	}
}

func TestDownloadCancelled(t *testing.T) {
	content := noise(4 << 20)
	var ranges []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		if len(ranges) > 1 {
			http.ServeContent(w, r, "", time.Unix(1, 0), bytes.NewReader(content))
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		w.Header().Set("Last-Modified", time.Unix(1, 0).UTC().Format(http.TimeFormat))
		_, _ = w.Write(content[:2<<20])
		w.(http.Flusher).Flush()
		<-r.Context().Done() // the rest never comes, so that the cancel cannot be too late
	}))
	defer server.Close()
	s, path := storeFor(t, server.URL, digestOf(content))
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Download(ctx, "sample", Options{Progress: func(p Progress) {
		if p.Done > 1<<20 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "again to continue") {
		t.Fatalf("error %v", err)
	}
	if sizeOf(path+partSuffix) == 0 {
		t.Error("the part was not kept")
	}
	if err := s.Download(t.Context(), "sample", Options{}); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, content)
	if len(ranges) != 2 || ranges[1] == "" {
		t.Errorf("ranges %q: the second download did not continue", ranges)
	}
}

func TestDownloadStalled(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write(noise(600))
		w.(http.Flusher).Flush()
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(release)
	s, _ := storeFor(t, server.URL, digestOf(noise(1000)))
	s.StallTimeout = 50 * time.Millisecond
	err := s.Download(t.Context(), "sample", Options{})
	if !errors.Is(err, errStalled) {
		t.Errorf("error %v", err)
	}
}

func TestDownloadDiskErrors(t *testing.T) {
	content := noise(1000)
	h := newHub(t, content)
	t.Run("folder is a file", func(t *testing.T) {
		s, _ := storeFor(t, h.URL, digestOf(content))
		writeFile(t, s.Dir, []byte("in the way"))
		err := s.Download(t.Context(), "sample", Options{})
		if err == nil || !strings.Contains(err.Error(), s.Dir) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("part is a folder", func(t *testing.T) {
		s, path := storeFor(t, h.URL, digestOf(content))
		if err := os.MkdirAll(path+partSuffix, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := s.Download(t.Context(), "sample", Options{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("target is a folder", func(t *testing.T) {
		s, path := storeFor(t, h.URL, digestOf(content))
		if err := os.MkdirAll(filepath.Join(path, "x"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := s.Download(t.Context(), "sample", Options{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v", err)
		}
	})
}

// fullDisk refuses every write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestMeterTellsDiskFromNetwork(t *testing.T) {
	m := &meter{out: fullDisk{}}
	if _, err := io.Copy(onlyWriter{m}, strings.NewReader("x")); err == nil || m.failed == nil {
		t.Errorf("copy error %v, failed %v", err, m.failed)
	}
}

func TestDownloadTwiceAtOnce(t *testing.T) {
	s, path := storeFor(t, "https://hub.invalid", digestOf(noise(10)))
	other, err := openPart(path + partSuffix)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := s.Download(t.Context(), "sample", Options{}); !errors.Is(err, errBusy) {
		t.Errorf("error %v", err)
	}
}

func TestDownloadFromFolder(t *testing.T) {
	content := noise(5000)
	for _, place := range []string{"onnx/model.onnx", "model.onnx", "sample/model.onnx", "sample/onnx/model.onnx"} {
		t.Run(place, func(t *testing.T) {
			s, path := storeFor(t, "https://hub.invalid", digestOf(content))
			from := t.TempDir()
			writeFile(t, filepath.Join(from, filepath.FromSlash(place)), content)
			if err := s.Download(t.Context(), "sample", Options{From: from}); err != nil {
				t.Fatal(err)
			}
			wantFile(t, path, content)
			wantState(t, s, Installed)
		})
	}
	t.Run("wrong", func(t *testing.T) {
		s, path := storeFor(t, "https://hub.invalid", digestOf(content))
		from := t.TempDir()
		writeFile(t, filepath.Join(from, "model.onnx"), content[:100])
		err := s.Download(t.Context(), "sample", Options{From: from})
		if err == nil || !strings.Contains(err.Error(), "cut off") {
			t.Errorf("error %v", err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a wrong file was installed")
		}
	})
	t.Run("not there", func(t *testing.T) {
		s, _ := storeFor(t, "https://hub.invalid/x", digestOf(content))
		err := s.Download(t.Context(), "sample", Options{From: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), "https://hub.invalid/x/onnx/model.onnx") {
			t.Errorf("error %v", err)
		}
	})
}

func TestRemove(t *testing.T) {
	content := noise(5000)
	h := newHub(t, content)
	s, path := storeFor(t, h.URL, digestOf(content))
	if err := s.Download(t.Context(), "sample", Options{}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path+partSuffix, []byte("left"))
	if err := s.Remove("sample"); err != nil {
		t.Fatal(err)
	}
	wantState(t, s, Missing)
	entries, err := os.ReadDir(s.Dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("left in the store: %v, %v", entries, err)
	}
	if err := s.Remove("sample"); err != nil {
		t.Errorf("removing twice: %v", err)
	}
}

func TestBundledIsNeitherFetchedNorRemoved(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	if err := s.Download(t.Context(), "bundled", Options{}); err == nil || !strings.Contains(err.Error(), "part of the program") {
		t.Errorf("Download: %v", err)
	}
	if err := s.Remove("bundled"); err == nil || !strings.Contains(err.Error(), "COMBRAY_MODEL=none") {
		t.Errorf("Remove: %v", err)
	}
	if err := s.Verify(t.Context(), "bundled"); err != nil {
		t.Errorf("Verify: %v", err)
	}
	st, err := s.Status(t.Context(), "bundled")
	if err != nil || st.State != Bundled || st.Bytes == 0 {
		t.Errorf("Status: %+v, %v", st, err)
	}
}

func TestList(t *testing.T) {
	list, err := Store{Dir: t.TempDir(), Platform: "linux/amd64"}.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, st := range list {
		names = append(names, st.Name+" "+string(st.State))
	}
	want := "onnxruntime missing, bundled bundled, multilingual-e5-small missing, embeddinggemma-2-q4 missing, embeddinggemma-2-q8 missing, embeddinggemma-2-pictures-q4 missing, embeddinggemma-2-pictures-q8 missing, embeddinggemma-2-sounds-q4 missing, embeddinggemma-2-sounds-q8 missing, granite-97m-r2 missing, efficientnet-lite0 bundled, resemblyzer bundled"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("list\n%s, want\n%s", got, want)
	}
}

func TestPartlyFetchedModel(t *testing.T) {
	content := noise(100)
	s, path := storeFor(t, "https://hub.invalid", digestOf(content))
	s.Lock.Models[0].Files = append(s.Lock.Models[0].Files, File{Role: RoleTokenizer, Path: "tokenizer.json", Bytes: 3, SHA256: digestOf([]byte("abc")).SHA256})
	writeFile(t, path, content)
	st, err := s.Status(t.Context(), "sample")
	if err != nil || st.State != Partial || st.Present != 100 || st.Bytes != 103 || !strings.Contains(st.Problem, strconv.Itoa(1)+" of 2") {
		t.Errorf("status %+v, %v", st, err)
	}
	// Only the sidecar is missing: one clear error.
	if _, err := s.Installed(t.Context(), "sample"); err == nil || !strings.Contains(err.Error(), "tokenizer.json is not there") {
		t.Errorf("error %v", err)
	}
}
