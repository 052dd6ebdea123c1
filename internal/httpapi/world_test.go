package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
	"combray/tools"
)

// The tokens of the tests, one for each scope and one for all.
const (
	everything = "0123456789abcdef0123456789abcdef"
	reads      = "read-0123456789abcdef0123456789abcdef"
	writes     = "write-0123456789abcdef0123456789abcdef"
	senses     = "sense-0123456789abcdef0123456789abcdef"
)

const tokenFile = everything + "\nread " + reads + "\nwrite " + writes + "\nsense " + senses + "\n"

// call is one that a fake was asked for.
type call struct {
	tool      string
	arguments map[string]any
	actor     memory.Actor
}

// fakeTools answers every call with what a test says, and keeps the calls. The
// caller's rights are checked as tools.Server checks them.
type fakeTools struct {
	mu     sync.Mutex
	calls  []call
	answer func(ctx context.Context, tool string) (tools.Reply, error)
	now    func() time.Time
}

func (f *fakeTools) Call(ctx context.Context, tool string, arguments map[string]any) (tools.Reply, error) {
	if c, ok := tools.CallerOf(ctx); ok {
		if refused, ok := c.Admit(tool, f.now()); !ok {
			return refused, nil
		}
	}
	f.mu.Lock()
	f.calls = append(f.calls, call{tool, arguments, memory.ActorOf(ctx)})
	f.mu.Unlock()
	if f.answer == nil {
		return tools.Reply{Body: json.RawMessage(`{"result":[]}`)}, nil
	}
	return f.answer(ctx, tool)
}

func (f *fakeTools) last(t *testing.T) call {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.calls) == 0 {
		t.Fatal("no tool was called")
	}
	return f.calls[len(f.calls)-1]
}

func (f *fakeTools) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.calls)
}

// world is an API over fake tools, and over real ones at /mcp.
type world struct {
	t     *testing.T
	api   *API
	tools *fakeTools
	clock *memtest.Clock
	queue func(int64) // sets the version of the queue
}

func newWorld(t *testing.T, adjust ...func(*Config)) *world {
	t.Helper()
	w := &world{t: t, clock: &memtest.Clock{}}
	w.tools = &fakeTools{now: w.clock.Now}
	tokens, err := ParseTokens(strings.NewReader(tokenFile))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Tools: w.tools, Tokens: tokens, Now: w.clock.Now, Zone: zone}
	var mu sync.Mutex
	var version int64
	w.queue = func(v int64) { mu.Lock(); defer mu.Unlock(); version = v }
	store := memtest.NewStore(memtest.StoreOptions{})
	encoder := &memtest.Encoder{}
	service := memory.New(memory.Config{Store: store, Index: memtest.NewIndex(store, memory.LineIdentity(encoder.Identity())), Encoder: encoder, Now: w.clock.Now, Random: &memtest.IDs{}, Zone: time.UTC})
	mcp, err := tools.New(tools.Config{Profile: "full", Now: w.clock.Now, Open: func(context.Context) (tools.Verbs, error) { return service, nil },
		Pending: func(context.Context) (int64, error) { mu.Lock(); defer mu.Unlock(); return version, nil }})
	if err != nil {
		t.Fatal(err)
	}
	c.MCP = mcp.MCP()
	for _, f := range adjust {
		f(&c)
	}
	w.api = New(c)
	t.Cleanup(func() { w.close() })
	return w
}

// close ends the API if the test did not.
func (w *world) close() {
	select {
	case <-w.api.closing:
	default:
		w.api.Close(context.Background())
	}
}

// request is one over the loopback name, with the token for everything.
func request(method, target, body string) *http.Request {
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, "http://127.0.0.1:1913"+target, in)
	r.Header.Set("Authorization", "Bearer "+everything)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func (w *world) do(r *http.Request) *httptest.ResponseRecorder {
	out := httptest.NewRecorder()
	w.api.ServeHTTP(out, r)
	return out
}

func (w *world) send(method, target, body string) *httptest.ResponseRecorder {
	return w.do(request(method, target, body))
}

// fault is the error that an answer holds.
func fault(t *testing.T, r *httptest.ResponseRecorder) (f struct{ Error, Code, Message, Hint string }) {
	t.Helper()
	if err := json.Unmarshal(r.Body.Bytes(), &f); err != nil || f.Error == "" || f.Code == "" || f.Message == "" || f.Hint == "" {
		t.Errorf("%d without a whole error: %v %s", r.Code, err, r.Body)
	}
	return f
}

// zone is the server's in the tests.
var zone = time.FixedZone("test", 2*60*60)
