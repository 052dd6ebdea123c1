package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// connection is the state of one Stdio.Serve. One goroutine takes lines in; one
// runs calls in order; every other request has its own.
type connection struct {
	server   *Server
	ctx      context.Context
	out      *lineWriter
	calls    chan *request
	progress chan struct{} // holds one token when a request has ended since it was last looked at
	client   session       // as initialize left it; used by the goroutine that takes lines in

	mu        sync.Mutex
	open      map[*request]bool
	openBytes int
	streams   int // of open, those that end only when they are cancelled
}

// request is one that is not answered yet.
type request struct {
	id      json.RawMessage
	method  mcp.MCPMethod
	message []byte
	session *session
	ctx     context.Context
	stop    context.CancelFunc
	silent  bool // cancelled: no reply is written; guarded by connection.mu
}

// stream says whether a request stays open until it is cancelled.
func (r *request) stream() bool { return r.method == mcp.MethodSubscriptionsListen }

func newConnection(ctx context.Context, c Stdio) *connection {
	return &connection{server: c.Server, ctx: ctx, out: newLineWriter(c.Out), calls: make(chan *request, maxOpen+1),
		progress: make(chan struct{}, 1), open: make(map[*request]bool)}
}

// accept starts a request. Calls, and reads of resources, wait for those before
// them, so that a read sent behind a write sees it. initialize runs at once,
// because what follows needs to know the client.
func (k *connection) accept(r *request) {
	if r.stream() && k.openStreams() >= maxStreams {
		k.refuse(r.id, mcp.INVALID_REQUEST, fmt.Sprintf("%d subscriptions are open; cancel one before opening another", maxStreams))
		return
	}
	r.session = k.client.fork(k, r)
	r.ctx, r.stop = context.WithCancel(k.server.mcp.WithContext(k.ctx, r.session))
	k.mu.Lock()
	k.open[r] = true
	k.openBytes += len(r.message)
	if r.stream() {
		k.streams++
	}
	k.mu.Unlock()
	switch r.method {
	case mcp.MethodInitialize:
		k.run(r)
		k.client = *r.session
	case mcp.MethodToolsCall, mcp.MethodResourcesRead:
		k.calls <- r
	default:
		go k.run(r)
	}
}

// work runs calls one after the other.
func (k *connection) work() {
	for {
		select {
		case r := <-k.calls:
			k.run(r)
		case <-k.ctx.Done():
			return
		}
	}
}

// run handles a request and writes its notifications and its reply.
func (k *connection) run(r *request) {
	defer k.end(r)
	if r.ctx.Err() != nil && k.isSilent(r) {
		return
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		for n := range r.session.outgoing {
			k.write(n)
		}
	}()
	response := k.handle(r)
	close(r.session.outgoing)
	<-written
	if response != nil && !k.isSilent(r) {
		k.write(answerTo(r, response))
	}
}

// handle gives the response of mcp-go, an internal error when it panics.
func (k *connection) handle(r *request) (response mcp.JSONRPCMessage) {
	defer func() {
		if v := recover(); v != nil {
			k.server.log.Error("panic in a request", "method", r.method, "panic", panicFacts(v), "stack", string(debug.Stack()))
			response = mcp.NewJSONRPCError(mcp.NewRequestId(r.id), mcp.INTERNAL_ERROR, "an internal error; it stands in the server's log", nil)
		}
	}()
	return k.server.mcp.HandleMessage(r.ctx, r.message)
}

// answerTo puts the request's own id, digit by digit, into a response: mcp-go
// reads ids as floating-point numbers.
func answerTo(r *request, response mcp.JSONRPCMessage) mcp.JSONRPCMessage {
	id := mcp.NewRequestId(r.id)
	switch m := response.(type) {
	case mcp.JSONRPCResponse:
		m.ID = id
		return m
	case mcp.JSONRPCError:
		m.ID = id
		if r.method == mcp.MethodResourcesRead {
			mendRead(r.message, &m.Error)
		}
		return m
	}
	return response
}

func (k *connection) write(m mcp.JSONRPCMessage) {
	b, err := marshalMessage(m)
	if err != nil {
		k.server.log.Error("a message could not be encoded", "err", err)
		return
	}
	k.out.write(b)
}

func (k *connection) refuse(id json.RawMessage, code int, message string) {
	var known any
	if id != nil {
		known = id
	}
	k.write(mcp.NewJSONRPCError(mcp.NewRequestId(known), code, message, nil))
}

// cancel ends a request for which no reply is wanted any more.
func (k *connection) cancel(id json.RawMessage) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for r := range k.open {
		if string(r.id) == string(id) && r.method != mcp.MethodInitialize {
			r.silent = true
			r.stop()
		}
	}
}

func (k *connection) isSilent(r *request) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return r.silent
}

func (k *connection) end(r *request) {
	r.stop()
	k.mu.Lock()
	delete(k.open, r)
	k.openBytes -= len(r.message)
	if r.stream() {
		k.streams--
	}
	k.mu.Unlock()
	select {
	case k.progress <- struct{}{}:
	default:
	}
}

// full says whether reading has to pause until something is answered.
func (k *connection) full() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.open)-k.streams >= maxOpen || k.openBytes >= maxOpenBytes
}

func (k *connection) openStreams() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.streams
}

func (k *connection) unanswered() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.open)
}

// workOff answers what was read before the end of input. Streams that would
// stay open for ever end now.
func (k *connection) workOff(grace time.Duration) {
	k.mu.Lock()
	for r := range k.open {
		if r.stream() {
			r.stop()
		}
	}
	k.mu.Unlock()
	k.waitFor(grace)
}

// waitFor waits until nothing is open, at most d from one answer to the next.
func (k *connection) waitFor(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for k.unanswered() > 0 {
		select {
		case <-k.progress:
			timer.Reset(d)
		case <-timer.C:
			k.server.log.Warn(fmt.Sprintf("%d requests were still open at the end", k.unanswered()))
			return
		case <-k.out.broken:
			return
		}
	}
}
