package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/tools"
)

// TestDoorsCallTools holds what each door makes of a request.
func TestDoorsCallTools(t *testing.T) {
	for name, c := range map[string]struct {
		method, target, body string
		tool                 string
		arguments            string
		status               int
	}{
		"cue":              {"POST", "/cues", `{"text":"rain","lat":48.85}`, "sense", `{"text":"rain","lat":48.85,"source":"http"}`, 200},
		"cue with source":  {"POST", "/cues?async=0", `{"source":"watch"}`, "sense", `{"source":"watch"}`, 200},
		"memory":           {"POST", "/memories", `{"content":"x","metadata":{"n":9007199254740993}}`, "remember", `{"content":"x","metadata":{"n":9007199254740993}}`, 201},
		"recall":           {"GET", "/recall?query=a%20b&limit=3&tags=x,y&tags=z&lat=1.5", "", "recall", `{"query":"a b","limit":"3","tags":["x","y","z"],"lat":"1.5"}`, 200},
		"recall nothing":   {"GET", "/recall", "", "recall", `{}`, 200},
		"peek":             {"GET", "/recollections", "", "pending_recollections", `{"drain":false}`, 200},
		"peek, said so":    {"GET", "/recollections?drain=false&limit=5", "", "pending_recollections", `{"drain":false,"limit":"5"}`, 200},
		"drain":            {"GET", "/recollections?drain=true", "", "pending_recollections", `{"drain":true}`, 200},
		"drain some":       {"GET", "/recollections?drain=true&id=a&id=b", "", "pending_recollections", `{"drain":true,"ids":["a","b"]}`, 200},
		"forget":           {"DELETE", "/memories/0a1b", "", "forget", `{"memory_id":"0a1b","reason":"http"}`, 200},
		"erase":            {"DELETE", "/memories/0a1b?erase=true", "", "erase", `{"memory_id":"0a1b","reason":"http","confirm":true}`, 200},
		"forget, said so":  {"DELETE", "/memories/%2e%2e?erase=0", "", "forget", `{"memory_id":"..","reason":"http"}`, 200},
		"content type too": {"POST", "/cues", `{}`, "sense", `{"source":"http"}`, 200},
	} {
		w := newWorld(t)
		r := request(c.method, c.target, c.body)
		r.Header.Set("User-Agent", "Sensor/2.1 (kitchen)")
		if c.body != "" {
			r.Header.Set("Content-Type", "Application/JSON; charset=utf-8")
		}
		got := w.do(r)
		if got.Code != c.status || got.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
		asked := w.tools.last(t)
		if arguments := encoded(t, asked.arguments); asked.tool != c.tool || !sameJSON(t, arguments, c.arguments) {
			t.Errorf("%s: called %s %s", name, asked.tool, arguments)
		}
		if want := (memory.Actor{Client: "Sensor", Version: "2.1", Door: memory.DoorHTTP}); asked.actor != want {
			t.Errorf("%s: by %+v", name, asked.actor)
		}
	}
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	read := func(s string) (v any) {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		return v
	}
	return reflect.DeepEqual(read(a), read(b))
}

// TestSensesErase holds that profile senses erases whatever is asked.
func TestSensesErase(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Erases = true })
	w.send("DELETE", "/memories/17?erase=false", "")
	if asked := w.tools.last(t); asked.tool != "forget" || encoded(t, asked.arguments) != `{"id":"17"}` {
		t.Errorf("called %s %v", asked.tool, asked.arguments)
	}
}

