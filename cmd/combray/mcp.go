package main

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"

	"combray/internal/local"
	"combray/internal/memory"
	"combray/tools"
)

func (a *app) mcpCommand() *cobra.Command {
	var include, exclude []string
	c := &cobra.Command{Use: "mcp", Short: "Serve MCP on standard input and output", Args: cobra.NoArgs,
		Long: "Serve MCP on standard input and output, in both protocol eras. Put this into your\n" +
			"client's configuration: command combray, arguments mcp.",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serveStdio(cmd.Context(), include, exclude) }}
	c.Flags().StringVar(&a.flag.Profile, "profile", "", "which tools a client sees (COMBRAY_PROFILE)")
	c.Flags().StringSliceVar(&include, "tools", nil, "further tools")
	c.Flags().StringSliceVar(&exclude, "exclude-tools", nil, "tools left out; wins")
	return c
}

// heapGrowth keeps the heap of a server near what it uses: it stays small all
// day beside each client, and allocates little while it answers.
const heapGrowth = 40

// serveStdio answers initialize before the store is open: opening goes on behind
// it, and a call waits only for what it needs.
func (a *app) serveStdio(ctx context.Context, include, exclude []string) (err error) {
	debug.SetGCPercent(heapGrowth)
	behind := &opening{done: make(chan struct{})}
	server, err := tools.New(tools.Config{Open: behind.verbs, Pending: behind.queueVersion, Version: versionString(), Profile: a.set.Profile,
		Tools: include, ExcludeTools: exclude, ReadOnly: a.set.ReadOnly, CallsPerMinute: a.set.LimitCalls, Logger: a.logger()})
	if err != nil {
		return usage("%v", err)
	}
	behind.start(func() (*local.Local, error) { return a.open(ctx, true) })
	defer func() { err = errors.Join(err, behind.close()) }()
	return tools.Stdio{Server: server, In: a.in, Out: a.out}.Serve(ctx)
}

// opening is a memory that is being opened.
type opening struct {
	once   sync.Once
	done   chan struct{}
	opened *local.Local
	err    error
}

func (o *opening) start(open func() (*local.Local, error)) {
	o.once.Do(func() {
		go func() {
			defer close(o.done)
			o.opened, o.err = open()
		}()
	})
}

// service waits until the memory is open.
func (o *opening) service(ctx context.Context) (*memory.Service, error) {
	select {
	case <-o.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if o.err != nil {
		return nil, o.err
	}
	return o.opened.Service, nil
}

func (o *opening) verbs(ctx context.Context) (tools.Verbs, error) {
	s, err := o.service(ctx)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (o *opening) queueVersion(ctx context.Context) (int64, error) {
	s, err := o.service(ctx)
	if err != nil {
		return 0, err
	}
	return s.QueueVersion(ctx)
}

func (o *opening) close() error {
	<-o.done
	if o.opened == nil {
		return nil
	}
	return o.opened.Close()
}
