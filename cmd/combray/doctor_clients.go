package main

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"strings"

	"combray/internal/clients"
	"combray/internal/loopback"
)

// checkClients tells which clients start this program, and which something that
// is not there any more.
func checkClients(_ context.Context, _ *doctor) []finding {
	var out []finding
	var ready []string
	for _, c := range clientStatuses() {
		again := "combray setup " + c.Name
		switch c.State {
		case clientReady:
			ready = append(ready, c.Title)
		case clientStale:
			out = append(out, bad(again, "%s starts %q, which is not there (%s)", c.Title, c.Command, c.File)...)
		case clientOther:
			out = append(out, worth(again+" changes it to this program.", "%s starts another program: %s", c.Title, c.Command)...)
		case clientBroken:
			out = append(out, bad("Correct the file.", "%s: %s: %s", c.Title, c.File, c.Problem)...)
			continue
		}
		if c.Problem != "" {
			out = append(out, bad("Correct the file.", "%s", c.Problem)...)
		}
		if c.Hook != "" && stateOfCommand(clients.ProgramOf(c.Hook)) == clientStale {
			out = append(out, bad("combray setup hook "+c.Name, "%s runs a hook that is not there: %s", c.Title, c.Hook)...)
		}
	}
	if len(ready) == 0 {
		return append(out, worth("combray setup lists them; combray setup CLIENT adds it.", "no client starts this program")...)
	}
	return append(out, ok("%s", strings.Join(ready, ", "))...)
}

// checkPort asks whether combray serve could listen, or does already.
func checkPort(ctx context.Context, d *doctor) []finding {
	at, err := readAddress(d.set.HTTP)
	if err != nil {
		return badly(err, "Correct COMBRAY_HTTP.")
	}
	l, err := net.Listen("tcp", at.String())
	if err == nil {
		l.Close()
		return ok("%s is free for combray serve", at)
	}
	if servedByUs(ctx, at) {
		return ok("combray serve answers at %s", at)
	}
	remedy := "Choose another with --listen 127.0.0.1:PORT or COMBRAY_HTTP, or end the program that uses it."
	if d.set.HTTP == "" {
		return worth(remedy, "%s cannot be used by combray serve: %v", at, err)
	}
	return bad(remedy, "%s cannot be used by combray serve: %v", at, err)
}

// servedByUs asks this machine's own port. An address that is not loopback is
// that of every interface or one of them: the port is the same.
func servedByUs(ctx context.Context, at address) bool {
	if !at.loopback {
		at.host = "127.0.0.1"
	}
	healthy, err := loopback.Healthy(ctx, at.String())
	return err == nil && healthy
}

// checkToken looks at the secret that opens the doors over HTTP.
func checkToken(_ context.Context, d *doctor) []finding {
	t, err := d.readTokens(false)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ok("none yet; the first combray serve writes one")
	case err != nil:
		return badly(err, "Remove it, so that a new one is made.")
	case t.from == madeleineToken:
		return worth("Unset it to have a token of its own made.", "it is taken from %s", madeleineToken)
	}
	return ok("%s", t.from)
}
