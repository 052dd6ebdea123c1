package httpapi

import (
	"net/http"
	"testing"
)

func TestHosts(t *testing.T) {
	h := newHosts([]string{" Memory.Example ", "192.168.1.5", "", "[fd00::1]"})
	for header, want := range map[string]bool{
		"localhost": true, "localhost:1913": true, "LocalHost:1913": true, "127.0.0.1": true, "127.0.0.1:80": true, "127.9.9.9": true,
		"[::1]": true, "[::1]:1913": true, "memory.example": true, "memory.example:443": true, "192.168.1.5:1913": true, "[fd00::1]:1913": true,
		"": false, ":1913": false, "evil.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false, "evil.example:1913": false,
		"localhost:": false, "localhost:x": false, "localhost:99999": false, "localhost:1913:1913": false, "[localhost]": false, "[::1": false,
		"192.168.1.6": false, "0.0.0.0": false, "::1": false, "user@localhost": false, "localhost.": false, "[127.0.0.1]": false, "2130706433": false,
	} {
		if got := h.host(header); got != want {
			t.Errorf("Host %q: %v", header, got)
		}
	}
}

func TestOrigins(t *testing.T) {
	h := newHosts([]string{"memory.example"})
	for header, want := range map[string]bool{
		"http://localhost": true, "http://localhost:3000": true, "https://127.0.0.1:8443": true, "http://[::1]:1": true, "https://memory.example": true,
		"null": false, "": false, "http://evil.example": false, "https://localhost.evil.example": false, "http://localhost@evil.example": false,
		"http://evil.example@localhost": false, "file://": false, "file://localhost": false, "chrome-extension://abcdef": false,
		"http://localhost/path": false, "http://localhost?x": false, "localhost": false, "http://": false, "http://%6cocalhost.x": false,
	} {
		if got := h.origin([]string{header}); got != want {
			t.Errorf("Origin %q: %v", header, got)
		}
	}
	if !h.origin(nil) || h.origin([]string{"http://localhost", "http://evil.example"}) {
		t.Error("no Origin is fine, and two are not")
	}
}

func FuzzHostName(f *testing.F) {
	for _, s := range []string{"localhost:1", "[::1]:2", "[", "]", ":", "[]", "a:b:c", "[::1]x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if name, ok := hostName(header); ok && name == "" {
			t.Errorf("%q has a name without characters", header)
		}
	})
}

// TestGuardComesFirst holds that who calls from elsewhere learns nothing: not
// whether the address exists, nor whether the token is right.
func TestGuardComesFirst(t *testing.T) {
	w := newWorld(t)
	for _, target := range []string{"/mcp", "/cues", "/healthz", "/recall", "/nothing", "/memories/1"} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS", "PUT"} {
			for _, token := range []string{"Bearer " + everything, ""} {
				r := request(method, target, "")
				r.Header.Set("Authorization", token)
				r.Host = "evil.example"
				if got := w.do(r); got.Code != http.StatusForbidden {
					t.Errorf("%s %s with another host: %d", method, target, got.Code)
				}
				r = request(method, target, "")
				r.Header.Set("Origin", "http://evil.example")
				got := w.do(r)
				if got.Code != http.StatusForbidden || got.Header().Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s %s from another origin: %d %v", method, target, got.Code, got.Header())
				}
			}
		}
	}
	if w.tools.count() != 0 {
		t.Error("a tool was called")
	}
}
