package tools

import (
	"context"
	"encoding/json"
)

// tool is one MCP tool as data.
type tool struct {
	name     string
	title    string
	profiles profile
	always   bool   // kept out of a client's deferred loading
	about    string // for the model; written by the rubric of facts/mcp.md 5.3
	params   []param
	returns  shape
	hints    hints
	examples []string // arguments as JSON; the first one stands in docs/TOOLS.md
	run      func(context.Context, Verbs, *args) (outcome, error)
}

// hints are what a tool tells a client about its effect. openWorldHint is false
// everywhere: nothing leaves the machine.
type hints struct {
	readOnly    bool
	destructive bool // removes, hides or overwrites something, even when it can be undone
	idempotent  bool // the same call again is refused or changes nothing but the audit log
}

// Hints that several tools share.
var (
	reads     = hints{readOnly: true, idempotent: true}
	adds      = hints{}
	settles   = hints{idempotent: true}
	takesAway = hints{destructive: true, idempotent: true}
)

// Info describes a tool to people and programs.
type Info struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	Profiles     []string        `json:"profiles"`
	ReadOnly     bool            `json:"read_only"`
	Destructive  bool            `json:"destructive"`
	Idempotent   bool            `json:"idempotent"`
	InputSchema  json.RawMessage `json:"input_schema"`
	OutputSchema json.RawMessage `json:"output_schema"`
	Examples     []string        `json:"examples"` // arguments as JSON
}

func (t *tool) info() Info {
	return Info{Name: t.name, Title: t.title, Description: t.about, Profiles: t.profiles.names(),
		ReadOnly: t.hints.readOnly, Destructive: t.hints.destructive, Idempotent: t.hints.idempotent,
		InputSchema: inputSchema(t.params), OutputSchema: outputSchema(t.returns), Examples: t.examples}
}
