package tools

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestBenchConfiguration holds that scripts/bench.json, the configuration of
// the black-box protocol bench, calls every tool with success.
func TestBenchConfiguration(t *testing.T) {
	raw, err := os.ReadFile("../scripts/bench.json")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Setup []struct {
			Name      string
			Arguments json.RawMessage
			Save      map[string]string
		}
		Calls   json.RawMessage
		Invalid []struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &config); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, Config{Profile: "full"})
	saved := map[string]string{}
	variable := regexp.MustCompile(`\{\{(\w+)\}\}`)
	fill := func(raw json.RawMessage) string {
		return variable.ReplaceAllStringFunc(string(raw), func(v string) string { return saved[strings.Trim(v, "{}")] })
	}
	for _, s := range config.Setup {
		out := w.must(s.Name, fill(s.Arguments))
		for name, path := range s.Save {
			var id string
			if err := json.Unmarshal(at(t, encode(out), strings.TrimPrefix(path, "structuredContent.")), &id); err != nil {
				t.Fatalf("%s: %s: %v", s.Name, path, err)
			}
			saved[name] = id
		}
	}
	called := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(config.Calls))
	_, _ = d.Token()
	for d.More() {
		name, _ := d.Token()
		var one json.RawMessage
		if err := d.Decode(&one); err != nil {
			t.Fatal(err)
		}
		var many []json.RawMessage
		if json.Unmarshal(one, &many) != nil {
			many = []json.RawMessage{one}
		}
		for _, arguments := range many {
			w.must(name.(string), fill(arguments))
		}
		called[name.(string)] = true
	}
	for _, name := range Names() {
		if !called[name] {
			t.Errorf("%s is not called", name)
		}
	}
	for _, c := range config.Invalid {
		if r := w.call(c.Name, string(c.Arguments)); !r.Failed() {
			t.Errorf("%s %s must be refused", c.Name, c.Arguments)
		}
	}
}
