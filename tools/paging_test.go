package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"combray/internal/memory"
)

// TestCutPagesLoseNothing reads lists whose pages are cut by the size of a
// reply: following the cursor shows every row once.
func TestCutPagesLoseNothing(t *testing.T) {
	const rows = 60
	w := newWorld(t, Config{Profile: "full"})
	long := strings.Repeat("x", 10_000)
	for i := range rows {
		id := w.must("remember", fmt.Sprintf(`{"content":"%d %s"}`, i, long))["id"].(string)
		w.must("promote", fmt.Sprintf(`{"memory_id":%q,"reason":"%d %s"}`, id, i, long))
		w.must("pin", fmt.Sprintf(`{"memory_id":%q,"reason":"r"}`, id))
	}
	for _, c := range []struct {
		tool, arguments, list string
		rows                  int
	}{{"list_memories", `{"limit":1000}`, "memories", rows}, {"list_anchors", `{"limit":1000}`, "anchors", rows}, {"audit_log", `{"limit":1000,"action":"promote"}`, "result", rows}} {
		seen, pages, cursor := map[string]bool{}, 0, ""
		for more := true; more; pages++ {
			r := w.call(c.tool, strings.Replace(c.arguments, "}", cursor+"}", 1))
			if n := wireSize(t, r); n > memory.MaxReplyBytes {
				t.Errorf("%s: a page of %d bytes", c.tool, n)
			}
			for _, id := range idsIn(t, r.Body, c.list) {
				if seen[id] {
					t.Errorf("%s: %s comes twice", c.tool, id)
				}
				seen[id] = true
			}
			next := nextOf(t, r)
			more, cursor = next != "", fmt.Sprintf(`,"cursor":%q`, next)
		}
		if len(seen) != c.rows || pages < 3 {
			t.Errorf("%s: %d rows of %d on %d pages", c.tool, len(seen), c.rows, pages)
		}
	}
}

func idsIn(t *testing.T, body json.RawMessage, list string) (ids []string) {
	t.Helper()
	var rows []struct{ ID string }
	if err := json.Unmarshal(at(t, body, list), &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

func nextOf(t *testing.T, r Reply) string {
	t.Helper()
	var object struct {
		NextCursor string `json:"next_cursor"`
	}
	if err := json.Unmarshal(r.Body, &object); err != nil {
		t.Fatal(err)
	}
	return object.NextCursor + r.NextCursor
}

// TestMemoryAboveTheLimitIsShownInPart holds that a memory which is larger than
// a reply is still found, listed and inspected.
func TestMemoryAboveTheLimitIsShownInPart(t *testing.T) {
	w := newWorld(t, Config{Profile: "full"})
	stored := w.must("remember", `{"content":"heron `+strings.Repeat("ü", 400_000)+`"}`)
	for _, c := range [][2]string{{"recall", `{"query":"heron"}`}, {"list_memories", `{}`}, {"timeline", `{}`},
		{"inspect_memory", fmt.Sprintf(`{"memory_id":%q}`, stored["id"])}, {"due_for_consolidation", `{}`},
		{"promote", fmt.Sprintf(`{"memory_id":%q,"reason":"r"}`, stored["id"])}} { // promoted last: it is then no longer due
		tool := c[0]
		r := w.call(tool, c[1])
		if n := wireSize(t, r); n > memory.MaxReplyBytes || n < memory.MaxReplyBytes/2 {
			t.Errorf("%s: %d bytes", tool, n)
		}
		if told := strings.Contains(string(r.Body), `"warnings":["`) || len(r.Warnings) == 1; !told || !strings.Contains(string(r.Body), "heron üü") {
			t.Errorf("%s: cut without a word: %.200s", tool, r.Body)
		}
	}
	if whole := w.call("recall", `{"query":"heron","max_bytes":1000000}`); wireSize(t, whole) < 1_600_000 {
		t.Error("max_bytes must show the whole")
	}
}
