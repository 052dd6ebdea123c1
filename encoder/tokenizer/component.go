package tokenizer

import (
	"encoding/json"
	"fmt"
)

// component is one block of a tokenizer.json that names its kind in "type".
type component struct {
	Type string
	role string // where the file has it, for errors
	raw  json.RawMessage
}

// maxNesting is how deep sequences of components may nest; files seen nest once.
const maxNesting = 8

// unknown is the error for a component this package does not implement.
func (c component) unknown(known string) error {
	return fmt.Errorf("%s component %q is not supported, only Sequence, %s are: choose another model", c.role, c.Type, known)
}

// decode reads the settings of c.
func decode[T any](c component) (T, error) {
	var v T
	if err := json.Unmarshal(c.raw, &v); err != nil {
		return v, fmt.Errorf("%s %s: %w", c.role, c.Type, err)
	}
	return v, nil
}

// eachComponent calls visit for the component in raw, or for each component of
// the sequence there in order; list names the member of a Sequence that holds
// them. An absent block and null have no component.
func eachComponent(role, list string, raw json.RawMessage, visit func(component) error) error {
	return walkComponents(role, list, raw, visit, maxNesting)
}

func walkComponents(role, list string, raw json.RawMessage, visit func(component) error, depth int) error {
	if isNull(raw) {
		return nil
	}
	if depth == 0 {
		return fmt.Errorf("%s: sequences nest deeper than %d", role, maxNesting)
	}
	c := component{role: role, raw: raw}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return fmt.Errorf("%s: a component must be an object: %w", role, err)
	}
	if err := json.Unmarshal(members["type"], &c.Type); err != nil {
		return fmt.Errorf("%s: a component must name its type: %w", role, err)
	}
	if c.Type != "Sequence" {
		return visit(c)
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(members[list], &parts); err != nil {
		return fmt.Errorf("%s Sequence: %q must be a list: %w", role, list, err)
	}
	for _, part := range parts {
		if err := walkComponents(role, list, part, visit, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// isNull tells whether a JSON value is absent or null.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
