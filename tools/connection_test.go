package tools

import (
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"combray/internal/memory"
)

// TestMessagesAreThoseOfJSON compares marshalMessage with json.Marshal.
func TestMessagesAreThoseOfJSON(t *testing.T) {
	body := encode(map[string]any{"a": "<b>&\u2028 \\u00e9 \"\x00\xff\\", "b": json.RawMessage("{ \"<\u2029\": [ ] }")})
	call := Reply{Body: body, Warnings: []string{`<w> "content":[]`}, NextCursor: "c"}.result()
	call.Meta.AdditionalFields["content"] = []int{}
	modern, noted, other := *call, *call, *call
	modern.ResultType, modern.IsError = mcp.ResultTypeComplete, true
	noted.Content = []mcp.Content{mcp.TextContent{Type: "text", Text: "t", Annotated: mcp.Annotated{Annotations: &mcp.Annotations{}}}}
	other.Content = append(other.Content, mcp.NewTextContent("more"))
	asked := *call
	asked.RequestState = "s"
	response := func(call *mcp.CallToolResult) mcp.JSONRPCResponse {
		return mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId(1), Result: call}
	}
	for name, m := range map[string]mcp.JSONRPCMessage{
		"a call":              mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId(json.RawMessage("9007199254740993")), Result: call},
		"a call with a name":  mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId("<é\u2028>"), Result: call},
		"of a later revision": response(&modern), "annotated": response(&noted), "two texts": response(&other), "that asks": response(&asked),
		"a failed call":  response(failed(memory.NotFound("memory", "x"), nil, "").result()),
		"a bare call":    response(&mcp.CallToolResult{}),
		"no result":      mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId(nil)},
		"no call":        mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId(1), Result: (*mcp.CallToolResult)(nil)},
		"another result": mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId(1), Result: mcp.EmptyResult{}},
		"an error":       mcp.NewJSONRPCError(mcp.NewRequestId(2), mcp.INTERNAL_ERROR, "<oh>", nil),
	} {
		want, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := marshalMessage(m); err != nil || string(got) != string(want) {
			t.Errorf("%s: %s, %v, want %s", name, got, err, want)
		}
	}
}
