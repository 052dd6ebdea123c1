package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// Defaults of a Stdio.
const (
	DefaultMaxLine = 4 << 20                 // 1 MiB of content (surface.md 2), three bytes for one where a client escapes all but ASCII, and room
	DefaultGrace   = 1700 * time.Millisecond // with lastWait, end of input and exit are less than 2 s apart
	lastWait       = 200 * time.Millisecond  // for cancelled calls to finish or roll back
	parentPoll     = 500 * time.Millisecond
)

// What may be open at once. Above the first two, reading pauses until something
// is answered; a stream never is, so one too many is refused.
const (
	maxOpen      = 4096
	maxOpenBytes = 64 << 20
	maxStreams   = 64
)

// Stdio serves one MCP connection over a pair of streams, both protocol eras on
// the same connection. It dispatches to mcp-go's HandleMessage itself, which
// takes care of what facts/mcp.md 2.3 lists about mcp-go's own loop: everything
// read before the end of input is answered, calls run in the order they came,
// notifications go before their result, and a cancelled request gets no reply.
type Stdio struct {
	Server  *Server
	In      io.Reader
	Out     io.Writer
	MaxLine int           // bytes a message may have; 0: DefaultMaxLine
	Grace   time.Duration // how long one call may still run after the end of input; 0: DefaultGrace
	Parent  func() int    // id of the parent process; nil: os.Getppid. A change ends the connection
}

// Serve runs until the end of input, until ctx ends, the parent process dies or
// the output breaks. Only a broken stream is an error.
//
// After the end of input it works off what was read. Each reply starts the
// grace anew; a call that uses it up is cancelled and gets lastWait to finish
// or roll back.
func (c Stdio) Serve(ctx context.Context) error {
	if c.MaxLine == 0 {
		c.MaxLine = DefaultMaxLine
	}
	if c.Grace == 0 {
		c.Grace = DefaultGrace
	}
	if c.Parent == nil {
		c.Parent = os.Getppid
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	k := newConnection(ctx, c)
	defer c.Server.updates.remove(k)
	go k.work()
	err := k.readAll(c)
	if err == io.EOF {
		err = nil
		k.workOff(c.Grace)
	}
	stop()
	k.waitFor(lastWait)
	k.out.mu.Lock()
	defer k.out.mu.Unlock()
	if err == nil {
		err = k.out.err
	}
	return err
}

// input is one line, or what ended the stream.
type input struct {
	line []byte
	long *overlong
	err  error
}

// readAll takes in every line. It gives io.EOF at the end of input, nil when
// the connection has to end for another reason.
func (k *connection) readAll(c Stdio) error {
	inputs := make(chan input)
	go func() {
		r := newLineReader(c.In, c.MaxLine)
		for {
			line, long, err := r.next()
			select {
			case inputs <- input{line, long, err}:
			case <-k.ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	parent := c.Parent()
	poll := time.NewTicker(parentPoll)
	defer poll.Stop()
	for {
		lines := inputs
		if k.full() {
			lines = nil
		}
		select {
		case in := <-lines:
			if in.err != nil {
				return in.err
			}
			k.take(in, c.MaxLine)
		case <-k.progress:
		case <-poll.C:
			if c.Parent() != parent {
				return nil
			}
		case <-k.out.broken:
			return nil
		case <-k.ctx.Done():
			return nil
		}
	}
}

// take handles one line: a refusal at once, a notification, or a request.
func (k *connection) take(in input, most int) {
	if in.long != nil {
		k.refuse(in.long.id, mcp.INVALID_REQUEST, fmt.Sprintf("the message has %d bytes; this server takes at most %d in one line", in.long.bytes, most))
		return
	}
	line := bytes.TrimSpace(in.line)
	if line[0] == '[' {
		k.refuse(nil, mcp.INVALID_REQUEST, "batches are not part of the protocol: send one message a line")
		return
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	if err := json.Unmarshal(line, &m); err != nil && !json.Valid(line) {
		k.refuse(nil, mcp.PARSE_ERROR, "the line is no JSON message")
		return
	}
	var method string
	_ = json.Unmarshal(m.Method, &method) // what is no text is no method, and is refused below
	switch {
	case method == "" && (m.Result != nil || m.Error != nil):
		return // an answer to nothing that was asked
	case method == string(mcp.MethodNotificationCancelled):
		k.cancel(m.Params.RequestID)
	case m.ID == nil && method != "":
		k.server.mcp.HandleMessage(k.ctx, line)
	case !validID(m.ID):
		k.refuse(nil, mcp.INVALID_REQUEST, "id must be a text or a number")
	case method == "":
		k.refuse(m.ID, mcp.INVALID_REQUEST, "method must be a text")
	default:
		k.accept(&request{id: m.ID, method: mcp.MCPMethod(method), message: line})
	}
}
