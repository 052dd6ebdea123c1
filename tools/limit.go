package tools

import (
	"sync"
	"time"
)

// CallLimit allows at most n calls in any minute. The zero value and nil allow
// all. It is safe for concurrent use.
type CallLimit struct {
	mu    sync.Mutex
	times []time.Time // ring of the last n allowed calls
	next  int         // the oldest one
}

// NewCallLimit makes a limit of n calls a minute; 0 and less allow all.
func NewCallLimit(n int) *CallLimit { return &CallLimit{times: make([]time.Time, max(n, 0))} }

// take counts a call at now, or says how long to wait for the next one.
func (l *CallLimit) take(now time.Time) (wait time.Duration, ok bool) {
	if l == nil || len(l.times) == 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	oldest := l.times[l.next]
	if passed := now.Sub(oldest); !oldest.IsZero() && passed < time.Minute {
		return time.Minute - passed, false
	}
	l.times[l.next] = now
	l.next = (l.next + 1) % len(l.times)
	return 0, true
}
