package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"New","version":"4"}}`
	pendingURI = "recollections://pending"
)

// modern are the headers of a message of the newer era.
func modern(method, name string) []string {
	h := []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method}
	if name != "" {
		h = append(h, "Mcp-Name", name)
	}
	return h
}

func message7(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":{%s}}`, method, params)
}

// TestBothErasAtOneAddress stores by one era and reads by the other. What is
// stored says who, and that it came over HTTP.
func TestBothErasAtOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		id := s.session()
		stored := read(t, s.post(message7("tools/call", `"name":"remember","arguments":{"content":"the heron by the weir"}`), "Mcp-Session-Id", id, "MCP-Protocol-Version", "2025-11-25"))
		if got := string(stored.Result); !strings.Contains(got, `{"client":"Test","version":"3","door":"http"}`) {
			t.Errorf("stored %s %+v", got, stored.Error)
		}
		answer := s.post(message7("tools/call", modernMeta+`,"name":"remember","arguments":{"content":"the heron again"}`), modern("tools/call", "remember")...)
		if answer.Header.Get("Mcp-Session-Id") != "" {
			t.Error("the newer era was given a session")
		}
		if got := string(read(t, answer).Result); !strings.Contains(got, `{"client":"New","version":"4","door":"http"}`) {
			t.Errorf("stored %s", got)
		}
		found := read(t, s.post(message7("tools/call", modernMeta+`,"name":"recall","arguments":{"query":"heron"}`), modern("tools/call", "recall")...))
		if !strings.Contains(string(found.Result), "by the weir") {
			t.Errorf("found %s", found.Result)
		}
	})
}

func TestSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		id := s.session()
		list := message7("tools/list", "")
		status := func(method string, header ...string) int {
			t.Helper()
			r, err := http.NewRequest(method, "http://localhost/mcp", nil)
			if method == "POST" {
				r, err = http.NewRequest(method, "http://localhost/mcp", strings.NewReader(list))
			}
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			answer := s.doMCP(r, header...)
			answer.Body.Close()
			return answer.StatusCode
		}
		of := func(id string) []string { return []string{"Mcp-Session-Id", id} }
		for _, c := range []struct {
			name   string
			status int
			want   int
		}{
			{"list", status("POST", of(id)...), 200},
			{"no session named", status("POST"), 400},
			{"unknown", status("POST", of("0123456789abcdef0123456789abcdef")...), 404},
			{"of another token", status("POST", append(of(id), "Authorization", "Bearer "+reads)...), 404},
			{"stream, no session named", status("GET"), 400},
			{"stream, unknown", status("GET", of("x")...), 404},
			{"stream, of another token", status("GET", append(of(id), "Authorization", "Bearer "+reads)...), 404},
			{"end, no session named", status("DELETE"), 400},
			{"end, of another token", status("DELETE", append(of(id), "Authorization", "Bearer "+reads)...), 404},
			{"still there", status("POST", of(id)...), 200},
			{"newer era, stream", status("GET", "MCP-Protocol-Version", "2026-07-28"), 405},
			{"newer era, end", status("DELETE", "MCP-Protocol-Version", "2026-07-28"), 405},
			{"end", status("DELETE", of(id)...), 200},
			{"ended", status("POST", of(id)...), 404},
			{"ended, again", status("DELETE", of(id)...), 404},
		} {
			if c.status != c.want {
				t.Errorf("%s: %d, want %d", c.name, c.status, c.want)
			}
		}
	})
}

// TestRefusedMessagesAreJSON posts what no session takes.
func TestRefusedMessagesAreJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		for _, c := range []struct {
			message string
			status  int
			says    string
		}{
			{`{}`, 400, "neither a method nor an id"},
			{`null`, 400, "neither a method nor an id"},
			{`{"jsonrpc":"2.0","result":{}}`, 400, "neither a method nor an id"},
			{message7("ping", ""), 404, "no such session"},
		} {
			answer := s.post(c.message, "Mcp-Session-Id", "0123456789abcdef0123456789abcdef")
			status := answer.StatusCode
			if m := read(t, answer); status != c.status || m.Error == nil || !strings.Contains(m.Error.Message, c.says) {
				t.Errorf("%s: %d %+v", c.message, status, m.Error)
			}
		}
	})
}

// TestStreamEndsWithItsSession also holds that a session with an open stream is
// never idle.
func TestStreamEndsWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		id := s.session()
		answer := s.get("Mcp-Session-Id", id)
		defer answer.Body.Close()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if m, ok := eventsOf(t, answer).next(); ok {
				t.Errorf("the stream gave %+v", m)
			}
		}()
		time.Sleep(3 * sessionIdle)
		select {
		case <-ended:
			t.Fatal("the stream ended by itself")
		default:
		}
		if m := read(t, s.post(message7("ping", ""), "Mcp-Session-Id", id)); string(m.Result) != "{}" {
			t.Errorf("ping: %+v", m)
		}
		r, _ := http.NewRequest("DELETE", "http://localhost/mcp", nil)
		s.doMCP(r, "Mcp-Session-Id", id).Body.Close()
		start := time.Now()
		if <-ended; time.Since(start) > time.Second {
			t.Errorf("the stream ended %v after its session", time.Since(start))
		}
	})
}

func TestUpdatesOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		id := s.session()
		answer := s.get("Mcp-Session-Id", id)
		defer answer.Body.Close()
		old := eventsOf(t, answer)
		if m := read(t, s.post(message7("resources/subscribe", `"uri":"`+pendingURI+`"`), "Mcp-Session-Id", id)); m.Error != nil {
			t.Fatalf("resources/subscribe: %+v", m.Error)
		}
		listening := s.post(message7("subscriptions/listen", modernMeta+`,"notifications":{"resourceSubscriptions":["`+pendingURI+`","memory://today"]}`), modern("subscriptions/listen", "")...)
		defer listening.Body.Close()
		modern := eventsOf(t, listening)
		if m, ok := modern.next(); !ok || !strings.HasSuffix(m.Method, "acknowledged") || strings.Contains(string(m.Params), "today") {
			t.Fatalf("first came %s %s", m.Method, m.Params)
		}
		other := s.session() // subscribed to nothing
		otherAnswer := s.get("Mcp-Session-Id", other)
		defer otherAnswer.Body.Close()
		told := make(chan rpc, 1)
		go func() {
			if m, ok := eventsOf(t, otherAnswer).next(); ok {
				told <- m
			}
		}()
		for version := range int64(3) {
			s.queue(version + 1)
			for name, stream := range map[string]events{"old": old, "new": modern} {
				m, ok := stream.next()
				if !ok || m.Method != "notifications/resources/updated" || !strings.Contains(string(m.Params), pendingURI) {
					t.Fatalf("%s: %s %s", name, m.Method, m.Params)
				}
				if tagged := strings.Contains(string(m.Params), `"io.modelcontextprotocol/subscriptionId":7`); tagged != (name == "new") {
					t.Errorf("%s: %s", name, m.Params)
				}
			}
		}
		select {
		case m := <-told:
			t.Errorf("who did not subscribe was told %s", m.Method)
		default:
		}
		if m := read(t, s.post(message7("resources/unsubscribe", `"uri":"`+pendingURI+`"`), "Mcp-Session-Id", id)); m.Error != nil {
			t.Fatalf("resources/unsubscribe: %+v", m.Error)
		}
	})
}

// TestListenForNothing holds that an acknowledgement comes although nothing of
// the request can be served.
func TestListenForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		for range 20 {
			answer := s.post(message7("subscriptions/listen", modernMeta+`,"notifications":{"resourceSubscriptions":["memory://today"]}`), modern("subscriptions/listen", "")...)
			if m, ok := eventsOf(t, answer).next(); !ok || !strings.HasSuffix(m.Method, "acknowledged") {
				t.Fatalf("first came %+v", m)
			}
			answer.Body.Close()
		}
	})
}

// TestMissingResource holds the code of each era, and the address beside it.
func TestMissingResource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		id := s.session()
		for _, uri := range []string{"memory://item/000000000000", "memory://nothing"} {
			m := read(t, s.post(message7("resources/read", `"uri":"`+uri+`"`), "Mcp-Session-Id", id))
			if m.Error == nil || m.Error.Code != -32002 || string(m.Error.Data) != `{"uri":"`+uri+`"}` {
				t.Errorf("%s, old: %+v", uri, m.Error)
			}
			answer := s.post(message7("resources/read", modernMeta+`,"uri":"`+uri+`"`), modern("resources/read", uri)...)
			if m := read(t, answer); answer.StatusCode != 400 || m.Error == nil || m.Error.Code != -32602 || string(m.Error.Data) != `{"uri":"`+uri+`"}` {
				t.Errorf("%s, new: %d %+v", uri, answer.StatusCode, m.Error)
			}
		}
		if m := read(t, s.post(message7("resources/read", `"uri":"memory://today"`), "Mcp-Session-Id", id)); m.Error != nil {
			t.Errorf("memory://today: %+v", m.Error)
		}
	})
}

