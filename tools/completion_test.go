package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// complete asks for completions over a connection.
func (l *line) complete(id int, ref, name, value, era string) (values []string, more bool) {
	l.t.Helper()
	m := l.ask(id, "completion/complete", fmt.Sprintf(`{"ref":%s,"argument":{"name":%q,"value":%q}}`, ref, name, value), era)
	var out struct {
		Values  []string
		HasMore bool
	}
	if m.Error != nil || json.Unmarshal(m.Result["completion"], &out) != nil || out.Values == nil {
		l.t.Fatalf("%s %s: %+v %s", ref, value, m.Error, m.Result["completion"])
	}
	return out.Values, out.HasMore
}

func TestCompletion(t *testing.T) {
	const item = `{"type":"ref/resource","uri":"memory://item/{id}"}`
	const tag = `{"type":"ref/resource","uri":"memory://tag/{tag}"}`
	for _, era := range []string{"legacy", "modern"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, Config{})
			var ids []string
			for i := range 3 {
				ids = append(ids, w.must("remember", fmt.Sprintf(`{"content":"note %d","tags":["home","n%d"]}`, i, i))["id"].(string))
			}
			slices.Reverse(ids)
			w.must("forget", `{"memory_id":"`+ids[2]+`","reason":"test"}`)
			l := dial(t, Config{Open: w.server.open, Now: w.clock.Now})
			for i, c := range []struct {
				ref, name, value string
				want             []string
			}{
				{item, "id", "", ids[:2]},
				{item, "id", ids[1][:6], ids[1:2]},
				{item, "id", "zz", []string{}},
				{item, "other", "", []string{}},
				{tag, "tag", "", []string{"home", "n2", "n1"}},
				{tag, "tag", "n", []string{"n2", "n1"}},
				{tag, "id", "", []string{}},
				{`{"type":"ref/resource","uri":"memory://nothing/{id}"}`, "id", "", []string{}},
				{`{"type":"ref/prompt","name":"tell_story"}`, "anything", "", []string{}},
			} {
				if got, more := l.complete(i, c.ref, c.name, c.value, era); !slices.Equal(got, c.want) || more {
					t.Errorf("%s: %s %s=%q gives %v, %t; want %v", era, c.ref, c.name, c.value, got, more, c.want)
				}
			}
			l.end()
		})
	}
}

// TestCompletionIsBounded holds that no more values come than the protocol
// allows, and that the rest is told of.
func TestCompletionIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Config{Profile: "full"})
		items := strings.TrimSuffix(strings.Repeat(`{"content":"note"},`, maxCompletions+1), ",")
		w.must("remember_many", `{"items":[`+items+`]}`)
		l := dial(t, Config{Open: w.server.open, Now: w.clock.Now})
		got, more := l.complete(1, `{"type":"ref/resource","uri":"memory://item/{id}"}`, "id", "", "legacy")
		if len(got) != maxCompletions || !more {
			t.Errorf("%d values, more %t; want %d and more", len(got), more, maxCompletions)
		}
		l.end()
	})
}

// TestCompletionNeedsRights holds that ids are completed only for a caller who
// may list memories.
func TestCompletionNeedsRights(t *testing.T) {
	w := newWorld(t, Config{})
	w.must("remember", `{"content":"note"}`)
	const ask = `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"memory://item/{id}"},"argument":{"name":"id","value":""}}}`
	for scope, allowed := range map[Scope]bool{ScopeRead: true, ScopeWrite: false, ScopeSense: false} {
		ctx := WithCaller(t.Context(), Caller{Scopes: []Scope{scope}})
		answer := string(encode(w.server.mcp.HandleMessage(ctx, []byte(ask))))
		if got := !strings.Contains(answer, `"error"`); got != allowed {
			t.Errorf("scope %s: %s", scope, answer)
		}
	}
}
