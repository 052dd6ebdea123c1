package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"combray/internal/memory"
)

// dialect is how a system words what it perceives. Its bodies are shown in
// docs/guide/sensors.md; names are compared without case, with _ for a blank or
// a hyphen.
type dialect struct {
	source string           // what a cue is reported by when the body does not say
	fields map[string]field // by name
	inside []string         // objects whose fields count as the body's own
	unused []string         // known, and of no use for a cue
}

// field puts one value of a body into a cue.
type field func(*cueBuilder, any) error

// cueBuilder makes the arguments of sense from a body.
type cueBuilder struct {
	zone      *time.Location
	arguments map[string]any
	biometric map[string]any
	said      string // what was said or written
	title     string // of what is played
	artist    string
	place     string // a name
	entity    string // of Home Assistant: domain.name
	state     any    // of that entity
	warnings  []string
}

// webhook takes a body in a dialect and reports it as a cue.
func (a *API) webhook(d dialect) handler {
	return func(w *writer, r *http.Request) *refusal {
		body, size, refused := readObject(w, r, maxMediaBody)
		if refused != nil {
			return refused
		}
		b := &cueBuilder{zone: a.zone, arguments: map[string]any{"source": d.source}, biometric: make(map[string]any)}
		if err := d.read(b, body); err != nil {
			return refuse(http.StatusBadRequest, err)
		}
		return a.sense(w, r, cue{arguments: b.arguments, size: size, warnings: b.warnings})
	}
}

// read takes a body in. What the dialect does not know is named in a warning.
func (d dialect) read(b *cueBuilder, body map[string]any) *memory.Error {
	flat := make(map[string]any)
	d.flatten(flat, body)
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(flat)) {
		put, known := d.fields[name]
		switch {
		case !known && !slices.Contains(d.unused, name):
			unknown = append(unknown, strconv.Quote(shorten(name)))
		case known && !absent(flat[name]):
			if err := put(b, flat[name]); err != nil {
				return memory.Invalid(name, "docs/guide/sensors.md shows bodies that are understood.", "%s: %v", name, err)
			}
		}
	}
	if len(unknown) > 0 {
		b.warnings = append(b.warnings, "Fields that are not understood were left out: "+strings.Join(unknown, ", ")+".")
	}
	b.finish()
	return nil
}

// flatten collects the fields of an object and of the objects inside it. The
// outer ones win.
func (d dialect) flatten(into, object map[string]any) {
	var inner []map[string]any
	for _, key := range slices.Sorted(maps.Keys(object)) {
		name := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(key)))
		if o, ok := object[key].(map[string]any); ok && slices.Contains(d.inside, name) {
			inner = append(inner, o)
		} else if _, taken := into[name]; !taken {
			into[name] = object[key]
		}
	}
	for _, o := range inner {
		d.flatten(into, o)
	}
}

// shorten keeps a name from outside short enough for a header.
func shorten(name string) string {
	const most = 40
	if r := []rune(name); len(r) > most {
		return string(r[:most]) + "…"
	}
	return name
}

// absent says whether a value stands for none.
func absent(v any) bool {
	s, isText := v.(string)
	return v == nil || isText && slices.Contains([]string{"", "unknown", "unavailable", "none", "null"}, strings.ToLower(strings.TrimSpace(s)))
}

// finish puts together what several fields say.
func (b *cueBuilder) finish() {
	if b.state != nil {
		b.useState()
	}
	var words []string
	if b.said != "" {
		words = append(words, b.said)
	}
	switch {
	case b.title != "" && b.artist != "":
		words = append(words, b.title+" by "+b.artist)
	case b.title+b.artist != "":
		words = append(words, b.title+b.artist)
	}
	_, located := b.arguments["lat"]
	_, hashed := b.arguments["geohash"]
	if len(words) == 0 && b.place != "" && !located && !hashed {
		words = append(words, b.place)
	}
	if len(words) > 0 {
		b.arguments["text"] = strings.Join(words, "\n")
	}
	if len(b.biometric) > 0 {
		b.arguments["biometric"] = b.biometric
	}
}

// as puts a value under an argument of sense as it stands.
func as(argument string) field {
	return func(b *cueBuilder, v any) error {
		b.arguments[argument] = v
		return nil
	}
}

// asNumber puts a number under an argument of sense.
func asNumber(argument string) field {
	return func(b *cueBuilder, v any) error {
		n, err := number(v)
		b.arguments[argument] = n
		return err
	}
}

// asReading puts a number under one of the readings of the body.
// A sensor that is not worn reports 0, where only steps can be none.
func asReading(name string) field {
	return func(b *cueBuilder, v any) error {
		n, err := number(v)
		if err != nil {
			return err
		}
		if x, _ := n.Float64(); x != 0 || name == "steps_per_min" {
			b.biometric[name] = n
		}
		return nil
	}
}

// asWords keeps a text.
func asWords(where func(*cueBuilder) *string) field {
	return func(b *cueBuilder, v any) error {
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf("a text is expected")
		}
		*where(b) = strings.TrimSpace(text)
		return nil
	}
}

// number reads a number, or a text that is one: templates quote numbers, and
// phones write them with the comma of their language.
func number(v any) (json.Number, error) {
	text, ok := v.(json.Number)
	if s, isText := v.(string); isText {
		text, ok = json.Number(strings.TrimSpace(s)), true
		if strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
			text = json.Number(strings.Replace(text.String(), ",", ".", 1))
		}
	}
	f, err := strconv.ParseFloat(text.String(), 64)
	if !ok || err != nil || f != f || f-f != 0 {
		return "0", fmt.Errorf("a number is expected")
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), nil
}

// asPoint reads [lat, lon] or "lat,lon".
func asPoint(b *cueBuilder, v any) error {
	list, _ := v.([]any)
	if s, isText := v.(string); isText {
		for part := range strings.SplitSeq(s, ",") {
			list = append(list, part)
		}
	}
	if len(list) < 2 {
		return fmt.Errorf("latitude and longitude are expected")
	}
	if err := asNumber("lat")(b, list[0]); err != nil {
		return err
	}
	return asNumber("lon")(b, list[1])
}

// asTime takes ISO 8601 as it stands, and seconds since 1970 as an hour of the
// server's zone.
func asTime(b *cueBuilder, v any) error {
	if text, isText := v.(string); isText {
		b.arguments["at"] = strings.TrimSpace(text)
		return nil
	}
	n, err := number(v)
	if err != nil {
		return fmt.Errorf("a time such as 2026-05-08T07:40:00+02:00, or seconds since 1970, is expected")
	}
	seconds, _ := n.Float64() // number checked it
	const last = 253402300799 // 9999-12-31T23:59:59Z, the last that ISO 8601 writes with four digits
	if seconds < 0 || seconds > last {
		return fmt.Errorf("seconds since 1970 are expected, and the year is out of range")
	}
	b.arguments["at"] = time.Unix(int64(seconds), 0).In(b.zone).Format(time.RFC3339)
	return nil
}

// asServerTime takes a time that its system always writes in UTC: what counts
// for a memory is the wall clock of the place, which is the server's.
func asServerTime(b *cueBuilder, v any) error {
	if _, given := b.arguments["at"]; given {
		return nil
	}
	text, _ := v.(string)
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(text))
	if err != nil {
		return asTime(b, v)
	}
	b.arguments["at"] = at.In(b.zone).Format(time.RFC3339)
	return nil
}
