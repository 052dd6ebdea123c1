package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
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
	service := memory.New(memory.Config{Store: w.store, Index: memtest.NewIndex(w.store, memory.LineIdentity(w.encoder.Identity())), Encoder: w.encoder,
		Cues: memtest.NewCueIndex(w.store, memtest.CueIdentity(w.encoder)), Perceiver: plainPerceiver{},
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

// plainPerceiver takes a signal's bytes for what it shows: equal ones are alike.
// The word file in them stands for a refusal to read a path.
type plainPerceiver struct{}

func (plainPerceiver) Perceive(_ context.Context, c memory.Channel, s memory.MediaSignal) (memory.Percept, error) {
	if s.Path != "" {
		return memory.Percept{}, memory.Invalid("signals", "Send the bytes.", "a signal may not name a file of this machine")
	}
	f := memory.Fingerprint{Channel: c, Backend: "plain", Data: s.Data}
	if s.Vector != nil {
		f = memory.Fingerprint{Channel: c, Backend: "caller:" + s.Backend, Data: fmt.Append(nil, s.Vector)}
	}
	out := memory.Percept{Fingerprints: []memory.Fingerprint{f}}
	if s.Caption != "" {
		out.Fingerprints = append(out.Fingerprints, memory.Fingerprint{Channel: c, Text: memory.Text(s.Caption), Chance: 1})
	}
	return out, nil
}

func (plainPerceiver) InSpace([]memory.Fingerprint) [][]float32 { return nil }

func (plainPerceiver) Alike(_ string, a, b []byte) (similarity, proof float64) {
	if bytes.Equal(a, b) {
		return 1, 1
	}
	return 0, 0
}

// as is the same store behind another profile.
func (w *world) as(profile string) *world {
	w.t.Helper()
	other := *w
	var err error
	if other.server, err = New(Config{Profile: profile, Open: w.server.open, Now: w.clock.Now}); err != nil {
		w.t.Fatal(err)
	}
	return &other
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
