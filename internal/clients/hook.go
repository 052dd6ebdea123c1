package clients

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// hookShape is how a client is told to run a command with each prompt. The three
// clients share it: events with groups, and groups with commands.
type hookShape struct {
	file   func(Places) string
	events []hookEvent
	after  string // what its owner has to do then
}

type hookEvent struct {
	name    string
	matcher string // "" for none
	timeout int    // in the client's own unit
}

// Timeouts leave room above the 300 ms that the hook gives itself (contract/sense.md
// 1.7): a process that starts on a busy machine. Gemini CLI counts milliseconds, the
// others seconds.
const (
	hookSeconds      = 5
	hookMilliseconds = 5000
)

var (
	claudeHook = hookShape{file: claudeSettings, after: "Sessions that are open read their hooks anew; /hooks lists them.",
		events: []hookEvent{{name: "UserPromptSubmit", timeout: hookSeconds},
			{name: "SessionStart", matcher: "startup|resume|clear|compact", timeout: hookSeconds}}}
	codexHook = hookShape{file: func(p Places) string { return inCodex("hooks.json")(p)[0] },
		after:  "Codex skips a new or changed hook silently until you trust it: start codex and type /hooks.",
		events: []hookEvent{{name: "UserPromptSubmit", timeout: hookSeconds}}}
	geminiHook = hookShape{file: func(p Places) string { return inHome(".gemini", "settings.json")(p)[0] },
		after:  "Start gemini anew; /hooks lists what runs.",
		events: []hookEvent{{name: "BeforeAgent", timeout: hookMilliseconds}}}
)

// HasHook says whether the client can run a command with each prompt.
func (c Client) HasHook() bool { return c.hook != nil }

// HookFile is the path of the file that names the hooks.
func (c Client) HookFile(p Places) string { return c.hook.file(p) }

// AfterHook is what the client's owner has to do once the hook is written.
func (c Client) AfterHook() string { return c.hook.after }

// Hook is a command line that a client runs: the program and what follows it.
type Hook struct {
	Command string
	Args    []string // hook first
	Windows bool     // quoted for that system's shell
}

// Line is the command as a shell reads it.
func (h Hook) Line() string {
	line := make([]string, 0, len(h.Args)+1)
	for _, w := range append([]string{h.Command}, h.Args...) {
		line = append(line, h.quoted(w))
	}
	return strings.Join(line, " ")
}

