package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// cast are the things that examples speak of by name.
type cast map[string]string

// furnish fills a world with one of each.
func furnish(w *world) cast {
	c := cast{}
	save := func(name, path, tool, arguments string) {
		w.t.Helper()
		v := any(w.must(tool, c.fill(arguments)))
		for _, step := range strings.Split(path, ".") {
			v = v.(map[string]any)[step]
		}
		c[name] = v.(string)
	}
	for _, name := range []string{"id", "other", "consolidated", "anchor", "canonized", "forgotten", "interpretation"} {
		tier := "archive"
		if name == "interpretation" {
			tier = name
		}
		save(name, "id", "remember", `{"content":"this memory is `+name+`","source":"user","tier":"`+tier+`","event_at":"2023-05-0`+fmt.Sprint(len(c)+1)+`T10:00:00Z"}`)
	}
	for _, name := range []string{"consolidated", "anchor", "canonized"} {
		w.must("promote", c.fill(`{"memory_id":"$`+name+`","reason":"r"}`))
	}
	w.must("pin", c.fill(`{"memory_id":"$anchor","reason":"r"}`))
	w.must("canonize", c.fill(`{"memory_id":"$canonized","scope":"move to Lyon","reason":"r"}`))
	w.must("forget", c.fill(`{"memory_id":"$forgotten","reason":"r"}`))
	save("conflict", "id", "mark_conflict", `{"memory_id_a":"$id","memory_id_b":"$consolidated","reason":"r"}`)
	save("link", "id", "link_memories", `{"from_id":"$id","to_id":"$consolidated","relation":"related","reason":"r"}`)
	save("narrative", "id", "narrate", `{"content":"an account","reason":"r","memory_ids":["$consolidated"]}`)
	for _, name := range []string{"claim", "supported", "adopted"} {
		save(name, "id", "create_claim", `{"content":"a claim","kind":"plan","reason":"r"}`)
	}
	for _, name := range []string{"supported", "adopted"} {
		save("evidence", "id", "add_evidence", `{"claim_id":"$`+name+`","memory_id":"$consolidated","stance":"supports","reason":"r"}`)
	}
	w.must("adopt_claim", c.fill(`{"claim_id":"$adopted","reason":"r"}`))
	for place, name := range []string{"recollection", "waiting"} {
		w.must("remember", fmt.Sprintf(`{"content":"the walk by the water at %s","at":"2023-04-30T16:00:00+02:00","lat":%d,"lon":2}`, name, 40+place))
		fired := w.must("sense", fmt.Sprintf(`{"lat":%d,"lon":2,"at":"2023-05-07T15:30:00+02:00"}`, 40+place))["result"].([]any)
		c[name] = fired[0].(map[string]any)["id"].(string)
	}
	w.must("remember", `{"content":"the waltz at the fountain","at":"2023-04-30T16:00:00+02:00","lat":48.8566,"lon":2.3522}`)
	return c
}

func (c cast) fill(arguments string) string {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		arguments = strings.ReplaceAll(arguments, `"$`+name+`"`, `"`+c[name]+`"`)
	}
	return arguments
}

