package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestSessions plays the dialogues of testdata/session through the stdio
// transport. A line of a dialogue is
//
//	# a comment
//	! setting value        profile NAME, read-only, encoder REASON, calls N
//	> tool {arguments}     a call; $name stands for what a line = saved
//	< reply                what came back: ok or error, then JSON
//	~ _meta                of the reply before, when it has one
//	= name path            keeps a value of the reply before, e.g. = id memories.0.id
//
// A successful reply is shown without null, false, empty and constant values;
// TestEveryExample and TestRowKeys hold the whole. -update rewrites the replies.
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/session/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no dialogues", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, era := range []string{"legacy", "modern"} {
				t.Run(era, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { playArchive(t, file, archive, era) })
				})
			}
		})
	}
}

func playArchive(t *testing.T, file string, archive *txtar.Archive, era string) {
	for i := range archive.Files {
		f := &archive.Files[i]
		want := f.Data
		f.Data = play(t, string(want), era)
		if !*update && !bytes.Equal(f.Data, want) {
			t.Errorf("%s, %s: go test -update rewrites it%s", file, f.Name, firstDifference(want, f.Data))
		}
		if !*update {
			f.Data = want
		}
	}
	if *update && era == "legacy" {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// player is one dialogue being played.
type player struct {
	t     *testing.T
	era   string
	world *world
	line  *line
	saved map[string]string
	last  json.RawMessage // body of the last reply
	calls int
	out   bytes.Buffer
}

func play(t *testing.T, script, era string) []byte {
	p := &player{t: t, era: era, saved: map[string]string{}}
	config := Config{Profile: "full"}
	failing := ""
	for _, l := range strings.Split(strings.TrimRight(script, "\n"), "\n") {
		kind, rest, _ := strings.Cut(l, " ")
		switch kind {
		case "!":
			name, v, _ := strings.Cut(rest, " ")
			switch name {
			case "profile":
				config.Profile = v
			case "read-only":
				config.ReadOnly = true
			case "calls":
				config.CallsPerMinute, _ = strconv.Atoi(v)
			case "encoder":
				failing = v
			default:
				t.Fatalf("unknown setting %s", name)
			}
		case ">":
			p.open(config)
			p.world.encoder.Fail(failing)
			fmt.Fprintln(&p.out, l)
			p.call(rest)
			continue
		case "=":
			name, path, _ := strings.Cut(rest, " ")
			p.saved[name] = p.value(path)
		case "<", "~":
			continue
		case "", "#":
		default:
			t.Fatalf("line %q", l)
		}
		fmt.Fprintln(&p.out, l)
	}
	if p.line != nil {
		p.line.end()
	}
	return p.out.Bytes()
}

func (p *player) open(c Config) {
	if p.line != nil {
		return
	}
	p.world = newWorld(p.t, c)
	c.Open, c.Now = p.world.server.open, p.world.clock.Now
	p.line = dial(p.t, c)
	if p.era == "legacy" {
		p.line.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"dialogue","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		p.line.receive()
	}
}

var variables = regexp.MustCompile(`\$[a-z]\w*`)

func (p *player) call(rest string) {
	tool, arguments, _ := strings.Cut(rest, " ")
	arguments = variables.ReplaceAllStringFunc(arguments, func(v string) string {
		value, ok := p.saved[v[1:]]
		if !ok {
			p.t.Fatalf("%s is not saved", v)
		}
		return value
	})
	meta := ""
	if p.era == "modern" {
		meta = "," + strings.NewReplacer(`"new"`, `"dialogue"`, `"2"`, `"1"`).Replace(modernMeta)
	}
	p.calls++
	p.line.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, p.calls, tool, arguments, meta))
	m := p.line.receive()
	if m.Error != nil {
		fmt.Fprintf(&p.out, "< protocol error %d %s\n", m.Error.Code, m.Error.Message)
		return
	}
	var content []struct{ Type, Text string }
	if err := json.Unmarshal(m.Result["content"], &content); err != nil || len(content) != 1 || content[0].Type != "text" {
		p.t.Fatalf("content %s", m.Result["content"])
	}
	p.last = json.RawMessage(content[0].Text)
	structured, isError := m.Result["structuredContent"], string(m.Result["isError"]) == "true"
	switch {
	case isError && structured != nil:
		p.t.Errorf("an error with structuredContent: %s", structured)
	case isError:
		fmt.Fprintf(&p.out, "< error %s\n", p.last)
		return
	case !sameJSON(p.last, structured):
		p.t.Errorf("the text is not structuredContent:\n%s\n%s", p.last, structured)
	}
	fmt.Fprintf(&p.out, "< ok %s\n", pruned(p.last))
	p.meta(m.Result["_meta"])
}

// meta shows what a list result says beside its list.
func (p *player) meta(raw json.RawMessage) {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(raw, &all)
	kept := map[string]json.RawMessage{}
	for k, v := range all {
		if strings.HasPrefix(k, "combray/") {
			kept[k] = v
		}
	}
	if len(kept) > 0 {
		fmt.Fprintf(&p.out, "~ %s\n", encode(kept))
	}
}

func (p *player) value(path string) string {
	var v any
	if err := json.Unmarshal(p.last, &v); err != nil {
		p.t.Fatal(err)
	}
	for _, step := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			i, _ := strconv.Atoi(step)
			v = x[i]
		}
	}
	s, ok := v.(string)
	if !ok {
		p.t.Fatalf("%s is no text in %s", path, p.last)
	}
	return s
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && string(encode(x)) == string(encode(y))
}

// constant are keys whose values say nothing in a dialogue.
var constant = map[string]bool{"notice": true, "backend": true, "recorded_by": true, "created_at": true, "elapsed_ms": true,
	"material_type": true, "independence_verified": true, "current_access_policy_applied": true, "time_basis": true, "basis": true,
	// What ranking measures is held by its own tests; here only the order counts.
	"relevance": true, "semantic_similarity": true, "search_score": true, "score": true, "value": true, "share": true, "verdict": true}

// pruned is JSON without null, false, empty and constant values, keys in the
// order in which they came.
func pruned(raw json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	s, _ := prunedValue(d)
	return s
}

func prunedValue(d *json.Decoder) (text string, keep bool) {
	t, err := d.Token()
	if err != nil {
		return "?" + err.Error(), true
	}
	delim, ok := t.(json.Delim)
	if !ok {
		b := encode(t)
		return string(b), t != nil && t != false && t != ""
	}
	var parts []string
	for d.More() {
		if delim == '[' {
			s, _ := prunedValue(d)
			parts = append(parts, s)
			continue
		}
		key, _ := d.Token()
		s, keep := prunedValue(d)
		if key == "result" || keep && !constant[key.(string)] {
			parts = append(parts, string(encode(key))+":"+s)
		}
	}
	end, _ := d.Token()
	return fmt.Sprintf("%s%s%s", delim, strings.Join(parts, ","), end), len(parts) > 0
}