func (h Hook) quoted(w string) string {
	if h.Windows {
		if strings.ContainsAny(w, " &()^;,") || w == "" {
			return `"` + w + `"`
		}
		return w
	}
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,="
	if w != "" && strings.Trim(w, safe) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// splitLine takes a command line apart as Line put it together.
func splitLine(line string) []string {
	var out []string
	var word strings.Builder
	quote, within, escaped := byte(0), false, false
	for i := range len(line) {
		c := line[i]
		switch {
		case escaped:
			word.WriteByte(c)
			escaped = false
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, within = c, true
		case c == '\\' && strings.Contains(line, `'\''`):
			escaped = true
		case c == ' ':
			if within {
				out = append(out, word.String())
			}
			word.Reset()
			within = false
		default:
			word.WriteByte(c)
			within = true
		}
	}
	if within {
		out = append(out, word.String())
	}
	return out
}

// ProgramOf is the program that a command line of Hook.Line starts.
func ProgramOf(line string) string {
	if words := splitLine(line); len(words) > 0 {
		return words[0]
	}
	return ""
}

// ours says whether a command line runs a Combray's hook, here or at a path of
// before.
func (h Hook) ours(line string) bool {
	words := splitLine(line)
	if len(words) < 2 || words[1] != "hook" {
		return false
	}
	name := path.Base(strings.ReplaceAll(words[0], `\`, "/"))
	return words[0] == h.Command || strings.TrimSuffix(name, ".exe") == ServerName
}

// AddHook gives the file with the hook in it; empty bytes stand for no file. A
// hook of another path is corrected in place.
func (c Client) AddHook(file []byte, h Hook) ([]byte, error) {
	for _, e := range c.hook.events {
		var err error
		if file, err = e.add(file, h); err != nil {
			return nil, err
		}
	}
	return file, nil
}

// RemoveHook gives the file without the hook, and without what it leaves empty.
func (c Client) RemoveHook(file []byte, h Hook) ([]byte, error) {
	// In the other order than AddHook, so that the text comes out as it was.
	for _, e := range slices.Backward(c.hook.events) {
		var err error
		if file, err = e.remove(file, h); err != nil {
			return nil, err
		}
	}
	return file, nil
}

// HookLine gives the command line of the first of the client's events, "" without one.
func (c Client) HookLine(file []byte, h Hook) (string, error) {
	tree, err := jsonFormat{}.decode(newSource(file))
	if err != nil {
		return "", err
	}
	at := c.hook.events[0].find(tree, h)
	if len(at) == 0 {
		return "", nil
	}
	line, _ := at[0].command["command"].(string)
	return line, nil
}

// HookSnippet is the hook for those who paste.
func (c Client) HookSnippet(h Hook) (string, error) {
	file, err := c.AddHook(nil, h)
	return string(file), err
}

// foundHook is a command of ours in a decoded file.
type foundHook struct {
	group, number int // its place in the event's list and in its group's
	command       map[string]any
}

func (e hookEvent) path() []string { return []string{"hooks", e.name} }

func (e hookEvent) find(tree map[string]any, h Hook) []foundHook {
	var out []foundHook
	groups, _ := dig(tree, e.path()).([]any)
	for i, g := range groups {
		commands, _ := dig(g, []string{"hooks"}).([]any)
		for j, c := range commands {
			command, _ := c.(map[string]any)
			if line, _ := command["command"].(string); h.ours(line) {
				out = append(out, foundHook{i, j, command})
			}
		}
	}
	return out
}

// group is what is added for an event.
func (e hookEvent) group(h Hook) fields {
	command := fields{{key: "type", value: "command"}, {key: "command", value: h.Line()}, {key: "timeout", value: e.timeout}}
	g := fields{{key: "hooks", value: list{command}}}
	if e.matcher != "" {
		g = append(fields{{key: "matcher", value: e.matcher}}, g...)
	}
	return g
}

func (e hookEvent) add(file []byte, h Hook) ([]byte, error) {
	return guard(jsonFormat{}, file, change{
		meant: func(tree map[string]any) error {
			if found := e.find(tree, h); len(found) > 0 {
				found[0].command["command"] = h.Line()
				return nil
			}
			return e.setGroup(tree, h)
		},
		edit: func(s source) ([]byte, error) { return e.edit(s, h) },
	})
}

// setGroup makes in a decoded tree the change that edit makes in the text.
func (e hookEvent) setGroup(tree map[string]any, h Hook) error {
	switch there := tree["hooks"].(type) {
	case nil:
		tree["hooks"] = map[string]any{e.name: []any{decoded(e.group(h))}}
		return nil
	case map[string]any:
		groups, isList := there[e.name].([]any)
		if isList || there[e.name] == nil {
			there[e.name] = append(groups, decoded(e.group(h)))
			return nil
		}
	}
	return fmt.Errorf("its hooks have another shape than %q with a list of groups in it; correct it first", joined(e.path()))
}

func (e hookEvent) edit(s source, h Hook) ([]byte, error) {
	doc, err := parseJSON(s)
	if err != nil {
		return nil, err
	}
	tree, err := jsonFormat{}.decode(s)
	if err != nil {
		return nil, err
	}
	there, err := doc.at(e.path())
	if err != nil {
		return nil, err
	}
	switch found := e.find(tree, h); {
	case len(found) > 0:
		err = doc.setCommand(e.path(), found[0], h.Line())
	case there.is('['):
		err = doc.insert(there.value, "", e.group(h))
	default:
		err = doc.put(e.path(), list{e.group(h)})
	}
	return doc.bytes(), err
}

func (e hookEvent) remove(file []byte, h Hook) ([]byte, error) {
	return guard(jsonFormat{}, file, change{
		meant: func(tree map[string]any) error { e.dropAll(tree, h); return nil },
		edit: func(s source) ([]byte, error) {
			tree, err := jsonFormat{}.decode(s)
			if err != nil {
				return nil, err
			}
			doc, err := parseJSON(s)
			if err != nil {
				return nil, err
			}
			for _, f := range slices.Backward(e.find(tree, h)) {
				if err := doc.dropCommand(e.path(), f); err != nil {
					return nil, err
				}
			}
			return doc.bytes(), nil
		},
		settle: func(tree map[string]any) { dropEmpty(tree, e.path()) },
	})
}

// dropAll makes in a decoded tree the change that dropCommand makes in the text.
func (e hookEvent) dropAll(tree map[string]any, h Hook) {
	for _, f := range slices.Backward(e.find(tree, h)) {
		groups := dig(tree, e.path()).([]any)
		group := groups[f.group].(map[string]any)
		commands := slices.Delete(group["hooks"].([]any), f.number, f.number+1)
		group["hooks"] = commands
		if len(commands) == 0 {
			dig(tree, []string{"hooks"}).(map[string]any)[e.name] = slices.Delete(groups, f.group, f.group+1)
		}
	}
}
