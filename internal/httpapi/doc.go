// Package httpapi is Combray's HTTP surface: MCP at /mcp in both protocol eras,
// and doors for sensors and people beside it. It opens nothing by itself: a
// caller hands it a listener, and everything it does with a memory goes through
// the tools of package tools.
//
//	api.go       what is checked before anything is routed; the routes
//	guard.go     Host and Origin
//	tokens.go    who may call, and for what
//	body.go      what a body may be
//	writer.go    slow readers
//	mcp.go       MCP over mcp-go's Streamable HTTP, and what that leaves open
//	sessions.go  sessions of the older protocol era
//	doors.go     cues, memories, recollections
//	webhook.go   bodies of Home Assistant and of iOS Shortcuts
//	behind.go    what is accepted now and done later
//	serve.go     timeouts of the server, and how it ends
//
// The package knows its wire format and the tools. It knows no rule of memory,
// no path and no environment, and it never opens a connection to anywhere
// (archtest TestServersNeverDial).
package httpapi
