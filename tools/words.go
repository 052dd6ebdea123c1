package tools

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Arguments turns words of the form key=value into the arguments of one of the
// chosen tools, for a door where everything is text. A value is read as JSON
// unless its parameter is a text; a list may also be given word by word. The
// error names a tool that is not chosen or a word without =.
func (s *Server) Arguments(name string, words []string) (map[string]any, error) {
	t, err := s.chosen(name)
	if err != nil {
		return nil, err
	}
	arguments := make(map[string]any, len(words))
	for _, w := range words {
		key, text, ok := strings.Cut(w, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no argument: write key=value", w)
		}
		kind := kindOf(t.params, key)
		switch {
		case kind == asText:
			arguments[key] = text
		case json.Valid([]byte(text)):
			arguments[key] = json.RawMessage(text)
		case kind == asTexts:
			list, _ := arguments[key].([]string)
			arguments[key] = append(list, text)
		default:
			arguments[key] = text
		}
	}
	return arguments, nil
}

// kindOf is the kind of a parameter by its name or alias; what is unknown is
// taken for a text.
func kindOf(params []param, name string) kind {
	for _, p := range params {
		if name == p.name || name == aliasOf(params, p) {
			return p.kind
		}
	}
	return asText
}

func (s *Server) chosen(name string) (*tool, error) {
	for _, t := range s.tools {
		if t.name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("unknown tool %q: use one of %s", name, strings.Join(s.names(), ", "))
}

func (s *Server) names() []string {
	return mapped(s.tools, func(t *tool) string { return t.name })
}
