package main

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestServeSenses holds the shapes of profile senses over HTTP, whose DELETE
// erases (contract/surface.md 8 and 9).
func TestServeSenses(t *testing.T) {
	h := newHome(t)
	s := h.serve("--profile", "senses")
	stored := s.must("POST", "/memories", `{"text":"the vanishing word","tags":["x"],"lat":1,"lon":2}`)
	if stored["text"] != "the vanishing word" || stored["content"] != nil {
		t.Errorf("stored %v", stored)
	}
	if a := s.ask("GET", "/recall?query=vanishing&k=1", ""); !strings.HasPrefix(a.body, `[{"id":`) {
		t.Errorf("found %s", a.body)
	}
	if gone := s.must("DELETE", "/memories/"+stored["id"].(string), ""); gone["deleted"] != true {
		t.Errorf("deleted %v", gone)
	}
	if gone := s.must("DELETE", "/memories/"+stored["id"].(string), ""); gone["deleted"] != false {
		t.Errorf("deleted twice: %v", gone)
	}
	s.end()
	if strings.Contains(bytesOf(t, h.folder), "vanishing word") {
		t.Error("bytes of the text are left")
	}
}

// TestServeTellsSubscribers fires by another process's path: the command line
// on the same store.
func TestServeTellsSubscribers(t *testing.T) {
	h := newHome(t)
	s := h.serve()
	s.must("POST", "/memories", `{"content":"the bench","lat":48.8566,"lon":2.3522,"event_at":"2019-04-14T15:30:00+02:00"}`)
	const body = `{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"resourceSubscriptions":["recollections://pending"]}}}`
	r, err := http.NewRequest("POST", s.url+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + s.token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"} {
		r.Header.Set(name, value)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	lines := bufio.NewScanner(a.Body)
	next := func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		t.Fatal("the stream ended")
		return ""
	}
	if first := next(); !strings.Contains(first, "acknowledged") {
		t.Fatalf("first came %s", first)
	}
	if code, out, said := h.run("sense", "--lat", "48.8566", "--lon", "2.3522", "--at", "2026-04-19T15:30:00+02:00"); code != exitDone || !strings.Contains(out, "the bench") {
		t.Fatalf("sense: %d %s %s", code, out, said)
	}
	if told := next(); !strings.Contains(told, "notifications/resources/updated") || !strings.Contains(told, "recollections://pending") {
		t.Errorf("told %s", told)
	}
	for range 2 { // reading takes nothing
		if read := s.mcp("resources/read", `"uri":"recollections://pending"`, "recollections://pending"); !strings.Contains(read, "the bench") {
			t.Errorf("read %s", read)
		}
	}
}

func TestExposureIsTold(t *testing.T) {
	var said bytes.Buffer
	a := &app{streams: streams{err: &said}}
	a.set.AllowedHosts = "memory.lan"
	at, err := readAddress("192.0.2.1:1913")
	if err != nil || at.loopback {
		t.Fatal(at, err)
	}
	a.tellServed(&net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 1913}, at, tokens{from: "/somewhere/token"})
	for _, want := range []string{"EXPOSED", "192.0.2.1:1913", "erase every memory", "not encrypted", "memory.lan, 192.0.2.1", "/somewhere/token"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not said: %s", want, &said)
		}
	}
	at, _ = readAddress(":1913")
	said.Reset()
	a.set.AllowedHosts, a.set.ReadOnly = "", true
	a.tellServed(&net.TCPAddr{Port: 1913}, at, tokens{})
	if !strings.Contains(said.String(), "no name but localhost") || !strings.Contains(said.String(), "can read every memory") {
		t.Errorf("said %s", &said)
	}
}

// TestPortInUse holds that a taken port is said in a sentence with a next step.
func TestPortInUse(t *testing.T) {
	h := newHome(t)
	s := h.serve()
	code, _, said := h.run("serve", "--listen", strings.TrimPrefix(s.url, "http://"))
	if code != exitFailed || !strings.Contains(said, "--listen 127.0.0.1:PORT") {
		t.Errorf("%d %s", code, said)
	}
}
