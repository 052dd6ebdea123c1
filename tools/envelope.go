package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"combray/internal/memory"
)

// Reply is the answer of a call on any door.
type Reply struct {
	Body       json.RawMessage // the object, or {"result": …} for lists and null; the error object when Code is not ""
	Code       memory.Code     // "" for success
	Warnings   []string        // of a list; those of an object stand in Body
	NextCursor string          // of a list; that of an object stands in Body
	Wait       time.Duration   // of a call that came too early: how long to wait
}

// Failed says whether Body is an error.
func (r Reply) Failed() bool { return r.Code != "" }

// classes are the error classes of contract/history.md 1.1 for each code.
var classes = map[memory.Code]string{
	memory.CodeInvalid: "ValueError", memory.CodeConflict: "ValueError", memory.CodeLimit: "ValueError",
	memory.CodeDenied: "PermissionError", memory.CodeNotFound: "KeyError",
	memory.CodeUnavailable: "RuntimeError", memory.CodeCorrupt: "RuntimeError", memory.CodeInternal: "RuntimeError",
}

// failure is an error on the wire.
type failure struct {
	Error   string        `json:"error"`
	Code    memory.Code   `json:"code"`
	Message string        `json:"message"`
	Hint    string        `json:"hint"`
	Field   string        `json:"field,omitempty"`
	Ref     string        `json:"ref,omitempty"`
	Errors  []itemFailure `json:"errors,omitempty"`
}

// itemFailure is what was wrong with one item of a batch.
type itemFailure struct {
	Index int `json:"index"`
	failure
}

const genericHint = "Check the arguments against the tool's schema and call it again."

// asError turns any error into one that a caller may see.
func asError(err error) *memory.Error {
	var e *memory.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return memory.Unavailable("Call again. Ask inspect_memory or recall whether a change was made.", err, "the call was cancelled before it was answered")
	case errors.Is(err, context.DeadlineExceeded):
		return memory.Unavailable("Call again.", err, "the call took too long and was given up")
	}
	return &memory.Error{Code: memory.CodeInternal, Err: err, Message: "an internal error; the reference stands in the server's log",
		Hint: "Call again. If it fails again, run combray check and report the reference."}
}

// newFailure puts an error on the wire. notes about the arguments follow the
// message, because what was ignored may be why the call failed.
func newFailure(e *memory.Error, notes []string, ref string) failure {
	f := failure{Error: classes[e.Code], Code: e.Code, Message: e.Message, Hint: e.Hint, Field: e.Field, Ref: ref}
	if e.Code == memory.CodeNotFound {
		f.Message = "'" + f.Message + "'"
	}
	if len(notes) > 0 {
		f.Message += " (" + strings.Join(notes, " ") + ")"
	}
	if f.Hint == "" {
		f.Hint = genericHint
	}
	return f
}

// failed is the reply of a call that did not succeed.
func failed(err error, notes []string, ref string) Reply {
	var batch *memory.BatchError
	if errors.As(err, &batch) {
		return failedBatch(batch, notes)
	}
	e := asError(err)
	return Reply{Body: shown(encode(newFailure(e, notes, ref))), Code: e.Code}
}

func failedBatch(b *memory.BatchError, notes []string) Reply {
	f := newFailure(b.Items[0].Err, notes, "")
	f.Message = b.Error() + ". The first: " + f.Message
	for _, item := range b.Items {
		f.Errors = append(f.Errors, itemFailure{item.Index, newFailure(item.Err, nil, "")})
	}
	return Reply{Body: shown(encode(f)), Code: f.Code}
}

// Keys of a list result's _meta.
const (
	metaWarnings   = "combray/warnings"
	metaNextCursor = "combray/next_cursor"
)

// result is the reply in MCP's form: one text block that is the JSON of
// structuredContent; an error has no structuredContent.
func (r Reply) result() *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(string(r.Body))}, IsError: r.Failed()}
	if r.Failed() {
		return out
	}
	out.RawStructuredContent = r.Body
	meta := make(map[string]any)
	if len(r.Warnings) > 0 {
		meta[metaWarnings] = r.Warnings
	}
	if r.NextCursor != "" {
		meta[metaNextCursor] = r.NextCursor
	}
	if len(meta) > 0 {
		out.Meta = &mcp.Meta{AdditionalFields: meta}
	}
	return out
}
