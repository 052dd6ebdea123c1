package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"combray/internal/memory"
	"combray/tools"
)

// mcpPath is where MCP is served, both eras at the same address.
const mcpPath = "/mcp"

// endpoint serves MCP by mcp-go's Streamable HTTP, which decides the protocol
// era of each message by itself, and covers what that leaves open (facts/mcp.md
// 2.2 and 2.3): limits of bodies, streams and sessions, Accept, methods, and
// streams that end with their session and with the server.
type endpoint struct {
	handler  http.Handler
	sessions *sessions
	closing  <-chan struct{} // closed when the server stops
	streams  chan struct{}   // a place for every open stream
}

// maxStreams is how many streams may be open, of both eras.
const maxStreams = 256

func newEndpoint(s *server.MCPServer, table *sessions, closing <-chan struct{}) *endpoint {
	e := &endpoint{sessions: table, closing: closing, streams: make(chan struct{}, maxStreams)}
	e.handler = server.NewStreamableHTTPServer(s, server.WithSessionIdManagerResolver(table),
		server.WithDisableLocalhostProtection(true), // the guard knows the further names too
		server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))
	table.end = e.endSession
	return e
}

// endSession makes mcp-go forget a session, as its client would.
func (e *endpoint) endSession(id string, owner *token) {
	r := (&http.Request{Method: http.MethodDelete, URL: &url.URL{Path: mcpPath}, Header: http.Header{server.HeaderKeySessionID: {id}}}).
		WithContext(withToken(context.Background(), owner))
	e.handler.ServeHTTP(discard{}, r)
}

// discard is the client of a request that nobody sent.
type discard struct{}

func (discard) Header() http.Header         { return make(http.Header) }
func (discard) WriteHeader(int)             {}
func (discard) Write(b []byte) (int, error) { return len(b), nil }

func (e *endpoint) serve(w *writer, r *http.Request) *refusal {
	if !accepts(r) {
		return refuse(http.StatusNotAcceptable, memory.Invalid("", "Send Accept: application/json, text/event-stream.", "the answer would be in a form that Accept does not name"))
	}
	switch r.Method {
	case http.MethodPost:
		return e.post(w, r)
	case http.MethodGet, http.MethodDelete:
		return e.sessionMethod(w, r)
	}
	return wrongMethod("DELETE, GET, POST")
}

// accepts says whether the client reads what would come: events for GET, JSON
// or events for POST. No Accept header takes anything.
func accepts(r *http.Request) bool {
	forms := []string{"text/event-stream", "text/*", "*/*"}
	if r.Method == http.MethodPost {
		forms = append(forms, "application/json", "application/*")
	}
	given := r.Header.Values("Accept")
	if len(given) == 0 || r.Method == http.MethodDelete {
		return true
	}
	for part := range strings.SplitSeq(strings.Join(given, ","), ",") {
		form, _, _ := strings.Cut(part, ";")
		for _, f := range forms {
			if strings.EqualFold(strings.TrimSpace(form), f) {
				return true
			}
		}
	}
	return false
}

// sessionMethod serves the stream of a session, and its end. The newer era has
// neither, which mcp-go answers.
func (e *endpoint) sessionMethod(w *writer, r *http.Request) *refusal {
	if mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
		e.handler.ServeHTTP(w, r)
		return nil
	}
	if refused := e.needsSession(r); refused != nil {
		return refused
	}
	if r.Method == http.MethodDelete {
		e.handler.ServeHTTP(w, r)
		return nil
	}
	ended, leave, err := e.sessions.stream(r.Header.Get(server.HeaderKeySessionID))
	if err != nil {
		return noSession()
	}
	defer leave()
	return e.stream(w, r, ended)
}

// needsSession refuses a request of the older era that names no session of its
// token: mcp-go would do so in plain text.
func (e *endpoint) needsSession(r *http.Request) *refusal {
	id := r.Header.Get(server.HeaderKeySessionID)
	if id == "" {
		return noSessionNamed()
	}
	if _, err := e.sessions.ResolveSessionIdManager(r).Validate(id); err != nil {
		return noSession()
	}
	return nil
}

