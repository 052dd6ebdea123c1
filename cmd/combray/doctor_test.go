package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestDoctorJudgesClockAndDisk(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	const mib = 1 << 20
	tests := []struct {
		name string
		got  []finding
		want grade
	}{
		{"an older memory", judgeClock(now, now.Add(-time.Hour)), fine},
		{"a clock a little behind", judgeClock(now, now.Add(clockPatience)), fine},
		{"a clock behind", judgeClock(now, now.Add(clockPatience+time.Second)), broken},
		{"a full disk", judgeDisk("/", leastFree-1, 0), broken},
		{"a nearly full disk", judgeDisk("/", comfortable-1, 0), note},
		{"no room for a second copy of a large store", judgeDisk("/", 1500*mib, 1000*mib), note},
		{"room enough", judgeDisk("/", 2000*mib, 1000*mib), fine},
	}
	for _, test := range tests {
		if test.got[0].State != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got[0].State, test.want)
		}
		if (test.got[0].State == fine) != (test.got[0].Remedy == "") {
			t.Errorf("%s: remedy %q", test.name, test.got[0].Remedy)
		}
	}
}

// TestDoctorKnowsWhoHoldsThePort serves on loopback: us, another, nobody.
func TestDoctorKnowsWhoHoldsThePort(t *testing.T) {
	health := func(answer string) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/healthz" {
				_, _ = w.Write([]byte(answer))
			}
		}))
		t.Cleanup(s.Close)
		return s
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, address, says string
		want                grade
	}{
		{"nobody", nobody, "free", fine},
		{"combray", health("ok").Listener.Addr().String(), "answers", fine},
		{"another program", health("<html>").Listener.Addr().String(), "cannot be used", broken},
		{"no address", "here", "no address", broken},
	}
	for _, test := range tests {
		d := &doctor{app: &app{set: settings{HTTP: test.address}}}
		got := checkPort(context.Background(), d)
		if len(got) != 1 || got[0].State != test.want || !strings.Contains(got[0].What, test.says) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}
