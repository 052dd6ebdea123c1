package memory

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestSetFrameGuards(t *testing.T) {
	verb := func(w *world) (err error) { w.plan, err = SetFrame(w.x, w.other, w.reason, noon); return err }
	w := newWorld()
	w.x.Dependents = citing()
	gone := note()
	gone.ForgottenAt = ptr(noon)
	walk(t, w, verb, []guard{
		{code: CodeInvalid, keyword: "frame is required and cannot be empty", hint: "list_frames", mend: func(w *world) { w.other = " travel" }},
		needsReason(giveReason), needsMemory(be(gone)),
	}, "set_frame m1: frame= travel: because")
	if m := put(t, w.plan); *m.Frame != " travel" {
		t.Errorf("frame %q: it is kept as given", *m.Frame)
	}
}

func TestSetHistoryContextGuards(t *testing.T) {
	verb := func(w *world) (err error) {
		w.context.Reason = w.reason
		w.plan, err = SetHistoryContext(w.x, w.context, w.holder, noon)
		return err
	}
	w := newWorld()
	w.x.Dependents, w.holder = citing(), &Memory{ID: "m9"}
	w.context = HistoryContextInput{EventAt: ptr("yesterday"), SessionID: ptr(" "), SessionPosition: ptr(int64(-1))}
	walk(t, w, verb, []guard{
		needsReason(giveReason),
		{code: CodeInvalid, keyword: "timestamp", hint: "ISO 8601", mend: func(w *world) { w.context.EventAt = ptr("2024-05-03T09:00:00+02:00") }},
		{code: CodeInvalid, keyword: "session_id is required", hint: "session_id", mend: func(w *world) { w.context.SessionID = nil }},
		{code: CodeInvalid, keyword: "session_position", hint: "session_id", mend: func(w *world) { w.context.SessionPosition = ptr(int64(4)) }},
		{code: CodeInvalid, keyword: "session_position", hint: "session_id", mend: func(w *world) { w.context.SessionID = ptr("s") }},
		needsMemory(be(note())),
		{code: CodeConflict, keyword: "session_position 4", hint: "session_position", mend: func(w *world) { w.holder = w.x.Memory }},
	}, append(marksAll(whyContext), `set_history_context m1: {"before": {"event_at": null, "session_id": null, "session_position": null}, "after": {"event_at": "2024-05-03T07:00:00+00:00", "session_id": "s", "session_position": 4}, "reason": "because"}`)...)
	m := put(t, w.plan)
	if !m.EventAt.Equal(time.Date(2024, 5, 3, 7, 0, 0, 0, time.UTC)) || *m.EventOffset != 120 || *m.EventPrecision != PreciseInstant || *m.SessionID != "s" || *m.SessionPosition != 4 {
		t.Errorf("stored %+v", m)
	}
}

func TestSetHistoryContextClearsWhatIsLeftOut(t *testing.T) {
	full := note()
	full.EventAt, full.EventOffset, full.EventPrecision, full.SessionID, full.SessionPosition = ptr(noon), ptr(60), ptr(PreciseDay), ptr("s"), ptr(int64(1))
	plan, err := SetHistoryContext(Subject{ID: "m1", Memory: full, Dependents: citing()}, HistoryContextInput{Reason: "r"}, nil, noon)
	m := put(t, plan)
	if err != nil || m.EventAt != nil || m.EventOffset != nil || m.EventPrecision != nil || m.SessionID != nil || m.SessionPosition != nil {
		t.Errorf("%v, %+v", err, m)
	}
}

// The same context again is audited, and invalidates nothing.
func TestSetHistoryContextUnchangedInvalidatesNothing(t *testing.T) {
	m := note()
	m.EventAt = ptr(noon)
	plan, err := SetHistoryContext(Subject{ID: "m1", Memory: m, Dependents: citing()}, HistoryContextInput{Reason: "r", EventAt: ptr("2024-05-08T14:00:00+02:00")}, nil, noon)
	if err != nil || len(plan.Audit) != 1 || plan.Audit[0].Action != ActSetHistoryContext {
		t.Errorf("%v, %q", err, auditOf(plan))
	}
}

func TestJSONText(t *testing.T) {
	for _, s := range []string{"", `say "hi" \ there`, "line\nbreak\ttab\x00\x1f", "é 日本 🙂 </script>", "\u2028\x7f", "bad \xff bytes"} {
		var back string
		if err := json.Unmarshal([]byte(jsonText(s)), &back); err != nil || back != strings.ToValidUTF8(s, "\uFFFD") {
			t.Errorf("%q is written as %s and read as %q (%v)", s, jsonText(s), back, err)
		}
	}
}

func TestApplyEventLeavesABadTimeToTheGuards(t *testing.T) {
	m := note()
	m.EventAt = ptr(noon)
	HistoryContextInput{EventAt: ptr("yesterday")}.apply(m)
	if m.EventAt != nil {
		t.Errorf("event at %v", m.EventAt)
	}
}
