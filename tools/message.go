package tools

import (
	"bytes"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// marshalMessage is json.Marshal (TestMessagesAreThoseOfJSON), which would read the
// result of a call, mostly one long text twice, three times more to write it.
func marshalMessage(m mcp.JSONRPCMessage) ([]byte, error) {
	response, _ := m.(mcp.JSONRPCResponse)
	call, _ := response.Result.(*mcp.CallToolResult)
	if call == nil {
		return json.Marshal(m)
	}
	id, err := json.Marshal(response.ID)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(2*len(call.RawStructuredContent) + len(call.RawStructuredContent)/2 + len(id) + envelopeBytes)
	out.WriteString(`{"jsonrpc":"` + response.JSONRPC + `","id":`)
	out.Write(id)
	out.WriteString(`,"result":`)
	if err := writeCall(&out, call); err != nil {
		return nil, err
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// writeCall writes what MarshalJSON of a result gives. That of Reply.result is a text
// and the object that it holds, which needs no compacting: the rest, without both, is
// marshalled, and both are put in.
func writeCall(out *bytes.Buffer, call *mcp.CallToolResult) error {
	text, ofReply := textOfReply(call)
	rest := *call
	if ofReply {
		rest.Content, rest.RawStructuredContent = nil, nil
	}
	written, err := rest.MarshalJSON()
	if err != nil || !ofReply {
		out.Write(written)
		return err
	}
	// The keys stand in order: the last empty content is the result's own, as _meta
	// comes before it, and structuredContent comes behind all others.
	const empty = `"content":[]`
	at := bytes.LastIndex(written, []byte(empty)) + len(empty) - 1
	out.Write(written[:at])
	out.WriteString(`{"type":"text","text":`)
	if err := json.NewEncoder(out).Encode(text); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the end of line
	out.WriteByte('}')
	out.Write(written[at : len(written)-1])
	out.WriteString(`,"structuredContent":`)
	json.HTMLEscape(out, call.RawStructuredContent)
	out.WriteByte('}')
	return nil
}

// textOfReply gives the one text of a result that Reply.result made.
func textOfReply(call *mcp.CallToolResult) (string, bool) {
	if len(call.Content) != 1 || len(call.RawStructuredContent) == 0 || len(call.InputRequests) > 0 || call.RequestState != "" {
		return "", false
	}
	content, ofText := call.Content[0].(mcp.TextContent)
	return content.Text, ofText && content.Annotations == nil && content.Meta == nil && content.Type == mcp.ContentTypeText
}
