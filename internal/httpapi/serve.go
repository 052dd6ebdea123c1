package httpapi

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// Limits of the server. WriteTimeout is left to writer, which gives each write
// its own; a server's would end streams.
const (
	headerTime     = 5 * time.Second
	keepAliveTime  = time.Minute
	maxHeaderBytes = 32 << 10
	maxConnections = 512
)

const (
	// finishTime is how long calls may still run when the server is told to stop.
	finishTime = 5 * time.Second
	// rollBackTime is how long they then have to roll back.
	rollBackTime = time.Second
	// hangUpTime is how long the last answers have to be taken. net/http would
	// also wait 5 s for connections that never asked anything.
	hangUpTime = 500 * time.Millisecond
)

// Serve answers on l until ctx ends, then stops in order: no new request, streams
// end, what runs finishes or is rolled back, what was accepted is done. It ends
// l and the API.
func (a *API) Serve(ctx context.Context, l net.Listener) error {
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s := &http.Server{Handler: a, ReadHeaderTimeout: headerTime, IdleTimeout: keepAliveTime, MaxHeaderBytes: maxHeaderBytes,
		BaseContext: func(net.Listener) context.Context { return calls }, ErrorLog: serverLog(a.log)}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(netutil.LimitListener(l, maxConnections)) }()
	go a.mcp.sessions.sweeping(a.closing)
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	return errors.Join(err, a.stop(s, cancel))
}

// stop ends the server. cancel cancels calls.
func (a *API) stop(s *http.Server, cancel context.CancelFunc) error {
	a.refuseNew()
	defer a.mcp.sessions.endAll()
	finish, done := context.WithTimeout(context.Background(), finishTime)
	defer done()
	left := a.finish(finish, maxRunning)
	a.behind.drain(finish)
	if left > 0 {
		cancel()
		rollBack, done := context.WithTimeout(context.Background(), rollBackTime)
		defer done()
		if a.finish(rollBack, left) > 0 {
			a.log.Warn("requests were still running at the end")
		}
	}
	hangUp, done := context.WithTimeout(context.Background(), hangUpTime)
	defer done()
	if s.Shutdown(hangUp) == nil {
		return nil
	}
	return s.Close()
}

// finish takes the places of requests that are answered, and so waits until none
// is running. It gives how many of the places could not be had before ctx ended.
func (a *API) finish(ctx context.Context, places int) (left int) {
	for ; places > 0; places-- {
		select {
		case a.running <- struct{}{}:
		case <-ctx.Done():
			return places
		}
	}
	return 0
}

// serverLog takes what net/http says of clients that break the protocol.
func serverLog(l *slog.Logger) *log.Logger { return slog.NewLogLogger(l.Handler(), slog.LevelDebug) }