func noSession() *refusal {
	return refuse(http.StatusNotFound, &memory.Error{Code: memory.CodeNotFound, Message: "no such session", Hint: "Send initialize to begin a new one."})
}

func noSessionNamed() *refusal {
	return refuse(http.StatusBadRequest, memory.Invalid("", "Send initialize first, and the session it names in the header Mcp-Session-Id.", "the header Mcp-Session-Id is missing"))
}

// stream serves what stays open until the client leaves, its session ends or
// the server stops.
func (e *endpoint) stream(w *writer, r *http.Request, ended <-chan struct{}) *refusal {
	select {
	case e.streams <- struct{}{}:
		defer func() { <-e.streams }()
	default:
		return busy("%d streams are open", maxStreams)
	}
	w.leave()
	ctx, stop := context.WithCancel(r.Context())
	beating := make(chan struct{})
	go func() {
		defer close(beating)
		defer stop()
		w.keepAlive(ctx.Done(), ended, e.closing)
	}()
	e.handler.ServeHTTP(w, r.WithContext(ctx))
	stop()
	<-beating
	return nil
}

// message is what is looked at of a posted message before mcp-go reads it.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Meta *mcp.Meta `json:"_meta"`
	} `json:"params"`
}

func (e *endpoint) post(w *writer, r *http.Request) *refusal {
	body, refused := readBody(w, r, maxMediaBody)
	if refused != nil {
		return refused
	}
	var m message
	unread := json.Unmarshal(body, &m) // mcp-go says what is wrong with it
	if !keepsItsDigits(m.ID) {
		return refuse(http.StatusBadRequest, memory.Invalid("id", "Use a text or a whole number below 2^53.", "the id is a number that an answer cannot repeat digit by digit"))
	}
	modern := mcp.IsModernProtocol(m.Params.Meta.ProtocolVersion()) || mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
	if unread == nil && m.Method == "" && m.ID == nil {
		return refuse(http.StatusBadRequest, memory.Invalid("method", "Send JSON-RPC 2.0, for example a request with the method initialize.", "the message has neither a method nor an id"))
	}
	if !modern && m.Method != "" && m.Method != string(mcp.MethodInitialize) {
		if refused := e.needsSession(r); refused != nil {
			return refused
		}
	}
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	switch mcp.MCPMethod(m.Method) {
	case mcp.MethodSubscriptionsListen:
		return e.stream(w, r, nil)
	case mcp.MethodResourcesRead:
		e.read(w, r, body, modern)
	default:
		e.handler.ServeHTTP(w, r)
	}
	return nil
}

// keepsItsDigits says whether an id comes back as it was sent: mcp-go reads
// numbers as floating-point ones.
func keepsItsDigits(id json.RawMessage) bool {
	if len(id) == 0 || id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		return true
	}
	var n float64
	if json.Unmarshal(id, &n) != nil {
		return false
	}
	again, err := json.Marshal(n)
	return err == nil && bytes.Equal(again, id)
}

// read serves resources/read with the error code of the message's era.
func (e *endpoint) read(w *writer, r *http.Request, body []byte, modern bool) {
	kept := &keeper{header: make(http.Header), status: http.StatusOK}
	e.handler.ServeHTTP(kept, r)
	response, notFound := tools.MendRead(body, kept.body.Bytes())
	if notFound && modern {
		kept.status = http.StatusBadRequest
	}
	for key, values := range kept.header {
		w.Header()[key] = values
	}
	w.WriteHeader(kept.status)
	_, _ = w.Write(response) // a client that went away reads no error either
}

// keeper keeps one answer. It counts as a stream, because mcp-go throws away
// what a session has to be told when the answer is none.
type keeper struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *keeper) Header() http.Header         { return k.header }
func (k *keeper) WriteHeader(status int)      { k.status = status }
func (k *keeper) Flush()                      {}
func (k *keeper) Write(b []byte) (int, error) { return k.body.Write(b) }
