package httpapi

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"combray/internal/memory"
	"combray/tools"
)

// Headers of a list's answer, which is a bare array and has no room for them.
const (
	headerWarnings = "Combray-Warnings"    // a JSON list of sentences, ASCII only
	headerNext     = "Combray-Next-Cursor" // of the next page
)

// statuses are the HTTP statuses of the error codes (contract/surface.md 8). A
// limit is 413, and 429 when waiting helps.
var statuses = map[memory.Code]int{
	memory.CodeInvalid: http.StatusBadRequest, memory.CodeDenied: http.StatusForbidden, memory.CodeNotFound: http.StatusNotFound,
	memory.CodeConflict: http.StatusConflict, memory.CodeLimit: http.StatusRequestEntityTooLarge,
	memory.CodeUnavailable: http.StatusServiceUnavailable, memory.CodeCorrupt: http.StatusInternalServerError, memory.CodeInternal: http.StatusInternalServerError,
}

// refusal is an answer that no tool gave.
type refusal struct {
	status int
	reply  tools.Reply
	header http.Header
}

func refuse(status int, err *memory.Error) *refusal {
	return &refusal{status: status, reply: tools.Refusal(err), header: make(http.Header)}
}

// with adds a header.
func (r *refusal) with(key, value string) *refusal {
	r.header.Set(key, value)
	return r
}

// write sends a refusal and ends the connection, whose body may be unread.
func (r *refusal) write(w http.ResponseWriter) { r.send(w, r.reply.Body) }

// writeRPC is write at /mcp, where a client reads JSON-RPC only. What the other
// doors answer stands in the error's data.
func (r *refusal) writeRPC(w http.ResponseWriter) {
	var said struct{ Message, Hint string }
	_ = json.Unmarshal(r.reply.Body, &said) // it is our own
	e := mcp.NewJSONRPCError(mcp.NewRequestId(nil), mcp.INVALID_REQUEST, said.Message+". "+said.Hint, r.reply.Body)
	body, _ := json.Marshal(e) // of texts and JSON, always possible
	r.send(w, body)
}

func (r *refusal) send(w http.ResponseWriter, body []byte) {
	for key := range r.header {
		w.Header().Set(key, r.header.Get(key))
	}
	w.Header().Set("Connection", "close")
	writeJSON(w, r.status, body)
}

// answer sends a tool's reply: an object as it is, a list as a bare array.
func answer(w http.ResponseWriter, success int, r tools.Reply) {
	if r.Failed() {
		status := statuses[r.Code]
		if r.Wait > 0 {
			status = http.StatusTooManyRequests
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(r.Wait.Seconds()))))
		}
		writeJSON(w, status, r.Body)
		return
	}
	if len(r.Warnings) > 0 {
		w.Header().Set(headerWarnings, headerJSON(r.Warnings))
	}
	if r.NextCursor != "" {
		w.Header().Set(headerNext, r.NextCursor)
	}
	writeJSON(w, success, bare(r.Body))
}

// bare takes a list, or null, out of {"result": …}.
func bare(body json.RawMessage) json.RawMessage {
	var keys map[string]json.RawMessage
	if json.Unmarshal(body, &keys) == nil && len(keys) == 1 && keys["result"] != nil {
		return keys["result"]
	}
	return body
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a client that went away reads no error either
}

// maxHeader is how much of the warnings a header carries, below the 8 KiB that
// proxies commonly take for all headers.
const maxHeader = 4 << 10

// headerJSON is a list of sentences as JSON in ASCII, cut at a whole sentence.
func headerJSON(sentences []string) string {
	out := "["
	for i, s := range sentences {
		b, _ := json.Marshal(s) // a string always has a JSON form
		one := ascii(string(b))
		if i > 0 {
			one = "," + one
		}
		if len(out)+len(one)+1 > maxHeader {
			break
		}
		out += one
	}
	return out + "]"
}

// ascii writes what is not ASCII as \u escapes.
func ascii(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.String()
}
