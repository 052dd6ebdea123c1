package tools

import (
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// TestMessagesAreThoseOfJSON compares marshalMessage with json.Marshal.
func TestMessagesAreThoseOfJSON(t *testing.T) {
	call := Reply{Body: json.RawMessage("{ \"a\": \"<b>&\u2028 \\u00e9 \\\"\" }"), Warnings: []string{"<w>"}, NextCursor: "c"}.result()
	for name, m := range map[string]mcp.JSONRPCMessage{
		"a call":             mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId(json.RawMessage("9007199254740993")), Result: call},
		"a call with a name": mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId("<é\u2028>"), Result: call},
		"no result":          mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId(nil)},
		"no call":            mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId(1), Result: (*mcp.CallToolResult)(nil)},
		"another result":     mcp.JSONRPCResponse{JSONRPC: "2.0", ID: mcp.NewRequestId(1), Result: mcp.EmptyResult{}},
		"an error":           mcp.NewJSONRPCError(mcp.NewRequestId(2), mcp.INTERNAL_ERROR, "<oh>", nil),
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
