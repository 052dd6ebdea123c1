package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"
)

// home is a user of the tests: folders of its own, and no settings.
type home struct {
	t      *testing.T
	folder string
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{t, t.TempDir()}
	t.Cleanup(xdg.Reload) // first, so that it runs when the environment is back
	for name, value := range map[string]string{"HOME": h.folder, "XDG_DATA_HOME": filepath.Join(h.folder, "data"), "XDG_CONFIG_HOME": filepath.Join(h.folder, "config"),
		"COMBRAY_MODEL": "none", "COMBRAY_DB": "", "COMBRAY_PROFILE": "", "COMBRAY_READ_ONLY": "", "COMBRAY_HTTP": "", "COMBRAY_TOKEN_FILE": "",
		"COMBRAY_ALLOWED_HOSTS": "", "COMBRAY_LIMIT_CALLS": "", "COMBRAY_SECRETS": "", "MADELEINE_API_TOKEN": "", "MADELEINE_ALLOWED_HOSTS": ""} {
		t.Setenv(name, value)
	}
	xdg.Reload()
	return h
}

func (h *home) data(name string) string { return filepath.Join(h.folder, "data", "combray", name) }

// run executes a command and gives its exit code, its output and what it said
// on stderr.
func (h *home) run(args ...string) (code int, out, said string) {
	var o, e bytes.Buffer
	code = run(context.Background(), args, streams{in: strings.NewReader(""), out: &o, err: &e})
	return code, o.String(), e.String()
}

// service is a running `combray serve`.
type service struct {
	*home
	url, token string
	said       *teller
	stop       context.CancelFunc
	code       chan int
}

// teller keeps what is written and tells when the address is known.
type teller struct {
	mu    sync.Mutex
	b     bytes.Buffer
	ready chan string
	wrote *sync.Cond // of mu
}

func newTeller() *teller {
	w := &teller{ready: make(chan string, 1)}
	w.wrote = sync.NewCond(&w.mu)
	return w
}

// waitFor returns when a text was written, and fails the test when it ends before.
func (w *teller) waitFor(t *testing.T, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	defer context.AfterFunc(ctx, w.wrote.Broadcast)()
	w.mu.Lock()
	defer w.mu.Unlock()
	for !strings.Contains(w.b.String(), text) {
		if ctx.Err() != nil {
			t.Fatalf("%q was not said: %s", text, w.b.String())
		}
		w.wrote.Wait()
	}
}

var servedAt = regexp.MustCompile(`MCP at (http://\S+)/mcp`)

func (w *teller) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.b.Write(b)
	w.wrote.Broadcast()
	if m := servedAt.FindSubmatch(w.b.Bytes()); m != nil && bytes.HasSuffix(w.b.Bytes(), []byte("\n")) {
		select {
		case w.ready <- string(m[1]):
		default:
		}
	}
	return len(b), nil
}

func (w *teller) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// serve starts a server of the home's own and stops it with the test.
func (h *home) serve(args ...string) *service {
	h.t.Helper()
	s := &service{home: h, said: newTeller(), code: make(chan int, 1)}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	go func() {
		s.code <- run(ctx, append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "debug"}, args...), streams{in: strings.NewReader(""), out: io.Discard, err: s.said})
	}()
	select {
	case s.url = <-s.said.ready:
	case code := <-s.code:
		h.t.Fatalf("serve ended with %d: %s", code, s.said)
	}
	h.t.Cleanup(func() { s.end() })
	token, err := os.ReadFile(h.data("token"))
	if err == nil {
		s.token = strings.TrimSpace(string(token))
	}
	return s
}

// end stops the server; a second call does nothing.
func (s *service) end() {
	s.t.Helper()
	select {
	case <-s.code:
		return
	default:
	}
	s.stop()
	if code := <-s.code; code != exitDone {
		s.t.Errorf("serve ended with %d: %s", code, s.said)
	}
	close(s.code)
}

// answer is what came back from a server.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request with the token. Further headers come in pairs; an empty
// value leaves one out.
func (s *service) ask(method, path, body string, header ...string) answer {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		switch name, value := header[i], header[i+1]; {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{a.StatusCode, a.Header, string(b)}
}

// must asks for what has to succeed, and gives the object.
func (s *service) must(method, path, body string) map[string]any {
	s.t.Helper()
	a := s.ask(method, path, body)
	var object map[string]any
	if err := json.Unmarshal([]byte(a.body), &object); a.status >= 300 || err != nil {
		s.t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
	return object
}

// mcp calls a method of the stateless era and gives the result, or the error.
func (s *service) mcp(method, params, name string) string {
	s.t.Helper()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"probe","version":"7"}}`
	if params != "" {
		params = "," + params
	}
	a := s.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+meta+params+`}}`,
		"Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name)
	return a.body
}

// call runs a tool and gives the text of its result.
func (s *service) call(tool, arguments string) string {
	s.t.Helper()
	body := s.mcp("tools/call", `"name":"`+tool+`","arguments":`+arguments, tool)
	var m struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(body), &m); err != nil || len(m.Result.Content) != 1 {
		s.t.Fatalf("%s: %s", tool, body)
	}
	return m.Result.Content[0].Text
}

// bytesOf is everything in the files of a folder.
func bytesOf(t *testing.T, folder string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
