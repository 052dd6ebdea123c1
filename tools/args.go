package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"combray/internal/memory"
)

// args are the checked arguments of one call.
type args struct {
	values   map[string]any
	params   []param
	warnings []string // about the arguments: ignored ones, damaged text
}

// readArgs reads a call's arguments by the rules of contract/history.md 1.1 and
// contract/surface.md 2 and 5. The args are never nil: what was ignored is
// named in a failing call too.
func readArgs(toolName string, params []param, raw json.RawMessage) (*args, *memory.Error) {
	a := &args{values: make(map[string]any, len(params)), params: params}
	given, fault := argumentObject(toolName, raw)
	if fault != nil {
		return a, fault
	}
	if !utf8.Valid(raw) || hasLoneSurrogate(raw) {
		a.warnings = append(a.warnings, "Characters that are no valid Unicode were replaced by U+FFFD.")
	}
	a.warnings = append(a.warnings, unknownArguments(toolName, params, given)...)
	for _, p := range params {
		if fault := a.read(toolName, p, given); fault != nil {
			return a, fault
		}
	}
	return a, nil
}

func argumentObject(toolName string, raw json.RawMessage) (map[string]json.RawMessage, *memory.Error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, memory.Invalid("", "Call "+toolName+" with its arguments by name, for example {\"name\": \"value\"}.",
			"arguments must be an object, not %s", describe(raw))
	}
	return given, nil
}

// read takes one parameter, by its own name or its alias, into values.
func (a *args) read(toolName string, p param, given map[string]json.RawMessage) *memory.Error {
	value, present, fault := readOne(p.name, p, given)
	if fault != nil {
		return fault
	}
	if alias := aliasOf(a.params, p); alias != "" {
		other, alsoPresent, fault := readOne(alias, p, given)
		switch {
		case fault != nil:
			return fault
		case present && alsoPresent && !reflect.DeepEqual(value, other):
			return memory.Invalid(p.name, "Pass "+p.name+" alone.", "%s and %s are the same argument and were given with different values", p.name, alias)
		case alsoPresent:
			value, present = other, true
		}
	}
	if present {
		a.values[p.name] = value
		return nil
	}
	if p.required {
		return memory.Invalid(p.label(), "Call "+toolName+" again with "+p.label()+".", "%s is required and cannot be empty", p.label())
	}
	return nil
}

// readOne reads a value under one name. Null counts as not given, also as the
// JSON text of a list or object.
func readOne(name string, p param, given map[string]json.RawMessage) (value any, present bool, fault *memory.Error) {
	raw, ok := given[name]
	if !ok || string(raw) == "null" || p.kind.packs() && unquoted(raw) == "null" {
		return nil, false, nil
	}
	value, err := p.kind.read(name, raw)
	if err != nil {
		return nil, false, memory.Invalid(name, hintForKind(name, p.kind), "%s", err.Error())
	}
	return value, true, nil
}

func hintForKind(name string, k kind) string {
	form := map[kind]string{
		asText: "a text in double quotes", asInt: "a whole number such as 10", asStrictInt: "a whole number such as 10, without quotes",
		asNumber: "a number such as 0.5", asBool: "true or false", asStrictBool: "true or false, without quotes",
		asTexts: `a list of texts such as ["a", "b"]`, asObject: `an object such as {"key": "value"}`,
		asNumbers:  `an object of numbers such as {"heart_rate": 62}`,
		asCircle:   `an object such as {"lat": 48.86, "lon": 2.35, "radius_m": 500}`,
		asCaptures: `a list of objects such as [{"content": "first"}, {"content": "second"}]`,
	}[k]
	return "Pass " + name + " as " + form + "."
}

