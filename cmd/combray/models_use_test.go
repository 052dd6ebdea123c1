package main

import (
	"encoding/json"
	"strings"
	"testing"

	"combray/encoder/encodertest"
	"combray/internal/memory"
)

// TestTheEncoderIsChosenWhileItIsServed changes from words alone to the encoder in
// the box, with a server that is never restarted.
func TestTheEncoderIsChosenWhileItIsServed(t *testing.T) {
	library := encodertest.Library(t) // in the home of who runs the test
	h := newHome(t)
	t.Setenv("COMBRAY_MODEL", "")
	t.Setenv("COMBRAY_ORT_LIB", library)
	if code, out, said := h.run("models", "use", "none"); code != exitDone || out != "none answers.\n" {
		t.Fatalf("%d %q %s", code, out, said)
	}
	s := h.serve("--profile", "full")
	s.must("POST", "/memories", `{"content":"The spare key hangs behind the blue flowerpot."}`)
	if got := s.call("memory_stats", "{}"); !strings.Contains(got, `"model":null`) || !strings.Contains(got, `"model_change":null`) {
		t.Errorf("words alone: %s", got)
	}
	code, out, said := h.run("models", "use", "bundled", "--json")
	var used usedModel
	if err := json.Unmarshal([]byte(out), &used); err != nil || code != exitDone || used != (usedModel{Model: "bundled"}) {
		t.Fatalf("%d %q %s", code, out, said)
	}
	s.said.waitFor(t, "combray: changing the encoder: vectors of bundled, 1 of 1 memories\n")
	s.said.waitFor(t, "combray: bundled answers now\n")
	if got := s.call("recall", `{"query":"Wo ist der Ersatzschlüssel?","mode":"semantic"}`); !strings.Contains(got, "flowerpot") {
		t.Errorf("by meaning: %s", got)
	}
	if code, out, _ := h.run("models", "list"); code != exitDone || !strings.Contains(out, "bundled answers in ") {
		t.Errorf("%d %s", code, out)
	}
}

// TestGoldenVectorsAreCompared runs what a person does who doubts a machine.
func TestGoldenVectorsAreCompared(t *testing.T) {
	library := encodertest.Library(t)
	h := newHome(t)
	t.Setenv("COMBRAY_ORT_LIB", library)
	code, out, said := h.run("models", "verify", "--embed", "--json")
	var all []verified
	if err := json.Unmarshal([]byte(out), &all); err != nil || code != exitDone {
		t.Fatalf("%d %q %s", code, out, said)
	}
	compared := map[string]int{}
	for _, v := range all {
		if v.Worst != nil && *v.Worst < *v.Least || !v.Right {
			t.Errorf("%+v", v)
		}
		compared[v.Name] = v.Golden
	}
	if compared["bundled"] != 125 || compared["efficientnet-lite0"] != 3 || compared["resemblyzer"] != 3 {
		t.Errorf("compared %v", compared)
	}
	if code, out, _ := h.run("models", "verify", "bundled", "--embed"); code != exitDone || !strings.Contains(out, "125 golden vectors, worst cosine 0.99") {
		t.Errorf("%d %q", code, out)
	}
	t.Setenv("COMBRAY_ORT_LIB", h.data("nothing.so"))
	if code, out, said := h.run("models", "verify", "bundled", "--embed"); code != exitFailed || !strings.Contains(out, "nothing.so") || !strings.Contains(said, "bundled is not as it should be") {
		t.Errorf("%d %q %q", code, out, said)
	}
}

func TestWrongVectorsAreTold(t *testing.T) {
	worst, least := .9, .999
	v := verified{Name: "bundled", Right: true, Golden: 125, Worst: &worst, Least: &least, At: "query: tea"}
	if next := v.judge(); !strings.Contains(next, "COMBRAY_ORT_LIB") || !strings.Contains(v.Problem, "cosine 0.90000") || !strings.Contains(v.Problem, "query: tea") {
		t.Errorf("%q, %q", v.Problem, next)
	}
	worst = .9995
	if v = (verified{Worst: &worst, Least: &least}); v.judge() != "" || v.Problem != "" {
		t.Errorf("%q", v.Problem)
	}
}

// TestAChangeCutShortIsNotUndone tells of a disk that filled in the middle: the batches
// before are kept.
func TestAChangeCutShortIsNotUndone(t *testing.T) {
	full := memory.Unavailable("Nothing was changed. Free some space, then call again.", nil, "the disk is full")
	said := stoppedChange("bundled", full, false)
	if !strings.Contains(said.Error(), "kept: the disk is full") || strings.Contains(said.Error()+said.hint, "othing was changed") || !strings.Contains(said.hint, "goes on from there") {
		t.Errorf("%v. %s", said, said.hint)
	}
}
