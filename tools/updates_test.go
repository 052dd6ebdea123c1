package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"combray/internal/memory"
)

// queue is the version of a queue that other processes change.
type queue struct{ version, asked, failing atomic.Int64 }

func (q *queue) pending(context.Context) (int64, error) {
	q.asked.Add(1)
	if q.failing.Load() != 0 {
		return 0, errors.New("the store is busy")
	}
	return q.version.Load(), nil
}

const listen = `{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"resourceSubscriptions":[%s]}}}`

// toldUpdated checks that a message says that the queue changed.
func toldUpdated(t *testing.T, m message, subscription string) {
	t.Helper()
	var p struct {
		URI  string                     `json:"uri"`
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(m.Params, &p); err != nil || m.Method != "notifications/resources/updated" || p.URI != pendingURI {
		t.Fatalf("got %s %s", m.Method, m.Params)
	}
	if got := string(p.Meta[mcp.MetaKeySubscriptionID]); got != subscription {
		t.Errorf("subscription %q, want %q", got, subscription)
	}
}

func TestUpdatesOfTheOldEra(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{}
		l := dial(t, Config{Open: opened(stubVerbs{}), Pending: q.pending})
		l.ask(1, "resources/subscribe", `{"uri":"`+pendingURI+`"}`, "legacy")
		time.Sleep(10 * time.Second)
		l.send(ping("2"))
		if m := l.receive(); string(m.ID) != "2" {
			t.Fatalf("without a change came %s %s", m.Method, m.Params)
		}
		q.version.Add(1)
		toldUpdated(t, l.receive(), "")
		l.ask(3, "resources/unsubscribe", `{"uri":"`+pendingURI+`"}`, "legacy")
		asked := q.asked.Load()
		q.version.Add(1)
		time.Sleep(10 * time.Second)
		l.send(ping("4"))
		if m := l.receive(); string(m.ID) != "4" {
			t.Errorf("after unsubscribing came %s", m.Method)
		}
		if q.asked.Load() != asked {
			t.Error("the queue was asked while nobody was subscribed")
		}
		l.end()
	})
}

func TestUpdatesOfTheNewEra(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{}
		l := dial(t, Config{Open: opened(stubVerbs{}), Pending: q.pending})
		const id = "9007199254740993"
		l.send(fmt.Sprintf(listen, id, `"`+pendingURI+`","memory://today"`))
		if m := l.receive(); !strings.HasSuffix(m.Method, "/acknowledged") || !strings.Contains(string(m.Params), pendingURI) || strings.Contains(string(m.Params), "today") {
			t.Fatalf("first came %s %s", m.Method, m.Params)
		}
		q.version.Add(1)
		toldUpdated(t, l.receive(), id)
		l.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		synctest.Wait()
		q.version.Add(1)
		time.Sleep(10 * time.Second)
		l.send(ping("4"))
		if m := l.receive(); string(m.ID) != "4" {
			t.Errorf("after the cancellation came %s", m.Method)
		}
		l.end()
	})
}

// TestUpdatesAreRare changes the queue all the time.
func TestUpdatesAreRare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{}
		l := dial(t, Config{Open: opened(stubVerbs{}), Pending: q.pending})
		l.ask(1, "resources/subscribe", `{"uri":"`+pendingURI+`"}`, "legacy")
		go func() {
			for range 49 {
				time.Sleep(100 * time.Millisecond)
				q.version.Add(1)
			}
			l.send(ping("2"))
		}()
		n := 0
		for m := l.receive(); string(m.ID) != "2"; m = l.receive() {
			n++
		}
		if n != 4 {
			t.Errorf("%d notifications in 4.9 seconds", n)
		}
		l.end()
	})
}

// TestAcknowledgedBeforeUpdated subscribes right before the queue is asked.
func TestAcknowledgedBeforeUpdated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{}
		l := dial(t, Config{Open: opened(stubVerbs{}), Pending: q.pending})
		start := time.Now()
		for i, id := range []string{"1", "2"} {
			time.Sleep(time.Duration(i) * (updatesEvery - updatesSettle/2))
			l.send(fmt.Sprintf(listen, id, `"`+pendingURI+`"`))
			l.receive()
		}
		q.version.Add(1)
		for i, id := range []string{"1", "2"} {
			toldUpdated(t, l.receive(), id)
			if at, want := time.Since(start), time.Duration(i+1)*updatesEvery; at != want {
				t.Errorf("subscription %s was told after %v, want %v", id, at, want)
			}
		}
		l.end()
	})
}

// TestUpdatesAfterAFailure holds that a change is told although the store could
// not be asked when it happened.
func TestUpdatesAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{}
		l := dial(t, Config{Open: opened(stubVerbs{}), Pending: q.pending})
		l.ask(1, "resources/subscribe", `{"uri":"`+pendingURI+`"}`, "legacy")
		q.failing.Store(1)
		q.version.Add(1)
		time.Sleep(3 * time.Second)
		q.failing.Store(0)
		toldUpdated(t, l.receive(), "")
		l.end()
	})
}

// TestNothingToSubscribeTo holds that no subscription is acknowledged that
// cannot be served.
func TestNothingToSubscribeTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := dial(t, Config{Open: opened(stubVerbs{})})
		if m := l.ask(1, "resources/subscribe", `{"uri":"`+pendingURI+`"}`, "legacy"); m.Error == nil || m.Error.Code != mcp.METHOD_NOT_FOUND {
			t.Errorf("resources/subscribe gives %s", m.Result)
		}
		l.send(fmt.Sprintf(listen, "2", `"`+pendingURI+`"`))
		if m := l.receive(); strings.Contains(string(m.Params), pendingURI) {
			t.Errorf("acknowledged %s", m.Params)
		}
		l.end()
	})
}

