package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"combray/internal/memory"
)

// read turns one JSON value into the Go value of a kind: string, int64,
// float64, bool, []string, json text (string), map[string]float64,
// memory.Near or []json.RawMessage.
func (k kind) read(name string, raw json.RawMessage) (any, error) {
	switch k {
	case asText:
		return readText(name, raw)
	case asInt:
		return readInt(name, raw)
	case asStrictInt:
		return readStrictInt(name, raw)
	case asNumber:
		return readNumber(name, raw)
	case asBool:
		return readBool(name, raw)
	case asStrictBool:
		if s := string(raw); s == "true" || s == "false" {
			return s == "true", nil
		}
		return nil, fmt.Errorf("%s must be true or false, not %s", name, describe(raw))
	case asTexts:
		return readTexts(name, raw)
	case asObject:
		return readObject(name, raw)
	case asNumbers:
		return readNumbers(name, raw)
	case asCircle:
		return readCircle(name, raw)
	}
	return readCaptures(name, raw)
}

// packs says whether a value of the kind may come as JSON text.
func (k kind) packs() bool {
	return k == asTexts || k == asObject || k == asNumbers || k == asCircle || k == asCaptures
}

func readText(name string, raw json.RawMessage) (string, error) {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", fmt.Errorf("%s must be a text, not %s", name, describe(raw))
	}
	return *s, nil
}

func readStrictInt(name string, raw json.RawMessage) (int64, error) {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s must be a whole number of at most 64 bits, not %s", name, describe(raw))
	}
	return n, nil
}

func readInt(name string, raw json.RawMessage) (int64, error) {
	f, err := readNumber(name, raw)
	if n, exact := strconv.ParseInt(unquoted(raw), 10, 64); exact == nil {
		return n, nil
	}
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
		return 0, fmt.Errorf("%s must be a whole number, not %s", name, describe(raw))
	}
	return int64(f), nil
}

func readNumber(name string, raw json.RawMessage) (float64, error) {
	switch s := unquoted(raw); strings.ToLower(s) {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	default:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || strings.ContainsAny(s, "xXpP_") {
			return 0, fmt.Errorf("%s must be a number, not %s", name, describe(raw))
		}
		return f, nil
	}
}

// unquoted gives the trimmed content of a JSON text, any other value as it is.
func unquoted(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return strings.TrimSpace(s)
	}
	return string(raw)
}

// readBool takes what the original takes: true, 1, 1.0, "yes", "on", "t" …
func readBool(name string, raw json.RawMessage) (bool, error) {
	switch strings.ToLower(unquoted(raw)) {
	case "true", "1", "1.0", "yes", "y", "on", "t":
		return true, nil
	case "false", "0", "0.0", "no", "n", "off", "f":
		return false, nil
	}
	return false, fmt.Errorf("%s must be true or false, not %s", name, describe(raw))
}

// unpacked gives the JSON that a text holds, when it begins like the wanted
// form; any other value as it is.
func unpacked(raw json.RawMessage, opening byte) json.RawMessage {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return raw
	}
	inner := bytes.TrimSpace([]byte(s))
	if len(inner) > 0 && inner[0] == opening && json.Valid(inner) {
		return inner
	}
	return raw
}

func readTexts(name string, raw json.RawMessage) ([]string, error) {
	var entries []json.RawMessage
	if json.Unmarshal(unpacked(raw, '['), &entries) != nil {
		return nil, fmt.Errorf("%s must be a list of texts, not %s", name, describe(raw))
	}
	texts := make([]string, len(entries))
	for i, e := range entries {
		s, err := readText(fmt.Sprintf("%s[%d]", name, i), e)
		if err != nil {
			return nil, err
		}
		texts[i] = s
	}
	return texts, nil
}

func readObject(name string, raw json.RawMessage) (string, error) {
	inner := bytes.TrimSpace(unpacked(raw, '{'))
	if len(inner) == 0 || inner[0] != '{' {
		return "", fmt.Errorf("%s must be an object, not %s", name, describe(raw))
	}
	return string(inner), nil
}

func readFields(name string, raw json.RawMessage) (map[string]json.RawMessage, error) {
	text, err := readObject(name, raw)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		return nil, fmt.Errorf("%s must be an object, not %s", name, describe(raw))
	}
	return fields, nil
}

func readNumbers(name string, raw json.RawMessage) (map[string]float64, error) {
	fields, err := readFields(name, raw)
	if err != nil {
		return nil, err
	}
	numbers := make(map[string]float64, len(fields))
	for key, v := range fields {
		if string(v) == "null" {
			continue
		}
		if numbers[key], err = readNumber(name+"."+key, v); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

func readCircle(name string, raw json.RawMessage) (memory.Near, error) {
	fields, err := readFields(name, raw)
	if err != nil {
		return memory.Near{}, err
	}
	var near memory.Near
	for _, f := range []struct {
		key string
		to  *float64
	}{{"lat", &near.Lat}, {"lon", &near.Lon}, {"radius_m", &near.RadiusM}} {
		v, ok := fields[f.key]
		if !ok {
			return memory.Near{}, fmt.Errorf("%s needs lat, lon and radius_m; %s is missing", name, f.key)
		}
		if *f.to, err = readNumber(name+"."+f.key, v); err != nil {
			return memory.Near{}, err
		}
	}
	return near, nil
}

func readCaptures(name string, raw json.RawMessage) ([]json.RawMessage, error) {
	var items []json.RawMessage
	if json.Unmarshal(unpacked(raw, '['), &items) != nil {
		return nil, fmt.Errorf("%s must be a list of objects, not %s", name, describe(raw))
	}
	return items, nil
}

// describe names the form of a JSON value without repeating a long one.
func describe(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '"':
		if len(raw) <= 42 {
			return "the text " + string(raw)
		}
		return "a text"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f', 'n':
		return string(raw)
	}
	if len(raw) <= 24 {
		return "the number " + string(raw)
	}
	return "a number of that size"
}

// hasLoneSurrogate finds a \u escape of half a surrogate pair in JSON text.
// encoding/json reads it as U+FFFD, which the caller should know.
func hasLoneSurrogate(raw []byte) bool {
	high := false // the escape just before was a high surrogate
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			if high {
				return true
			}
			continue
		}
		unit := escapedUnit(raw[i:])
		switch low := unit >= 0xDC00 && unit <= 0xDFFF; {
		case low != high:
			return true
		case low:
			high = false
		default:
			high = unit >= 0xD800 && unit <= 0xDBFF
		}
		if unit >= 0 {
			i += 5
		} else {
			i++
		}
	}
	return high
}

// escapedUnit is the code unit of a \uXXXX escape at the start of b, -1 when
// there is another escape.
func escapedUnit(b []byte) int {
	if len(b) < 6 || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return int(n)
}
