package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// pipes is a listener without a network, so that connections live in a test's
// fake time. Nothing is buffered: who does not read stops the writer at once.
type pipes struct {
	incoming chan net.Conn
	closed   chan struct{}
}

func newPipes() *pipes {
	return &pipes{incoming: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.incoming:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

func (p *pipes) dial() (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.incoming <- server:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// served is an API that listens, and a client of it.
type served struct {
	*world
	pipes  *pipes
	client *http.Client
	stop   context.CancelFunc
	done   chan error
}

func serve(t *testing.T, adjust ...func(*Config)) *served {
	t.Helper()
	w := newWorld(t, append(adjust, func(c *Config) { c.Now = time.Now })...)
	w.tools.now = time.Now
	s := &served{world: w, pipes: newPipes(), done: make(chan error, 1)}
	s.client = &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return s.pipes.dial() }}}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	go func() { s.done <- w.api.Serve(ctx, s.pipes) }()
	return s
}

// end stops the server and waits for it.
func (s *served) end() {
	s.t.Helper()
	s.stop()
	if err := <-s.done; err != nil && !errors.Is(err, http.ErrServerClosed) {
		s.t.Errorf("Serve: %v", err)
	}
	s.client.CloseIdleConnections()
}

// post sends an MCP message with further headers and gives the answer, whose
// body is still to be read.
func (s *served) post(message string, header ...string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequest("POST", "http://localhost/mcp", strings.NewReader(message))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return s.doMCP(r, header...)
}

func (s *served) doMCP(r *http.Request, header ...string) *http.Response {
	s.t.Helper()
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+everything)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

func (s *served) get(header ...string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequest("GET", "http://localhost/mcp", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.doMCP(r, header...)
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"Test","version":"3"}}}`

// session begins a session of the older era.
func (s *served) session(header ...string) string {
	s.t.Helper()
	answer := s.post(initialize, header...)
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	id := answer.Header.Get("Mcp-Session-Id")
	if answer.StatusCode != 200 || id == "" {
		s.t.Fatalf("initialize: %d", answer.StatusCode)
	}
	return id
}

// sessions counts those of the older era.
func (s *served) sessions() int {
	table := s.api.mcp.sessions
	table.mu.Lock()
	defer table.mu.Unlock()
	return len(table.all)
}

// rpc is a JSON-RPC message as a client reads it.
type rpc struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// read takes a whole answer, JSON or events, and gives its last message.
func read(t *testing.T, answer *http.Response) (m rpc) {
	t.Helper()
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(body)) {
		line = strings.TrimPrefix(line, "data: ")
		if !strings.HasPrefix(line, "{") {
			continue
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
	}
	return m
}

// events reads the messages of an open stream.
type events struct {
	t *testing.T
	r *bufio.Reader
}

func eventsOf(t *testing.T, answer *http.Response) events {
	t.Helper()
	if answer.StatusCode != 200 || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		body, _ := io.ReadAll(answer.Body)
		t.Fatalf("no stream: %d %s", answer.StatusCode, body)
	}
	return events{t, bufio.NewReader(answer.Body)}
}

// next gives the next message, and false at the end of the stream.
func (e events) next() (m rpc, ok bool) {
	e.t.Helper()
	for {
		line, err := e.r.ReadString('\n')
		if err != nil {
			return m, false
		}
		if data, found := strings.CutPrefix(line, "data: "); found {
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				e.t.Fatalf("%s: %v", line, err)
			}
			return m, true
		}
	}
}