// TestMCPRefusals holds what is refused before mcp-go sees it, in JSON-RPC.
func TestMCPRefusals(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		method string
		header [2]string
		body   string
		status int
	}{
		"HTML wanted":         {"POST", [2]string{"Accept", "text/html"}, initialize, 406},
		"JSON for a stream":   {"GET", [2]string{"Accept", "application/json"}, "", 406},
		"HEAD":                {"HEAD", [2]string{}, "", 405},
		"PUT":                 {"PUT", [2]string{}, initialize, 405},
		"OPTIONS":             {"OPTIONS", [2]string{}, "", 405},
		"no type":             {"POST", [2]string{"Content-Type", ""}, initialize, 400},
		"text":                {"POST", [2]string{"Content-Type", "text/plain"}, initialize, 400},
		"large":               {"POST", [2]string{}, `{"jsonrpc":"2.0","id":1,"method":"ping","params":"` + strings.Repeat("x", maxMediaBody) + `"}`, 413},
		"an id of 19 digits":  {"POST", [2]string{}, `{"jsonrpc":"2.0","id":9007199254740993,"method":"initialize"}`, 400},
		"an id as 1.0":        {"POST", [2]string{}, `{"jsonrpc":"2.0","id":1.0,"method":"initialize"}`, 400},
		"no session":          {"POST", [2]string{}, message7("tools/list", ""), 400},
		"cut":                 {"POST", [2]string{}, `{"jsonrpc":"2.0","id":1,`, 400},
		"batch":               {"POST", [2]string{}, `[` + initialize + `]`, 400},
		"header without body": {"POST", [2]string{"MCP-Protocol-Version", "2026-07-28"}, message7("tools/list", ""), 400},
	} {
		r := request(c.method, "/mcp", c.body)
		if c.header[0] != "" {
			r.Header.Set(c.header[0], c.header[1])
		}
		got := w.do(r)
		if got.Code != c.status || !strings.Contains(got.Body.String(), `"jsonrpc":"2.0"`) {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
	for _, path := range []string{"/mcp/", "/mcp/x", "/mcp/../mcp", "/MCP", "/mcp%2f"} {
		if got := w.send("POST", path, initialize); got.Code != 404 {
			t.Errorf("%s: %d", path, got.Code)
		}
	}
}

// TestMCPScopes calls tools with tokens of one scope: the gap of
// CVE-2026-49291 was a scope asked for once for all of /mcp.
func TestMCPScopes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		for token, allowed := range map[string]string{reads: "recall", writes: "remember", senses: ""} {
			bearer := []string{"Authorization", "Bearer " + token}
			id := s.session(bearer...)
			for _, tool := range []string{"recall", "remember", "forget", "erase", "pin", "audit_log"} {
				m := read(t, s.post(message7("tools/call", `"name":"`+tool+`","arguments":{"content":"x"}`), append(bearer, "Mcp-Session-Id", id)...))
				denied := strings.Contains(string(m.Result), "PermissionError") && strings.Contains(string(m.Result), "scope")
				if tool == allowed && denied || token == senses && !denied || token == reads && tool == "remember" && !denied || token == writes && tool == "recall" && !denied {
					t.Errorf("%s with %s: %s", tool, token[:5], m.Result)
				}
			}
		}
	})
}

// TestMCPRateLimit holds that a model is told to wait, in a result it can read.
func TestMCPRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, func(c *Config) { c.CallsPerMinute = 2 })
		defer s.end()
		id := s.session()
		for i := range 3 {
			m := read(t, s.post(message7("tools/call", `"name":"list_frames"`), "Mcp-Session-Id", id))
			if refused := strings.Contains(string(m.Result), `"isError":true`) && strings.Contains(string(m.Result), "then call again"); refused != (i == 2) {
				t.Errorf("call %d: %s", i, m.Result)
			}
		}
	})
}

// settled gives the goroutines and the heap when nothing moves any more.
func settled() (goroutines int, heap uint64) {
	synctest.Wait()
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), m.HeapAlloc
}

// heapRoom is what the heap may differ by for reasons of its own.
const heapRoom = 1 << 20

func TestAbandonedSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		s.session()
		time.Sleep(2 * sessionIdle)
		goroutines, heap := settled()
		for i := range 300 {
			id := s.session()
			if i%3 == 0 {
				read(t, s.post(message7("resources/subscribe", `"uri":"`+pendingURI+`"`), "Mcp-Session-Id", id))
			}
		}
		if n := s.sessions(); n != 300 {
			t.Fatalf("%d sessions", n)
		}
		time.Sleep(2 * sessionIdle)
		g, h := settled()
		if n := s.sessions(); n != 0 {
			t.Errorf("%d sessions are left", n)
		}
		if g > goroutines || h > heap+heapRoom {
			t.Errorf("%d goroutines and %d KiB before, %d and %d KiB after", goroutines, heap>>10, g, h>>10)
		}
	})
}

// TestSessionFlood begins more sessions than there may be.
func TestSessionFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		first := s.session()
		for range maxSessions + 10 {
			time.Sleep(time.Millisecond)
			s.session()
		}
		if n := s.sessions(); n != maxSessions {
			t.Errorf("%d sessions", n)
		}
		answer := s.post(message7("ping", ""), "Mcp-Session-Id", first)
		answer.Body.Close()
		if answer.StatusCode != 404 {
			t.Errorf("the session that was silent longest: %d", answer.StatusCode)
		}
	})
}

