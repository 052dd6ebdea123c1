package memory

import "strings"

// Line is what a memory is read as, by words and, outside of sessions, by the encoder:
// "8 May 2023: source: text". The date comes from the event time on the wall
// clock of the event, else there is none; a blank source is left out.
// Source of the form: design/ranking.md, "What a memory is read as".
func Line(m Memory) string {
	return linePrefix(m) + string(m.Content)
}

func linePrefix(m Memory) string { return m.datePrefix() + m.sourcePrefix() }

func (m Memory) datePrefix() string {
	if m.EventAt == nil {
		return ""
	}
	t := *m.EventAt
	if m.EventOffset != nil {
		t = t.Add(minutes(*m.EventOffset))
	}
	return t.UTC().Format("2 January 2006: ")
}

func (m Memory) sourcePrefix() string {
	if m.Source == nil || strings.TrimSpace(*m.Source) == "" {
		return ""
	}
	return *m.Source + ": "
}
