package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"combray/internal/memory"
)

func TestReadValues(t *testing.T) {
	const invalid = "!"
	for _, c := range []struct {
		kind kind
		json string
		want string // of %#v, or a part of the message behind "!"
	}{
		// Literal texts stay texts.
		{asText, `"null"`, `"null"`},
		{asText, `"false"`, `"false"`},
		{asText, `"123456789012"`, `"123456789012"`},
		{asText, `"1e999"`, `"1e999"`},
		{asText, `"[]"`, `"[]"`},
		{asText, `"{\"x\":1}"`, `"{\"x\":1}"`},
		{asText, `"a\u0000b"`, `"a\x00b"`},
		{asText, `""`, `""`},
		{asText, `5`, "!v must be a text, not the number 5"},
		{asText, `true`, "!not true"},
		{asText, `["a"]`, "!not a list"},
		{asText, `{}`, "!not an object"},
		// Coerced whole numbers.
		{asInt, `5`, `5`},
		{asInt, `"5"`, `5`},
		{asInt, `" -5 "`, `-5`},
		{asInt, `true`, `1`},
		{asInt, `false`, `0`},
		{asInt, `2.0`, `2`},
		{asInt, `"2.0"`, `2`},
		{asInt, `1e3`, `1000`},
		{asInt, `9223372036854775807`, `9223372036854775807`},
		{asInt, `2.5`, "!v must be a whole number, not the number 2.5"},
		{asInt, `9223372036854775808`, "!v must be a whole number"},
		{asInt, `1e400`, "!v must be a whole number"},
		{asInt, `"many"`, `!not the text "many"`},
		{asInt, `"0x10"`, "!whole number"},
		{asInt, `""`, "!whole number"},
		{asInt, `[]`, "!not a list"},
		// Strict whole numbers.
		{asStrictInt, `5`, `5`},
		{asStrictInt, `-5`, `-5`},
		{asStrictInt, `"5"`, `!v must be a whole number`},
		{asStrictInt, `true`, "!not true"},
		{asStrictInt, `5.0`, "!not the number 5.0"},
		{asStrictInt, `99999999999999999999`, "!at most 64 bits"},
		// Numbers.
		{asNumber, `0.5`, `0.5`},
		{asNumber, `"0.5"`, `0.5`},
		{asNumber, `true`, `1`},
		{asNumber, `"NaN"`, "!v must be a number"},
		{asNumber, `"inf"`, "!v must be a number"},
		{asNumber, `1e999`, "!v must be a number"},
		{asNumber, `"1_000"`, "!v must be a number"},
		// Booleans.
		{asBool, `true`, `true`},
		{asBool, `"yes"`, `true`},
		{asBool, `"Off"`, `false`},
		{asBool, `1`, `true`},
		{asBool, `0.0`, `false`},
		{asBool, `2`, "!v must be true or false, not the number 2"},
		{asBool, `"maybe"`, `!not the text "maybe"`},
		{asStrictBool, `true`, `true`},
		{asStrictBool, `1`, "!v must be true or false"},
		{asStrictBool, `"true"`, "!v must be true or false"},
		// Lists and objects, as JSON text too.
		{asTexts, `["a","null"]`, `[]string{"a", "null"}`},
		{asTexts, `"[\"abc\"]"`, `[]string{"abc"}`},
		{asTexts, `[]`, `[]string{}`},
		{asTexts, `"abc"`, `!v must be a list of texts, not the text "abc"`},
		{asTexts, `[1]`, "!v[0] must be a text, not the number 1"},
		{asTexts, `["a",null]`, "!v[1] must be a text, not null"},
		{asTexts, `{}`, "!not an object"},
		{asObject, `{"a": [1]}`, `"{\"a\": [1]}"`},
		{asObject, `"{\"a\":1}"`, `"{\"a\":1}"`},
		{asObject, `[]`, "!v must be an object, not a list"},
		{asObject, `"{broken"`, "!v must be an object"},
		{asNumbers, `{"heart_rate":"62","hrv":null}`, `map[string]float64{"heart_rate":62}`},
		{asNumbers, `{"heart_rate":"high"}`, "!v.heart_rate must be a number"},
		{asCircle, `{"lat":1,"lon":"2","radius_m":3}`, `memory.Near{Lat:1, Lon:2, RadiusM:3}`},
		{asCircle, `"{\"lat\":1,\"lon\":2,\"radius_m\":3}"`, `memory.Near{Lat:1, Lon:2, RadiusM:3}`},
		{asCircle, `{"lat":1,"lon":2}`, "!v needs lat, lon and radius_m; radius_m is missing"},
		{asCircle, `{"lat":1,"lon":null,"radius_m":3}`, "!v.lon must be a number, not null"},
	} {
		got, err := c.kind.read("v", json.RawMessage(c.json))
		if want, bad := strings.CutPrefix(c.want, invalid); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%d %s: got %#v, %v; want an error with %q", c.kind, c.json, got, err, want)
			}
		} else if err != nil || fmt.Sprintf("%#v", got) != c.want {
			t.Errorf("%d %s: got %#v, %v; want %s", c.kind, c.json, got, err, c.want)
		}
	}
}