// TestSlowReaders opens streams of both eras, and calls with large answers, and
// reads none of them.
func TestSlowReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		id := s.session()
		read(t, s.post(message7("resources/subscribe", `"uri":"`+pendingURI+`"`), "Mcp-Session-Id", id))
		time.Sleep(2 * keepAliveTime)
		goroutines, heap := settled()
		auth := "Host: localhost\r\nAuthorization: Bearer " + everything + "\r\nAccept: application/json, text/event-stream\r\n"
		listen := message7("subscriptions/listen", modernMeta+`,"notifications":{"toolsListChanged":true}`)
		for i := range 100 {
			c, err := s.pipes.dial()
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			var request string
			switch i % 3 {
			case 0:
				request = "GET /mcp HTTP/1.1\r\n" + auth + "Mcp-Session-Id: " + id + "\r\n\r\n"
			case 1:
				request = fmt.Sprintf("POST /mcp HTTP/1.1\r\n%sMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", auth, len(listen), listen)
			case 2:
				body := message7("tools/list", "")
				request = fmt.Sprintf("POST /mcp HTTP/1.1\r\n%sMcp-Session-Id: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", auth, id, len(body), body)
			}
			if _, err := io.WriteString(c, request); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if g := runtime.NumGoroutine(); g < goroutines+100 {
			t.Fatalf("%d goroutines before, %d with 100 readers: the test holds nothing open", goroutines, g)
		}
		s.queue(1)
		time.Sleep(2 * (heartbeat + writeTime))
		if g, h := settled(); g > goroutines || h > heap+heapRoom {
			t.Errorf("%d goroutines and %d KiB before, %d and %d KiB after", goroutines, heap>>10, g, h>>10)
		}
		if len(s.api.mcp.streams) != 0 || len(s.api.running) != 0 {
			t.Errorf("%d streams and %d requests count as open", len(s.api.mcp.streams), len(s.api.running))
		}
	})
}

// TestReadersThatStop read the beginning of a stream, and then nothing.
func TestReadersThatStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		var answers []*http.Response
		for range 20 {
			answer := s.post(message7("subscriptions/listen", modernMeta+`,"notifications":{"toolsListChanged":true}`), modern("subscriptions/listen", "")...)
			eventsOf(t, answer).next()
			answers = append(answers, answer)
		}
		if n := len(s.api.mcp.streams); n != 20 {
			t.Fatalf("%d streams", n)
		}
		time.Sleep(10 * (heartbeat + writeTime)) // the client's own buffer takes some beats
		for _, a := range answers {
			a.Body.Close()
		}
		synctest.Wait()
		if n := len(s.api.mcp.streams); n != 0 {
			t.Errorf("%d streams", n)
		}
	})
}

// TestSlowSenders dribble a header, a body, or nothing.
func TestSlowSenders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		for name, c := range map[string]struct {
			begin string
			most  time.Duration
		}{
			"header":  {"POST /cues HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", headerTime + time.Second},
			"body":    {"POST /cues HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + everything + "\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{", bodyTime + 2*time.Second},
			"nothing": {"", headerTime + time.Second},
		} {
			conn, err := s.pipes.dial()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, c.begin); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			closed := make(chan struct{})
			go func() {
				_, _ = io.Copy(io.Discard, conn)
				close(closed)
			}()
		dribble:
			for {
				select {
				case <-closed:
					break dribble
				case <-time.After(time.Second):
					if name != "nothing" {
						_ = conn.SetWriteDeadline(time.Now().Add(time.Millisecond))
						_, _ = io.WriteString(conn, "a")
					}
				}
			}
			if took := time.Since(start); took > c.most {
				t.Errorf("%s: cut off after %v", name, took)
			}
			conn.Close()
		}
		if len(s.api.running) != 0 {
			t.Errorf("%d requests count as running", len(s.api.running))
		}
	})
}

func TestMaxStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		defer s.end()
		id := s.session()
		for range maxStreams {
			answer := s.get("Mcp-Session-Id", id)
			defer answer.Body.Close()
			if answer.StatusCode != 200 {
				t.Fatalf("%d", answer.StatusCode)
			}
		}
		answer := s.get("Mcp-Session-Id", id)
		answer.Body.Close()
		if answer.StatusCode != 503 {
			t.Errorf("one more stream: %d", answer.StatusCode)
		}
		if m := read(t, s.post(message7("ping", ""), "Mcp-Session-Id", id)); m.Error != nil {
			t.Errorf("beside them: %+v", m.Error)
		}
	})
}
