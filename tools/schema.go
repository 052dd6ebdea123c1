package tools

import (
	"bytes"
	"encoding/json"
)

// inputSchema writes the JSON Schema of a tool's arguments, properties in the
// order of the list. It has an object root, no type arrays, no combinators and
// items for every array; TestSchemasArePortable holds that.
func inputSchema(params []param) json.RawMessage {
	var properties, required orderedJSON
	for _, p := range params {
		if p.hidden {
			continue
		}
		properties.key(p.label()).raw(paramSchema(p))
		if p.required {
			required.value(p.label())
		}
	}
	var root orderedJSON
	root.key("type").value("object")
	root.key("properties").raw(properties.object())
	if required.used {
		root.key("required").raw(required.array())
	}
	return root.object()
}

func paramSchema(p param) json.RawMessage {
	var o orderedJSON
	o.key("type").value(p.typeName())
	if p.itemType() != "" {
		o.key("items").raw(json.RawMessage(`{"type":"` + p.itemType() + `"}`))
	}
	if p.enum != nil {
		o.key("enum").value(p.enum)
	}
	if p.fallback != nil {
		o.key("default").value(p.fallback)
	}
	o.key("description").value(p.about)
	return o.object()
}

// outputSchema writes the JSON Schema of a tool's result: the names of its top
// keys, and what a list holds. More would not fit into the list's 24 KB
// (contract/surface.md 5); docs/TOOLS.md has the rest.
func outputSchema(s shape) json.RawMessage {
	var properties orderedJSON
	for _, f := range s.fields {
		if f.kind != sometimes {
			properties.key(f.name).raw(s.schemaOf(f))
		}
	}
	var root orderedJSON
	root.key("type").value("object")
	root.key("properties").raw(properties.object())
	return root.object()
}

// orderedJSON builds a JSON object or array with its members in the order they
// are written.
type orderedJSON struct {
	buf   bytes.Buffer
	used  bool
	inKey bool
}

func (o *orderedJSON) key(name string) *orderedJSON {
	o.value(name)
	o.buf.WriteByte(':')
	o.inKey = true
	return o
}

func (o *orderedJSON) value(v any) { o.raw(encode(v)) }

func (o *orderedJSON) raw(b json.RawMessage) {
	if o.used && !o.inKey {
		o.buf.WriteByte(',')
	}
	o.used, o.inKey = true, false
	o.buf.Write(b)
}

func (o *orderedJSON) object() json.RawMessage { return json.RawMessage("{" + o.buf.String() + "}") }
func (o *orderedJSON) array() json.RawMessage  { return json.RawMessage("[" + o.buf.String() + "]") }

// encode is JSON without HTML escapes. What goes through it is made of plain
// wire types; one that cannot be encoded is a fault of this package, and the
// boundary of the call turns the panic into an internal error.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
