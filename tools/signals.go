package tools

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"combray/internal/memory"
)

// signalChannels are the keys of signals, one reading each (contract/sense.md U2).
var signalChannels = []string{"text", "geo", "time", "biometric", "image", "audio"}

const hintSignals = `Pass signals by channel, for example {"image": {"base64": "…", "mime": "image/jpeg"}, "geo": {"lat": 48.86, "lon": 2.35}}.`

// signalsOf reads the argument signals. What it does not know is named in the
// warnings of the call.
func signalsOf(a *args) (*memory.Signals, error) {
	text := a.optText("signals")
	if text == nil {
		return nil, nil
	}
	r := signalReader{warn: func(format string, v ...any) { a.warnings = append(a.warnings, fmt.Sprintf(format, v...)) }}
	s, err := r.read(json.RawMessage(*text))
	if err != nil {
		return nil, memory.Invalid("signals", hintSignals, "%s", err.Error())
	}
	return s, nil
}

// signalReader reads readings from JSON.
type signalReader struct {
	warn func(format string, v ...any)
}

func (r signalReader) read(raw json.RawMessage) (*memory.Signals, error) {
	fields, err := r.fields("signals", raw, signalChannels)
	if err != nil {
		return nil, err
	}
	var s memory.Signals
	for _, channel := range signalChannels {
		raw, given := fields[channel]
		if !given {
			continue
		}
		name := "signals." + channel
		switch channel {
		case "text":
			s.Text, err = optional(readText(name, raw))
		case "geo":
			err = r.geo(&s, name, raw)
		case "time":
			s.At, err = r.time(name, raw)
		case "biometric":
			s.Biometric, err = readNumbers(name, raw)
		case "image":
			s.Image, err = r.media(name, raw)
		case "audio":
			s.Audio, err = r.media(name, raw)
		}
		if err != nil {
			return nil, err
		}
	}
	return &s, nil
}

// fields takes an object apart, without nulls. Unknown keys are named.
func (r signalReader) fields(name string, raw json.RawMessage, known []string) (map[string]json.RawMessage, error) {
	fields, err := readFields(name, raw)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(fields, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(known, key) {
			r.warn("%s in %s was ignored: it takes %s.", shorten(key), name, strings.Join(known, ", "))
		}
	}
	return fields, nil
}

// geo is a geohash, or an object with the arguments of a place.
func (r signalReader) geo(s *memory.Signals, name string, raw json.RawMessage) (err error) {
	if raw[0] == '"' && unpacked(raw, '{')[0] == '"' {
		s.Geohash, err = optional(readText(name, raw))
		return err
	}
	fields, err := r.fields(name, raw, []string{"geohash", "lat", "lon", "accuracy_m"})
	if err != nil {
		return err
	}
	if v, given := fields["geohash"]; given {
		if s.Geohash, err = optional(readText(name+".geohash", v)); err != nil {
			return err
		}
	}
	for key, to := range map[string]**float64{"lat": &s.Lat, "lon": &s.Lon, "accuracy_m": &s.AccuracyM} {
		v, given := fields[key]
		if !given {
			continue
		}
		if *to, err = optional(readNumber(name+"."+key, v)); err != nil {
			return err
		}
	}
	return nil
}

// time is a time, or an object with the argument at.
func (r signalReader) time(name string, raw json.RawMessage) (*string, error) {
	if raw[0] != '{' {
		return optional(readText(name, raw))
	}
	fields, err := r.fields(name, raw, []string{"at"})
	if err != nil || fields["at"] == nil {
		return nil, err
	}
	return optional(readText(name+".at", fields["at"]))
}

// mediaKeys are the keys of a picture or sound; the second of a pair is an alias.
var mediaKeys = []string{"base64", "data", "mime", "path", "vector", "backend", "caption", "transcript"}

// media is a picture or sound: its bytes, a file, or a vector that the caller
// made. Whether files may be named, the perceiver decides.
func (r signalReader) media(name string, raw json.RawMessage) (*memory.MediaSignal, error) {
	fields := map[string]json.RawMessage{"base64": raw} // a data URL alone
	if unpacked(raw, '{')[0] != '"' {
		var err error
		if fields, err = r.fields(name, raw, mediaKeys); err != nil {
			return nil, err
		}
	}
	var m memory.MediaSignal
	texts := map[string]string{}
	for _, key := range mediaKeys {
		v, given := fields[key]
		if !given || key == "vector" {
			continue
		}
		text, err := readText(name+"."+key, v)
		if err != nil {
			return nil, err
		}
		texts[key] = text
	}
	m.Mime, m.Path, m.Backend = texts["mime"], texts["path"], texts["backend"]
	encoded, err := eitherOf(name, texts, "base64", "data")
	if err != nil {
		return nil, err
	}
	if m.Caption, err = eitherOf(name, texts, "caption", "transcript"); err != nil {
		return nil, err
	}
	if encoded != "" {
		var kind string
		if m.Data, kind, err = decodeMedia(name, encoded); err != nil {
			return nil, err
		}
		m.Mime = cmp.Or(m.Mime, kind)
	}
	if v, given := fields["vector"]; given {
		if m.Vector, err = readVector(name+".vector", v); err != nil {
			return nil, err
		}
	}
	return &m, oneSource(name, m)
}

// eitherOf gives the value of two names for the same thing.
func eitherOf(name string, texts map[string]string, a, b string) (string, error) {
	if texts[a] != "" && texts[b] != "" && texts[a] != texts[b] {
		return "", fmt.Errorf("%s has %s and %s, which are the same, with different values", name, a, b)
	}
	return cmp.Or(texts[a], texts[b]), nil
}

// oneSource refuses a signal that comes from nowhere, or from two places.
func oneSource(name string, m memory.MediaSignal) error {
	sources := 0
	for _, given := range []bool{m.Data != nil, m.Path != "", m.Vector != nil} {
		if given {
			sources++
		}
	}
	switch {
	case sources != 1:
		return fmt.Errorf("%s needs exactly one of base64, path and vector", name)
	case m.Vector != nil && m.Backend == "":
		return fmt.Errorf("%s.vector needs a backend, the name of what made it", name)
	}
	return nil
}

func readVector(name string, raw json.RawMessage) ([]float32, error) {
	var vector []float32
	if err := json.Unmarshal(unpacked(raw, '['), &vector); err != nil || len(vector) == 0 {
		return nil, fmt.Errorf("%s must be a list of numbers, not %s", name, describe(raw))
	}
	return vector, nil
}

// decodeMedia reads base64, of either alphabet and with or without padding, or a
// data URL, whose type stands in for a missing mime.
func decodeMedia(name, encoded string) (data []byte, mime string, err error) {
	if url, isURL := strings.CutPrefix(encoded, "data:"); isURL {
		head, rest, found := strings.Cut(url, ",")
		kind, isBase64 := strings.CutSuffix(head, ";base64")
		if !found || !isBase64 {
			return nil, "", fmt.Errorf("%s.base64 is a data URL without base64", name)
		}
		mime, _, _ = strings.Cut(kind, ";")
		encoded = rest
	}
	plain := strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "", "=", "").Replace(encoded)
	data, err = base64.RawStdEncoding.DecodeString(plain)
	if err != nil {
		return nil, "", fmt.Errorf("%s.base64 is not base64: %w", name, err)
	}
	if len(data) == 0 {
		return nil, "", fmt.Errorf("%s.base64 is empty", name)
	}
	return data, mime, nil
}

// optional is a pointer to what was read, nil when that failed.
func optional[T any](v T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return &v, nil
}
