package notes

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"combray/internal/memory"
)

// moments reads lines and shows what each became: its text, key and whether only
// its day is known, the arguments that reached Decode, then what was not used.
func moments(t testing.TB, lines string) (got []string, problems []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	var arguments string
	r := Reader{Zone: paris, Unused: func(p *Problem) { problems = append(problems, filepath.Base(p.Error())) },
		Decode: func(raw json.RawMessage) (memory.RememberInput, error) {
			arguments = string(raw)
			var fields struct{ Content string }
			if err := json.Unmarshal(raw, &fields); err != nil || fields.Content == "" {
				return memory.RememberInput{}, errors.New("content is required")
			}
			return memory.RememberInput{Content: fields.Content}, nil
		}}
	for n, p := range r.Madeleine(context.Background(), path) {
		if p != nil {
			problems = append(problems, filepath.Base(p.Error()))
			continue
		}
		one := *n.Input.IdempotencyKey + " " + arguments
		if n.Input.DayOnly {
			one += " on " + *n.Input.EventAt
		}
		got = append(got, one)
	}
	return got, problems
}

func TestMadeleineAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		lines, want, problem string
	}{
		"remember": {`{"id":"a1","text":"the waltz","at":"2019-04-14T16:05:00+02:00","lat":48.8,"lon":2.3,"tags":["music"],"salience":0.7,"channels":["text","geo"],"metadata":{"by":"x"},"media_refs":["w.jpg"]}`,
			`madeleine:a1 {"at":"2019-04-14T16:05:00+02:00","content":"the waltz","lat":48.8,"lon":2.3,"media_refs":["w.jpg"],"metadata":{"by":"x"},"salience":0.7,"tags":["music"]}`, ""},
		"recall, a list":           {`[{"id":"a1","text":"the waltz","score":0.8,"channels":{"geo":0.9}}]`, `madeleine:a1 {"content":"the waltz"}`, ""},
		"under result":             {`{"result":[{"id":7,"content":"the waltz"}]}`, `madeleine:7 {"content":"the waltz"}`, ""},
		"a row with a memory":      {`[{"memory":{"id":"a1","text":"the waltz"},"score":0.8}]`, `madeleine:a1 {"content":"the waltz"}`, ""},
		"a tool call":              {`{"content":[{"type":"text","text":"[{\"id\":\"a1\",\"text\":\"the waltz\"}]"}],"isError":false}`, `madeleine:a1 {"content":"the waltz"}`, ""},
		"a JSON-RPC message":       {`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}],"structuredContent":{"result":[{"id":"a1","text":"the waltz"}]}}}`, `madeleine:a1 {"content":"the waltz"}`, ""},
		"a place of its own":       {`{"id":"a1","text":"a","place":{"lat":1,"lon":2},"location":null}`, `madeleine:a1 {"content":"a","lat":1,"lon":2}`, ""},
		"the moment it was stored": {`{"id":"a1","text":"a","at":null,"created_at":"2019-04-14T16:05:00"}`, `madeleine:a1 {"at":"2019-04-14T16:05:00","content":"a"}`, ""},
		"a day":                    {`{"id":"a1","text":"a","at":"2019-04-14"}`, `madeleine:a1 {"content":"a"} on 2019-04-14T12:00:00+02:00`, ""},
		"no id":                    {`{"text":"a"}`, `import:3bc421f0 {"content":"a"}`, ""},
		"something more":           {`{"id":"a1","text":"a","mood":"calm","backend":"clip"}`, `madeleine:a1 {"content":"a"}`, "answers.jsonl:1: not used: backend, mood"},
		"no JSON":                  {`waltz`, "", "answers.jsonl:1: there is no memory here: an object with text, or a list of such, is expected"},
		"no text":                  {`{"id":"a1"}`, "", "answers.jsonl:1: there is no memory here: an object with text, or a list of such, is expected"},
		"a deletion":               {`{"deleted":true}`, "", "answers.jsonl:1: there is no memory here: an object with text, or a list of such, is expected"},
		"refused":                  {"\n" + `{"id":"a1","text":""}`, "", "answers.jsonl:2: content is required"},
		"nothing found":            {`[]`, "", ""},
	} {
		got, problems := moments(t, c.lines+"\n")
		var want, wantProblems []string
		if c.want != "" {
			want = []string{c.want}
		}
		if c.problem != "" {
			wantProblems = []string{c.problem}
		}
		if name == "no id" && len(got) == 1 {
			got[0] = got[0][:15] + got[0][47:]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if d := cmp.Diff(wantProblems, problems); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestOneBadMomentOfAList holds that the others of its line are taken.
func TestOneBadMomentOfAList(t *testing.T) {
	got, problems := moments(t, `[{"id":"a1","text":"a"},{"id":"a2"},{"id":"a3","text":"c"}]`)
	if len(got) != 2 || len(problems) != 1 {
		t.Errorf("got %q and %q", got, problems)
	}
}

func FuzzMadeleine(f *testing.F) {
	for _, seed := range []string{`{"id":"a1","text":"a"}`, `[[[[[[[[{"text":"a"}]]]]]]]]`, `{"result":{"result":{"memory":{"text":"a"}}}}`,
		`{"content":[{"text":"{\"text\":\"a\"}"}]}`, `{"text":"a","at":"2019-04-14","place":7,"id":{}}`, `null`, `{"text":null,"content":[]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		got, problems := moments(t, lines)
		_, _ = got, problems
	})
}