// sample are parameters of a made-up tool.
var sample = []param{
	need("content", asText, ""), may("limit", asInt, "").or(int64(10)), may("memory_id", asText, ""),
	may("event_at", asText, ""), may("tags", asTexts, ""), may("at", asText, "").unlisted(),
}

func TestReadArgs(t *testing.T) {
	for _, c := range []struct{ json, fault, warnings string }{
		{`{"content":"a"}`, "", ""},
		{`{"text":"a","k":"3","id":"x","at":"y"}`, "", ""},
		{`{"content":"a","text":"a"}`, "", ""},
		{`{"content":"a","text":"b"}`, "content and text are the same argument", ""},
		{`{"content":"a","limit":3,"k":"3.0"}`, "", ""},
		{`{"content":"a","limit":null}`, "", ""},
		{`{"content":null}`, "content is required and cannot be empty", ""},
		{`{}`, "content is required and cannot be empty", ""},
		{``, "content is required and cannot be empty", ""},
		{`null`, "content is required and cannot be empty", ""},
		{`"text"`, "arguments must be an object, not the text", ""},
		{`[1]`, "arguments must be an object, not a list", ""},
		{`{"content":"a","Limits":1,"contnt":2}`, "", `["The argument \"Limits\" was ignored: the nearest that t knows is limit." "The argument \"contnt\" was ignored: the nearest that t knows is content."]`},
		{`{"contents":"a"}`, "content is required", `["The argument \"contents\" was ignored: the nearest that t knows is content."]`},
		{`{"content":"a\ud800"}`, "", `["Characters that are no valid Unicode were replaced by U+FFFD."]`},
		{"{\"content\":\"a\xff\"}", "", `["Characters that are no valid Unicode were replaced by U+FFFD."]`},
	} {
		a, fault := readArgs("t", sample, json.RawMessage(c.json))
		if c.fault == "" && fault != nil || c.fault != "" && (fault == nil || !strings.Contains(fault.Message, c.fault)) {
			t.Errorf("%s: fault %v, want %q", c.json, fault, c.fault)
		}
		if fault != nil && (fault.Hint == "" || fault.Code != memory.CodeInvalid) {
			t.Errorf("%s: code %s, hint %q", c.json, fault.Code, fault.Hint)
		}
		if got := fmt.Sprintf("%q", a.warnings); got != c.warnings && !(c.warnings == "" && got == "[]") {
			t.Errorf("%s: warnings %s, want %s", c.json, got, c.warnings)
		}
	}
}

func TestAliasesGiveTheirParameter(t *testing.T) {
	a, _ := readArgs("t", sample, json.RawMessage(`{"text":"a","k":true,"id":"123456789012","at":"2024"}`))
	if a.text("content") != "a" || a.int("limit") != 1 || a.id("memory_id") != "123456789012" || a.text("at") != "2024" || a.optText("event_at") != nil {
		t.Errorf("got %v", a.values)
	}
	a, _ = readArgs("t", sample, json.RawMessage(`{"content":"a"}`))
	if a.int("limit") != 10 || a.optText("memory_id") != nil || a.texts("tags") != nil {
		t.Errorf("defaults: got %v", a.values)
	}
	both := []param{need("claim_id", asText, ""), need("memory_id", asText, "")}
	if aliasOf(both, both[0]) != "" {
		t.Error("id must not stand for one of two ids")
	}
}

func TestListLimit(t *testing.T) {
	for given, want := range map[string]int{`0`: 0, `7`: 7, `1000`: 1000, `1001`: 1000, `-1`: 1000, `"20"`: 20} {
		a, _ := readArgs("t", []param{may("limit", asInt, "").or(int64(50))}, json.RawMessage(`{"limit":`+given+`}`))
		if got := a.limit("limit"); got != want || (given == "1001") != (len(a.warnings) == 1) {
			t.Errorf("limit %s: got %d, warnings %q", given, got, a.warnings)
		}
	}
}

func TestLoneSurrogates(t *testing.T) {
	for text, want := range map[string]bool{
		`"\ud83d\ude00"`: false, `"\uD83D\uDE00\uD83D\uDE00"`: false, `"\ud83d"`: true, `"\ude00"`: true, `"\ud83d\n"`: true,
		`"\ud83dx\ude00"`: true, `"\\ud83d"`: false, `"\ud83d\ud83d\ude00"`: true, `"plain ü"`: false, `"\\"`: false,
	} {
		if got := hasLoneSurrogate([]byte(text)); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}

func FuzzReadArgs(f *testing.F) {
	for _, s := range []string{`{"content":"a","tags":"[\"b\"]"}`, `{"content":"\ud800"}`, `[]`, `{"limit":1e999}`, "{\"content\":\"\xff\\u", `{"tags":["a",1]}`, `{"content":"a\u0000","k":"9999999999999999999"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, fault := readArgs("t", sample, raw)
		if fault == nil && a.text("content") == "" && !strings.Contains(string(raw), `"content":""`) && len(a.values) == 0 {
			t.Errorf("%q: accepted without the required argument", raw)
		}
		if fault != nil && (fault.Hint == "" || fault.Message == "") {
			t.Errorf("%q: fault without words", raw)
		}
	})
}