// TestAnswers holds what each reply of a tool becomes.
func TestAnswers(t *testing.T) {
	refusal := func(code memory.Code) tools.Reply {
		return tools.Refusal(&memory.Error{Code: code, Message: "no", Hint: "try"})
	}
	slow := refusal(memory.CodeLimit)
	slow.Wait = 1500 * time.Millisecond
	for name, c := range map[string]struct {
		reply  tools.Reply
		status int
		body   string
		header [2]string
	}{
		"object":       {tools.Reply{Body: []byte(`{"memories":[],"result":1}`)}, 200, `{"memories":[],"result":1}`, [2]string{}},
		"list":         {tools.Reply{Body: []byte(`{"result":[{"id":"1"}]}`)}, 200, `[{"id":"1"}]`, [2]string{}},
		"empty list":   {tools.Reply{Body: []byte(`{"result":[]}`)}, 200, `[]`, [2]string{}},
		"null":         {tools.Reply{Body: []byte(`{"result":null}`)}, 200, `null`, [2]string{}},
		"warnings":     {tools.Reply{Body: []byte(`{"result":[]}`), Warnings: []string{"überall 𝄞", "b"}}, 200, `[]`, [2]string{headerWarnings, `["\u00fcberall \ud834\udd1e","b"]`}},
		"next page":    {tools.Reply{Body: []byte(`{"result":[]}`), NextCursor: "abc"}, 200, `[]`, [2]string{headerNext, "abc"}},
		"invalid":      {refusal(memory.CodeInvalid), 400, "", [2]string{}},
		"denied":       {refusal(memory.CodeDenied), 403, "", [2]string{}},
		"not found":    {refusal(memory.CodeNotFound), 404, "", [2]string{}},
		"conflict":     {refusal(memory.CodeConflict), 409, "", [2]string{}},
		"too much":     {refusal(memory.CodeLimit), 413, "", [2]string{}},
		"too fast":     {slow, 429, "", [2]string{"Retry-After", "2"}},
		"unavailable":  {refusal(memory.CodeUnavailable), 503, "", [2]string{}},
		"corrupt":      {refusal(memory.CodeCorrupt), 500, "", [2]string{}},
		"our fault":    {refusal(memory.CodeInternal), 500, "", [2]string{}},
		"no such tool": {tools.Reply{}, 403, "", [2]string{}},
	} {
		w := newWorld(t)
		w.tools.answer = func(context.Context, string) (tools.Reply, error) {
			if c.reply.Body == nil {
				return tools.Reply{}, context.Canceled
			}
			return c.reply, nil
		}
		got := w.send("GET", "/recall?query=x", "")
		if got.Code != c.status || c.body != "" && strings.TrimSpace(got.Body.String()) != c.body || got.Header().Get(c.header[0]) != c.header[1] {
			t.Errorf("%s: %d %v %s", name, got.Code, got.Header(), got.Body)
		}
		if c.status >= 400 {
			fault(t, got)
		}
	}
	many := headerJSON(slicesOf(1000, "a sentence of some length"))
	var back []string
	if err := json.Unmarshal([]byte(many), &back); err != nil || len(back) < 50 || len(many) > maxHeader {
		t.Errorf("a long header has %d bytes, %d sentences, %v", len(many), len(back), err)
	}
}

