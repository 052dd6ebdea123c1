package clients

import (
	"encoding/json"
	"fmt"
	"strings"
)

// jsonWriter writes values as JSON in the manner of a file.
type jsonWriter struct {
	newline, unit string
	flat          bool // everything on one line
}

// item writes a member, or an element when the name is empty.
func (w jsonWriter) item(name string, value any, indent string) string {
	if name == "" {
		return w.render(value, indent)
	}
	return jsonString(name) + ": " + w.render(value, indent)
}

// render writes a value whose first line has the given indentation.
func (w jsonWriter) render(value any, indent string) string {
	switch v := value.(type) {
	case fields:
		items := make([]string, len(v))
		for i, f := range v {
			items[i] = w.item(f.key, f.value, indent+w.unit)
		}
		return w.enclose("{", "}", items, indent, w.flat)
	case list:
		items, nested := make([]string, len(v)), false
		for i, one := range v {
			_, isObject := one.(fields)
			nested = nested || isObject
			items[i] = w.render(one, indent+w.unit)
		}
		return w.enclose("[", "]", items, indent, w.flat || !nested)
	case string:
		return jsonString(v)
	}
	return fmt.Sprint(value)
}

func (w jsonWriter) enclose(open, closing string, items []string, indent string, flat bool) string {
	if len(items) == 0 || flat {
		return open + strings.Join(items, ", ") + closing
	}
	lead := w.newline + indent + w.unit
	return open + lead + strings.Join(items, ","+lead) + w.newline + indent + closing
}

// jsonString quotes without the escapes of < and & that only web pages need.
func jsonString(s string) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return fmt.Sprintf("%q", s) // Encode fails on no string
	}
	return strings.TrimSuffix(out.String(), "\n")
}
