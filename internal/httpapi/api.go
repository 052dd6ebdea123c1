package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"combray/internal/memory"
	"combray/tools"
)

// Tools is what the doors for sensors need of tools.Server.
type Tools interface {
	// Call runs a tool for the caller and the actor in the context. The error is
	// for a tool that this server does not have.
	Call(ctx context.Context, tool string, arguments map[string]any) (tools.Reply, error)
}

var _ Tools = (*tools.Server)(nil)

// Config wires an API. Tools, MCP and Tokens are required.
type Config struct {
	Tools  Tools             // behind the doors for sensors and people
	MCP    *server.MCPServer // behind /mcp
	Tokens *Tokens

	AllowedHosts   []string         // names for Host and Origin besides the loopback ones
	CallsPerMinute int              // of one token; 0: DefaultCallsPerMinute; below 0: no limit
	Erases         bool             // DELETE /memories/{id} always erases: profile senses
	Logger         *slog.Logger     // nil: nothing is logged
	Now            func() time.Time // nil: the system's clock; for sessions and limits
	Zone           *time.Location   // of hours that come in UTC; nil: the system's
}

// DefaultCallsPerMinute is the limit of one token (contract/surface.md 7).
const DefaultCallsPerMinute = 600

// maxRunning is how many requests may be worked on at once, streams apart.
const maxRunning = 128

// API is the HTTP surface. Make it with New; end it with Close. It is safe for
// concurrent use.
type API struct {
	tools   Tools
	mcp     *endpoint
	tokens  *Tokens
	hosts   hosts
	erases  bool
	log     *slog.Logger
	now     func() time.Time
	zone    *time.Location
	behind  *behind
	running chan struct{}
	closing chan struct{} // closed when the server stops
}

var _ http.Handler = (*API)(nil)

// New makes an API.
func New(c Config) *API {
	if c.CallsPerMinute == 0 {
		c.CallsPerMinute = DefaultCallsPerMinute
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Zone == nil {
		c.Zone = time.Local
	}
	a := &API{tools: c.Tools, tokens: c.Tokens.limited(c.CallsPerMinute), hosts: newHosts(c.AllowedHosts), erases: c.Erases,
		log: c.Logger, now: c.Now, zone: c.Zone, behind: newBehind(), running: make(chan struct{}, maxRunning), closing: make(chan struct{})}
	table := &sessions{now: c.Now, log: c.Logger.Debug, all: make(map[string]*session)}
	a.mcp = newEndpoint(c.MCP, table, a.closing)
	return a
}

// refuseNew ends streams and lets no further request in.
func (a *API) refuseNew() { close(a.closing) }

// Close lets no request in, ends streams and sessions, and waits for what was
// accepted to be done behind; when ctx ends first, that is cancelled. It is
// called once, and not after Serve.
func (a *API) Close(ctx context.Context) {
	a.refuseNew()
	a.behind.drain(ctx)
	a.mcp.sessions.endAll()
}

// ServeHTTP checks who calls, and from where, before it looks at what is wanted.
func (a *API) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	start := a.now()
	w := newWriter(rw)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	name := "refused"
	refused := a.guard(r)
	if refused == nil {
		name, refused = a.admitted(w, r)
	}
	switch {
	case refused != nil && r.URL.Path == mcpPath:
		refused.writeRPC(w)
	case refused != nil:
		refused.write(w)
	}
	a.log.Info("request", "method", logMethod(r.Method), "route", name, "status", w.status, "ms", a.now().Sub(start).Milliseconds())
}

// logMethod keeps what a client invents out of the log.
func logMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodDelete:
		return method
	}
	return "other"
}

// guard is what is checked before anything is routed.
func (a *API) guard(r *http.Request) *refusal {
	if !a.hosts.host(r.Host) {
		return refuse(http.StatusForbidden, memory.Denied("Address it as localhost, or name the host in COMBRAY_ALLOWED_HOSTS.", "this server does not answer to the name in the header Host"))
	}
	if !a.hosts.origin(r.Header.Values("Origin")) {
		return refuse(http.StatusForbidden, memory.Denied("Leave Origin out, or name its host in COMBRAY_ALLOWED_HOSTS.", "pages of that origin may not call this server"))
	}
	return nil
}

// admitted routes a request that comes from where it may.
func (a *API) admitted(w *writer, r *http.Request) (name string, refused *refusal) {
	if (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.URL.Path == healthPath {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("ok")) // who asks and goes away needs no answer
		return healthPath, nil
	}
	t := a.tokens.find(r.Header.Get("Authorization"))
	if t == nil {
		return "refused", refuse(http.StatusUnauthorized, memory.Denied("Send the header Authorization: Bearer TOKEN, with a token of the server's token file.", "a token is needed")).
			with("WWW-Authenticate", `Bearer realm="combray"`)
	}
	select {
	case <-a.closing:
		return "refused", stopping()
	default:
	}
	name, serve := a.route(r)
	select {
	case a.running <- struct{}{}:
		w.leave = sync.OnceFunc(func() { <-a.running })
		defer w.leave()
	default:
		return name, busy("%d requests are being answered", maxRunning)
	}
	return name, serve(w, r.WithContext(a.identified(r, t)))
}

// identified puts the caller's rights and its door into a request's context.
func (a *API) identified(r *http.Request, t *token) context.Context {
	ctx := withToken(r.Context(), t)
	ctx = tools.WithCaller(ctx, tools.Caller{Scopes: t.scopes, Limit: t.limit})
	actor := memory.Actor{Door: memory.DoorHTTP}
	if r.URL.Path != mcpPath {
		actor.Client, actor.Version = agent(r.UserAgent())
	}
	return memory.WithActor(ctx, actor)
}

// maxAgent is how much is kept of what a client calls itself.
const maxAgent = 128

// agent takes the first product of a User-Agent apart: NAME/VERSION. It is what
// the client claims.
func agent(header string) (name, version string) {
	first, _, _ := strings.Cut(strings.TrimSpace(header), " ")
	name, version, _ = strings.Cut(first[:min(len(first), maxAgent)], "/")
	return strings.ToValidUTF8(name, ""), strings.ToValidUTF8(version, "")
}

type tokenKey struct{}

func withToken(ctx context.Context, t *token) context.Context {
	return context.WithValue(ctx, tokenKey{}, t)
}

func tokenOf(ctx context.Context) *token {
	t, _ := ctx.Value(tokenKey{}).(*token)
	return t
}

func busy(format string, args ...any) *refusal {
	return refuse(http.StatusServiceUnavailable, memory.Unavailable("Try again in a second.", nil, "%s", fmt.Sprintf(format, args...)+" already")).with("Retry-After", "1")
}

func stopping() *refusal {
	return refuse(http.StatusServiceUnavailable, memory.Unavailable("Try again when it runs again.", nil, "%v", errStopped)).with("Retry-After", "5")
}

func wrongMethod(allowed string) *refusal {
	return refuse(http.StatusMethodNotAllowed, memory.Invalid("", "Use one of "+allowed+".", "this address does not take the method")).with("Allow", allowed)
}
