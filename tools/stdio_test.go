package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"combray/internal/memory"
)

// stubVerbs answers the verbs that a test sets; any other is a nil call.
type stubVerbs struct {
	Verbs
	onRemember func(context.Context, memory.RememberInput) (memory.Remembered, error)
	onRecall   func(context.Context, memory.RecallInput) (memory.RecallResult, error)
}

func (s stubVerbs) Remember(ctx context.Context, in memory.RememberInput) (memory.Remembered, error) {
	return s.onRemember(ctx, in)
}

func (s stubVerbs) Recall(ctx context.Context, in memory.RecallInput) (memory.RecallResult, error) {
	return s.onRecall(ctx, in)
}

func opened(v Verbs) func(context.Context) (Verbs, error) {
	return func(context.Context) (Verbs, error) { return v, nil }
}

// line is a connection under test: what goes in, what comes out.
type line struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Scanner
	pipe *io.PipeReader
	done chan error
	stop context.CancelFunc
}

// dial serves a connection inside the test's bubble of fake time.
func dial(t *testing.T, c Config, adjust ...func(*Stdio)) *line {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	stdio := Stdio{Server: s, In: inR, Out: outW, Parent: func() int { return 1 }}
	for _, f := range adjust {
		f(&stdio)
	}
	ctx, stop := context.WithCancel(t.Context())
	l := &line{t: t, in: inW, out: bufio.NewScanner(outR), pipe: outR, done: make(chan error, 1), stop: stop}
	l.out.Buffer(nil, 16<<20)
	go func() {
		err := stdio.Serve(ctx)
		outW.Close()
		inR.Close()
		l.done <- err
	}()
	return l
}

func (l *line) send(lines ...string) {
	l.t.Helper()
	for _, s := range lines {
		if _, err := io.WriteString(l.in, s+"\n"); err != nil {
			l.t.Error(err)
			return
		}
	}
}

// message is a JSON-RPC message as a client reads it.
type message struct {
	JSONRPC string                     `json:"jsonrpc"`
	ID      json.RawMessage            `json:"id"`
	Method  string                     `json:"method"`
	Params  json.RawMessage            `json:"params"`
	Result  map[string]json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (l *line) receive() message {
	l.t.Helper()
	m, ok := l.next()
	if !ok {
		l.t.Fatal("the connection ended before a message came")
	}
	return m
}

func (l *line) next() (m message, ok bool) {
	l.t.Helper()
	if !l.out.Scan() {
		return m, false
	}
	if err := json.Unmarshal(l.out.Bytes(), &m); err != nil || m.JSONRPC != "2.0" {
		l.t.Fatalf("not a protocol line: %s", l.out.Bytes())
	}
	return m, true
}

// rest closes the input and gives everything that still comes.
func (l *line) rest() []message {
	l.t.Helper()
	l.in.Close()
	var all []message
	for {
		m, ok := l.next()
		if !ok {
			return all
		}
		all = append(all, m)
	}
}

// end closes the input and checks that the server leaves without an error.
func (l *line) end() {
	l.t.Helper()
	l.rest()
	if err := <-l.done; err != nil {
		l.t.Errorf("Serve: %v", err)
	}
}

func toolCall(id int, name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, name, arguments)
}

func ping(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }

func ids(ms []message) string {
	var out []string
	for _, m := range ms {
		out = append(out, string(m.ID))
	}
	return strings.Join(out, " ")
}

func TestInitializeDoesNotWaitForTheStore(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		synctest.Test(t, func(t *testing.T) {
			never := func(ctx context.Context) (Verbs, error) { <-ctx.Done(); return nil, ctx.Err() }
			l := dial(t, Config{Open: never})
			l.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
			m := l.receive()
			if got := string(m.Result["protocolVersion"]); got != `"`+version+`"` {
				t.Errorf("protocolVersion %s", got)
			}
			if got := string(m.Result["serverInfo"]); !strings.Contains(got, `"combray"`) {
				t.Errorf("serverInfo %s", got)
			}
			l.end()
		})
	}
}

