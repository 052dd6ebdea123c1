package tools

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// mendRead gives an error of resources/read the code and the data that the
// request's protocol revision wants for a resource that is not there; mcp-go
// reports any error of a handler as an internal one, and no uri.
func mendRead(message []byte, e *mcp.JSONRPCErrorDetails) {
	if !strings.Contains(e.Message, errNoResource.Error()) {
		return
	}
	var m struct {
		Params struct {
			URI  string    `json:"uri"`
			Meta *mcp.Meta `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &m) != nil {
		return
	}
	e.Code = mcp.RESOURCE_NOT_FOUND
	if mcp.IsModernProtocol(m.Params.Meta.ProtocolVersion()) {
		e.Code = mcp.INVALID_PARAMS
	}
	e.Data = map[string]string{"uri": m.Params.URI}
}

// MendRead corrects an encoded response of mcp-go to a resources/read message,
// for a transport that mcp-go serves itself. notFound says that the resource is
// not there.
func MendRead(message, response []byte) (mended []byte, notFound bool) {
	var m struct {
		JSONRPC string                  `json:"jsonrpc"`
		ID      json.RawMessage         `json:"id"`
		Error   mcp.JSONRPCErrorDetails `json:"error"`
	}
	if !bytes.Contains(response, []byte(errNoResource.Error())) || json.Unmarshal(response, &m) != nil || m.Error.Code == 0 {
		return response, false
	}
	mendRead(message, &m.Error)
	return encode(m), true
}
