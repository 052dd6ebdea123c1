package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"combray/internal/memory"
)

// itemURI is the template of one memory as a resource.
const itemURI = "memory://item/{id}"

const (
	maxCompletions  = 100  // the protocol's own bound
	completionReach = 1000 // of the newest memories; whoever looks for an older one searches
)

// completer completes the ids of memories in the template of one memory.
type completer struct{ *Server }

// CompleteResourceArgument gives the ids that begin with what was typed, newest
// captured first. An unknown template or variable has no completions.
func (c completer) CompleteResourceArgument(ctx context.Context, uri string, typed mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	if uri != itemURI || typed.Name != "id" {
		return nil, nil
	}
	ctx = withClient(ctx)
	if refused, ok := c.admit(ctx, listMemoriesTool, c.now()); !ok {
		return nil, messageOf(refused)
	}
	verbs, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	page, err := verbs.ListMemories(ctx, memory.ListInput{Limit: completionReach})
	if err != nil {
		return nil, err
	}
	out := &mcp.Completion{HasMore: page.NextCursor != ""}
	for _, m := range page.Memories {
		if strings.HasPrefix(string(m.ID), typed.Value) {
			out.Values = append(out.Values, string(m.ID))
		}
	}
	if len(out.Values) > maxCompletions {
		out.Values, out.HasMore = out.Values[:maxCompletions], true
	}
	return out, nil
}

// messageOf gives the sentence of a reply that failed as an error.
func messageOf(r Reply) error {
	var f failure
	if err := json.Unmarshal(r.Body, &f); err != nil {
		return err
	}
	return errors.New(f.Message)
}
