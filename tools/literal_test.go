package tools

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestEmptyTextIsNoDefault: what takes one of a few words has a default when it is
// left out or null, and refuses "" as memory-as-history does, in the order of the
// guards.
func TestEmptyTextIsNoDefault(t *testing.T) {
	w := newWorld(t, Config{Profile: "full"})
	for _, c := range []struct{ tool, arguments, says string }{
		{"remember", `{"content":"c","tier":""}`, `tier must be one of archive, testimony, interpretation, not ""`},
		{"remember", `{"content":"c","material_type":""}`, "material_type must be one of"},
		{"remember", `{"content":" ","material_type":"","tier":""}`, "content is required"},
		{"remember", `{"content":"c","event_at":"2024","tier":""}`, "timestamp"},
		{"remember_many", `{"items":[{"content":"c","tier":""}]}`, "1 of 1 items"},
		{"recall", `{"query":"q","mode":""}`, `mode must be one of auto, lexical, semantic, hybrid, not ""`},
		{"search", `{"query":"q","mode":""}`, `mode must be one of semantic, hybrid, not ""`},
		{"search_history", `{"query":"q","mode":""}`, `history mode must be one of lexical, semantic, hybrid, not ""`},
		{"search_history", `{"query":"q","mode":"lexical","expand":""}`, `expand must be one of none, links, session, both, not ""`},
		{"recall", `{"tier":""}`, "tier must be one of"},
	} {
		if failed := w.refused(c.tool, c.arguments); failed["error"] != "ValueError" || !strings.Contains(failed["message"].(string), c.says) {
			t.Errorf("%s %s: %v, want %q", c.tool, c.arguments, failed, c.says)
		}
	}
	for _, arguments := range []string{`{"content":"c"}`, `{"content":"c","tier":null,"material_type":null}`} {
		if m := w.must("remember", arguments); m["tier"] != "archive" || m["material_type"] != "unspecified" {
			t.Errorf("%s: %v, %v", arguments, m["tier"], m["material_type"])
		}
	}
	w.must("recall", `{"query":"q","mode":null}`)
	w.must("search_history", `{"query":"q","mode":"lexical","expand":null}`)
}

// TestABlankQuestionMatchesNothing: a recall whose query says nothing keeps the
// default order and gives each row a relevance of 0.
func TestABlankQuestionMatchesNothing(t *testing.T) {
	w := newWorld(t, Config{Profile: "full"})
	w.must("remember", `{"content":"c"}`)
	for _, query := range []string{`" "`, `""`, `"?"`} {
		rows := w.must("recall", `{"query":`+query+`}`)["memories"].([]any)
		if got, given := rows[0].(map[string]any)["relevance"]; !given || got != 0.0 {
			t.Errorf("query %s: relevance %v", query, got)
		}
	}
	if _, given := w.must("recall", `{}`)["memories"].([]any)[0].(map[string]any)["relevance"]; given {
		t.Error("a recall without a query gives a relevance")
	}
}

// TestNullAsTextIsNoList: the JSON text "null" of a list is not given; of a text
// parameter it stays a text.
func TestNullAsTextIsNoList(t *testing.T) {
	w := newWorld(t, Config{Profile: "full"})
	n := w.must("narrate", `{"content":"null","reason":"null","memory_ids":"null","claim_ids":" null ","link_ids":null}`)
	if n["content"] != "null" || n["reason"] != "null" || len(n["memory_ids"].([]any)) != 0 {
		t.Errorf("told %v", n)
	}
	w.refused("narrate", `{"content":"c","reason":"r","memory_ids":"seven"}`)
	w.refused("remember_many", `{"items":"null"}`)
}

// refused runs a tool that has to fail and gives its error.
func (w *world) refused(name, arguments string) map[string]any {
	w.t.Helper()
	r := w.call(name, arguments)
	var out map[string]any
	if err := json.Unmarshal(r.Body, &out); err != nil || !r.Failed() {
		w.t.Fatalf("%s %s: %s, %v", name, arguments, r.Body, err)
	}
	return out
}