// dump is everything that a store holds; the audit log apart.
func (w *world) dump() (rows, audit string) {
	w.t.Helper()
	ctx := context.Background()
	var b, log strings.Builder
	err := w.store.View(ctx, func(r memory.Reader) error {
		show := func(what any, err error) {
			if err != nil {
				w.t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s\n", encode(what))
		}
		memories, err := r.List(ctx, memory.ListQuery{Filter: memory.ListFilter{Forgotten: memory.ActiveAndForgotten}})
		for i := range memories {
			memories[i].Seq = 0
		}
		show(memories, err)
		var ids, claims []memory.ID
		for _, m := range memories {
			ids = append(ids, m.ID)
		}
		labels, err := r.Labels(ctx, ids)
		show(labels, err)
		anchors, err := r.Anchors(ctx)
		show(anchors, err)
		canon, err := r.Canon(ctx, nil, nil)
		show(canon, err)
		conflicts, err := r.Conflicts(ctx, nil)
		show(conflicts, err)
		links, err := r.LinksOf(ctx, ids, true)
		show(links, err)
		narratives, err := r.NarrativeHistory(ctx, nil, 1000)
		show(narratives, err)
		all, err := r.ClaimsIn(ctx, nil)
		show(all, err)
		for _, c := range all {
			claims = append(claims, c.ID)
		}
		events, err := r.ClaimEvents(ctx, claims)
		show(events, err)
		evidence, err := r.EvidenceFor(ctx, claims)
		show(evidence, err)
		firings, err := r.Firings(ctx, ids)
		show(firings, err)
		heard, _, err := r.Heard(ctx, 0, 0, memtest.CueIdentity(w.encoder))
		show(heard, err)
		visit, err := r.Visit(ctx, "mcp")
		show(visit, err)
		rows, err := r.Audit(ctx, memory.AuditQuery{Captures: true})
		fmt.Fprintf(&log, "%d %s", len(rows), encode(rows))
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return b.String(), log.String()
}

// TestEveryExample calls every example of every tool: it succeeds, has the keys
// that the tool declares, and does what the hints say.
func TestEveryExample(t *testing.T) {
	for _, tool := range slices.Concat(everyTool, sensesTools) {
		t.Run(tool.profiles.names()[0]+" "+tool.name, func(t *testing.T) {
			writes, repeats := false, false
			for _, example := range tool.examples {
				w := newWorld(t, Config{Profile: "full"})
				arguments := furnish(w).fill(example)
				if tool.profiles == senses {
					w = w.as("senses")
				}
				before, auditBefore := w.dump()
				r := w.call(tool.name, arguments)
				if r.Failed() {
					t.Fatalf("%s: %s", arguments, r.Body)
				}
				checkKeys(t, tool, r.Body)
				after, auditAfter := w.dump()
				w.clock.Advance(24 * time.Hour)
				w.call(tool.name, arguments) // a repeat may be refused
				again, _ := w.dump()
				writes = writes || before != after || auditBefore != auditAfter
				repeats = repeats || again != after
			}
			if tool.hints.readOnly == writes {
				t.Errorf("readOnlyHint is %v; an example writes: %v", tool.hints.readOnly, writes)
			}
			if tool.hints.idempotent == repeats {
				t.Errorf("idempotentHint is %v; a repeat changes the store again: %v", tool.hints.idempotent, repeats)
			}
		})
	}
}

// checkKeys compares the top keys of a reply with those that the tool declares.
func checkKeys(t *testing.T, tool *tool, body json.RawMessage) {
	t.Helper()
	got := topKeys(t, body)
	var want []string
	for _, f := range tool.returns.fields {
		if f.kind != sometimes {
			want = append(want, f.name)
		}
	}
	var missing, unknown []string
	for _, k := range want {
		if !slices.Contains(got, k) {
			missing = append(missing, k)
		}
	}
	for _, k := range got {
		if k != "warnings" && !slices.ContainsFunc(tool.returns.fields, func(f field) bool { return f.name == k }) {
			unknown = append(unknown, k)
		}
	}
	if missing != nil || unknown != nil {
		t.Errorf("missing keys %q, undeclared keys %q", missing, unknown)
	}
	if ordered := slices.DeleteFunc(slices.Clone(got), func(k string) bool { return !slices.Contains(want, k) }); missing == nil && !slices.Equal(ordered, want) {
		t.Errorf("keys come as %q, declared as %q", ordered, want)
	}
}

// topKeys gives the keys of an object in the order in which they came.
func topKeys(t *testing.T, body json.RawMessage) []string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(body)))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for d.More() {
		k, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k.(string))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return keys
}

// TestUnknownIDs calls every tool that takes an id with one that nothing has.
func TestUnknownIDs(t *testing.T) {
	lenient := []string{"unpin", "memory_links", "audit_log"} // contract/history.md 1.3 and 1.6
	w := newWorld(t, Config{Profile: "full"})
	c := furnish(w)
	for _, tool := range everyTool {
		for _, p := range tool.params {
			if !strings.HasSuffix(p.name, "_id") || !p.required {
				continue
			}
			var arguments map[string]any
			if err := json.Unmarshal([]byte(c.fill(tool.examples[0])), &arguments); err != nil {
				t.Fatal(err)
			}
			arguments[p.name] = "000000000000"
			r := w.call(tool.name, string(encode(arguments)))
			if slices.Contains(lenient, tool.name) {
				if r.Failed() {
					t.Errorf("%s: %s", tool.name, r.Body)
				}
				continue
			}
			var f failure
			_ = json.Unmarshal(r.Body, &f)
			if f.Error != "KeyError" || f.Code != memory.CodeNotFound || !strings.HasPrefix(f.Message, "'") || f.Hint == "" {
				t.Errorf("%s.%s: %s", tool.name, p.name, r.Body)
			}
		}
	}
}

