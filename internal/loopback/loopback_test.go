package loopback

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestOnlyThisMachineIsAsked(t *testing.T) {
	for _, address := range []string{"", "localhost:1", "192.0.2.1:80", "[2001:db8::1]:80", "0.0.0.0:80", "example.org:80", "127.0.0.1"} {
		if healthy, err := Healthy(context.Background(), address); err == nil || healthy {
			t.Errorf("%q: %v, %v", address, healthy, err)
		}
	}
}

func TestHealthy(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok")) }))
	defer elsewhere.Close()
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		want   bool
	}{
		{"combray", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) }, true},
		{"a page", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>ok</html>")) }, false},
		{"a refusal", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "ok", http.StatusForbidden) }, false},
		{"a way elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
		}, false},
	} {
		s := httptest.NewServer(test.answer)
		got, err := Healthy(context.Background(), s.Listener.Addr().String())
		s.Close()
		if err != nil || got != test.want {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	if got, err := Healthy(context.Background(), gone.Listener.Addr().String()); err != nil || got {
		t.Errorf("nobody: %v, %v", got, err)
	}
}