func TestMalformedLines(t *testing.T) {
	deep := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20001)
	for _, c := range []struct {
		name, line string
		code       int // 0: no reply
		id         string
	}{
		{"cut JSON", `{"jsonrpc":"2.0","id":1,"method":"ping"`, -32700, "null"},
		{"no JSON", `hello`, -32700, "null"},
		{"batch", `[` + ping("1") + `,` + ping("2") + `]`, -32600, "null"},
		{"empty batch", `[]`, -32600, "null"},
		{"number", `42`, -32600, "null"},
		{"null", `null`, -32600, "null"},
		{"no method", `{"jsonrpc":"2.0","id":7}`, -32600, "7"},
		{"wrong version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, -32600, "7"},
		{"method is a number", `{"jsonrpc":"2.0","id":7,"method":5}`, -32600, "7"},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null"},
		{"params is a list", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}`, -32600, "7"},
		{"reply nobody asked for", `{"jsonrpc":"2.0","id":7,"result":{}}`, 0, ""},
		{"broken UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\xff\xfe\"}", -32601, "7"},
		{"NUL in the line", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"pi\x00ng\"}", -32700, "null"},
		{"NUL escaped", `{"jsonrpc":"2.0","id":7,"method":"pi\u0000ng"}`, -32601, "7"},
		{"deep nesting", deep, -32700, "null"},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"nope"}`, -32601, "7"},
		{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/nope"}`, 0, ""},
		{"cancel of nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, 0, ""},
		{"blank", "   \t ", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := dial(t, Config{Open: opened(stubVerbs{})})
				l.send(c.line)
				if c.code != 0 {
					if m := l.receive(); m.Error == nil || m.Error.Code != c.code || string(m.ID) != c.id {
						t.Errorf("got id %s, error %+v; want id %s, code %d", m.ID, m.Error, c.id, c.code)
					}
				}
				l.send(ping("1000"))
				if m := l.receive(); string(m.ID) != "1000" || m.Error != nil {
					t.Errorf("the request behind it was answered with %s %+v", m.ID, m.Error)
				}
				l.end()
			})
		})
	}
}

func TestIDsComeBackDigitByDigit(t *testing.T) {
	for _, id := range []string{`0`, `-7`, `9007199254740993`, `123456789012345678901234567890`, `""`, `"a-ü-1"`, `"1"`, `1.5`} {
		synctest.Test(t, func(t *testing.T) {
			l := dial(t, Config{Open: opened(stubVerbs{})})
			l.send(ping(id))
			if m := l.receive(); string(m.ID) != id || m.Error != nil {
				t.Errorf("id %s came back as %s, error %+v", id, m.ID, m.Error)
			}
			l.end()
		})
	}
}

func TestOverlongLine(t *testing.T) {
	pad := strings.Repeat("x", 300<<10)
	for name, c := range map[string]struct{ line, id string }{
		"id in front":  {`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"pad":"` + pad + `"}}`, "5"},
		"id at end":    {`{"method":"tools/call","params":{"pad":"` + pad + `"},"jsonrpc":"2.0","id":"a b"}`, `"a b"`},
		"id in a text": {`{"method":"tools/call","params":{"pad":"` + pad + `","t":"\"id\":5}"}}`, "null"},
		"nested id":    {`{"method":"tools/call","params":{"pad":"` + pad + `","id":5}}`, "null"},
		"no JSON":      {pad, "null"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := dial(t, Config{Open: opened(stubVerbs{})}, func(s *Stdio) { s.MaxLine = 128 << 10 })
				go l.send(c.line, ping("6"))
				m := l.receive()
				if m.Error == nil || m.Error.Code != -32600 || !strings.Contains(m.Error.Message, "131072") || string(m.ID) != c.id {
					t.Errorf("got id %s, error %+v; want id %s and the limit", m.ID, m.Error, c.id)
				}
				if m := l.receive(); string(m.ID) != "6" {
					t.Errorf("the request behind it was answered with id %s", m.ID)
				}
				l.end()
			})
		})
	}
}

func TestLongestLineIsTaken(t *testing.T) {
	r := newLineReader(strings.NewReader(strings.Repeat("a", 100_000)+"\n"+strings.Repeat("b", 100_001)+"\nc"), 100_000)
	if line, long, err := r.next(); len(line) != 100_001 || long != nil || err != nil {
		t.Errorf("a line of the limit and its end: %d bytes, %v, %v", len(line), long, err)
	}
	if line, long, _ := r.next(); line != nil || long == nil || long.bytes != 100_002 {
		t.Errorf("a byte more: %d bytes, %+v", len(line), long)
	}
	if line, _, _ := r.next(); string(line) != "c" {
		t.Errorf("last line without an end: %q", line)
	}
	if _, _, err := r.next(); err != io.EOF {
		t.Errorf("then %v", err)
	}
}

