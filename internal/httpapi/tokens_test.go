package httpapi

import (
	"bytes"
	"crypto/rand"
	"net/http"
	"strings"
	"testing"

	"combray/tools"
)

func TestParseTokens(t *testing.T) {
	for name, c := range map[string]struct {
		file, fault string
		scopes      []string // of each token
	}{
		"one":              {everything, "", []string{"read write sense"}},
		"with scopes":      {"read " + reads + "\n\n# a comment\nread,sense " + senses + "\r\n", "", []string{"read", "read sense"}},
		"empty":            {"", "no token", nil},
		"comments":         {"# " + everything, "no token", nil},
		"short":            {"\n" + everything[:31], "line 2: the token has 31 characters", nil},
		"unknown scope":    {"admin " + everything, "line 1: before the token", nil},
		"no scope":         {", " + everything, "line 1: before the token", nil},
		"three words":      {"read sense " + everything, "line 1: a line is", nil},
		"a very long line": {strings.Repeat("x", 1<<20), "token too long", nil},
	} {
		got, err := ParseTokens(strings.NewReader(c.file))
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), everything[:20]) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(got.all) != len(c.scopes) {
			t.Errorf("%s: %v %v", name, got, err)
			continue
		}
		for i, want := range c.scopes {
			if got := scopeNames(got.all[i].scopes); got != want {
				t.Errorf("%s: token %d has %q", name, i, got)
			}
		}
	}
}

func scopeNames(scopes []tools.Scope) string {
	var names []string
	for _, s := range scopes {
		names = append(names, string(s))
	}
	return strings.Join(names, " ")
}

func FuzzParseTokens(f *testing.F) {
	for _, s := range []string{tokenFile, "", "#", "read,write,sense", "read " + everything, "\x00\n\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, file string) {
		got, err := ParseTokens(strings.NewReader(file))
		if (err == nil) != (got != nil && len(got.all) > 0) {
			t.Errorf("%v %v", got, err)
		}
	})
}

func TestNewToken(t *testing.T) {
	a, err := NewToken(rand.Reader)
	b, _ := NewToken(rand.Reader)
	if err != nil || a == b || len(a) != 43 {
		t.Errorf("%q %q %v", a, b, err)
	}
	if _, err := NewToken(bytes.NewReader(nil)); err == nil {
		t.Error("a token without randomness")
	}
	if _, err := ParseTokens(strings.NewReader(a)); err != nil {
		t.Error(err)
	}
}

// TestTokenComparison holds that only digests are kept and compared, so that
// neither a length nor a common beginning can show in the time it takes.
func TestTokenComparison(t *testing.T) {
	tokens, err := ParseTokens(strings.NewReader(tokenFile))
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]bool{
		"Bearer " + everything: true, "bearer " + senses: true, "BEARER " + reads: true,
		"": false, "Bearer": false, "Bearer ": false, everything: false, "Basic " + everything: false, "Bearer " + everything[:31]: false,
		"Bearer " + everything + "x": false, "Bearer  " + everything: false, "Bearer " + strings.ToUpper(everything): false, "Bearer\t" + everything: false,
	} {
		if got := tokens.find(header) != nil; got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	for _, one := range tokens.all {
		if bytes.Contains([]byte(everything+reads+writes+senses), one.digest[:8]) {
			t.Error("a token is kept as it is")
		}
	}
}

// TestNoDoorWithoutToken asks every route.
func TestNoDoorWithoutToken(t *testing.T) {
	w := newWorld(t)
	for _, target := range []string{"/mcp", "/cues", "/memories", "/memories/1", "/recall", "/recollections", "/webhooks/home-assistant", "/webhooks/shortcuts", "/", "/nothing",
		"/recall?token=" + everything + "&access_token=" + everything} {
		for _, method := range []string{"GET", "POST", "DELETE", "HEAD", "OPTIONS"} {
			r := request(method, target, `{"text":"x"}`)
			r.Header.Del("Authorization")
			got := w.do(r)
			if got.Code != http.StatusUnauthorized || got.Header().Get("WWW-Authenticate") == "" {
				t.Errorf("%s %s: %d", method, target, got.Code)
			}
		}
	}
	r := request("GET", "/healthz", "")
	r.Header.Del("Authorization")
	if got := w.do(r); got.Code != 200 || got.Body.String() != "ok" {
		t.Errorf("/healthz says %d %q", got.Code, got.Body)
	}
	if w.tools.count() != 0 {
		t.Error("a tool was called")
	}
}
