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
	behind := &opening{open: func() (*local.Serving, error) { return a.openServing(ctx) }}
	server, err := tools.New(tools.Config{Open: behind.verbs, Pending: behind.queueVersion, Version: versionString(), Profile: a.set.Profile,
		Tools: include, ExcludeTools: exclude, ReadOnly: a.set.ReadOnly, CallsPerMinute: a.set.LimitCalls, Logger: a.logger()})
	if err != nil {
		return usage("%v", err)
	}
	behind.attempt()
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

// opening is a memory that is being opened, by one attempt at a time. What kept one
// from it may have passed when the next call comes: that call tries again.
type opening struct {
	open func() (*local.Serving, error)

	mu   sync.Mutex
	last *attempt
}

// attempt is one go at opening. What it gave stands when done is closed.
type attempt struct {
	done   chan struct{}
	opened *local.Serving
	err    error
}

// attempt gives the attempt under way, or the one that succeeded; a new one, made
// behind its caller, at first and after one that failed.
func (o *opening) attempt() *attempt {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last != nil && !o.last.failed() {
		return o.last
	}
	a := &attempt{done: make(chan struct{})}
	o.last = a
	go func() {
		defer close(a.done)
		a.opened, a.err = o.open()
	}()
	return a
}

func (o *opening) latest() *attempt {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last
}

func (a *attempt) failed() bool {
	select {
	case <-a.done:
		return a.err != nil
	default:
		return false
	}
}

// wait waits until the attempt has ended.
func (a *attempt) wait(ctx context.Context) (*local.Serving, error) {
	select {
	case <-a.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return a.opened, a.err
}

func (o *opening) verbs(ctx context.Context) (tools.Verbs, error) {
	s, err := o.attempt().wait(ctx)
	if err != nil {
		return nil, err
	}
	return s.Take(), nil
}

// queueVersion is asked again and again, so it never makes an attempt.
func (o *opening) queueVersion(ctx context.Context) (int64, error) {
	s, err := o.latest().wait(ctx)
	if err != nil {
		return 0, err
	}
	return s.QueueVersion(ctx)
}

// close waits for the attempt under way. Nobody may ask any more.
func (o *opening) close() error {
	s, err := o.latest().wait(context.Background())
	if err != nil {
		return nil // the calls were told
	}
	return s.Close()
}