// TestPendingPeeks reads the resource by a tool that tells what it was asked.
func TestPendingPeeks(t *testing.T) {
	var drains []bool
	pending := &tool{name: pendingToolName, params: []param{may("drain", asBool, "").or(true)},
		run: func(_ context.Context, _ Verbs, a *args) (outcome, error) {
			drains = append(drains, a.bool("drain"))
			return object(map[string]string{"seen": "yes"}, nil), nil
		}}
	s, err := New(Config{Open: opened(stubVerbs{})})
	if err != nil {
		t.Fatal(err)
	}
	s.addPending(pending)
	r := s.MCP().HandleMessage(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+pendingURI+`"}}`))
	if !strings.Contains(string(encode(r)), `{\"seen\":\"yes\"}`) || len(drains) != 1 || drains[0] {
		t.Errorf("drain was %v; answer %s", drains, encode(r))
	}
}

func TestScopeOf(t *testing.T) {
	for tool, want := range map[string]Scope{"recall": ScopeRead, "audit_log": ScopeRead, "remember": ScopeWrite, "erase": ScopeWrite,
		"due_for_review": ScopeWrite, "sense": ScopeSense, pendingToolName: ScopeSense, "nobody_knows": ScopeWrite} {
		if got := ScopeOf(tool); got != want {
			t.Errorf("%s needs %s, want %s", tool, got, want)
		}
	}
}

// TestCallerScopes calls every tool with every scope but its own.
func TestCallerScopes(t *testing.T) {
	w := newWorld(t, Config{Profile: "full"})
	for _, tool := range everyTool {
		var others []Scope
		for _, s := range Scopes() {
			if s != ScopeOf(tool.name) {
				others = append(others, s)
			}
		}
		before := w.snapshot()
		r, err := w.server.Call(WithCaller(t.Context(), Caller{Scopes: others}), tool.name, nil)
		if err != nil || r.Code != memory.CodeDenied || !strings.Contains(string(r.Body), `"PermissionError"`) {
			t.Errorf("%s with %v: %v %s", tool.name, others, err, r.Body)
		}
		if w.snapshot() != before {
			t.Errorf("%s was refused and changed the store", tool.name)
		}
		r, err = w.server.Call(WithCaller(t.Context(), Caller{Scopes: []Scope{ScopeOf(tool.name)}}), tool.name, nil)
		if err != nil || r.Code == memory.CodeDenied && strings.Contains(string(r.Body), "scope") {
			t.Errorf("%s with its own scope: %v %s", tool.name, err, r.Body)
		}
	}
}

// snapshot is everything the store holds.
func (w *world) snapshot() string {
	rows, audit := w.dump()
	return rows + audit
}

func TestCallersHaveLimitsOfTheirOwn(t *testing.T) {
	w := newWorld(t, Config{Profile: "full", CallsPerMinute: 1})
	one, other := Caller{Scopes: Scopes(), Limit: NewCallLimit(1)}, Caller{Scopes: Scopes(), Limit: NewCallLimit(1)}
	for i, c := range []struct {
		caller Caller
		ok     bool
	}{{one, true}, {one, false}, {other, true}, {other, false}} {
		r, err := w.server.Call(WithCaller(t.Context(), c.caller), "list_frames", nil)
		if err != nil || r.Failed() == c.ok || !c.ok && (r.Code != memory.CodeLimit || r.Wait <= 0) {
			t.Errorf("call %d: %v %s, wait %v", i, err, r.Body, r.Wait)
		}
	}
}

func TestForgedListCursors(t *testing.T) {
	s, err := New(Config{Open: opened(stubVerbs{})})
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		for _, cursor := range []string{"MQ==", "AAAA", "eyJvZmZzZXQiOi0xfQ==", "' OR 1=1 --"} {
			r := s.MCP().HandleMessage(t.Context(), []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"cursor":%q}}`, list, cursor)))
			if e, ok := r.(mcp.JSONRPCError); !ok || e.Error.Code != mcp.INVALID_PARAMS {
				t.Errorf("%s with the cursor %s: %s", list, cursor, encode(r))
			}
		}
	}
}

func TestMendRead(t *testing.T) {
	read := `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"memory://item/x"%s}}`
	missing := `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"resource not found: memory://item/x"}}`
	for _, c := range []struct{ meta, response, want string }{
		{"", missing, `{"jsonrpc":"2.0","id":7,"error":{"code":-32002,"message":"resource not found: memory://item/x","data":{"uri":"memory://item/x"}}}`},
		{"," + modernMeta, missing, `{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"resource not found: memory://item/x","data":{"uri":"memory://item/x"}}}`},
		{"", `{"jsonrpc":"2.0","id":7,"result":{"contents":[{"text":"resource not found"}]}}`, ""},
		{"", `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"busy"}}`, ""},
	} {
		got, mended := MendRead([]byte(fmt.Sprintf(read, c.meta)), []byte(c.response))
		if want := c.want; want == "" && (mended || string(got) != c.response) || want != "" && (!mended || string(got) != want) {
			t.Errorf("%s became %s", c.response, got)
		}
	}
}