func slicesOf(n int, s string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func TestRepeatedMemory(t *testing.T) {
	w := newWorld(t)
	w.tools.answer = func(context.Context, string) (tools.Reply, error) {
		return tools.Reply{Body: []byte(`{"id":"1","repeated":true}`)}, nil
	}
	if got := w.send("POST", "/memories", `{"content":"x","idempotency_key":"k"}`); got.Code != http.StatusOK {
		t.Errorf("%d", got.Code)
	}
}

func TestBadRequests(t *testing.T) {
	for name, c := range map[string]struct {
		method, target, body, kind string
		status                     int
	}{
		"unknown address":      {"GET", "/nothing", "", "", 404},
		"a cleaned path":       {"POST", "/cues/../mcp", "{}", "", 404},
		"a slash behind":       {"POST", "/cues/", "{}", "", 404},
		"no id":                {"DELETE", "/memories/", "", "", 404},
		"a path for an id":     {"DELETE", "/memories/a/b", "", "", 404},
		"wrong method":         {"GET", "/cues", "", "", 405},
		"wrong method, memory": {"GET", "/memories/1", "", "", 405},
		"health, other method": {"POST", "/healthz", "{}", "", 404},
		"no type":              {"POST", "/cues", "{}", "-", 400},
		"form":                 {"POST", "/cues", "text=x", "application/x-www-form-urlencoded", 400},
		"text":                 {"POST", "/memories", "{}", "text/plain", 400},
		"no JSON":              {"POST", "/cues", "hello", "", 400},
		"cut JSON":             {"POST", "/cues", `{"text":`, "", 400},
		"two values":           {"POST", "/cues", `{} {}`, "", 400},
		"rest":                 {"POST", "/cues", `{}x`, "", 400},
		"a list":               {"POST", "/cues", `[{}]`, "", 400},
		"null":                 {"POST", "/cues", `null`, "", 400},
		"nothing":              {"POST", "/cues", ` `, "", 400},
		"deep":                 {"POST", "/cues", strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), "", 400},
		"flag":                 {"POST", "/cues?async=maybe", `{}`, "", 400},
		"drain":                {"GET", "/recollections?drain=perhaps", "", "", 400},
		"erase":                {"DELETE", "/memories/1?erase=no", "", "", 400},
		"twice":                {"GET", "/recall?query=a&query=b", "", "", 400},
		"1 MiB and no media":   {"POST", "/cues", `{"text":"` + strings.Repeat("x", maxBody) + `"}`, "", 413},
		"10 MiB":               {"POST", "/cues", `{"signals":"` + strings.Repeat("x", maxMediaBody) + `"}`, "", 413},
	} {
		w := newWorld(t)
		r := request(c.method, c.target, c.body)
		if c.kind == "-" {
			r.Header.Del("Content-Type")
		} else if c.kind != "" {
			r.Header.Set("Content-Type", c.kind)
		}
		got := w.do(r)
		if got.Code != c.status {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
		fault(t, got)
		if w.tools.count() != 0 {
			t.Errorf("%s: a tool was called", name)
		}
	}
	w := newWorld(t)
	if got := w.send("POST", "/cues", `{"signals":{"audio":"`+strings.Repeat("x", 2*maxBody)+`"}}`); got.Code != 200 {
		t.Errorf("2 MiB of media: %d", got.Code)
	}
	r := request("POST", "/cues", `{}`)
	r.Header.Set("Content-Encoding", "gzip")
	if got := w.do(r); got.Code != 400 {
		t.Errorf("compressed: %d", got.Code)
	}
}

// TestScopes asks every door with every token.
func TestScopes(t *testing.T) {
	for _, c := range []struct{ method, target, body, scope string }{
		{"POST", "/cues", `{}`, "sense"}, {"POST", "/cues?async=1", `{}`, "sense"}, {"POST", "/webhooks/shortcuts", `{"text":"x"}`, "sense"},
		{"POST", "/webhooks/home-assistant", `{"text":"x"}`, "sense"}, {"GET", "/recollections", "", "sense"}, {"GET", "/recall", "", "read"},
		{"POST", "/memories", `{}`, "write"}, {"DELETE", "/memories/1", "", "write"}, {"DELETE", "/memories/1?erase=1", "", "write"},
	} {
		for scope, token := range map[string]string{"read": reads, "write": writes, "sense": senses, "all": everything} {
			w := newWorld(t)
			r := request(c.method, c.target, c.body)
			r.Header.Set("Authorization", "Bearer "+token)
			got := w.do(r)
			if allowed := scope == "all" || scope == c.scope; allowed != (got.Code < 300) {
				t.Errorf("%s %s with %s: %d %s", c.method, c.target, scope, got.Code, got.Body)
			} else if !allowed {
				if f := fault(t, got); got.Code != 403 || f.Error != "PermissionError" || f.Code != "denied" {
					t.Errorf("%s %s with %s: %d %+v", c.method, c.target, scope, got.Code, f)
				}
			}
		}
	}
}

// TestRateLimit holds that each token has its own calls, and that a cue that is
// accepted counts once.
func TestRateLimit(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.CallsPerMinute = 3 })
	w.clock.Tick = -1
	called := make(chan struct{}, 10)
	w.tools.answer = func(context.Context, string) (tools.Reply, error) {
		called <- struct{}{}
		return tools.Reply{Body: []byte(`{"result":[]}`)}, nil
	}
	for i, want := range []int{200, 202, 200, 429, 429} {
		target := "/cues"
		if want == 202 || i == 4 {
			target += "?async=1"
		}
		got := w.send("POST", target, `{}`)
		if got.Code != want {
			t.Fatalf("call %d: %d", i, got.Code)
		}
		if want < 300 {
			<-called // what was accepted is done, and counted no second time
		}
		if want == 429 {
			if after, err := strconv.Atoi(got.Header().Get("Retry-After")); err != nil || after < 1 || after > 60 {
				t.Errorf("Retry-After %q", got.Header().Get("Retry-After"))
			}
			if f := fault(t, got); f.Code != "limit" {
				t.Errorf("%+v", f)
			}
		}
	}
	r := request("POST", "/cues", `{}`)
	r.Header.Set("Authorization", "Bearer "+senses)
	if got := w.do(r); got.Code != 200 {
		t.Errorf("another token: %d", got.Code)
	}
	w.clock.Advance(time.Minute)
	if got := w.send("POST", "/cues", `{}`); got.Code != 200 {
		t.Errorf("a minute later: %d", got.Code)
	}
	if got := newWorld(t).api.tokens.all[0].limit; got == nil {
		t.Error("no limit by default")
	}
}

