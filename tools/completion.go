package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"combray/internal/memory"
)

// itemURI is the template of one memory as a resource, tagURI that of the
// memories with a label.
const (
	itemURI = "memory://item/{id}"
	tagURI  = "memory://tag/{tag}"
)

const (
	maxCompletions  = 100  // the protocol's own bound
	completionReach = 1000 // of the newest memories; whoever looks for an older one searches
)

// completer completes the ids and the labels of memories in the templates.
type completer struct{ *Server }

// completable is what a memory offers for a variable of a template, by the
// template and the variable.
var completable = map[[2]string]func(*memory.Memory) []string{
	{itemURI, "id"}: func(m *memory.Memory) []string { return []string{string(m.ID)} },
	{tagURI, "tag"}: func(m *memory.Memory) []string { return m.Tags },
}

// CompleteResourceArgument gives the ids or labels that begin with what was typed,
// those of the newest captured memories first. An unknown template or variable has
// no completions.
func (c completer) CompleteResourceArgument(ctx context.Context, uri string, typed mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	offered := completable[[2]string{uri, typed.Name}]
	if offered == nil {
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
	defer release(verbs)
	page, err := verbs.ListMemories(ctx, memory.ListInput{Limit: completionReach})
	if err != nil {
		return nil, err
	}
	out := &mcp.Completion{HasMore: page.NextCursor != ""}
	given := map[string]bool{}
	for i := range page.Memories {
		for _, value := range offered(&page.Memories[i]) {
			if strings.HasPrefix(value, typed.Value) && !given[value] {
				given[value] = true
				out.Values = append(out.Values, value)
			}
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
