package httpapi

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"combray/tools"
)

func (s *served) cue(target string) (status int, err error) {
	r, err := http.NewRequest("POST", "http://localhost"+target, strings.NewReader(`{}`))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+everything)
	answer, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	return answer.StatusCode, nil
}

// TestStop tells a server to stop while it has streams open, calls running and
// cues waiting: calls finish, cues are worked on, streams end, and it is quick.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		s.tools.answer = func(ctx context.Context, _ string) (tools.Reply, error) {
			select {
			case <-time.After(2 * time.Second):
				return tools.Reply{Body: []byte(`{"result":[]}`)}, nil
			case <-ctx.Done():
				return tools.Reply{}, ctx.Err()
			}
		}
		id := s.session()
		streaming := s.get("Mcp-Session-Id", id)
		defer streaming.Body.Close()
		running := make(chan int, 1)
		go func() {
			status, _ := s.cue("/cues")
			running <- status
		}()
		if status, _ := s.cue("/cues?async=1"); status != 202 {
			t.Fatalf("async: %d", status)
		}
		synctest.Wait()
		start := time.Now()
		s.end()
		if status := <-running; status != 200 {
			t.Errorf("the call that ran: %d", status)
		}
		if n := s.tools.count(); n != 2 {
			t.Errorf("%d cues were worked on", n)
		}
		if _, ok := eventsOf(t, streaming).next(); ok {
			t.Error("the stream went on")
		}
		if took := time.Since(start); took > finishTime {
			t.Errorf("it took %v", took)
		}
		if status, err := s.cue("/cues"); err == nil {
			t.Errorf("after the end: %d", status)
		}
	})
}

// TestStopCancels holds that a call without an end is told to roll back.
func TestStopCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		rolledBack := make(chan struct{})
		s.tools.answer = func(ctx context.Context, _ string) (tools.Reply, error) {
			<-ctx.Done()
			close(rolledBack)
			return tools.Reply{}, ctx.Err()
		}
		go func() { _, _ = s.cue("/cues") }()
		synctest.Wait()
		start := time.Now()
		s.end()
		<-rolledBack
		if took := time.Since(start); took > finishTime+rollBackTime+time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// locked is a log that several goroutines write.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

// TestLogHoldsNoSecrets sends a token, a text and an unknown address, with
// everything logged.
func TestLogHoldsNoSecrets(t *testing.T) {
	log := &locked{}
	w := newWorld(t, func(c *Config) {
		c.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	w.send("POST", "/cues", `{"text":"a secret wish"}`)
	w.send("GET", "/recall?query=a+secret+wish", "")
	w.send("GET", "/a-secret-path", "")
	w.send("GET", "/mcp?token="+everything, "")
	w.send("SECRET", "/cues", "")
	got := w.send("POST", "/mcp", initialize)
	session := got.Header().Get("Mcp-Session-Id")
	w.clock.Advance(2 * sessionIdle)
	w.api.mcp.sessions.sweep()
	said := log.b.String()
	if !strings.Contains(said, "route=/cues") || !strings.Contains(said, "silence") {
		t.Errorf("the log lacks what it should hold:\n%s", said)
	}
	for _, secret := range []string{everything, "secret", "SECRET", session} {
		if strings.Contains(said, secret) {
			t.Errorf("the log holds %s:\n%s", secret, said)
		}
	}
}
