package clients

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// yamlFormat is YAML, edited by whole lines where it is written in blocks and
// between braces where it is not.
type yamlFormat struct{}

var _ format = yamlFormat{}

func (yamlFormat) decode(s source) (map[string]any, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if strings.Count(s.text, "\r") != strings.Count(s.text, "\r\n") {
		return nil, errors.New("some of its lines end in a carriage return alone; save it with line feeds")
	}
	tree := map[string]any{}
	d := yaml.NewDecoder(strings.NewReader(s.text))
	if err := d.Decode(&tree); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("it is not valid YAML with names and values: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var second any
	if err := d.Decode(&second); err == nil {
		return nil, errors.New("it holds several YAML documents; only one can be edited")
	}
	if tree == nil {
		tree = map[string]any{}
	}
	evened(tree)
	return tree, nil
}

func (yamlFormat) add(s source, path []string, values fields) ([]byte, error) {
	d, err := parseYAML(s)
	if err != nil {
		return nil, err
	}
	key, value := d.pair(d.root, path[0])
	entryKey, entry := d.pair(value, path[1])
	switch {
	case entry != nil && (entry.Style&yaml.FlowStyle != 0 || entry.Kind != yaml.MappingNode):
		without, err := d.cutPair(value, entryKey, entry)
		if err != nil {
			return nil, err
		}
		return yamlFormat{}.add(s.with(without), path, values)
	case entry != nil:
		return s.bytes(d.update(entry, values)), nil
	case value != nil && value.Style&yaml.FlowStyle != 0:
		return s.bytes(d.insertFlow(value, path[1]+": "+yamlFlow(values))), nil
	case value != nil && value.Kind == yaml.MappingNode:
		indent := strings.Repeat(" ", value.Content[0].Column-1)
		unit := strings.Repeat(" ", max(1, value.Content[0].Column-key.Column))
		return s.bytes(d.insertAfterLine(key.Line, yamlBlock(path[1], values, indent, unit))), nil
	case key != nil:
		indent := strings.Repeat(" ", key.Column-1) + defaultIndent
		return s.bytes(d.insertAfterLine(key.Line, yamlBlock(path[1], values, indent, defaultIndent))), nil
	case d.root != nil && d.root.Style&yaml.FlowStyle != 0:
		return s.bytes(d.insertFlow(d.root, path[0]+": {"+path[1]+": "+yamlFlow(values)+"}")), nil
	}
	return s.bytes(d.appendTable(path, values)), nil
}

func (yamlFormat) remove(s source, path []string) ([]byte, error) {
	d, err := parseYAML(s)
	if err != nil {
		return nil, err
	}
	key, value := d.pair(d.root, path[0])
	entryKey, entry := d.pair(value, path[1])
	if entry == nil {
		return nil, errByHand
	}
	inBlock := value.Style&yaml.FlowStyle == 0 && d.root.Style&yaml.FlowStyle == 0
	if alone := len(value.Content) == 2; alone && inBlock && entryKey.Line == key.Line+1 {
		from, to := trimmedEnd(s.text, d.offset(key)), d.endOfBlock(entryKey)
		return s.bytes(strings.TrimLeft(s.text[:from]+s.text[to:], "\r\n")), nil
	}
	without, err := d.cutPair(value, entryKey, entry)
	return s.bytes(without), err
}

// yamlDocument is a YAML text with the nodes that it parses to.
type yamlDocument struct {
	source
	root *yaml.Node // nil: nothing but comments
}

func parseYAML(s source) (*yamlDocument, error) {
	d := &yamlDocument{source: s}
	var top yaml.Node
	if err := yaml.Unmarshal([]byte(s.text), &top); err != nil {
		return nil, fmt.Errorf("it is not valid YAML: %w", err)
	}
	if len(top.Content) > 0 && top.Content[0].Kind == yaml.MappingNode {
		d.root = top.Content[0]
	}
	return d, nil
}

// pair finds a key of a mapping and its value; nil when it is not there. A value
// that is null has a key only.
func (d *yamlDocument) pair(mapping *yaml.Node, key string) (k, v *yaml.Node) {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value != key {
			continue
		}
		if k, v = mapping.Content[i], mapping.Content[i+1]; v.Tag == "!!null" {
			v = nil
		}
		return k, v
	}
	return nil, nil
}

// offset is where a node begins in the text. The parser counts characters.
func (d *yamlDocument) offset(n *yaml.Node) int {
	at := d.lineOffset(n.Line)
	for range n.Column - 1 {
		_, width := utf8.DecodeRuneInString(d.text[at:])
		at += width
	}
	return at
}

func (d *yamlDocument) lineOffset(line int) int {
	at := 0
	for range line - 1 {
		i := strings.IndexByte(d.text[at:], '\n')
		if i < 0 {
			return len(d.text)
		}
		at += i + 1
	}
	return at
}

// insertAfterLine puts lines behind the one of a key.
func (d *yamlDocument) insertAfterLine(line int, lines []string) string {
	end := lineEnd(d.text, d.lineOffset(line))
	return d.text[:end] + d.newline + strings.Join(lines, d.newline) + d.text[end:]
}

// appendTable puts the table with the entry behind everything else.
func (d *yamlDocument) appendTable(path []string, values fields) string {
	end := trimmedEnd(d.text, len(d.text))
	lines := append([]string{path[0] + ":"}, yamlBlock(path[1], values, defaultIndent, defaultIndent)...)
	text := strings.Join(lines, d.newline)
	if end == 0 {
		return text + d.newline
	}
	return d.text[:end] + d.newline + text + d.text[end:]
}

// endOfBlock is where the last line of a block pair ends: before the next line
// that is indented no deeper than its key. A list may stand as far left as its key.
func (d *yamlDocument) endOfBlock(key *yaml.Node) int {
	end := lineEnd(d.text, d.offset(key))
	for line := key.Line + 1; ; line++ {
		from := d.lineOffset(line)
		if from >= len(d.text) {
			return end
		}
		to := lineEnd(d.text, from)
		content := strings.TrimLeft(d.text[from:to], " ")
		indent := to - from - len(content)
		inList := indent == key.Column-1 && (content == "-" || strings.HasPrefix(content, "- "))
		switch {
		case strings.TrimSpace(content) == "":
		case strings.HasPrefix(content, "#") && indent < key.Column: // in the pair only when more of it follows
		case indent < key.Column && !inList:
			return end
		default:
			end = to
		}
	}
}

// update sets the keys of an entry in block style.
func (d *yamlDocument) update(entry *yaml.Node, values fields) string {
	indent := strings.Repeat(" ", entry.Content[0].Column-1)
	var splices []splice
	var missing []string
	for _, f := range values {
		key, value := d.pair(entry, f.key)
		lines := yamlLines(f, indent)
		switch {
		case key == nil:
			missing = append(missing, lines...)
		case !f.once && !yamlEqual(value, f.value):
			from := lineStart(d.text, d.offset(key))
			splices = append(splices, splice{from, d.endOfBlock(key), strings.Join(lines, d.newline)})
		}
	}
	if len(missing) > 0 {
		at := lineStart(d.text, d.offset(entry.Content[0]))
		splices = append(splices, splice{at, at, strings.Join(missing, d.newline) + d.newline})
	}
	// An insertion before the line of a replacement comes first.
	slices.SortStableFunc(splices, func(a, b splice) int { return a.to - b.to })
	return apply(d.text, splices...)
}

func yamlEqual(node *yaml.Node, want any) bool {
	var got any
	return node != nil && node.Decode(&got) == nil && fmt.Sprint(evened(got)) == fmt.Sprint(decoded(want))
}
