package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// world is a server over a service that gives the same on every run.
type world struct {
	t       *testing.T
	server  *Server
	store   *memtest.Store
	encoder *memtest.Encoder
	clock   *memtest.Clock
}

func newWorld(t *testing.T, c Config) *world {
	t.Helper()
	w := &world{t: t, store: memtest.NewStore(memtest.StoreOptions{}), encoder: &memtest.Encoder{}, clock: &memtest.Clock{}}
	service := memory.New(memory.Config{Store: w.store, Index: memtest.NewIndex(w.store, w.encoder.Identity()), Encoder: w.encoder,
		Now: w.clock.Now, Random: &memtest.IDs{}, Zone: time.UTC})
	c.Open = opened(service)
	c.Now = w.clock.Now
	server, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	w.server = server
	return w
}

// call runs a tool and checks what holds for every reply.
func (w *world) call(name, arguments string) Reply {
	w.t.Helper()
	var given map[string]any
	d := json.NewDecoder(strings.NewReader(arguments))
	d.UseNumber()
	if err := d.Decode(&given); err != nil {
		w.t.Fatalf("%s: arguments %s: %v", name, arguments, err)
	}
	r, err := w.server.Call(context.Background(), name, given)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// must runs a tool that has to succeed and gives its object.
func (w *world) must(name, arguments string) map[string]any {
	w.t.Helper()
	r := w.call(name, arguments)
	if r.Failed() {
		w.t.Fatalf("%s %s: %s", name, arguments, r.Body)
	}
	var out map[string]any
	if err := json.Unmarshal(r.Body, &out); err != nil {
		w.t.Fatal(err)
	}
	return out
}
