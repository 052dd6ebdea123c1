package timewords

import "time"

// The phrases that count from a named day: "the Monday before 24 July 2023", "two
// days after 8 May", "the week before yesterday".
var (
	besideWeekday = pattern{steps: []step{{class: weekday}}}
	besideUnit    = pattern{steps: []step{{class: unitWord}}}
	besideNumber  = pattern{steps: []step{{class: number}, {class: unitWord}}}
)

// beside reads a weekday, a unit or a number of units before or after a day.
func (s *scanner) beside(at int) (found, bool) {
	for _, p := range []*pattern{&besideNumber, &besideUnit, &besideWeekday} {
		var h hit
		if !s.match(&h, p, at) {
			continue
		}
		if l, ok := s.read(h.to, beforeBefore, h.langs); ok {
			return s.besideDay(&h, -1, l)
		}
		if l, ok := s.read(h.to, afterBefore, h.langs); ok {
			return s.besideDay(&h, 1, l)
		}
	}
	return found{}, false
}

// besideDay reads the day behind "before" or "after".
func (s *scanner) besideDay(h *hit, direction int, l langs) (found, bool) {
	m, ok := s.point(s.skip(h.to+1, binding, l))
	if !ok || !m.firm || !m.isDay() || m.lastDay != 0 || m.langs&l == 0 {
		return found{}, false
	}
	day, ok := s.calendar.span(m)
	if !ok {
		return found{}, false
	}
	span, ok := s.calendar.beside(h, direction, day.from.Truncate(24*time.Hour))
	since, until := s.calendar.ends(span)
	return found{h.from, m.to, m.langs & l, since, until}, ok
}

// beside is the nearest weekday or weekend in a direction from a day, the unit
// that ends or begins beside it, or, after a number, the calendar unit that many
// away.
func (c calendar) beside(h *hit, direction int, day time.Time) (civilSpan, bool) {
	if v, ok := h.value(weekday); ok {
		ahead := (v-1-weekdayOf(day))*direction - 1
		return days(day.AddDate(0, 0, direction*((ahead+7)%7+1)), 1), true
	}
	n, u := h.count()
	_, counted := h.value(number)
	switch {
	case u < dayUnit || u == night || n < 1 || n > maxCount[u]:
		return civilSpan{}, false
	case counted:
		return calendar{now: c.now, today: back(day, u, n*direction)}.unit(u, 0), true
	case u == weekend && direction < 0:
		return days(day.AddDate(0, 0, -2-weekdayOf(day)), 2), true
	case u == weekend:
		return days(day.AddDate(0, 0, 1+(11-weekdayOf(day))%7), 2), true
	case direction < 0:
		return civilSpan{back(day, u, -1), day}, true
	}
	next := day.AddDate(0, 0, 1)
	return civilSpan{next, back(next, u, 1)}, true
}