// unknownArguments names each argument that the tool does not know, with the
// nearest name that it knows, in a fixed order.
func unknownArguments(toolName string, params []param, given map[string]json.RawMessage) []string {
	names, known := make([]string, 0, 2*len(params)), make([]string, 0, len(params))
	for _, p := range params {
		names, known = append(names, p.label()), append(known, p.name)
		if alias := aliasOf(params, p); alias != "" {
			names = append(names, alias)
		}
	}
	var unknown []string
	for name := range given {
		if !slices.Contains(names, name) && !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	var sentences []string
	for _, name := range unknown {
		hint := toolName + " takes no arguments"
		if len(names) > 0 {
			hint = "the nearest that " + toolName + " knows is " + nearest(name, names)
		}
		sentences = append(sentences, fmt.Sprintf("The argument %s was ignored: %s.", shorten(name), hint))
	}
	return sentences
}

// shorten keeps a name from outside short enough to repeat in a message.
func shorten(name string) string {
	const most = 40
	if utf8.RuneCountInString(name) > most {
		name = string([]rune(name)[:most]) + "…"
	}
	return fmt.Sprintf("%q", name)
}

func (a *args) param(name string) param {
	for _, p := range a.params {
		if p.name == name {
			return p
		}
	}
	panic("tools: undeclared parameter " + name)
}

// get gives the value of a parameter or its default, and whether there is one.
func get[T any](a *args, name string) (T, bool) {
	p := a.param(name)
	v, given := a.values[name]
	if !given {
		v = p.fallback
	}
	t, ok := v.(T)
	return t, ok
}

func value[T any](a *args, name string) T {
	v, _ := get[T](a, name)
	return v
}

func pointer[T any](a *args, name string) *T {
	if v, ok := get[T](a, name); ok {
		return &v
	}
	return nil
}

func (a *args) text(name string) string        { return value[string](a, name) }
func (a *args) optText(name string) *string    { return pointer[string](a, name) }
func (a *args) int(name string) int            { return int(value[int64](a, name)) }
func (a *args) optInt64(name string) *int64    { return pointer[int64](a, name) }
func (a *args) number(name string) float64     { return value[float64](a, name) }
func (a *args) optNumber(name string) *float64 { return pointer[float64](a, name) }
func (a *args) bool(name string) bool          { return value[bool](a, name) }
func (a *args) optBool(name string) *bool      { return pointer[bool](a, name) }
func (a *args) texts(name string) []string     { return value[[]string](a, name) }
func (a *args) id(name string) memory.ID       { return memory.ID(a.text(name)) }

func (a *args) optInt(name string) *int {
	v, ok := get[int64](a, name)
	if !ok {
		return nil
	}
	n := int(v)
	return &n
}

// limit reads a list's limit by surface.md 3 and 5: above memory.MaxList it is
// cut and said so, below 0 it means as many as a list may hold.
func (a *args) limit(name string) int {
	if n := a.checkedLimit(name); n >= 0 {
		return n
	}
	return memory.MaxList
}

// checkedLimit is limit for a verb whose rules refuse negative ones.
func (a *args) checkedLimit(name string) int {
	n := value[int64](a, name)
	if n > memory.MaxList {
		a.warnings = append(a.warnings, fmt.Sprintf("%s was cut to %d, the most that one answer holds.", name, memory.MaxList))
		n = memory.MaxList
	}
	return int(n)
}

// between reads a limit that is refused outside its bounds.
func (a *args) between(name string, least, most int) (int, error) {
	n := a.int(name)
	if n < least || n > most {
		shown := a.param(name).label()
		return 0, memory.Invalid(shown, fmt.Sprintf("Leave %s out for %v.", shown, a.param(name).fallback), "%s must be between %d and %d, not %d", shown, least, most, n)
	}
	return n, nil
}

// nearest gives the name with the smallest edit distance, the earlier one of two.
func nearest(name string, names []string) string {
	lower := strings.ToLower(name)
	best, least := "", -1
	for _, candidate := range names {
		if d := editDistance(lower, candidate); least < 0 || d < least {
			best, least = candidate, d
		}
	}
	return best
}

// editDistance is Levenshtein's distance over bytes, of names cut to 64 bytes.
func editDistance(a, b string) int {
	const most = 64
	a, b = a[:min(len(a), most)], b[:min(len(b), most)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
