package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "\n", "a\nb", "  \r\n\n{}\r\n", strings.Repeat("x", 200) + "\ny", `{"id":5,"p":"` + strings.Repeat("x", 100) + `"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 50
		r := newLineReader(bytes.NewReader(data), most)
		var want [][]byte
		for _, l := range bytes.Split(data, []byte("\n")) {
			if len(bytes.TrimSpace(l)) > 0 || len(l) > most {
				want = append(want, l)
			}
		}
		for i := 0; ; i++ {
			line, long, err := r.next()
			if err == io.EOF {
				if i != len(want) {
					t.Fatalf("%d lines of %d", i, len(want))
				}
				return
			}
			if err != nil || i >= len(want) {
				t.Fatalf("line %d: %v", i, err)
			}
			if long != nil {
				if len(want[i]) <= most || long.id != nil && !json.Valid(long.id) {
					t.Fatalf("line %d of %d bytes was too long, id %s", i, len(want[i]), long.id)
				}
			} else if got := bytes.TrimSuffix(line, []byte("\n")); !bytes.Equal(got, want[i]) {
				t.Fatalf("line %d: %q, want %q", i, got, want[i])
			}
		}
	})
}

// FuzzMessages sends any line: the server answers with protocol lines only and
// still answers the next request.
func FuzzMessages(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, `null`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":5}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":5}}`, `{"jsonrpc":"2.0","id":"x","method":"server/discover","params":{` + modernMeta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"memory://item/x"}}`, `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"tell_story"}}`} {
		f.Add([]byte(s))
	}
	server, err := New(Config{Open: func(context.Context) (Verbs, error) { return nil, io.ErrUnexpectedEOF }})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.ContainsAny(line, "\n") || bytes.Contains(line, []byte("subscriptions")) {
			return // several lines, or a stream that ends with the input only
		}
		var out bytes.Buffer
		in := io.MultiReader(bytes.NewReader(line), strings.NewReader("\n"+ping(`"last"`)))
		if err := (Stdio{Server: server, In: in, Out: &out}).Serve(t.Context()); err != nil {
			t.Fatal(err)
		}
		answered := false
		for _, l := range bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n")) {
			var m message
			if err := json.Unmarshal(l, &m); err != nil || m.JSONRPC != "2.0" {
				t.Fatalf("%q made the server say %q", line, l)
			}
			answered = answered || string(m.ID) == `"last"`
		}
		if !answered {
			t.Fatalf("nothing answered behind %q: %q", line, out.Bytes())
		}
	})
}
