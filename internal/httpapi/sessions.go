package httpapi

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

const (
	// sessionIdle is how long a session may be silent. A client whose session is
	// gone gets 404 and starts a new one, as the protocol says.
	sessionIdle = 30 * time.Minute
	// maxSessions is how many sessions there may be; mcp-go keeps about 20 KB for
	// each. One more ends the one that was silent longest.
	maxSessions = 512
	// sweepEvery is how often silent sessions are looked for.
	sweepEvery = time.Minute
)

// sessions are those of the older protocol era. They replace mcp-go's table,
// which keeps the name of every session that ever was, and whose idle time also
// ends sessions with an open stream. A session belongs to the token that began it.
type sessions struct {
	end func(id string, owner *token) // makes mcp-go forget a session
	now func() time.Time
	log func(string, ...any)

	mu  sync.Mutex
	all map[string]*session
}

type session struct {
	owner *token
	last  time.Time
	open  int           // streams
	ended chan struct{} // closed with the session
}

var _ server.SessionIdManagerResolver = (*sessions)(nil)

// ownedSessions are the sessions as one token sees them.
type ownedSessions struct {
	*sessions
	owner *token
}

var _ server.SessionIdManager = ownedSessions{}

// ResolveSessionIdManager implements mcp-go's interface. The request is nil
// when mcp-go shuts down.
func (s *sessions) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r == nil {
		return ownedSessions{s, nil}
	}
	return ownedSessions{s, tokenOf(r.Context())}
}

// Generate begins a session.
func (s ownedSessions) Generate() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	id := hex.EncodeToString(b[:])
	s.mu.Lock()
	s.all[id] = &session{owner: s.owner, last: s.now(), ended: make(chan struct{})}
	full := len(s.all) > maxSessions
	s.mu.Unlock()
	if full {
		s.endSilent(s.now(), 1)
	}
	return id
}

var errNoSession = errors.New("no such session")

// Validate counts as a sign of life. Another token's session is none.
func (s ownedSessions) Validate(id string) (terminated bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.all[id]
	if one == nil || one.owner != s.owner {
		return false, errNoSession
	}
	one.last = s.now()
	return false, nil
}

// Terminate ends a session and its streams.
func (s ownedSessions) Terminate(id string) (notAllowed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.all[id]; one != nil && (one.owner == s.owner || s.owner == nil) {
		close(one.ended)
		delete(s.all, id)
	}
	return false, nil
}

// stream counts an open stream in, and gives the channel that is closed with the
// session, or an error when it ended meanwhile.
func (s *sessions) stream(id string) (ended <-chan struct{}, leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.all[id]
	if one == nil {
		return nil, nil, errNoSession
	}
	one.open++
	return one.ended, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		one.open--
		one.last = s.now()
	}, nil
}

// sweep ends sessions that were silent too long.
func (s *sessions) sweep() { s.endSilent(s.now().Add(-sessionIdle), maxSessions) }

// endSilent ends at most most sessions without a stream that were last heard of
// at or before a moment, the longest silent first.
func (s *sessions) endSilent(before time.Time, most int) {
	for range most {
		id, one := s.longestSilent()
		if one == nil || one.last.After(before) {
			return
		}
		s.log("a session ended for its silence", "since", fmt.Sprint(s.now().Sub(one.last).Round(time.Second)))
		s.end(id, one.owner)
	}
}

func (s *sessions) longestSilent() (id string, longest *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, one := range s.all {
		if one.open == 0 && (longest == nil || one.last.Before(longest.last) || one.last.Equal(longest.last) && name < id) {
			id, longest = name, one
		}
	}
	if longest != nil {
		copied := *longest // read without the lock
		longest = &copied
	}
	return id, longest
}

// endAll ends every session, and with it what it subscribed to.
func (s *sessions) endAll() {
	s.mu.Lock()
	all := maps.Clone(s.all)
	s.mu.Unlock()
	for id, one := range all {
		s.end(id, one.owner)
	}
}

// sweeping sweeps until done is closed.
func (s *sessions) sweeping(done <-chan struct{}) {
	t := time.NewTicker(sweepEvery)
	defer t.Stop()
	for {
		select {
		case <-done:
			return
		case <-t.C:
			s.sweep()
		}
	}
}
