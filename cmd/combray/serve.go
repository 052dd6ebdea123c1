package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"combray/internal/httpapi"
	"combray/internal/local"
	"combray/tools"
)

// defaultAddress is where combray serve listens unless told otherwise. The port
// is the year in which Combray was printed.
const defaultAddress = "127.0.0.1:1913"

// served are the options of serve that are no settings.
type served struct {
	expose           bool
	include, exclude []string
}

func (a *app) serveCommand() *cobra.Command {
	var o served
	c := &cobra.Command{Use: "serve", Short: "Serve MCP, cues and webhooks over HTTP", Args: cobra.NoArgs,
		Long: "Serve MCP at /mcp in both protocol eras, and doors for sensors beside it: /cues,\n" +
			"/memories, /recall, /recollections, /webhooks/home-assistant, /webhooks/shortcuts.\n" +
			"Every call needs a token of the token file, which the first start writes. Other\n" +
			"machines reach it only with --expose.",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), o) }}
	flags := c.Flags()
	flags.StringVar(&a.flag.HTTP, "listen", "", "address to listen on; default "+defaultAddress+" (COMBRAY_HTTP)")
	flags.BoolVar(&o.expose, "expose", false, "allow an address that other machines reach; needs a token that exists already")
	flags.StringVar(&a.flag.TokenFile, "token-file", "", "file of tokens; default token in the data folder (COMBRAY_TOKEN_FILE)")
	flags.StringVar(&a.flag.Profile, "profile", "", "which tools a client sees (COMBRAY_PROFILE)")
	flags.StringSliceVar(&o.include, "tools", nil, "further tools")
	flags.StringSliceVar(&o.exclude, "exclude-tools", nil, "tools left out; wins")
	return c
}

// serve answers until it is told to stop.
func (a *app) serve(ctx context.Context, o served) (err error) {
	at, err := readAddress(a.set.HTTP)
	if err != nil {
		return err
	}
	if !at.loopback && !o.expose {
		return usage("%s can be reached by other machines; add --expose if that is meant", at)
	}
	keys, err := a.readTokens(at.loopback)
	if errors.Is(err, fs.ErrNotExist) && !at.loopback {
		return &failure{code: exitUsage, err: errors.New("there is no token yet, and nothing is exposed without one"),
			hint: "Run combray serve once without --expose; it writes a token."}
	}
	if err != nil {
		return err
	}
	behind := &opening{open: func() (*local.Serving, error) { return a.openServing(context.WithoutCancel(ctx)) }}
	mcp, doors, err := a.servers(behind, o)
	if err != nil {
		return usage("%v", err)
	}
	l, err := net.Listen("tcp", at.String())
	if err != nil {
		return &failure{code: exitFailed, err: err, hint: "Another program may use the port: choose one with --listen 127.0.0.1:PORT."}
	}
	api := httpapi.New(httpapi.Config{Tools: doors, MCP: mcp.MCP(), Tokens: keys.Tokens, AllowedHosts: at.names(a.set.AllowedHosts),
		CallsPerMinute: a.set.LimitCalls, Erases: a.set.Profile == "senses", Logger: a.logger()})
	behind.attempt()
	defer func() { err = errors.Join(err, behind.close()) }()
	a.tellServed(l.Addr(), at, keys)
	return api.Serve(ctx, l)
}

// doorTools are what the doors for sensors and people use, whatever the profile.
var doorTools = []string{"remember", "recall", "sense", "pending_recollections", "forget", "erase"}

// servers are the tools that MCP clients see, and those behind the other doors.
func (a *app) servers(behind *opening, o served) (mcp, doors *tools.Server, err error) {
	c := tools.Config{Open: behind.verbs, Pending: behind.queueVersion, Version: versionString(), Profile: a.set.Profile,
		Tools: o.include, ExcludeTools: o.exclude, ReadOnly: a.set.ReadOnly, Logger: a.logger()}
	if mcp, err = tools.New(c); err != nil {
		return nil, nil, err
	}
	for _, name := range doorTools {
		if slices.Contains(tools.Names(), name) {
			c.Tools = append(slices.Clone(c.Tools), name)
		}
	}
	doors, err = tools.New(c)
	return mcp, doors, err
}

// address is where to listen.
type address struct {
	host, port string // host "": every interface
	loopback   bool
}

func (a address) String() string { return net.JoinHostPort(a.host, a.port) }

// readAddress reads HOST:PORT, where HOST is an IP address, localhost, or
// nothing for every interface. Other names would have to be looked up, and
// nothing is.
func readAddress(given string) (address, error) {
	if given == "" {
		given = defaultAddress
	}
	host, port, err := net.SplitHostPort(given)
	if err != nil {
		return address{}, usage("%q is no address to listen on; give IP:PORT, such as %s", given, defaultAddress)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if host == "" {
		return address{port: port}, nil
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return address{}, usage("%q is no IP address to listen on; give IP:PORT, such as %s", host, defaultAddress)
	}
	return address{host: host, port: port, loopback: ip.IsLoopback()}, nil
}

// names are what Host and Origin may say: further, joined by commas, and the
// address itself. A page that lets its name point here says its name, never an
// address.
func (a address) names(further string) []string {
	names := strings.Split(further, ",")
	if ip, err := netip.ParseAddr(a.host); err == nil && !ip.IsUnspecified() {
		names = append(names, a.host)
	}
	return names
}

// tellServed says on stderr what is open, and to whom. It never shows a token.
func (a *app) tellServed(where net.Addr, at address, keys tokens) {
	fmt.Fprintf(a.err, "combray: MCP at http://%s/mcp; cues, memories and webhooks beside it\n", where)
	if keys.made {
		fmt.Fprintf(a.err, "combray: a token was made: %s\n", keys.from)
	} else {
		fmt.Fprintf(a.err, "combray: tokens: %s\n", keys.from)
	}
	if at.loopback {
		return
	}
	what := "read, change and erase every memory"
	if a.set.ReadOnly {
		what = "read every memory"
	}
	fmt.Fprintf(a.err, "combray: EXPOSED: whoever reaches %s and has a token can %s. The connection is not encrypted.\n", where, what)
	names := strings.Join(slices.DeleteFunc(at.names(a.set.AllowedHosts), func(n string) bool { return strings.TrimSpace(n) == "" }), ", ")
	if names == "" {
		names = "no name but localhost; name others in COMBRAY_ALLOWED_HOSTS"
	}
	fmt.Fprintf(a.err, "combray: it answers to %s\n", names)
}
