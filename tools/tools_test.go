package tools

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite snapshots and generated documents")

// The tools of contract/history.md 0 and contract/surface.md 1 and 4.
var (
	contractCore = strings.Fields(`remember recall search promote pin unpin corroborate provenance flag_sensitive forget restore
		narrate current_narrative due_for_consolidation audit_log`)
	contractFull = strings.Fields(`review due_for_review list_forgotten review_narrative narrative_history list_narratives canonize decanonize
		end_scope list_canon active_scopes set_frame list_frames mark_conflict resolve_conflict list_conflicts set_history_context
		link_memories unlink_memories memory_links timeline search_history create_claim add_evidence retract_evidence adopt_claim
		revise_claim withdraw_claim inspect_claim recall_claims search_archive`)
	contractAdditions = strings.Fields(`inspect_memory list_anchors list_memories remember_many erase update_memory memory_stats explain_silence feedback`)
	contractSenses    = strings.Fields(`sense pending_recollections`)
)

func namesOf(t *testing.T, c Config) []string {
	t.Helper()
	chosen, err := choose(c)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range chosen {
		names = append(names, tool.name)
	}
	return names
}

func sorted(names ...[]string) string {
	all := slices.Concat(names...)
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestProfiles(t *testing.T) {
	for profile, want := range map[string]string{
		"":         sorted(contractCore, contractSenses),
		"core":     sorted(contractCore, contractSenses),
		"history":  sorted(contractCore),
		"everyday": sorted(strings.Fields("remember recall forget restore inspect_memory promote"), contractSenses),
		"senses":   sorted(strings.Fields("remember recall forget"), contractSenses),
		"full":     sorted(contractCore, contractFull, contractSenses, contractAdditions),
	} {
		if got := sorted(namesOf(t, Config{Profile: profile})); got != want {
			t.Errorf("profile %q:\ngot  %s\nwant %s", profile, got, want)
		}
	}
	if got := namesOf(t, Config{Profile: "everyday", Tools: []string{"timeline", "forget"}, ExcludeTools: []string{"forget", "search"}}); sorted(got) != sorted(strings.Fields("inspect_memory promote recall remember restore timeline"), contractSenses) {
		t.Errorf("added and excluded: %q", got)
	}
	for _, name := range namesOf(t, Config{Profile: "full", Tools: []string{"remember"}, ReadOnly: true}) {
		if !find(name).hints.readOnly {
			t.Errorf("read-only shows %s", name)
		}
	}
	for _, c := range []Config{{Profile: "sense"}, {Profile: "CORE"}, {Tools: []string{"recal"}}, {ExcludeTools: []string{"nope"}}} {
		_, err := New(c)
		if err == nil || !strings.Contains(err.Error(), "full") && !strings.Contains(err.Error(), "remember_many") {
			t.Errorf("%+v: error %v must list the valid names", c, err)
		}
	}
}

func TestDefinitions(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for i, tool := range everyTool {
		if slices.Index(Names(), tool.name) != i {
			t.Errorf("%s: twice in the list", tool.name)
		}
	}
	for _, tool := range slices.Concat(everyTool, sensesTools) {
		if !name.MatchString(tool.name) || len(tool.name) > 24 {
			t.Errorf("%s: name", tool.name)
		}
		if (tool.profiles&full == 0) == (tool.profiles != senses) || tool.title == "" || len(tool.examples) == 0 || tool.run == nil {
			t.Errorf("%s: profile, title, example or handler is missing", tool.name)
		}
		if n := utf8.RuneCountInString(tool.about); n < 250 || n > 600 {
			t.Errorf("%s: description of %d characters", tool.name, n)
		}
		if tool.hints.readOnly && (tool.hints.destructive || !tool.hints.idempotent) {
			t.Errorf("%s: hints contradict each other", tool.name)
		}
		if told := strings.Contains(strings.ToLower(tool.about), "changes nothing"); told != tool.hints.readOnly {
			t.Errorf("%s: the description says that it changes nothing: %v; the hint: %v", tool.name, told, tool.hints.readOnly)
		}
		for _, p := range tool.params {
			if !p.hidden && (p.about == "" || len(p.about) > 120 || !strings.HasSuffix(p.about, ".")) {
				t.Errorf("%s.%s: description %q", tool.name, p.name, p.about)
			}
		}
	}
}

func TestDescriptionsNameVisibleSiblings(t *testing.T) {
	word := regexp.MustCompile(`[a-z]+(_[a-z]+)+`)
	for _, tool := range slices.Concat(everyTool, sensesTools) {
		params := make([]string, 0, len(tool.params)+len(tool.returns.fields))
		for _, p := range tool.params {
			params = append(params, p.name)
		}
		for _, w := range word.FindAllString(tool.about, -1) {
			sibling := find(w)
			if sibling == nil && !slices.Contains(params, w) && !knownKey(w) {
				t.Errorf("%s speaks of %s, which is no tool and no key", tool.name, w)
			}
			if sibling != nil && tool.profiles&core != 0 && sibling.profiles&core == 0 {
				t.Errorf("%s is in core and speaks of %s, which is not", tool.name, w)
			}
			if sibling != nil && tool.profiles == senses && !slices.Contains(namesOf(t, Config{Profile: "senses"}), w) {
				t.Errorf("%s is in senses and speaks of %s, which is not", tool.name, w)
			}
		}
	}
}

// knownKey says whether some tool answers with or takes a key of that name.
func knownKey(name string) bool {
	for _, tool := range everyTool {
		for _, f := range tool.returns.fields {
			if f.name == name || strings.Contains(f.about, "`"+name+"`") {
				return true
			}
		}
		for _, p := range tool.params {
			if p.name == name {
				return true
			}
		}
	}
	return name == "evidence_paths"
}

func TestSchemasArePortable(t *testing.T) {
	for _, tool := range slices.Concat(everyTool, sensesTools) {
		for kind, raw := range map[string]json.RawMessage{"input": inputSchema(tool.params), "output": outputSchema(tool.returns)} {
			var schema map[string]any
			if err := json.Unmarshal(raw, &schema); err != nil {
				t.Fatalf("%s %s: %v", tool.name, kind, err)
			}
			if schema["type"] != "object" {
				t.Errorf("%s %s: root is no object", tool.name, kind)
			}
			walkSchema(schema, func(path string, node map[string]any) {
				where := tool.name + " " + kind + path
				if _, many := node["type"].([]any); many {
					t.Errorf("%s: type array", where)
				}
				if node["type"] == "array" && node["items"] == nil {
					t.Errorf("%s: array without items", where)
				}
				for _, word := range []string{"anyOf", "oneOf", "allOf", "not", "$ref", "x-mcp-header"} {
					if node[word] != nil {
						t.Errorf("%s: %s", where, word)
					}
				}
			})
		}
	}
}

func walkSchema(node map[string]any, visit func(string, map[string]any)) {
	var walk func(path string, node map[string]any)
	walk = func(path string, node map[string]any) {
		visit(path, node)
		if properties, ok := node["properties"].(map[string]any); ok {
			for name, p := range properties {
				walk(path+"."+name, p.(map[string]any))
			}
		}
		if items, ok := node["items"].(map[string]any); ok {
			walk(path+"[]", items)
		}
	}
	walk("", node)
}

// coreBytes is what tools/list may take in core (contract/surface.md 5: 24 KB).
const coreBytes = 24_000

func TestSizeOfTheList(t *testing.T) {
	for profile, most := range map[string]int{"core": coreBytes, "everyday": 13_500, "senses": 8_000, "full": 69_000} {
		chosen, err := choose(Config{Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, tool := range chosen {
			total += len(definitionOf(t, tool)) + 1
		}
		if total > most {
			t.Errorf("%s: %d bytes, at most %d", profile, total, most)
		}
		t.Logf("%s: %d tools, %d bytes, instructions %d characters", profile, len(chosen), total, utf8.RuneCountInString(instructions(chosen)))
	}
}

func TestInstructions(t *testing.T) {
	for profile, most := range map[string]int{"core": 2000, "everyday": 2000, "history": 2000, "senses": 2000, "full": 4096} {
		chosen, _ := choose(Config{Profile: profile})
		text := instructions(chosen)
		if n := utf8.RuneCountInString(text); n > most || n < 300 {
			t.Errorf("%s: %d characters, at most %d", profile, n, most)
		}
		for _, name := range Names() {
			if strings.Contains(name, "_") && strings.Contains(text, name) && !includes(chosen, []string{name}) {
				t.Errorf("%s: the instructions speak of %s, which is not shown", profile, name)
			}
		}
	}
}

func definitionOf(t *testing.T, tool *tool) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(tool.mcpTool())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSchemaSnapshots(t *testing.T) {
	var known []string
	for _, tool := range slices.Concat(everyTool, sensesTools) {
		var indented bytes.Buffer
		if err := json.Indent(&indented, definitionOf(t, tool), "", "  "); err != nil {
			t.Fatal(err)
		}
		indented.WriteByte('\n')
		path := filepath.Join("testdata", "schema", tool.name+".json")
		if tool.profiles == senses {
			path = filepath.Join("testdata", "schema", "senses", tool.name+".json")
		}
		known = append(known, path)
		checkFile(t, path, indented.Bytes())
	}
	files, _ := filepath.Glob("testdata/schema/*.json")
	own, _ := filepath.Glob("testdata/schema/senses/*.json")
	for _, f := range append(files, own...) {
		if !slices.Contains(known, f) {
			t.Errorf("%s belongs to no tool", f)
		}
	}
}

// checkFile compares a file of the repository with what it should hold, and
// rewrites it under -update. A missing file fails.
func checkFile(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v: go test -update writes it", err)
		return
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date; go test -update rewrites it%s", path, firstDifference(got, want))
	}
}

func firstDifference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("\nline %d is  %s\nit must be %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("\nit has %d lines and must have %d", len(a), len(b))
}
