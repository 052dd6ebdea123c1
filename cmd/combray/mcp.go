package main

import (
	"context"
	"errors"
	"sync"

	"github.com/spf13/cobra"

	"combray/internal/local"
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

// serveStdio answers initialize before the store is open: opening goes on behind
// it, and a call waits only for what it needs.
func (a *app) serveStdio(ctx context.Context, include, exclude []string) (err error) {
	behind := &opening{done: make(chan struct{})}
	server, err := tools.New(tools.Config{Open: behind.verbs, Pending: behind.queueVersion, Version: versionString(), Profile: a.set.Profile,
		Tools: include, ExcludeTools: exclude, ReadOnly: a.set.ReadOnly, CallsPerMinute: a.set.LimitCalls, Logger: a.logger()})
	if err != nil {
		return usage("%v", err)
	}
	behind.start(func() (*local.Serving, error) { return a.openServing(ctx) })
	defer func() { err = errors.Join(err, behind.close()) }()
	return tools.Stdio{Server: server, In: a.in, Out: a.out}.Serve(ctx)
}

// openServing opens the memory for a server: it makes missing vectors, and follows
// a change of the encoder.
func (a *app) openServing(ctx context.Context) (*local.Serving, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	c.Fill, c.Changing = true, a.tellOfChange()
	return local.Serve(ctx, c)
}

// opening is a memory that is being opened.
type opening struct {
	once   sync.Once
	done   chan struct{}
	opened *local.Serving
	err    error
}

func (o *opening) start(open func() (*local.Serving, error)) {
	o.once.Do(func() {
		go func() {
			defer close(o.done)
			o.opened, o.err = open()
		}()
	})
}

// serving waits until the memory is open.
func (o *opening) serving(ctx context.Context) (*local.Serving, error) {
	select {
	case <-o.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return o.opened, o.err
}

func (o *opening) verbs(ctx context.Context) (tools.Verbs, error) {
	s, err := o.serving(ctx)
	if err != nil {
		return nil, err
	}
	return s.Take(), nil
}

func (o *opening) queueVersion(ctx context.Context) (int64, error) {
	s, err := o.serving(ctx)
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
