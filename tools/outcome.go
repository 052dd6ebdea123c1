package tools

import (
	"encoding/json"
	"slices"

	"combray/internal/memory"
)

// outcome is what a handler gives back: a wire value and what may be cut of it.
type outcome struct {
	body     any
	list     bool // stands under `result`: a list, or one thing that may be null
	warnings []string
	next     *string   // the cursor of a list's next page, filled in at the latest when rows are cut; nil: none
	sections []section // growing parts, the most important first
	budget   int       // bytes of the whole reply; 0: memory.MaxReplyBytes
}

// object is the outcome of a tool that answers with an object.
func object(body any, warnings []string, sections ...section) outcome {
	return outcome{body: body, warnings: warnings, sections: sections}
}

// list is the outcome of a tool that answers with a list.
func list(rows section, body any) outcome {
	return outcome{body: body, list: true, sections: []section{rows}}
}

// reply encodes an outcome within its size limit.
func (o outcome) reply() (Reply, error) {
	body, notes, err := o.fit()
	if err != nil {
		return Reply{}, err
	}
	warnings := append(o.warnings, notes...)
	if o.list {
		r := Reply{Body: slices.Concat([]byte(`{"result":`), body, []byte{'}'}), Warnings: warnings}
		if o.next != nil {
			r.NextCursor = *o.next
		}
		return r, nil
	}
	return Reply{Body: withWarnings(body, warnings)}, nil
}

// withWarnings puts `warnings` behind the last key of an object as it is shown.
func withWarnings(object json.RawMessage, warnings []string) json.RawMessage {
	if len(warnings) == 0 {
		return object
	}
	out := append([]byte(nil), object[:len(object)-1]...)
	if len(out) > 1 {
		out = append(out, ',')
	}
	out = append(append(out, `"warnings":`...), shown(encode(warnings))...)
	return append(out, '}')
}

// limitOf is the size limit of a reply to a call that may name a text budget
// (contract/surface.md 5): a budget beyond the limit is an explicit request for
// more. Text stands twice in a reply and may double by escapes, hence the 4.
func limitOf(maxBytes *int) int {
	if maxBytes == nil || *maxBytes < memory.MaxReplyBytes/4 {
		return memory.MaxReplyBytes
	}
	return memory.MaxReplyBytes + 4*min(*maxBytes, 1<<40)
}
