package notes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"combray/internal/memory"
)

// Madeleine reads JSON Lines of the answers that madeleine's remember and recall
// gave: on each line a memory, a list of memories, or either inside the result of
// a tool call. It gives the same sequence as Read. A memory's id becomes its
// idempotency key, so that it is stored once however often it occurs.
func (r Reader) Madeleine(ctx context.Context, path string) iter.Seq2[Note, *Problem] {
	return func(yield func(Note, *Problem) bool) {
		data, err := load(path)
		if err != nil {
			yield(Note{}, &Problem{File: path, Err: readable(err)})
			return
		}
		number := 0
		for line := range bytes.Lines(bytes.TrimPrefix(data, []byte{0xEF, 0xBB, 0xBF})) {
			number++
			line = bytes.TrimSpace(line)
			if len(line) == 0 {
				continue
			}
			if ctx.Err() != nil || !r.momentsOf(path, number, line, yield) {
				return
			}
		}
	}
}

func (r Reader) momentsOf(file string, number int, line []byte, yield func(Note, *Problem) bool) bool {
	for _, m := range unwrapped(line, 0) {
		in, unused, err := r.moment(m)
		problem := func(err error) *Problem { return &Problem{File: file, Line: number, Err: err} }
		if err != nil {
			if !yield(Note{}, problem(err)) {
				return false
			}
			continue
		}
		if len(unused) > 0 && r.Unused != nil {
			r.Unused(problem(fmt.Errorf("not used: %s", strings.Join(unused, ", "))))
		}
		if !yield(Note{File: file, Line: number, Input: in}, nil) {
			return false
		}
	}
	return true
}

// wrappings are the keys under which an answer may stand inside a line, the
// structured form before its copy as text.
var wrappings = []string{"structuredContent", "result", "memories", "memory"}

// deepest is how many wrappings are taken off.
const deepest = 6

// foreign is a memory as it came; nil for something else.
type foreign map[string]json.RawMessage

// unwrapped gives the memories of one line, and nil for each thing in it that is
// none.
func unwrapped(raw json.RawMessage, depth int) []foreign {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && list != nil && depth < deepest {
		var all []foreign
		for _, entry := range list {
			all = append(all, unwrapped(entry, depth+1)...)
		}
		return all
	}
	var fields foreign
	if json.Unmarshal(raw, &fields) != nil || fields == nil || depth >= deepest {
		return []foreign{nil}
	}
	if hasText(fields) {
		return []foreign{fields}
	}
	for _, key := range wrappings {
		if inner, wrapped := fields[key]; wrapped {
			return unwrapped(inner, depth+1)
		}
	}
	return unwrappedText(fields["content"], depth)
}

// hasText tells a memory from what is wrapped around one. The content of a tool
// call is a list, and its blocks have a type.
func hasText(fields foreign) bool {
	var text string
	for _, key := range []string{"text", "content"} {
		if fields[key] != nil && json.Unmarshal(fields[key], &text) == nil {
			return fields["type"] == nil
		}
	}
	return false
}

// unwrappedText takes the answer out of the text blocks of a tool call.
func unwrappedText(content json.RawMessage, depth int) []foreign {
	var blocks []struct{ Text string }
	if json.Unmarshal(content, &blocks) != nil || len(blocks) == 0 {
		return []foreign{nil}
	}
	var all []foreign
	for _, b := range blocks {
		all = append(all, unwrapped(json.RawMessage(b.Text), depth+1)...)
	}
	return all
}

// momentKeys name the parameters of remember that a memory's keys become.
var momentKeys = map[string]string{"text": "content", "content": "content", "at": "at", "event_at": "at", "lat": "lat", "lon": "lon",
	"geohash": "geohash", "accuracy_m": "accuracy_m", "tags": "tags", "salience": "salience", "biometric": "biometric",
	"metadata": "metadata", "media_refs": "media_refs"}

// answerKeys tell of an answer, not of a memory, or are taken elsewhere.
var answerKeys = []string{"id", "created_at", "score", "channels", "similarity", "similarities", "via", "place", "location"}

// moment turns a memory of madeleine into a capture. unused are its keys that
// have no place here.
func (r Reader) moment(fields foreign) (in memory.RememberInput, unused []string, err error) {
	if fields == nil {
		return in, nil, errors.New("there is no memory here: an object with text, or a list of such, is expected")
	}
	fields = withPlace(fields)
	arguments := map[string]json.RawMessage{}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		name, known := momentKeys[key]
		switch {
		case string(fields[key]) == "null":
		case known:
			arguments[name] = fields[key]
		case !slices.Contains(answerKeys, key):
			unused = append(unused, key)
		}
	}
	if made := fields["created_at"]; arguments["at"] == nil && made != nil && string(made) != "null" {
		arguments["at"] = made // there, a memory without a time has that of its storing
	}
	day := r.dayAlone(arguments)
	raw, err := json.Marshal(arguments)
	if err != nil {
		return in, nil, err
	}
	if in, err = r.Decode(raw); err != nil {
		return in, nil, err
	}
	in.EventAt, in.DayOnly = day, day != nil
	in.IdempotencyKey, err = momentKey(fields["id"], raw)
	return in, unused, err
}

// withPlace takes the keys of a place out of an object of its own.
func withPlace(fields foreign) foreign {
	for _, key := range []string{"place", "location"} {
		var place map[string]json.RawMessage
		if json.Unmarshal(fields[key], &place) != nil {
			continue
		}
		fields = maps.Clone(fields)
		for _, name := range []string{"lat", "lon", "geohash", "accuracy_m"} {
			if fields[name] == nil && place[name] != nil {
				fields[name] = place[name]
			}
		}
	}
	return fields
}

// dayAlone takes a day without an hour out of the arguments, as noon of that day.
func (r Reader) dayAlone(arguments map[string]json.RawMessage) *string {
	var text string
	if json.Unmarshal(arguments["at"], &text) != nil {
		return nil
	}
	day, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(text), r.zone())
	if err != nil {
		return nil
	}
	delete(arguments, "at")
	return noon(day, r.zone())
}

// momentKey is the memory's own id, or, for one without, what it says.
func momentKey(id json.RawMessage, whole []byte) (*string, error) {
	var text string
	if json.Unmarshal(id, &text) != nil {
		text = string(bytes.TrimSpace(id)) // a number
	}
	if text == "" || text == "null" {
		return key("madeleine", string(whole)), nil
	}
	const prefix = "madeleine:"
	if len(prefix)+len(text) > memory.MaxIdempotencyRunes {
		return key(prefix, text), nil
	}
	text = prefix + text
	return &text, nil
}
