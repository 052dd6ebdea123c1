package tools

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"combray/internal/memory"
)

// call runs one tool: limit, arguments, handler, reply, log line. It never
// panics and always gives a reply.
func (s *Server) call(ctx context.Context, t *tool, raw json.RawMessage) (r Reply) {
	start := s.now()
	ref := ""
	defer func() {
		if v := recover(); v != nil {
			ref = s.newRef()
			s.log.Error("panic in a call", "tool", t.name, "ref", ref, "panic", panicFacts(v), "stack", string(debug.Stack()))
			r = failed(fmt.Errorf("panic in %s", t.name), nil, ref)
		}
		s.log.Info("call", "tool", t.name, "code", codeOrOK(r.Code), "ms", s.now().Sub(start).Milliseconds(), "bytes", len(r.Body), "ref", ref)
	}()
	if refused, ok := s.admit(ctx, t, start); !ok {
		return refused
	}
	a, fault := readArgs(t.name, t.params, raw)
	if fault != nil {
		return failed(fault, a.warnings, "")
	}
	r, err := s.answer(ctx, t, a)
	if err != nil {
		err = hinted(err, t.name)
		if asError(err).Code == memory.CodeInternal {
			ref = s.newRef()
			s.log.Error("internal error", "tool", t.name, "ref", ref, "err", rootOf(err))
		}
		return failed(err, a.warnings, ref)
	}
	return r
}

// admit asks the caller's own rights and limit, or else the server's limit.
func (s *Server) admit(ctx context.Context, t *tool, now time.Time) (refused Reply, admitted bool) {
	if c, ok := CallerOf(ctx); ok {
		return c.Admit(t.name, now)
	}
	return s.limit.admit(now)
}

func (s *Server) answer(ctx context.Context, t *tool, a *args) (Reply, error) {
	verbs, err := s.open(ctx)
	if err != nil {
		return Reply{}, err
	}
	defer release(verbs)
	o, err := t.run(ctx, verbs, a)
	if err != nil {
		return Reply{}, err
	}
	o.warnings = append(a.warnings, o.warnings...)
	if s.whole {
		o.budget = math.MaxInt
	}
	return o.reply()
}

// release gives verbs back that were lent for one call.
func release(v Verbs) {
	if lent, ok := v.(interface{ Release() }); ok {
		lent.Release()
	}
}

// hinted gives an error without a hint the one thing that can be said: which
// argument of which tool to look at.
func hinted(err error, toolName string) error {
	var e *memory.Error
	var batch *memory.BatchError
	if errors.As(err, &batch) || !errors.As(err, &e) || e.Hint != "" || e.Field == "" {
		return err
	}
	clearer := *e
	clearer.Hint = fmt.Sprintf("Call %s again with another %s.", toolName, e.Field)
	return &clearer
}

func codeOrOK(c memory.Code) string {
	if c == "" {
		return "ok"
	}
	return string(c)
}

// rootOf gives the cause that an internal error hides from the caller.
func rootOf(err error) error {
	var e *memory.Error
	if errors.As(err, &e) && e.Err != nil {
		return e.Err
	}
	return err
}

// panicFacts says what panicked without the value's text, which may hold what a
// person wrote; a runtime error holds none.
func panicFacts(v any) string {
	if e, ok := v.(runtime.Error); ok {
		return e.Error()
	}
	return fmt.Sprintf("%T", v)
}

// newRef names one failure in the reply and in the log.
func (s *Server) newRef() string {
	var b [4]byte
	if _, err := io.ReadFull(s.random, b[:]); err != nil {
		s.log.Log(context.Background(), slog.LevelError, "no randomness for a reference", "err", err)
	}
	return hex.EncodeToString(b[:])
}

// handler is a tool in mcp-go's form.
func (s *Server) handler(t *tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		raw := request.Params.RawArguments
		if raw == nil && request.Params.Arguments != nil {
			raw = encode(request.Params.Arguments)
		}
		return s.call(withClient(ctx), t, raw).result(), nil
	}
}

// maxClientName is how much is kept of what a client calls itself.
const maxClientName = 128

// withClient puts who calls into the context: the door, mcp unless another one
// set its own, and what the client called itself in initialize or, since
// revision 2026-07-28, in the request.
func withClient(ctx context.Context) context.Context {
	actor := memory.ActorOf(ctx)
	if actor.Door == "" {
		actor.Door = memory.DoorMCP
	}
	if client := clientOf(ctx); client != nil && actor.Client == "" {
		actor.Client, actor.Version = upTo(client.Name, maxClientName), upTo(client.Version, maxClientName)
	}
	return memory.WithActor(ctx, actor)
}

func clientOf(ctx context.Context) *mcp.Implementation {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		return info.ClientInfo
	}
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		info := session.GetClientInfo()
		return &info
	}
	return nil
}

func defaultClock(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}
