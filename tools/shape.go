package tools

import "encoding/json"

// shape is what a tool answers with: its top keys, in the order of the wire.
type shape struct {
	fields []field
	list   bool   // a list under `result`
	each   string // what one entry of the list is, for docs/TOOLS.md
}

// field is one key of a result.
type field struct {
	name  string
	kind  fieldKind
	about string
}

// fieldKind is the JSON type of a key.
type fieldKind int

// The kinds of a key; anything may be null or of several types, and what comes
// only sometimes stands in docs/TOOLS.md and in no schema.
const (
	anything fieldKind = iota
	sometimes
	aString
	aBoolean
	anInteger
	aNumber
	anObject
	someObjects
	someStrings
)

// schemaOf is the JSON Schema of a key. A list tool says what its list holds.
func (s shape) schemaOf(f field) json.RawMessage {
	switch {
	case s.list && f.kind == someObjects:
		return json.RawMessage(`{"type":"array","items":{"type":"object"}}`)
	case s.list && f.kind == someStrings:
		return json.RawMessage(`{"type":"array","items":{"type":"string"}}`)
	}
	return json.RawMessage(`{}`)
}

func (k fieldKind) String() string {
	return [...]string{"", "only sometimes", "string", "boolean", "integer", "number", "object", "list of objects", "list of strings"}[k]
}

// keys is the shape of an object with these keys.
func keys(fields ...field) shape { return shape{fields: fields} }

// and adds keys behind those of a shape.
func (s shape) and(fields ...field) shape {
	s.fields = append(append([]field(nil), s.fields...), fields...)
	return s
}

// listOf is the shape of a list of things.
func listOf(each string, of fieldKind) shape {
	return shape{fields: []field{{"result", of, "list: " + each}}, list: true, each: each}
}

// orNull is the shape of one thing or null under `result`.
func orNull(each string) shape {
	return shape{fields: []field{{"result", anything, each + ", or null"}}, list: true, each: each}
}
