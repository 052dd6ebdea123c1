package httpapi

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// writeTime is how long a client may take to read one write of ours, at most
	// a reply of 256 KiB.
	writeTime = 30 * time.Second
	// heartbeat is how often an open stream is written to, so that a client that
	// went away or stopped reading is noticed.
	heartbeat = 30 * time.Second
)

// writer is a ResponseWriter that gives every write a deadline of its own. A
// client that does not read ends its connection, not our goroutine
// (TestSlowReaders). It is safe for concurrent use.
type writer struct {
	mu     sync.Mutex
	w      http.ResponseWriter
	rc     *http.ResponseController
	status int    // 0: nothing was written yet
	leave  func() // gives the place among the running requests to another
}

var (
	_ http.ResponseWriter = (*writer)(nil)
	_ http.Flusher        = (*writer)(nil)
)

func newWriter(w http.ResponseWriter) *writer {
	return &writer{w: w, rc: http.NewResponseController(w)}
}

// Header implements http.ResponseWriter.
func (w *writer) Header() http.Header { return w.w.Header() }

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(status)
}

func (w *writer) begin(status int) {
	if w.status == 0 {
		w.status = status
		w.arm()
		w.w.WriteHeader(status)
	}
}

// arm is best effort: what cannot have a deadline is no connection.
func (w *writer) arm() { _ = w.rc.SetWriteDeadline(time.Now().Add(writeTime)) }

// Write implements http.ResponseWriter.
func (w *writer) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	w.arm()
	return w.w.Write(b)
}

// Flush implements http.Flusher.
func (w *writer) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	w.arm()
	_ = w.rc.Flush() // a broken connection ends the request's context
}

// beat writes a comment into an open stream of events.
func (w *writer) beat() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.status == 0 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		return nil
	}
	w.arm()
	if _, err := w.w.Write([]byte(":\n\n")); err != nil {
		return err
	}
	return w.rc.Flush()
}

// keepAlive beats until one of the channels is closed or the client does not
// read any more. A nil channel is never closed.
func (w *writer) keepAlive(left, ended, closing <-chan struct{}) {
	t := time.NewTicker(heartbeat)
	defer t.Stop()
	for {
		select {
		case <-left:
			return
		case <-ended:
			return
		case <-closing:
			return
		case <-t.C:
			if w.beat() != nil {
				return
			}
		}
	}
}
