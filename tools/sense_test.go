package tools

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"combray/internal/memory"
)

// FuzzSignals holds that whatever stands in signals, the call is answered, and
// that a picture or sound which is let through comes from one place.
func FuzzSignals(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a","geo":"u09tvw","time":"2023-05-07T16:00:00+02:00","biometric":{"heart_rate":80}}`,
		`{"geo":{"lat":"1","lon":2,"accuracy_m":3},"time":{"at":"x"}}`,
		`{"image":{"base64":"a2l0ZQ==","mime":"image/png","caption":"a kite"},"audio":{"vector":[0.1],"backend":"b"}}`,
		`{"image":"data:image/png;base64,a2l0ZQ"}`, `{"image":"{\"path\":\"/x\"}"}`, `{"image":null,"audio":{}}`, `{"geo":"{"}`, `{`, `[]`, `{"image":"{"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := &args{params: cueParams, values: map[string]any{"signals": text}}
		s, err := signalsOf(a)
		if err != nil {
			if memory.CodeOf(err) != memory.CodeInvalid {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		for _, m := range []*memory.MediaSignal{s.Image, s.Audio} {
			if m != nil && oneSource("m", *m) != nil {
				t.Fatalf("%q gives %+v", text, m)
			}
		}
	})
}

// TestSensesRecallKnowsNoReservedPlaces holds that what another profile pinned is
// found by its text and stands nowhere else.
func TestSensesRecallKnowsNoReservedPlaces(t *testing.T) {
	w := newWorld(t, Config{Profile: "full"})
	c := furnish(w)
	anchor := c["anchor"]
	w = w.as("senses")
	found := func(arguments string) (ids []string) {
		for _, row := range w.must("recall", arguments)["result"].([]any) {
			ids = append(ids, row.(map[string]any)["id"].(string))
		}
		return ids
	}
	if ids := found(`{"query":"this memory is anchor","k":1}`); !slices.Equal(ids, []string{anchor}) {
		t.Errorf("the pinned memory is not the answer: %q", ids)
	}
	if ids := found(`{"query":"waltz at the fountain","k":1}`); slices.Contains(ids, anchor) {
		t.Errorf("the pinned memory is in an answer that it has nothing to do with: %q", ids)
	}
}

// TestSensesForgetIsAudited holds the reason that an erasure by a client of
// madeleine leaves behind.
func TestSensesForgetIsAudited(t *testing.T) {
	w := newWorld(t, Config{Profile: "full"})
	id := furnish(w)["id"]
	w.as("senses").must("forget", `{"id":"`+id+`"}`)
	log := string(w.call("audit_log", `{"action":"erase"}`).Body)
	if !strings.Contains(log, `"madeleine client"`) || !strings.Contains(log, id) {
		t.Errorf("audit log: %s", log)
	}
}

// TestRelistedKeepsEveryParameter holds that profile senses hides names and takes
// none away.
func TestRelistedKeepsEveryParameter(t *testing.T) {
	for _, tool := range sensesTools {
		for _, p := range find(tool.name).params {
			if p.name != "reason" && !slices.ContainsFunc(tool.params, func(own param) bool { return own.name == p.name }) {
				t.Errorf("%s lacks %s", tool.name, p.name)
			}
		}
	}
}

// TestPendingPeeksInEveryProfile holds that reading the resource leaves the queue as it is, in
// every profile.
func TestPendingPeeksInEveryProfile(t *testing.T) {
	for _, profile := range []string{"core", "senses", "history"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, Config{Profile: "full"})
			c := furnish(w)
			l := dial(t, Config{Open: w.server.open, Now: w.clock.Now, Profile: profile})
			for i := range 2 {
				m := l.ask(i, "resources/read", `{"uri":"recollections://pending"}`, "legacy")
				var contents []struct{ Text string }
				if err := json.Unmarshal(m.Result["contents"], &contents); err != nil || len(contents) != 1 || !strings.Contains(contents[0].Text, c["waiting"]) {
					t.Fatalf("%s, read %d: %+v %s", profile, i, m.Error, m.Result["contents"])
				}
			}
			l.end()
		})
	}
}

// TestDrainingTakesWhatTheReplyHolds holds that a recollection which does not fit
// into the reply waits for the next one.
func TestDrainingTakesWhatTheReplyHolds(t *testing.T) {
	const moments = 12
	for _, profile := range []string{"core", "senses"} {
		w := newWorld(t, Config{Profile: profile})
		for i := range moments {
			where := `"lat":` + strconv.Itoa(i) + `,"lon":2,"at":"2019-0` + strconv.Itoa(i%9+1) + `-07T15:00:00+02:00"`
			w.must("remember", `{"text":"`+strings.Repeat("x", 40_000)+strconv.Itoa(i)+`",`+where+`}`)
			if fired := w.must("sense", `{`+where+`}`)["result"].([]any); len(fired) != 1 {
				t.Fatalf("%s: moment %d fired %d times", profile, i, len(fired))
			}
		}
		seen := make(map[any]bool)
		for calls := 0; len(seen) < moments; calls++ {
			reply := w.call("pending_recollections", `{}`)
			var answer struct {
				Result []struct{ ID string }
			}
			if err := json.Unmarshal(reply.Body, &answer); err != nil || len(answer.Result) == 0 {
				t.Fatalf("%s: after %d calls %d of %d were delivered, %v", profile, calls, len(seen), moments, err)
			}
			for _, r := range answer.Result {
				seen[r.ID] = true
			}
			if more := len(seen) < moments; more == (len(reply.Warnings) == 0) {
				t.Errorf("%s: %d of %d delivered, warnings %q", profile, len(seen), moments, reply.Warnings)
			}
		}
	}
}