func TestAsync(t *testing.T) {
	w := newWorld(t)
	begun, let := make(chan struct{}, maxBehind+1), make(chan struct{})
	w.tools.answer = func(context.Context, string) (tools.Reply, error) {
		begun <- struct{}{}
		<-let
		return tools.Reply{Body: []byte(`{"result":[]}`)}, nil
	}
	if got := w.send("POST", "/webhooks/shortcuts?async=1", `{"text":"x","colour":"red"}`); got.Code != 202 || got.Header().Get(headerWarnings) == "" {
		t.Fatalf("%d %v", got.Code, got.Header())
	}
	<-begun // the answer came although the call is not done
	for i := range maxBehind - 1 {
		if got := w.send("POST", "/cues?async=true", `{}`); got.Code != 202 {
			t.Fatalf("cue %d: %d", i, got.Code)
		}
	}
	if got := w.send("POST", "/cues?async=true", `{}`); got.Code != 503 || got.Header().Get("Retry-After") == "" {
		t.Errorf("one too many: %d", got.Code)
	}
	close(let)
	w.api.Close(context.Background())
	if n := w.tools.count(); n != maxBehind {
		t.Errorf("%d cues were worked on, of %d that were accepted", n, maxBehind)
	}
	if got := w.send("POST", "/cues", `{}`); got.Code != 503 {
		t.Errorf("after the end: %d", got.Code)
	}
}

// TestAsyncBytes holds that large cues do not pile up in memory.
func TestAsyncBytes(t *testing.T) {
	b := newBehind()
	block := make(chan struct{})
	if err := b.add(maxBehindBytes-1, func(context.Context) { <-block }); err != nil {
		t.Fatal(err)
	}
	if err := b.add(2, func(context.Context) {}); err != errFull {
		t.Errorf("more than fits: %v", err)
	}
	close(block)
	b.drain(context.Background())
	if err := b.add(1, nil); err != errStopped {
		t.Errorf("after the end: %v", err)
	}
}

// TestAsyncIsCancelledInTheEnd holds that a cue that does not end does not keep
// the server.
func TestAsyncIsCancelledInTheEnd(t *testing.T) {
	w := newWorld(t)
	begun := make(chan struct{})
	w.tools.answer = func(ctx context.Context, _ string) (tools.Reply, error) {
		close(begun)
		<-ctx.Done()
		return tools.Reply{}, ctx.Err()
	}
	w.send("POST", "/cues?async=1", `{}`)
	<-begun
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w.api.Close(ctx)
}
