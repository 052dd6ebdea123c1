package tools

import "cmp"

// kind is how a parameter's JSON value is read (args.go).
type kind int

// The kinds. A literal text stays a text whatever it looks like; a strict
// number or boolean takes no text; the others are coerced, and lists and
// objects may come as JSON text (contract/history.md 1.1).
const (
	asText kind = iota
	asInt
	asStrictInt
	asNumber
	asBool
	asStrictBool
	asTexts
	asObject   // kept as JSON text
	asNumbers  // object of numbers
	asCircle   // {lat, lon, radius_m}
	asCaptures // list of objects, each with the parameters of remember
)

// param is one argument of a tool.
type param struct {
	name     string
	kind     kind
	required bool
	hidden   bool     // works, and stands in no schema: an alias with rules of its own
	shown    string   // the alias that stands in the schema in place of name; "": name
	fallback any      // shown as the default; nil: none
	enum     []string // shown only: the rules of memory check values, in their order
	about    string
}

func need(name string, k kind, about string) param {
	return param{name: name, kind: k, required: true, about: about}
}

func may(name string, k kind, about string) param {
	return param{name: name, kind: k, about: about}
}

// or gives the value that stands for an argument that is not given.
func (p param) or(v any) param {
	p.fallback = v
	return p
}

// of names the accepted values.
func (p param) of(values ...string) param {
	p.enum = values
	return p
}

// unlisted keeps a parameter out of the schema.
func (p param) unlisted() param {
	p.hidden = true
	return p
}

// label is the name that callers know the parameter by.
func (p param) label() string { return cmp.Or(p.shown, p.name) }

// typeName is the JSON Schema type of the parameter's plain form.
func (p param) typeName() string {
	switch p.kind {
	case asText:
		return "string"
	case asInt, asStrictInt:
		return "integer"
	case asNumber:
		return "number"
	case asBool, asStrictBool:
		return "boolean"
	case asTexts, asCaptures:
		return "array"
	}
	return "object"
}

// itemType is the JSON Schema type of a list's entries, "" for what is no list.
func (p param) itemType() string {
	switch p.kind {
	case asTexts:
		return "string"
	case asCaptures:
		return "object"
	}
	return ""
}
