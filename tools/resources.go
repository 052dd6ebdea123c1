package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"combray/internal/memory"
)

const jsonType = "application/json"

// What the queue of recollections is called as a resource, and the tool that
// reads it.
const (
	pendingURI      = "recollections://pending"
	pendingToolName = "pending_recollections"
)

// addResources offers one memory by its id, those with a label, what happened
// today, and what surfaced unasked. Nothing in a definition comes from stored text.
func (s *Server) addResources() {
	pending, err := s.chosen(pendingToolName)
	if err != nil { // not chosen: the queue can be looked at all the same
		pending = pendingTool
	}
	s.addPending(pending)
	s.mcp.AddResource(mcp.NewResource("memory://today", "today", mcp.WithMIMEType(jsonType),
		mcp.WithResourceDescription("Memories of events of today, in the order in which they happened, as the tool timeline shows them.")),
		s.reading(func(mcp.ReadResourceRequest) (*tool, map[string]any) {
			start, end := dayOf(s.now())
			return timelineTool, map[string]any{"since": start, "until": end}
		}))
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(itemURI, "item", mcp.WithTemplateMIMEType(jsonType),
		mcp.WithTemplateDescription("One memory with everything that hangs on it, as the tool inspect_memory shows it.")),
		server.ResourceTemplateHandlerFunc(s.reading(func(r mcp.ReadResourceRequest) (*tool, map[string]any) {
			return inspectMemoryTool, map[string]any{"memory_id": variable(r, "id")}
		})))
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(tagURI, "tag", mcp.WithTemplateMIMEType(jsonType),
		mcp.WithTemplateDescription("Memories with a label, newest captured first, as the tool list_memories shows them.")),
		server.ResourceTemplateHandlerFunc(s.reading(func(r mcp.ReadResourceRequest) (*tool, map[string]any) {
			return listMemoriesTool, map[string]any{"tags": []string{variable(r, "tag")}}
		})))
}

// addPending offers the queue. Reading it peeks: a host may read a resource
// without showing it to its model (contract/sense.md 1.6; TestPendingPeeks).
func (s *Server) addPending(t *tool) {
	s.mcp.AddResource(mcp.NewResource(pendingURI, "pending", mcp.WithMIMEType(jsonType),
		mcp.WithResourceDescription("Recollections that surfaced and were not taken yet, oldest first, as the tool pending_recollections shows them without taking them.")),
		s.reading(func(mcp.ReadResourceRequest) (*tool, map[string]any) { return t, map[string]any{"drain": false} }))
}

// dayOf gives the first and the last second of the day around now, in its zone.
func dayOf(now time.Time) (start, end string) {
	y, m, d := now.Date()
	first := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	return first.Format(time.RFC3339), time.Date(y, m, d+1, 0, 0, -1, 0, now.Location()).Format(time.RFC3339)
}

// variable is a template variable; mcp-go gives each as a list.
func variable(r mcp.ReadResourceRequest, name string) string {
	if values, ok := r.Params.Arguments[name].([]string); ok && len(values) > 0 {
		return values[0]
	}
	return ""
}

// errNoResource reports a resource that is not there.
var errNoResource = errors.New("resource not found")

// reading answers a resource with the reply of a reading tool.
func (s *Server) reading(which func(mcp.ReadResourceRequest) (*tool, map[string]any)) server.ResourceHandlerFunc {
	return func(ctx context.Context, r mcp.ReadResourceRequest) (contents []mcp.ResourceContents, err error) {
		t, arguments := which(r)
		reply := s.call(withClient(ctx), t, encode(arguments))
		switch {
		case reply.Code == memory.CodeNotFound:
			return nil, fmt.Errorf("%w: %s", errNoResource, r.Params.URI)
		case reply.Failed():
			return nil, messageOf(reply)
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, MIMEType: jsonType, Text: string(reply.Body)}}, nil
	}
}
