// Command combray is the memory: an MCP server, and the same verbs on the
// command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // a reader that goes away is an error of a write, and calls under way end in order
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends what the first could not
	code := run(ctx, os.Args[1:], standardStreams())
	stop()
	os.Exit(code)
}
