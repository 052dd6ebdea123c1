package memtest

import (
	"context"
	"math"
	"testing"
	"time"

	"combray/internal/memory"
)

func encode(t *testing.T, e *Encoder, text string) []float32 {
	t.Helper()
	v, err := e.Question(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(dot(v, v)-1) > 1e-6 || len(v) != encoderDims {
		t.Errorf("%q has %d components and length %v", text, len(v), math.Sqrt(dot(v, v)))
	}
	return v
}

// Texts that share words are near each other, whatever case and order.
func TestEncoderFindsSharedWords(t *testing.T) {
	e := &Encoder{Means: map[string]string{"figue": "fig", "梨": "pear"}}
	for _, c := range []struct {
		a, b        string
		least, most float64
	}{
		{"Fig, pea", "pea fig", 1 - 1e-6, 1},
		{"fig pea oat rye", "fig pea oat yam", 0.4, 0.99},
		{"fig pea oat rye", "stone road ship lamp", -0.6, 0.4},
		{"une figue", "une fig", 1 - 1e-6, 1},
		{"梨", "pear", 1 - 1e-6, 1},
		{"", "...", 1 - 1e-6, 1},
	} {
		got := dot(encode(t, e, c.a), encode(t, e, c.b))
		if got < c.least || got > c.most+1e-6 {
			t.Errorf("%q and %q: cosine %v, want %v to %v", c.a, c.b, got, c.least, c.most)
		}
	}
}

func TestEncoderWindows(t *testing.T) {
	e := &Encoder{}
	for _, c := range []struct{ words, windows int }{{0, 1}, {1, 1}, {32, 1}, {33, 2}, {56, 2}, {57, 3}, {80, 3}, {81, 4}} {
		var text string
		for range c.words {
			text += "fig "
		}
		got, err := e.Passage(t.Context(), text)
		if err != nil || len(got) != c.windows {
			t.Errorf("%d words: %d windows (%v), want %d", c.words, len(got), err, c.windows)
		}
	}
	if e.Passages.Load() != 8 || e.Questions.Load() != 0 {
		t.Errorf("counted %d passages and %d questions", e.Passages.Load(), e.Questions.Load())
	}
}

// The states: loading until done or the caller's patience ends, failed, ready.
func TestEncoderStates(t *testing.T) {
	e := &Encoder{}
	if s := e.Wait(t.Context()); !s.Ready || s.Reason != "" {
		t.Errorf("new: %+v", s)
	}
	done := e.Load()
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if s := e.Wait(impatient); s.Ready || s.Reason == "" {
		t.Errorf("loading: %+v", s)
	}
	if _, err := e.Question(t.Context(), "fig"); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("encoding while loading: %v", err)
	}
	waited := make(chan memory.EncoderState)
	go func() { waited <- e.Wait(t.Context()) }()
	done()
	done()
	select {
	case s := <-waited:
		if !s.Ready {
			t.Errorf("loaded: %+v", s)
		}
	case <-time.After(patience):
		t.Fatal("Wait does not end when loading does")
	}
	e.Fail("the model file is damaged")
	if s := e.Wait(t.Context()); s.Ready || s.Reason != "the model file is damaged" {
		t.Errorf("failed: %+v", s)
	}
	if _, err := e.Passage(t.Context(), "fig"); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("encoding when failed: %v", err)
	}
	e.Fail("")
	encode(t, e, "fig")
	if _, err := e.Question(impatient, "fig"); err == nil {
		t.Error("a cancelled call encodes")
	}
}

func TestClockAndIDs(t *testing.T) {
	var c Clock
	if a, b := c.Now(), c.Now(); !a.Equal(Start) || b.Sub(a) != time.Second {
		t.Errorf("the clock gives %v and %v", a, b)
	}
	c.Tick = -1
	c.Advance(time.Hour)
	if a, b := c.Now(), c.Now(); !a.Equal(Start.Add(time.Hour+2*time.Second)) || !b.Equal(a) {
		t.Errorf("the clock that stands gives %v and %v", a, b)
	}
	c.Set(Start.AddDate(-1, 0, 0))
	if a := c.Now(); !a.Equal(Start.AddDate(-1, 0, 0)) {
		t.Errorf("the clock that was set gives %v", a)
	}
	var ids, same IDs
	seen := map[memory.ID]bool{}
	descents := 0
	var last memory.ID
	for range 10_000 {
		id := ids.Next()
		if len(id) != 12 || seen[id] || id != same.Next() {
			t.Fatalf("id %q", id)
		}
		if id < last {
			descents++
		}
		seen[id], last = true, id
	}
	if descents < 1000 {
		t.Errorf("ids ascend but for %d", descents)
	}
}
