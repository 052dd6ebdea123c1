package timewords

import (
	"time"
	"unicode"
	"unicode/utf8"
)

// found is an interval in a question.
type found struct {
	from, to     int // tokens
	langs        langs
	since, until time.Time // both inclusive
}

// The ends of open intervals: whole days inside the years 1 and 9999, so that
// they can be written in any zone.
var (
	earliest = time.Date(1, 1, 3, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(9999, 12, 29, 0, 0, 0, 0, time.UTC)
)

// find reads an interval that begins at a token.
func (s *scanner) find(at int) (found, bool) {
	if f, ok := s.ranged(at); ok {
		return f, true
	}
	for _, open := range []class{sinceBefore, beforeBefore, afterBefore, untilBefore} {
		if l, ok := s.read(at, open, anyLanguage); ok {
			if f, ok := s.open(at, open, l); ok {
				return f, true
			}
		}
	}
	return s.plain(at)
}

// open reads "since X", "before X", "after X" and "until X".
func (s *scanner) open(at int, c class, l langs) (found, bool) {
	m, ok := s.point(s.skip(at+1, binding, l))
	if !ok || m.langs&l == 0 || !s.enough(m) {
		return found{}, false
	}
	f, ok := s.resolved(m)
	f.from, f.langs = at, m.langs&l
	return f.opened(c), ok
}

// opened moves one end of an interval as far as it goes.
func (f found) opened(c class) found {
	switch c {
	case sinceBefore, sinceAfter:
		f.until = latest
	case beforeBefore, beforeAfter:
		f.since, f.until = earliest, f.since.Add(-time.Microsecond)
	case afterBefore, afterAfter:
		f.since, f.until = f.until.Add(time.Microsecond), latest
	case untilBefore, untilAfter:
		f.since = earliest
	}
	return f
}

// plain reads a point, and the words behind it that open it.
func (s *scanner) plain(at int) (found, bool) {
	m, ok := s.point(at)
	if !ok {
		return found{}, false
	}
	for _, c := range []class{sinceAfter, beforeAfter, afterAfter, untilAfter} {
		next := s.skip(m.to, of.set(), m.langs)
		if l, opens := s.read(next, c, m.langs); opens && (m.firm || m.numericYear && s.yearLike(m)) {
			f, ok := s.resolved(m)
			f.to, f.langs = next+1, l
			return f.opened(c), ok
		}
	}
	if !s.enough(m) {
		return found{}, false
	}
	return s.resolved(m)
}

func (s *scanner) resolved(m moment) (found, bool) {
	since, until, ok := s.calendar.resolve(m)
	return found{m.from, m.to, m.langs, since, until}, ok
}

// ranged reads "from X to Y", "between X and Y", "X – Y".
func (s *scanner) ranged(at int) (found, bool) {
	start, lead, l := at, unknown, anyLanguage
	for _, c := range []class{between, from} {
		if read, ok := s.read(at, c, anyLanguage); ok {
			lead, l = c, read
			start = s.skip(at+1, binding, l)
		}
	}
	a, ok := s.point(start)
	if !ok {
		return found{}, false
	}
	l &= a.langs
	joint := s.joint(a.to, lead, l)
	if joint == unknown {
		return found{}, false
	}
	b, ok := s.point(s.skip(a.to+1, binding, l))
	if !ok || b.langs&l == 0 || !s.pairs(a, b, lead, joint) {
		return found{}, false
	}
	f, ok := s.bounded(a, b)
	f.from, f.langs = at, b.langs&l
	if s.is(f.to, untilAfter, f.langs) {
		f.to++
	}
	return f, ok
}

// joint is what stands between the ends of a range; unknown when it is nothing.
func (s *scanner) joint(at int, lead class, l langs) class {
	if lead == between && s.is(at, and, l) {
		return and
	}
	for _, c := range []class{to, dash, sinceAfter} {
		if s.is(at, c, l) {
			return c
		}
	}
	return unknown
}

// pairs says whether two points make a range.
func (s *scanner) pairs(a, b moment, lead, joint class) bool {
	alike := a.said&^saidYear == b.said&^saidYear
	if joint == dash && !alike || lead == unknown && !s.enough(a) {
		return false
	}
	return alike && (a.said != saidYear || s.yearLike(a) && s.yearLike(b)) || b.firm && (lead != unknown || a.firm)
}

// bounded is the interval from the beginning of a to the end of b. An end
// without a year or week has that of the other; one that would come after the
// other end goes back a year, or a week for weekdays.
func (s *scanner) bounded(a, b moment) (found, bool) {
	a, b = share(a, b)
	first, ok := s.resolved(a)
	last, ok2 := s.resolved(b)
	if !ok || !ok2 {
		return first, false
	}
	if last.until.Before(first.since) {
		switch {
		case a.said&(saidYear|saidUnit) != 0:
			return first, false
		case a.said&(saidMonth|saidSeason|saidHoliday) != 0:
			first.since = s.calendar.shift(first.since, -1, 0)
		case a.has(saidWeekday):
			first.since = s.calendar.shift(first.since, 0, -7)
		}
	}
	first.to, first.until = last.to, last.until
	return first, !first.until.Before(first.since)
}

// share gives an end of a range the year or the week that only the other names.
func share(a, b moment) (moment, moment) {
	switch {
	case b.has(saidYear) && a.has(saidMonth) && a.said&(saidYear|saidUnit|saidRel) == 0:
		a.said |= saidYear
		a.year = b.year
		if b.has(saidMonth) && a.month > b.month {
			a.year--
		}
	case a.has(saidYear) && b.has(saidMonth) && b.said&(saidYear|saidUnit|saidRel) == 0:
		b.said |= saidYear
		b.year = a.year
		if a.has(saidMonth) && b.month < a.month {
			b.year++
		}
	case a.has(saidUnit|saidWeekday) && b.said == saidWeekday:
		b.said |= saidUnit
		b.unit, b.count = a.unit, a.count
	}
	return a, b
}

// free says whether an interval stands free in the question, and is no piece of
// a name: sun-dried, 2023-05-08.md, april.js.
func (s *scanner) free(f found) bool {
	start, end := s.tokens[f.from].start, s.tokens[f.to-1].end
	before, size := utf8.DecodeLastRuneInString(s.source[:start])
	if isGlue(before) {
		outer, _ := utf8.DecodeLastRuneInString(s.source[:start-size])
		if partOfName(outer) {
			return false
		}
	}
	after, size := utf8.DecodeRuneInString(s.source[end:])
	if isGlue(after) {
		outer, _ := utf8.DecodeRuneInString(s.source[end+size:])
		return !partOfName(outer)
	}
	return true
}

func isGlue(r rune) bool {
	switch r {
	case '-', '_', '/', '\\', '.', '@', '#', ':', '\'', '’':
		return true
	}
	return false
}

func partOfName(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !runsOn(r)
}

// spoken says whether the words of an interval belong to the language of the
// question, as far as its frequent words tell it: "hier" is yesterday in French
// and here in German.
func (s *scanner) spoken(l langs) bool {
	var best, own uint8
	for i, n := range s.votes {
		best = max(best, n)
		if l>>i&1 == 1 {
			own = max(own, n)
		}
	}
	return int(own)*2 >= int(best)
}
