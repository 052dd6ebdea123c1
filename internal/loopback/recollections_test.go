package loopback

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
)

func TestAtTakesOnlyThisMachine(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:1913": "http://127.0.0.1:1913", "http://127.1.2.3:80/": "http://127.1.2.3:80", "http://[::1]:1913": "http://[::1]:1913",
		"http://localhost:1913": "http://127.0.0.1:1913",
		"":                      "", "127.0.0.1:1913": "", "https://127.0.0.1:1913": "", "http://127.0.0.1": "", "http://127.0.0.1:99999": "",
		"http://192.0.2.1:80": "", "http://0.0.0.0:80": "", "http://[::]:80": "", "http://[2001:db8::1]:80": "", "http://example.org:80": "",
		"http://localhost.example.org:80": "", "http://127.0.0.1:80@192.0.2.1:80": "", "http://user@127.0.0.1:80": "", "http://127.0.0.1:80/elsewhere": "",
		"http://127.0.0.1:80?x=y": "", "file:///etc/passwd": "",
	} {
		m, err := At(address, "secret")
		if (err == nil) != (want != "") || m.base != want {
			t.Errorf("%q: %q %v, want %q", address, m.base, err, want)
		}
	}
}

// asked is a server that keeps what it was asked.
type asked struct {
	lines  []string
	status int
	answer string
}

func (a *asked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.lines = append(a.lines, r.Method+" "+r.URL.String()+" "+r.Header.Get("Authorization")+" "+string(body))
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.answer)
}

func TestWhatIsAsked(t *testing.T) {
	a := &asked{status: http.StatusOK, answer: `[{"id":"a1","prompt_line":"[combray 0.80 via text] x","verified":true,"memory":{}}]`}
	s := httptest.NewServer(a)
	defer s.Close()
	m, err := At(s.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	all, err := m.Waiting(ctx, 3)
	if err != nil || len(all) != 1 || all[0] != (Recollection{"a1", "[combray 0.80 via text] x", true}) {
		t.Errorf("%+v %v", all, err)
	}
	if err := m.Cue(ctx, "a & b", "hook"); err != nil {
		t.Error(err)
	}
	if err := m.Take(ctx, []string{"a1", "b&2"}); err != nil {
		t.Error(err)
	}
	want := []string{"GET /recollections?drain=false&limit=3 Bearer secret ", `POST /cues Bearer secret {"source":"hook","text":"a \u0026 b"}`,
		"GET /recollections?drain=true&id=a1&id=b%262 Bearer secret "}
	if !reflect.DeepEqual(a.lines, want) {
		t.Errorf("asked %q", a.lines)
	}
}

// TestFailuresKeepTheToken holds that a message names neither token nor words.
func TestFailuresKeepTheToken(t *testing.T) {
	for name, a := range map[string]*asked{
		"refused": {status: http.StatusForbidden, answer: `{"message":"no"}`}, "no JSON": {status: http.StatusOK, answer: "<html>"},
		"elsewhere": {status: http.StatusFound, answer: ""}, "too long": {status: http.StatusOK, answer: `["` + strings.Repeat("x", answerBytes)},
	} {
		s := httptest.NewServer(a)
		m, _ := At(s.URL, "secret")
		if _, err := m.Waiting(context.Background(), 3); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
		s.Close()
		if err := m.Cue(context.Background(), "private words", "hook"); err == nil || strings.Contains(err.Error(), "private") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s, gone: %v", name, err)
		}
	}
}