func TestWordsToArguments(t *testing.T) {
	w := newWorld(t, Config{Profile: "full"})
	got, err := w.server.Arguments("list_memories", []string{"limit=5", "frame=123", "tags=a", "tags=b", `near={"lat":1,"lon":2,"radius_m":3}`, "include_forgotten=yes", "k=7", "odd=x=y"})
	if want := `{"frame":"123","include_forgotten":"yes","k":7,"limit":5,"near":{"lat":1,"lon":2,"radius_m":3},"odd":"x=y","tags":["a","b"]}`; err != nil || string(encode(got)) != want {
		t.Errorf("got %s, %v", encode(got), err)
	}
	if _, err := w.server.Arguments("timeline", []string{"limit"}); err == nil {
		t.Error("a word without = must be refused")
	}
	if _, err := w.server.Arguments("nope", nil); err == nil || !strings.Contains(err.Error(), "remember") {
		t.Errorf("unknown tool: %v", err)
	}
}

// The keys of contract/history.md 1.2 and contract/surface.md 2 and 3.
var (
	memoryKeys = strings.Fields(`id content source status tier created_at consolidated_at consolidation_reason last_reviewed_at review_status
		forgotten_at forgotten_reason security_sensitive frame event_at session_id session_position material_type origin_id capture_context
		place event_offset event_precision tags salience channels embedded recorded_by`)
	conflictKeys = strings.Fields(`id memory_id_a memory_id_b reason created_at resolved_at resolution_reason adopted_memory_id
		content_a frame_a content_b frame_b forgotten_at_a forgotten_at_b`)
	canonKeys        = strings.Fields(`id memory_id scope reason canonized_at decommissioned_at content status tier security_sensitive eligible_for_recall`)
	retrievalKeys    = strings.Fields(`mode lanes backend reranked_candidates unranked_candidates inference_performed candidates omitted elapsed_ms verdict time_understood`)
	recollectionKeys = strings.Fields(`id memory_id memory score channels via at source fired_at verified prompt_line notice`)
	backendKeys      = strings.Fields(`model revision device max_sequence_tokens query_prefix document_prefix normalized local_files_only document_cache_capacity dependencies`)
)

// TestRowKeys holds the keys of rows inside answers, and their order.
func TestRowKeys(t *testing.T) {
	w := newWorld(t, Config{Profile: "full"})
	c := furnish(w)
	for _, x := range []struct {
		tool, arguments, path string
		want                  []string
	}{
		{"recall", `{"query":"memory","explain":true}`, "memories.0", append(slices.Clone(memoryKeys), "relevance", "semantic_similarity", "search_score", "score", "why")},
		{"recall", `{}`, "memories.0", memoryKeys},
		{"recall", `{}`, "anchors.0", append(slices.Clone(memoryKeys), "anchor_reason", "pinned_at")},
		{"recall", `{}`, "canon.0", canonKeys},
		{"recall", `{}`, "conflicts.0", conflictKeys},
		{"recall", `{}`, "retrieval", retrievalKeys},
		{"recall", `{"query":"memory"}`, "retrieval.backend", backendKeys},
		{"search", `{"query":"memory"}`, "memories.0", append(slices.Clone(memoryKeys), "relevance", "semantic_similarity", "search_score", "score")},
		{"timeline", `{}`, "memories.0", memoryKeys},
		{"list_memories", `{}`, "memories.0", memoryKeys},
		{"list_forgotten", `{}`, "result.0", memoryKeys},
		{"due_for_consolidation", `{}`, "result.0", memoryKeys},
		{"list_conflicts", `{}`, "result.0", conflictKeys},
		{"list_canon", `{}`, "result.0", canonKeys},
		{"audit_log", `{}`, "result.0", strings.Fields(`id memory_id action reason at recorded_by`)},
		{"inspect_memory", `{"memory_id":"$id"}`, "memory", memoryKeys},
		{"pending_recollections", `{"drain":false}`, "result.0", recollectionKeys},
		{"pending_recollections", `{"drain":false}`, "result.0.memory", memoryKeys},
		{"sense", `{"lat":48.8566,"lon":2.3522,"at":"2023-05-07T16:10:00+02:00"}`, "result.0", recollectionKeys},
	} {
		r := w.call(x.tool, c.fill(x.arguments))
		if got := topKeys(t, at(t, r.Body, x.path)); !slices.Equal(got, x.want) {
			t.Errorf("%s %s, %s:\ngot  %q\nwant %q", x.tool, x.arguments, x.path, got, x.want)
		}
	}
}

// at gives the part of a JSON value that a dotted path leads to.
func at(t *testing.T, raw json.RawMessage, path string) json.RawMessage {
	t.Helper()
	for _, step := range strings.Split(path, ".") {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		if json.Unmarshal(raw, &object) == nil {
			raw = object[step]
			continue
		}
		if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
			t.Fatalf("%s leads nowhere in %s", path, raw)
		}
		raw = list[0]
	}
	return raw
}
