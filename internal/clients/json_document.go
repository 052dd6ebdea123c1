package clients

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// defaultIndent is used where a file shows no indentation of its own.
const defaultIndent = "  "

// jsonDocument is a JSON text that is edited by splices and parsed anew after
// each, so that the offsets in root are always those of the text.
type jsonDocument struct {
	source
	root hujson.Value
	unit string // what one step of indentation is
}

func parseJSON(s source) (*jsonDocument, error) {
	d := &jsonDocument{source: s}
	if s.blank() {
		d.text = "{}" + s.newline
	}
	if err := d.edit(); err != nil {
		return nil, err
	}
	d.unit = d.indentUnit()
	return d, nil
}

func (d *jsonDocument) bytes() []byte { return d.source.bytes(d.text) }

// edit makes splices and parses the result.
func (d *jsonDocument) edit(splices ...splice) (err error) {
	d.text = apply(d.text, splices...)
	if d.root, err = hujson.Parse([]byte(d.text)); err != nil {
		return fmt.Errorf("%w (%w)", errByHand, err)
	}
	return nil
}

// indentUnit is the indentation of the root's first member on a line of its own.
func (d *jsonDocument) indentUnit() string {
	for _, item := range items(&d.root) {
		if indent := indentOf(d.text, item.from); strings.Contains(item.before, "\n") && indent != "" {
			return indent
		}
	}
	return defaultIndent
}

// jsonItem is a member of an object or an element of an array.
type jsonItem struct {
	name     string // of a member
	from, to int    // from its name or value to the end of its value
	comma    int    // offset of the comma after it, -1 without one
	before   string // white space and comments in front
	value    *hujson.Value
}

// items lists what is in an object or array; nil for anything else.
func items(v *hujson.Value) []jsonItem {
	var out []jsonItem
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			m := &c.Members[i]
			name, _ := m.Name.Value.(hujson.Literal)
			out = append(out, jsonItem{name: name.String(), from: m.Name.StartOffset, to: m.Value.EndOffset,
				before: string(m.Name.BeforeExtra), value: &m.Value})
		}
	case *hujson.Array:
		for i := range c.Elements {
			e := &c.Elements[i]
			out = append(out, jsonItem{from: e.StartOffset, to: e.EndOffset, before: string(e.BeforeExtra), value: e})
		}
	}
	for i := range out {
		out[i].comma = -1
		// The parser leaves the last value's extra nil when no comma follows.
		if after := out[i].value.AfterExtra; i < len(out)-1 || after != nil {
			out[i].comma = out[i].to + len(after)
		}
	}
	return out
}

// jsonPlace is what stands at a path.
type jsonPlace struct{ value *hujson.Value }

func (p jsonPlace) is(kind hujson.Kind) bool { return p.value != nil && p.value.Value.Kind() == kind }

// at finds the value at a path of keys. A key that stands twice is refused: a
// client may take the one or the other.
func (d *jsonDocument) at(path []string) (jsonPlace, error) {
	v := &d.root
	for i, key := range path {
		if v.Value.Kind() != '{' {
			return jsonPlace{}, nil
		}
		var found *hujson.Value
		for _, item := range items(v) {
			if item.name != key {
				continue
			}
			if found != nil {
				return jsonPlace{}, fmt.Errorf("the key %q stands twice in it; remove one of them first", joined(path[:i+1]))
			}
			found = item.value
		}
		if found == nil {
			return jsonPlace{}, nil
		}
		v = found
	}
	return jsonPlace{v}, nil
}

// put sets the value at a path: in place when there is one, else as a new last
// member, with the objects on the way.
func (d *jsonDocument) put(path []string, value any) error {
	for n := len(path); n >= 0; n-- {
		there, err := d.at(path[:n])
		if err != nil {
			return err
		}
		if there.value == nil {
			continue
		}
		if n < len(path) && there.is('{') {
			return d.insert(there.value, path[n], nested(path[n+1:], value))
		}
		return d.replace(there.value, nested(path[n:], value))
	}
	return errByHand
}

// nested wraps a value in the objects of a path.
func nested(path []string, value any) any {
	for i := len(path) - 1; i >= 0; i-- {
		value = fields{{key: path[i], value: value}}
	}
	return value
}

func (d *jsonDocument) replace(v *hujson.Value, value any) error {
	r := jsonWriter{newline: d.newline, unit: d.unit, flat: d.flat(&d.root)}
	return d.edit(splice{v.StartOffset, v.EndOffset, r.render(value, indentOf(d.text, v.StartOffset))})
}

// flat says that a value stands on one line.
func (d *jsonDocument) flat(v *hujson.Value) bool {
	return !strings.Contains(d.text[v.StartOffset:v.EndOffset], "\n")
}

// insert adds the last item of an object, or of an array when the name is empty.
func (d *jsonDocument) insert(into *hujson.Value, name string, value any) error {
	there := items(into)
	flat := d.flat(into) && (len(there) > 0 || into != &d.root)
	w := jsonWriter{newline: d.newline, unit: d.unit, flat: flat}
	open, closing := into.StartOffset+1, into.EndOffset-1
	if len(there) == 0 {
		outer := indentOf(d.text, into.StartOffset)
		end := trimmedEnd(d.text, closing)
		if flat {
			return d.edit(splice{end, end, w.item(name, value, "")})
		}
		lead, tail := d.newline+outer+d.unit, ""
		if d.flat(into) && d.text[open:closing] == "" {
			tail = d.newline + outer
		}
		return d.edit(splice{end, end, lead + w.item(name, value, outer+d.unit) + tail})
	}
	last := there[len(there)-1]
	lead, indent := " ", ""
	if !flat {
		indent = indentOf(d.text, last.from)
		lead = d.newline + indent
	}
	text := lead + w.item(name, value, indent)
	end := trimmedEnd(d.text, closing)
	if last.comma >= 0 {
		return d.edit(splice{end, end, text + ","})
	}
	if end == last.to {
		return d.edit(splice{end, end, "," + text})
	}
	return d.edit(splice{last.to, last.to, ","}, splice{end, end, text})
}
