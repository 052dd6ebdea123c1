package timewords

import (
	"time"

	"combray/internal/memory"
)

// Reader implements memory.TimeReader. Its zero value is ready, it keeps nothing
// and may be used by any number of goroutines.
type Reader struct{}

var _ memory.TimeReader = Reader{}

// Understand gives the interval that a text names, seen from now in its
// location, with the words as they stand in the text; false when it names none.
// Of several the shortest wins, then the first. The time is linear in the text.
func (Reader) Understand(text string, now time.Time) (memory.Interval, bool) {
	l := lex(text)
	s := scanner{lexer: l, patterns: patterns(), spoken: l.spoken(), calendar: newCalendar(now)}
	best, ok := s.best()
	if !ok {
		return memory.Interval{}, false
	}
	return memory.Interval{
		Text:  text[s.tokens[best.from].start:s.tokens[best.to-1].end],
		Since: best.since.In(now.Location()),
		Until: best.until.In(now.Location()),
	}, true
}

// best is the shortest of the intervals in the languages that are spoken.
func (s *scanner) best() (best found, ok bool) {
	for at := 0; at < len(s.tokens); {
		f, is := s.find(at)
		if !is {
			at++
			continue
		}
		at = f.to
		if s.free(f) && (!ok || f.until.Sub(f.since) < best.until.Sub(best.since)) {
			best, ok = f, true
		}
	}
	return best, ok
}
