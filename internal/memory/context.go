package memory

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// SetFrame gives a memory another frame (contract/history.md 1.4). Nothing that
// cites the memory is invalidated; a forgotten memory is accepted.
func SetFrame(x Subject, frame, reason string, now time.Time) (Plan, error) {
	m, plan, err := x.begin(now, given{"frame", frame}, given{"reason", reason})
	if err != nil {
		return Plan{}, err
	}
	m.Frame = &frame
	plan.Write(PutMemory{m})
	plan.Record(m.ID, ActSetFrame, "frame="+frame+": "+reason, now)
	return plan, nil
}

// HistoryContextInput replaces when a memory happened and where it stands in a
// session; what is nil is cleared.
type HistoryContextInput struct {
	MemoryID        ID
	Reason          string
	EventAt         *string
	SessionID       *string
	SessionPosition *int64
}

// SetHistoryContext checks like a capture (contract/history.md 1.6). holder is
// the memory at the session position asked for, nil when it is free. What rests
// on the memory is marked only if something changed.
func SetHistoryContext(x Subject, in HistoryContextInput, holder *Memory, now time.Time) (Plan, error) {
	if err := need(given{"reason", in.Reason}); err != nil {
		return Plan{}, err
	}
	capture := RememberInput{EventAt: in.EventAt, SessionID: in.SessionID, SessionPosition: in.SessionPosition}
	var when Memory
	if err := captureEvent(&when, capture, RememberFacts{}, nil); err != nil {
		return Plan{}, err
	}
	if err := captureSession(&when, capture, RememberFacts{}, nil); err != nil {
		return Plan{}, err
	}
	m, plan, err := x.begin(now)
	if err != nil {
		return Plan{}, err
	}
	if holder != nil && holder.ID != m.ID {
		return Plan{}, positionTaken(*in.SessionID, *in.SessionPosition, holder.ID)
	}
	before := contextText(m)
	m.EventAt, m.EventOffset, m.EventPrecision = when.EventAt, when.EventOffset, when.EventPrecision
	m.SessionID, m.SessionPosition = in.SessionID, in.SessionPosition
	after := contextText(m)
	if before != after {
		plan.Join(x.invalidate(whyContext, now))
	}
	plan.Write(PutMemory{m})
	plan.Record(m.ID, ActSetHistoryContext, fmt.Sprintf(`{"before": %s, "after": %s, "reason": %s}`, before, after, jsonText(in.Reason)), now)
	return plan, nil
}

// apply gives a memory the event time and the place in a session asked for; a bad
// time leaves it alone, for the guards report it.
func (in HistoryContextInput) apply(m *Memory) {
	m.SessionID, m.SessionPosition = in.SessionID, in.SessionPosition
	m.EventAt, m.EventOffset, m.EventPrecision = nil, nil, nil
	_ = captureEvent(m, RememberInput{EventAt: in.EventAt}, RememberFacts{}, nil)
}

// contextText is the context of a memory as the audit row of a change shows it:
// JSON, in the form of memory-as-history.
func contextText(m Memory) string {
	event, session, position := "null", "null", "null"
	if m.EventAt != nil {
		event = jsonText(FormatInstant(*m.EventAt))
	}
	if m.SessionID != nil {
		session = jsonText(*m.SessionID)
	}
	if m.SessionPosition != nil {
		position = strconv.FormatInt(*m.SessionPosition, 10)
	}
	return fmt.Sprintf(`{"event_at": %s, "session_id": %s, "session_position": %s}`, event, session, position)
}

// jsonText is a JSON string (RFC 8259, section 7): only what must be escaped is.
func jsonText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
