package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// format edits the files of one syntax. The methods get text that decode has
// accepted.
type format interface {
	decode(source) (map[string]any, error)
	add(s source, path []string, values fields) ([]byte, error)
	remove(s source, path []string) ([]byte, error)
}

// errByHand ends an edit that cannot be made without touching what is not ours.
var errByHand = errors.New("the entry cannot be edited without changing other lines; edit it by hand, --print shows it")

// change is an edit, told twice: as what it means, and as how the text is edited.
type change struct {
	meant  func(tree map[string]any) error
	edit   func(source) ([]byte, error)
	settle func(tree map[string]any) // evens out what may differ afterwards; nil: nothing may
}

// guard makes an edit and proves it: the new file must read as the old one with
// exactly the change that was meant, else nothing is changed
// (TestEveryEditChangesOnlyTheEntry). An edit that would change nothing gives the
// bytes back as they are.
func guard(f format, file []byte, c change) ([]byte, error) {
	text := newSource(file)
	before, err := f.decode(text)
	if err != nil {
		return nil, err
	}
	want, err := f.decode(text)
	if err != nil {
		return nil, err
	}
	if err := c.meant(want); err != nil {
		return nil, err
	}
	if reflect.DeepEqual(before, want) {
		return file, nil
	}
	edited, err := c.edit(text)
	if err != nil {
		return nil, err
	}
	got, err := f.decode(newSource(edited))
	if err != nil {
		return nil, errByHand
	}
	if c.settle != nil {
		c.settle(got)
		c.settle(want)
	}
	if !reflect.DeepEqual(got, want) {
		return nil, errByHand
	}
	return edited, nil
}

// dig follows keys down a tree; nil when a step is missing.
func dig(tree any, path []string) any {
	for _, key := range path {
		object, ok := tree.(map[string]any)
		if !ok {
			return nil
		}
		tree = object[key]
	}
	return tree
}

// setEntry makes in a decoded tree the change that add makes in the text.
func setEntry(tree map[string]any, path []string, values fields) error {
	at := tree
	for i, key := range path {
		next, there := at[key]
		if !there || next == nil {
			next = map[string]any{}
			at[key] = next
		}
		object, ok := next.(map[string]any)
		if !ok {
			return fmt.Errorf("%q is not a table of names and values; correct it first", joined(path[:i+1]))
		}
		at = object
	}
	for _, f := range values {
		if _, there := at[f.key]; !there || !f.once {
			at[f.key] = decoded(f.value)
		}
	}
	return nil
}

// dropEntry makes in a decoded tree the change that remove makes in the text,
// but for the table around it, which the text may lose too: see dropEmpty.
func dropEntry(tree map[string]any, path []string) {
	if parent, ok := dig(tree, path[:len(path)-1]).(map[string]any); ok {
		delete(parent, path[len(path)-1])
	}
}

// dropEmpty takes out the tables on a path that hold nothing.
func dropEmpty(tree map[string]any, path []string) {
	for n := len(path); n > 0; n-- {
		parent, ok := dig(tree, path[:n-1]).(map[string]any)
		if !ok {
			continue
		}
		switch v := parent[path[n-1]].(type) {
		case map[string]any:
			if len(v) == 0 {
				delete(parent, path[n-1])
			}
		case []any:
			if len(v) == 0 {
				delete(parent, path[n-1])
			}
		case nil:
			delete(parent, path[n-1])
		}
	}
}

func joined(path []string) string { return strings.Join(path, ".") }

// number is a whole number in a decoded tree, whatever type its decoder gives it.
type number string

// evened gives a decoded tree with one type a kind of value, so that trees of the
// same meaning are deeply equal.
func evened(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, one := range v {
			v[key] = evened(one)
		}
		return v
	case map[any]any:
		out := map[string]any{}
		for key, one := range v {
			name, isText := key.(string)
			if !isText {
				name = fmt.Sprintf("%T %v", key, key)
			}
			out[name] = evened(one)
		}
		return out
	case []any:
		for i, one := range v {
			v[i] = evened(one)
		}
		return v
	case int, int64, uint64, json.Number:
		return number(fmt.Sprint(v))
	case float64:
		if math.IsNaN(v) {
			return number("nan") // which no comparison finds equal to itself
		}
	}
	return v
}

// decoded is a value of an entry as a decoder gives it.
func decoded(v any) any {
	switch v := v.(type) {
	case fields:
		out := map[string]any{}
		for _, f := range v {
			out[f.key] = decoded(f.value)
		}
		return out
	case list:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = decoded(one)
		}
		return out
	}
	return evened(v)
}
