package tools

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// serverName is what the server calls itself in every profile.
const serverName = "combray"

// Config wires a Server. Open is required; the zero value of everything else
// works.
type Config struct {
	// Open gives the verbs, and waits for the store where it is still being
	// opened. It is asked once a call, so that initialize never waits for it. Verbs
	// that have a method Release are released when the call has ended.
	Open func(context.Context) (Verbs, error)

	// Pending gives the version of the queue of recollections, which grows with
	// every change. It is asked about once a second while a client is subscribed
	// to recollections://pending. nil: nobody can subscribe.
	Pending func(context.Context) (int64, error)

	Version        string           // "": dev
	Profile        string           // "": DefaultProfile
	Tools          []string         // shown besides the profile's
	ExcludeTools   []string         // never shown
	ReadOnly       bool             // only reading tools
	WholeReplies   bool             // never cut a reply; for a door that is no model's context
	CallsPerMinute int              // 0: no limit
	Logger         *slog.Logger     // nil: nothing is logged
	Now            func() time.Time // nil: the system's clock; for durations and the limit
	Random         io.Reader        // nil: the system's source; references come from it
}

// Server is the MCP surface over the verbs of memory. It is safe for
// concurrent use and serves any number of connections.
type Server struct {
	open    func(context.Context) (Verbs, error)
	log     *slog.Logger
	now     func() time.Time
	random  io.Reader
	limit   *CallLimit
	whole   bool
	tools   []*tool
	updates *updates
	mcp     *server.MCPServer
}

// New makes a Server. The error names an unknown profile or tool and lists the
// valid ones.
func New(c Config) (*Server, error) {
	chosen, err := choose(c)
	if err != nil {
		return nil, err
	}
	s := &Server{open: c.Open, log: c.Logger, now: defaultClock(c.Now), random: c.Random,
		limit: NewCallLimit(c.CallsPerMinute), whole: c.WholeReplies, tools: chosen}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.random == nil {
		s.random = rand.Reader
	}
	if c.Version == "" {
		c.Version = "dev"
	}
	s.updates = &updates{version: c.Pending, log: s.log}
	hooks := &server.Hooks{}
	s.updates.connect(hooks)
	refuseCursors(hooks)
	s.mcp = server.NewMCPServer(serverName, c.Version,
		server.WithTitle("Combray"),
		server.WithDescription("A memory on your own machine, for agents and the person they work for."),
		server.WithInstructions(instructions(chosen)),
		server.WithToolCapabilities(true), server.WithResourceCapabilities(c.Pending != nil, true), server.WithPromptCapabilities(true),
		server.WithCompletions(), server.WithResourceCompletionProvider(completer{s}),
		server.WithHooks(hooks),
		server.WithToolFilter(s.inListOrder))
	s.mcp.AddTools(mapped(chosen, func(t *tool) server.ServerTool {
		return server.ServerTool{Tool: t.mcpTool(), Handler: s.handler(t)}
	})...)
	s.addResources()
	s.addPrompts()
	return s, nil
}

// MCP gives the server for another transport.
func (s *Server) MCP() *server.MCPServer { return s.mcp }

// Tools describes what a client sees, in the order in which it sees it.
func (s *Server) Tools() []Info {
	infos := make([]Info, len(s.tools))
	for i, t := range s.tools {
		infos[i] = t.info()
	}
	return infos
}

// Call runs one of the chosen tools for another door. The context's actor says
// who calls. The error is for a tool that is unknown or not chosen.
func (s *Server) Call(ctx context.Context, name string, arguments map[string]any) (Reply, error) {
	t, err := s.chosen(name)
	if err != nil {
		return Reply{}, err
	}
	return s.call(withClient(ctx), t, encode(arguments)), nil
}

// inListOrder keeps tools/list in the order of the list; mcp-go sorts by name.
func (s *Server) inListOrder(_ context.Context, shown []mcp.Tool) []mcp.Tool {
	place := func(t mcp.Tool) int {
		return slices.IndexFunc(s.tools, func(o *tool) bool { return o.name == t.Name })
	}
	ordered := slices.Clone(shown)
	slices.SortStableFunc(ordered, func(a, b mcp.Tool) int { return place(a) - place(b) })
	return ordered
}

// mcpTool is the tool's definition in mcp-go's form.
func (t *tool) mcpTool() mcp.Tool {
	closedWorld := false
	out := mcp.Tool{Name: t.name, Title: t.title, Description: t.about,
		RawInputSchema: inputSchema(t.params), RawOutputSchema: outputSchema(t.returns),
		Annotations: mcp.ToolAnnotation{ReadOnlyHint: &t.hints.readOnly, DestructiveHint: &t.hints.destructive,
			IdempotentHint: &t.hints.idempotent, OpenWorldHint: &closedWorld}}
	if t.always {
		out.Meta = &mcp.Meta{AdditionalFields: map[string]any{"anthropic/alwaysLoad": true}}
	}
	return out
}
