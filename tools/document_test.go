package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestToolsDocument keeps docs/TOOLS.md in step with the list; go generate
// rewrites it.
func TestToolsDocument(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# Tools\n\nGenerated from `tools/tools.go` by `go generate ./tools`; do not edit.\n\n" +
		"| tool | profiles | hints | what it does |\n|---|---|---|---|\n")
	for _, tool := range everyTool {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", tool.name, tool.name, strings.Join(tool.profiles.names(), ", "), hintWords(tool.hints), firstSentence(tool.about))
	}
	b.WriteString("\nHints: *reads* changes nothing; *takes away* removes, hides or overwrites something, even where it can be undone; " +
		"*repeatable* means that the same call again is refused or changes nothing but the audit log. No tool reaches beyond this machine.\n\n" +
		"Lists and single things that may be null stand under `result`; their warnings and next page stand in `_meta` (`combray/warnings`, `combray/next_cursor`). " +
		"An error is `{\"error\", \"code\", \"message\", \"hint\"}` with `isError`. `warnings` may stand in any object. Aliases: `text` for `content`, `k` for `limit`, " +
		"`at` for `event_at`, `id` for the id of the one thing a tool is about.\n")
	b.WriteString("\n`signals` holds further readings, one a channel: `text` (words perceived), `geo` (a geohash, or an object with `geohash` or `lat` and `lon`, `accuracy_m`), `time`, `biometric`, " +
		"`image` and `audio`. A picture or sound is `{\"base64\", \"mime\"}` (or `data`, or a data URL), `{\"path\"}` where files are allowed, or `{\"vector\", \"backend\"}` made by the caller; `caption` or `transcript` adds words.\n")
	for _, tool := range everyTool {
		documentTool(t, &b, tool, "## ")
	}
	b.WriteString("\n## Profile senses\n\nFor clients of madeleine: five tools with that system's names, defaults and results. What is not listed here works as in the other profiles.\n")
	for _, tool := range sensesTools {
		documentTool(t, &b, tool, "### senses: ")
	}
	checkFile(t, "../docs/TOOLS.md", b.Bytes())
}

func hintWords(h hints) string {
	var words []string
	for _, w := range []struct {
		word string
		on   bool
	}{{"reads", h.readOnly}, {"takes away", h.destructive}, {"repeatable", h.idempotent && !h.readOnly}} {
		if w.on {
			words = append(words, w.word)
		}
	}
	if words == nil {
		return "adds"
	}
	return strings.Join(words, ", ")
}

func firstSentence(s string) string {
	first, _, _ := strings.Cut(s, ". ")
	return strings.TrimSuffix(first, ".") + "."
}

func documentTool(t *testing.T, b *bytes.Buffer, tool *tool, heading string) {
	fmt.Fprintf(b, "\n%s%s\n\n%s\n\n", heading, tool.name, tool.about)
	if len(tool.params) > 0 {
		b.WriteString("| parameter | type | default | meaning |\n|---|---|---|---|\n")
	}
	for _, p := range tool.params {
		if p.hidden {
			continue
		}
		def := ""
		switch {
		case p.required:
			def = "required"
		case p.fallback != nil:
			def = "`" + string(encode(p.fallback)) + "`"
		}
		meaning := p.about
		if p.enum != nil {
			meaning += " One of `" + strings.Join(p.enum, "`, `") + "`."
		}
		kind := p.typeName()
		if p.itemType() != "" {
			kind = "list of " + p.itemType() + "s"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.label(), kind, def, meaning)
	}
	b.WriteString("\nReturns")
	if tool.returns.list {
		fmt.Fprintf(b, " `result`: %s.\n", tool.returns.fields[0].about)
	} else {
		b.WriteString(":\n\n| key | type | meaning |\n|---|---|---|\n")
		for _, f := range tool.returns.fields {
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.name, f.kind, f.about)
		}
	}
	for _, e := range tool.examples[:1] {
		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(e), "", "  "); err != nil {
			t.Fatalf("%s: example %s: %v", tool.name, e, err)
		}
		fmt.Fprintf(b, "\n```json\n%s\n```\n", indented.String())
	}
}
