// Package loopback asks a Combray that runs on this machine. It dials addresses
// of the machine itself and refuses every other (TestOnlyThisMachineIsAsked).
package loopback

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// patience bounds a question: what listens on loopback answers at once or hangs.
const patience = 2 * time.Second

// healthBytes is how much of an answer is read; the right one is "ok".
const healthBytes = 16

// Healthy says whether what listens at an address answers GET /healthz as
// combray serve does. The error is for an address that is not of this machine.
func Healthy(ctx context.Context, address string) (bool, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().IsLoopback() {
		return false, fmt.Errorf("%q is no address of this machine; 127.0.0.1:PORT and [::1]:PORT are allowed", address)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at.String()+"/healthz", nil)
	if err != nil {
		return false, err
	}
	reply, err := client.Do(request)
	if err != nil {
		return false, nil // nobody answers, or not in HTTP
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(io.LimitReader(reply.Body, healthBytes))
	return err == nil && reply.StatusCode == http.StatusOK && strings.TrimSpace(string(body)) == "ok", nil
}

// client asks no proxy of the environment, follows no redirection to elsewhere,
// and keeps no connection.
var client = http.Client{Transport: &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
