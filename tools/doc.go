// Package tools is Combray's MCP surface: every tool as data, the argument
// rules, the results and errors on the wire, and the stdio transport.
//
// A tool is one entry of an ordered list (tools.go): name, profiles, text for
// the model, parameters, result keys, hints, examples, and a handler. From that
// entry come the JSON schemas, docs/TOOLS.md and the checks of a call, so that
// they cannot disagree. A call goes in once and comes out once:
//
//	args.go        JSON arguments to Go values, by the rules of the contract
//	capture.go …   one file a family: values to memory inputs, results to wire.go
//	fit.go         the size limit of a reply
//	envelope.go    memory errors to the wire, by one table
//	middleware.go  who calls, limits, panics, one log line a call
//
// The package knows its wire format and the types of internal/memory. It knows
// no SQL, no vectors and no rule of a memory's life.
package tools

//go:generate go test -run TestToolsDocument -update .
