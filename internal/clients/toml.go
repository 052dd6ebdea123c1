package clients

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFormat is TOML. An entry is a table with a header of its own; one that is
// written as an inline table or with dotted keys is left to its owner.
type tomlFormat struct{}

var _ format = tomlFormat{}

func (tomlFormat) decode(s source) (map[string]any, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	tree := map[string]any{}
	err := toml.Unmarshal([]byte(s.text), &tree)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return nil, fmt.Errorf("it is not valid TOML: line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
	}
	if err != nil {
		return nil, fmt.Errorf("it is not valid TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	evened(tree)
	return tree, nil
}

func (tomlFormat) add(s source, path []string, values fields) ([]byte, error) {
	lines, err := tomlStatements(s.text)
	if err != nil {
		return nil, err
	}
	block := tomlBlock(lines, path)
	if len(block) == 0 {
		if slices.ContainsFunc(lines, func(t tomlStatement) bool { return t.below(path) }) {
			return nil, errByHand
		}
		return s.bytes(appendTable(s, path, values)), nil
	}
	var splices []splice
	missing := ""
	for _, f := range values {
		i := slices.IndexFunc(block, func(t tomlStatement) bool { return slices.Equal(t.path, append(path[:len(path):len(path)], f.key)) })
		switch {
		case i < 0:
			missing += s.newline + tomlLine(f)
		case !f.once:
			splices = append(splices, splice{block[i].value, block[i].to, tomlValue(f.value)})
		}
	}
	if missing != "" {
		end := lineEnd(s.text, block[0].to)
		splices = append(splices, splice{end, end, missing})
	}
	return s.bytes(apply(s.text, splices...)), nil
}

// appendTable puts the entry behind everything else, with an empty line before it.
func appendTable(s source, path []string, values fields) string {
	end := trimmedEnd(s.text, len(s.text))
	text := "[" + joined(path) + "]"
	for _, f := range values {
		text += s.newline + tomlLine(f)
	}
	if end == 0 {
		return text + s.newline
	}
	return s.text[:end] + s.newline + s.newline + text + s.text[end:]
}

func (tomlFormat) remove(s source, path []string) ([]byte, error) {
	lines, err := tomlStatements(s.text)
	if err != nil {
		return nil, err
	}
	block := tomlBlock(lines, path)
	if len(block) == 0 {
		return nil, errByHand
	}
	from, to := trimmedEnd(s.text, block[0].from), lineEnd(s.text, block[len(block)-1].to)
	text := s.text[:from] + s.text[to:]
	if from == 0 {
		text = strings.TrimLeft(text, "\r\n")
	}
	return s.bytes(text), nil
}

// tomlStatement is a header of a table or a key with its value.
type tomlStatement struct {
	path     []string // from the root
	header   bool
	from, to int // without a comment behind it
	value    int // where the value of a key begins
}

// below says that a statement stands in the table of a path or in one below it.
func (t tomlStatement) below(path []string) bool {
	return len(t.path) > len(path) && slices.Equal(t.path[:len(path)], path)
}

// tomlBlock is what belongs to a table: its header, its keys, and the tables below it.
func tomlBlock(all []tomlStatement, path []string) []tomlStatement {
	first := slices.IndexFunc(all, func(t tomlStatement) bool { return t.header && slices.Equal(t.path, path) })
	if first < 0 {
		return nil
	}
	last := first + 1
	for last < len(all) && all[last].below(path) {
		last++
	}
	return all[first:last]
}

// tomlStatements lists the statements of a text in their order.
func tomlStatements(text string) ([]tomlStatement, error) {
	var out []tomlStatement
	var table []string
	p := unstable.Parser{}
	p.Reset([]byte(text))
	for p.NextExpression() {
		node := p.Expression()
		keys := node.Key()
		var path []string
		first, last := -1, 0
		for keys.Next() {
			raw := keys.Node().Raw
			if first < 0 {
				first = int(raw.Offset)
			}
			last = int(raw.Offset + raw.Length)
			path = append(path, string(keys.Node().Data))
		}
		t := tomlStatement{path: path, header: node.Kind != unstable.KeyValue}
		if t.header {
			table = path
			t.from = lineStart(text, first) + len(indentOf(text, first))
			t.to = last + strings.IndexByte(text[last:], ']') + 1
			if node.Kind == unstable.ArrayTable {
				t.to++
			}
		} else {
			t.path = slices.Concat(table, path)
			t.from, t.to = first, int(node.Raw.Offset+node.Raw.Length)
			t.value = last + strings.IndexByte(text[last:], '=') + 1
			t.value += len(text[t.value:]) - len(strings.TrimLeft(text[t.value:], " \t"))
		}
		out = append(out, t)
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("it is not valid TOML: %w", err)
	}
	return out, nil
}

func tomlLine(f field) string { return f.key + " = " + tomlValue(f.value) }

// tomlValue writes a string, number, switch or list. Paths with backslashes are
// clearer between single quotes, in which nothing is escaped.
func tomlValue(v any) string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, `\`) && !strings.ContainsAny(v, "'\n\r\t") {
			return "'" + v + "'"
		}
		return tomlQuoted(v)
	case list:
		items := make([]string, len(v))
		for i, one := range v {
			items[i] = tomlValue(one)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// tomlQuoted writes a basic string: TOML takes Go's escapes but for those of
// single bytes, which become \u.
func tomlQuoted(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
