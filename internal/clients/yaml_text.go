package clients

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// insertFlow puts a pair first between the braces of a mapping.
func (d *yamlDocument) insertFlow(mapping *yaml.Node, pair string) string {
	at := d.offset(mapping) + 1
	if len(mapping.Content) > 0 {
		pair += ", "
	}
	return d.text[:at] + pair + d.text[at:]
}

// cutPair takes an entry out of a mapping of either style.
func (d *yamlDocument) cutPair(mapping, key, value *yaml.Node) (string, error) {
	if mapping.Style&yaml.FlowStyle == 0 {
		from := lineStart(d.text, d.offset(key))
		if from > 0 {
			from = lineEnd(d.text, lineStart(d.text, from-1))
		}
		return d.text[:from] + d.text[d.endOfBlock(key):], nil
	}
	from := d.offset(key)
	to := flowEnd(d.text, d.offset(value))
	if to < 0 {
		return "", errByHand
	}
	rest := strings.TrimLeft(d.text[to:], " \t\r\n")
	if after, comma := strings.CutPrefix(rest, ","); comma {
		return d.text[:from] + strings.TrimPrefix(after, " "), nil
	}
	before := strings.TrimRight(d.text[:from], " \t\r\n")
	return strings.TrimSuffix(before, ",") + d.text[to:], nil
}

// flowEnd is where the mapping that begins at an offset ends; -1 when what stands
// there is none.
func flowEnd(text string, from int) int {
	depth, quote := 0, byte(0)
	for i := from; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0:
			return -1
		}
	}
	return -1
}

// yamlBlock writes an entry as lines.
func yamlBlock(name string, values fields, indent, unit string) []string {
	lines := []string{indent + name + ":"}
	for _, f := range values {
		lines = append(lines, yamlLines(f, indent+unit)...)
	}
	return lines
}

// yamlLines writes a key and its value in block style.
func yamlLines(f field, indent string) []string {
	items, isList := f.value.(list)
	if !isList || len(items) == 0 {
		return []string{indent + f.key + ": " + yamlFlow(f.value)}
	}
	lines := []string{indent + f.key + ":"}
	for _, one := range items {
		lines = append(lines, indent+"- "+yamlFlow(one))
	}
	return lines
}

// yamlFlow writes a value on one line.
func yamlFlow(v any) string {
	switch v := v.(type) {
	case fields:
		items := make([]string, len(v))
		for i, f := range v {
			items[i] = f.key + ": " + yamlFlow(f.value)
		}
		return "{" + strings.Join(items, ", ") + "}"
	case list:
		items := make([]string, len(v))
		for i, one := range v {
			items[i] = yamlFlow(one)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case string:
		return yamlString(v)
	}
	return fmt.Sprint(v)
}

// yamlString leaves plain words and paths bare and quotes everything else; the
// double quotes of YAML take the escapes of JSON.
func yamlString(s string) string {
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/._"
	var read any
	if s != "" && strings.ContainsRune(bare, rune(s[0])) && strings.Trim(s, bare+"0123456789-+@") == "" &&
		yaml.Unmarshal([]byte(s), &read) == nil && read == any(s) {
		return s
	}
	return jsonString(s)
}
