package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFormat is JSON with the comments and trailing commas that editors allow.
type jsonFormat struct{}

var _ format = jsonFormat{}

func (jsonFormat) decode(s source) (map[string]any, error) {
	tree := map[string]any{}
	if s.blank() {
		return tree, nil
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	root, err := hujson.Parse([]byte(s.text))
	if err != nil {
		return nil, fmt.Errorf("it is not valid JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if root.Value.Kind() != '{' {
		return nil, fmt.Errorf("it is not a JSON object: it begins with %q, not with {", s.text[root.StartOffset])
	}
	root.Standardize()
	d := json.NewDecoder(bytes.NewReader(root.Pack()))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("it is not valid JSON: %w", err)
	}
	evened(tree)
	return tree, nil
}

// add makes the entry, or sets the keys of one that is there.
func (jsonFormat) add(s source, path []string, values fields) ([]byte, error) {
	doc, err := parseJSON(s)
	if err != nil {
		return nil, err
	}
	entry, err := doc.at(path)
	if err != nil {
		return nil, err
	}
	if !entry.is('{') {
		err = doc.put(path, values)
		return doc.bytes(), err
	}
	for _, f := range values {
		there, err := doc.at(append(path[:len(path):len(path)], f.key))
		if err != nil {
			return nil, err
		}
		if there.value != nil && (f.once || jsonEqual(there.value, f.value)) {
			continue
		}
		if err := doc.put(append(path[:len(path):len(path)], f.key), f.value); err != nil {
			return nil, err
		}
	}
	return doc.bytes(), nil
}

func (jsonFormat) remove(s source, path []string) ([]byte, error) {
	doc, err := parseJSON(s)
	if err != nil {
		return nil, err
	}
	err = doc.drop(path)
	return doc.bytes(), err
}

// jsonEqual compares a value of the text with one of an entry.
func jsonEqual(v *hujson.Value, want any) bool {
	got := v.Clone()
	got.Standardize()
	var tree any
	d := json.NewDecoder(bytes.NewReader(got.Pack()))
	d.UseNumber()
	if d.Decode(&tree) != nil {
		return false
	}
	return fmt.Sprint(evened(tree)) == fmt.Sprint(decoded(want))
}