// letters is an endless line.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestOverlongLineIsNotKept(t *testing.T) {
	const length, limit = 64 << 20, 1 << 20
	r := newLineReader(io.LimitReader(letters{}, length), limit)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, long, _ := r.next()
	runtime.ReadMemStats(&after)
	if long == nil || long.bytes != length {
		t.Fatalf("got %+v", long)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 8*limit {
		t.Errorf("a line of %d bytes took %d bytes of memory", length, taken)
	}
}

func TestEndOfInputAnswersWhatWasRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		slow := func(ctx context.Context, _ memory.RecallInput) (memory.RecallResult, error) {
			<-ended
			return memory.RecallResult{}, ctx.Err()
		}
		l := dial(t, Config{Open: opened(stubVerbs{onRecall: slow})})
		go func() {
			for id := range 5 {
				l.send(toolCall(id, "recall", `{}`))
			}
			io.WriteString(l.in, ping("5")) // no line end
			l.in.Close()
		}()
		got := []message{l.receive()}
		synctest.Wait() // the end of input has been read
		close(ended)
		for len(got) < 6 {
			got = append(got, l.receive())
		}
		if want := "5 0 1 2 3 4"; ids(got) != want {
			t.Errorf("answered %q, want %q", ids(got), want)
		}
		for _, m := range got {
			if m.Error != nil || string(m.Result["isError"]) == "true" {
				t.Errorf("request %s failed", m.ID)
			}
		}
		l.end()
	})
}

func TestEndOfInputEndsACallThatRunsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rolledBack := false
		endless := func(ctx context.Context, _ memory.RememberInput) (memory.Remembered, error) {
			<-ctx.Done()
			rolledBack = true
			return memory.Remembered{}, ctx.Err()
		}
		l := dial(t, Config{Open: opened(stubVerbs{onRemember: endless})})
		l.send(toolCall(1, "remember", `{"content":"a"}`))
		start := time.Now()
		l.end()
		if took := time.Since(start); took > 2*time.Second || !rolledBack {
			t.Errorf("left after %v, call ended: %v", took, rolledBack)
		}
	})
}

func TestCallThatIgnoresCancellationDoesNotHoldTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		deaf := func(context.Context, memory.RememberInput) (memory.Remembered, error) {
			<-release
			return memory.Remembered{}, nil
		}
		l := dial(t, Config{Open: opened(stubVerbs{onRemember: deaf})})
		l.send(toolCall(1, "remember", `{"content":"a"}`))
		start := time.Now()
		l.end()
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("left after %v", took)
		}
	})
}

func TestCancelledRequestGetsNoReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran := 0
		endless := func(ctx context.Context, _ memory.RecallInput) (memory.RecallResult, error) {
			ran++
			<-ctx.Done()
			return memory.RecallResult{}, ctx.Err()
		}
		l := dial(t, Config{Open: opened(stubVerbs{onRecall: endless})})
		cancel := func(id string) string {
			return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
		}
		l.send(toolCall(1, "recall", `{}`), toolCall(2, "recall", `{}`))
		synctest.Wait()
		l.send(ping("3"))
		if m := l.receive(); string(m.ID) != "3" {
			t.Errorf("a ping behind a running call was answered as %s", m.ID)
		}
		l.send(cancel("2"), cancel("1"), cancel("1"), ping("4"))
		if got := ids(l.rest()); got != "4" {
			t.Errorf("answered %q, want only the ping", got)
		}
		if ran != 1 {
			t.Errorf("%d calls ran; the one cancelled in the queue must not", ran)
		}
		<-l.done
	})
}

func TestCallsRunInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stored []string
		proceed := make(chan struct{})
		l := dial(t, Config{Open: opened(stubVerbs{
			onRemember: func(_ context.Context, in memory.RememberInput) (memory.Remembered, error) {
				<-proceed
				stored = append(stored, in.Content)
				return memory.Remembered{}, nil
			},
			onRecall: func(context.Context, memory.RecallInput) (memory.RecallResult, error) {
				return memory.RecallResult{Warnings: []string{strings.Join(stored, ",")}}, nil
			},
		})})
		go l.send(toolCall(1, "remember", `{"content":"a"}`), toolCall(2, "remember", `{"content":"b"}`), toolCall(3, "recall", `{}`))
		for range 2 {
			synctest.Wait() // whatever can run before the write is done has run
			proceed <- struct{}{}
			l.receive()
		}
		if m := l.receive(); !strings.Contains(string(m.Result["structuredContent"]), `"warnings":["a,b"]`) {
			t.Errorf("the read behind two writes saw %s", m.Result["structuredContent"])
		}
		l.end()
	})
}

func TestParentDeathEndsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		l := dial(t, Config{Open: opened(stubVerbs{})}, func(s *Stdio) {
			s.Parent = func() int {
				if time.Since(start) > 3*time.Second {
					return 1
				}
				return 42
			}
		})
		if err := <-l.done; err != nil || time.Since(start) > 5*time.Second {
			t.Errorf("left after %v with %v", time.Since(start), err)
		}
	})
}

func TestContextEndsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := dial(t, Config{Open: opened(stubVerbs{})})
		l.stop()
		if err := <-l.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

func TestBrokenOutputEndsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := dial(t, Config{Open: opened(stubVerbs{})})
		l.pipe.Close()
		l.send(ping("1"))
		if err := <-l.done; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Serve: %v", err)
		}
	})
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"new","version":"2"}}`

func TestSubscriptionIsAcknowledgedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := dial(t, Config{Open: opened(stubVerbs{})})
		for i, filter := range []string{`"toolsListChanged":true`, `"resourceSubscriptions":["memory://today"]`, ``} {
			id := fmt.Sprint(10 + i)
			l.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{"notifications":{` + filter + `},` + modernMeta + `}}`)
			if m := l.receive(); m.Method != "notifications/subscriptions/acknowledged" {
				t.Errorf("filter %q: first came %s %s", filter, m.Method, m.ID)
			}
			if i > 0 { // nothing of it can be served: the stream ends at once
				if m := l.receive(); string(m.ID) != id {
					t.Errorf("then came %s", m.ID)
				}
			}
		}
		if got := ids(l.rest()); got != "10" {
			t.Errorf("at the end of input came %q, want the open stream's result", got)
		}
		if err := <-l.done; err != nil {
			t.Error(err)
		}
	})
}

func TestStreamsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := dial(t, Config{Open: opened(stubVerbs{})})
		refused := 0
		for i := range 2 * maxStreams {
			l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},%s}}`, i, modernMeta))
			if m := l.receive(); m.Error != nil {
				refused++
			}
		}
		if refused != maxStreams {
			t.Errorf("%d of %d subscriptions were refused", refused, 2*maxStreams)
		}
		l.send(ping("999"))
		if m := l.receive(); string(m.ID) != "999" {
			t.Errorf("a ping beside them was answered as %s", m.ID)
		}
		l.end()
	})
}

func TestBothErasOnOneConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var actors []memory.Actor
		l := dial(t, Config{Open: opened(stubVerbs{onRemember: func(ctx context.Context, _ memory.RememberInput) (memory.Remembered, error) {
			actors = append(actors, memory.ActorOf(ctx))
			return memory.Remembered{}, nil
		}})})
		l.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"old","version":"1"}}}`)
		l.receive()
		modern := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"remember","arguments":{"content":"b"},` + modernMeta + `}}`
		anonymous := strings.Replace(modern, `,"io.modelcontextprotocol/clientInfo":{"name":"new","version":"2"}`, "", 1)
		for _, s := range []string{toolCall(2, "remember", `{"content":"a"}`), modern, anonymous, toolCall(4, "remember", `{"content":"c"}`)} {
			l.send(s)
			if m := l.receive(); m.Error != nil {
				t.Errorf("%s: %+v", m.ID, m.Error)
			}
		}
		want := []memory.Actor{{Client: "old", Version: "1", Door: "mcp"}, {Client: "new", Version: "2", Door: "mcp"}, {Door: "mcp"}, {Client: "old", Version: "1", Door: "mcp"}}
		if fmt.Sprint(actors) != fmt.Sprint(want) {
			t.Errorf("actors %v, want %v", actors, want)
		}
		l.end()
	})
}

func TestPanicIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := dial(t, Config{Open: opened(stubVerbs{onRecall: func(context.Context, memory.RecallInput) (memory.RecallResult, error) {
			panic("what the user wrote")
		}}), Random: strings.NewReader("abcdefgh")})
		l.send(toolCall(1, "recall", `{}`), toolCall(2, "remember", `{}`))
		m := l.receive()
		text := string(m.Result["content"])
		if string(m.Result["isError"]) != "true" || !strings.Contains(text, `\"ref\":\"61626364\"`) || strings.Contains(text, "user wrote") {
			t.Errorf("got %s", text)
		}
		if m := l.receive(); string(m.ID) != "2" {
			t.Errorf("the next call was answered as %s", m.ID)
		}
		l.end()
	})
}
