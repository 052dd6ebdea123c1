package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// ask sends a request of either era and gives the reply.
func (l *line) ask(id int, method, params, era string) message {
	l.t.Helper()
	if era == "modern" {
		params = strings.Replace(params, "{", "{"+modernMeta+",", 1)
		params = strings.Replace(params, ",}", "}", 1)
	}
	l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
	return l.receive()
}

func TestResources(t *testing.T) {
	for era, missing := range map[string]int{"legacy": -32002, "modern": -32602} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, Config{})
			id := w.must("remember", `{"content":"breakfast","event_at":"2023-05-08T07:00:00Z","tags":["café crème"]}`)["id"].(string)
			l := dial(t, Config{Open: w.server.open, Now: w.clock.Now})
			if m := l.ask(1, "resources/list", `{}`, era); !strings.Contains(string(m.Result["resources"]), "memory://today") {
				t.Errorf("%s: resources %s", era, m.Result["resources"])
			}
			if m := l.ask(2, "resources/templates/list", `{}`, era); !strings.Contains(string(m.Result["resourceTemplates"]), "memory://item/{id}") {
				t.Errorf("%s: templates %s", era, m.Result["resourceTemplates"])
			}
			for i, uri := range []string{"memory://today", "memory://item/" + id, "memory://tag/caf%C3%A9%20cr%C3%A8me"} {
				m := l.ask(3+i, "resources/read", `{"uri":"`+uri+`"}`, era)
				var contents []struct{ URI, MimeType, Text string }
				if err := json.Unmarshal(m.Result["contents"], &contents); err != nil || len(contents) != 1 || contents[0].URI != uri || contents[0].MimeType != jsonType {
					t.Fatalf("%s: %s gives %+v %s", era, uri, m.Error, m.Result["contents"])
				}
				if !strings.Contains(contents[0].Text, `"breakfast"`) || !strings.Contains(contents[0].Text, `"notice"`) {
					t.Errorf("%s: %s holds %s", era, uri, contents[0].Text)
				}
			}
			for i, uri := range []string{"memory://item/000000000000", "memory://nothing", "bench://no/such"} {
				if m := l.ask(10+i, "resources/read", `{"uri":"`+uri+`"}`, era); m.Error == nil || m.Error.Code != missing {
					t.Errorf("%s: %s gives %+v", era, uri, m.Error)
				}
			}
			if m := l.ask(20, "resources/list", `{"cursor":"bench-forged-cursor"}`, era); m.Error == nil || m.Error.Code != -32602 {
				t.Errorf("%s: a forged cursor gives %+v", era, m.Error)
			}
			l.end()
		})
	}
}

func TestPrompts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := dial(t, Config{Open: opened(stubVerbs{})})
		m := l.ask(1, "prompts/list", `{}`, "legacy")
		for _, p := range prompts {
			if !strings.Contains(string(m.Result["prompts"]), p.name) {
				t.Errorf("prompts/list lacks %s", p.name)
			}
			if m := l.ask(2, "prompts/get", `{"name":"`+p.name+`"}`, "legacy"); !strings.Contains(string(m.Result["messages"]), p.text[:40]) {
				t.Errorf("%s: %+v %s", p.name, m.Error, m.Result["messages"])
			}
		}
		if m := l.ask(3, "prompts/get", `{"name":"nope"}`, "legacy"); m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("an unknown prompt gives %+v", m.Error)
		}
		l.end()
	})
}

// TestPromptsNameTools holds that a prompt is shown only beside the tools that
// it speaks of.
func TestPromptsNameTools(t *testing.T) {
	for _, p := range prompts {
		for _, tool := range everyTool {
			if strings.Contains(tool.name, "_") && strings.Contains(p.text, tool.name) && !strings.Contains(strings.Join(p.needs, " "), tool.name) {
				t.Errorf("%s speaks of %s and does not need it", p.name, tool.name)
			}
		}
	}
}

func TestListsAreTheSameInBothEras(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := dial(t, Config{Open: opened(stubVerbs{}), Profile: "full"})
		var lists []string
		for i, era := range []string{"legacy", "modern", "legacy"} {
			lists = append(lists, string(l.ask(i, "tools/list", `{}`, era).Result["tools"]))
		}
		if lists[0] != lists[1] || lists[0] != lists[2] {
			t.Error("tools/list differs between the eras")
		}
		var shown []struct{ Name string }
		_ = json.Unmarshal([]byte(lists[0]), &shown)
		for i, name := range Names() {
			if shown[i].Name != name {
				t.Errorf("place %d holds %s, in the list it is %s", i, shown[i].Name, name)
			}
		}
		m := l.ask(9, "server/discover", `{}`, "modern")
		if got := string(m.Result["supportedVersions"]); !strings.Contains(got, "2026-07-28") || !strings.Contains(got, "2024-11-05") {
			t.Errorf("supportedVersions %s", got)
		}
		for key, want := range map[string]string{"capabilities": "listChanged", "instructions": "long-term memory", "_meta": "serverInfo"} {
			if !strings.Contains(string(m.Result[key]), want) {
				t.Errorf("server/discover: %s is %s", key, m.Result[key])
			}
		}
		l.end()
	})
}
