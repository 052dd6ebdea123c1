package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// newClient returns a client that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY
// as they are now, and follows redirects only to https or this machine.
func newClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 func(r *http.Request) (*url.URL, error) { return proxyFor(r.URL) },
			DialContext:           (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout:   30 * time.Second,
			ResponseHeaderTimeout: time.Minute,
			ForceAttemptHTTP2:     true,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) >= 10 {
				return errors.New("the server redirects more than 10 times")
			}
			if !secure(r.URL) {
				return fmt.Errorf("the server redirects to %s, which is not https", r.URL.Redacted())
			}
			return nil
		},
	}
}

func proxyFor(u *url.URL) (*url.URL, error) {
	return httpproxy.FromEnvironment().ProxyFunc()(u)
}

// errStalled is the cause when a download received nothing for too long.
var errStalled = errors.New("nothing was received for too long")

// stallTimer is how long a transfer may receive nothing.
type stallTimer time.Duration

func (s Store) newStallTimer() stallTimer {
	if s.StallTimeout > 0 {
		return stallTimer(s.StallTimeout)
	}
	return stallTimer(time.Minute)
}

func (d stallTimer) start(stalled func()) *time.Timer {
	return time.AfterFunc(time.Duration(d), stalled)
}

// body restarts the stall timer with every read that brings bytes.
type body struct {
	r     io.Reader
	watch *time.Timer
	idle  stallTimer
}

func (b body) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if n > 0 {
		b.watch.Reset(time.Duration(b.idle))
	}
	return n, err
}

// withCause returns the reason why ctx ended instead of the error that followed from it.
func withCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	return err
}

// FetchError is a download that failed. Its text names the file, the address,
// the proxy if there is one, the reason, and what to do next.
type FetchError struct {
	Model   string
	File    string
	Address string
	Proxy   string // without its password; empty: none
	Err     error
	Next    string
}

// Error returns one sentence.
func (e *FetchError) Error() string {
	through := ""
	if e.Proxy != "" {
		through = " through the proxy " + e.Proxy
	}
	return fmt.Sprintf("%s of %s could not be fetched from %s%s: %v; %s", e.File, e.Model, e.Address, through, e.Err, e.Next)
}

// Unwrap returns the reason.
func (e *FetchError) Unwrap() error { return e.Err }

// explain wraps the failure of a fetch with what a person needs to know.
func explain(ctx context.Context, it item, err error) error {
	fetchErr := &FetchError{Model: it.what, File: it.file, Address: it.address, Err: err}
	if u, parseErr := url.Parse(it.address); parseErr == nil {
		if proxy, proxyErr := proxyFor(u); proxyErr == nil && proxy != nil {
			fetchErr.Proxy = proxy.Redacted()
		}
	}
	fetchErr.Next = nextStep(ctx, it, fetchErr, err)
	return fetchErr
}

func nextStep(ctx context.Context, it item, e *FetchError, err error) string {
	carry := fmt.Sprintf("or fetch the file elsewhere and run \"%s --from FOLDER\"", it.again)
	var cut *cutError
	switch {
	case ctx.Err() != nil || errors.As(err, &cut):
		return fmt.Sprintf("run \"%s\" again to continue where it stopped", it.again)
	case e.Proxy != "":
		return "ask for this address to be allowed on the proxy, or correct HTTPS_PROXY or NO_PROXY, " + carry
	}
	return "check the connection, set HTTPS_PROXY if there is a proxy, " + carry
}
