package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// notACursor is refused by mcp-go as no base64.
const notACursor = "!"

// refuseCursors refuses every cursor of MCP's own lists. They are given whole,
// so no cursor was ever handed out, and mcp-go takes any base64 for one
// (facts/mcp.md 2.3b no. 10; TestForgedListCursors).
func refuseCursors(h *server.Hooks) {
	forged := func(c *mcp.Cursor) {
		if *c != "" {
			*c = notACursor
		}
	}
	h.AddBeforeListTools(func(_ context.Context, _ any, m *mcp.ListToolsRequest) { forged(&m.Params.Cursor) })
	h.AddBeforeListPrompts(func(_ context.Context, _ any, m *mcp.ListPromptsRequest) { forged(&m.Params.Cursor) })
	h.AddBeforeListResources(func(_ context.Context, _ any, m *mcp.ListResourcesRequest) { forged(&m.Params.Cursor) })
	h.AddBeforeListResourceTemplates(func(_ context.Context, _ any, m *mcp.ListResourceTemplatesRequest) { forged(&m.Params.Cursor) })
}
