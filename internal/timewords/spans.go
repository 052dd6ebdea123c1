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
	if s.tokens[at].classes == 0 {
		return found{}, false
	}
	if f, ok := s.ranged(at); ok {
		return f, true
	}
	if f, ok := s.beside(at); ok {
		return f, true
	}
	for _, open := range []class{sinceBefore, beforeBefore, afterBefore, untilBefore} {
		if l, ok := s.read(at, open, s.spoken); ok {
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
			if c == untilAfter && m.lastDay != 0 {
				return f, ok
			}
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
	start, lead, l := at, unknown, s.spoken
	for _, c := range []class{between, from} {
		if read, ok := s.read(at, c, s.spoken); ok {
			lead, l = c, read
			start = s.skip(at+1, binding, l)
		}
	}
	a, ok := s.point(start)
	if !ok {
		return found{}, false
	}
	joint, l := s.joint(a.to, l&a.langs)
	if joint == unknown {
		return found{}, false
	}
	b, ok := s.point(s.skip(a.to+1, binding, l))
	if l &= b.langs; !ok || l == 0 {
		return found{}, false
	}
	end := b.to
	if s.is(end, betweenAfter, l) {
		lead = between
		end++
	} else if s.is(end, untilAfter, l) {
		end++
	}
	if !s.pairs(a, b, lead, joint) {
		return found{}, false
	}
	f, ok := s.bounded(a, b)
	f.from, f.to, f.langs = at, end, l
	return f, ok
}

// joint is what stands between the ends of a range; unknown when it is nothing.
func (s *scanner) joint(at int, l langs) (class, langs) {
	for _, c := range []class{and, to, dash, sinceAfter} {
		if read, ok := s.read(at, c, l); ok {
			return c, read
		}
	}
	return unknown, l
}

// pairs says whether two points make a range.
func (s *scanner) pairs(a, b moment, lead, joint class) bool {
	alike := a.said&^saidYear == b.said&^saidYear
	switch {
	case joint == and && lead != between, joint == dash && !alike:
		return false
	case a.numericYear && b.numericYear && a.said == saidYear && b.said == saidYear:
		plain := joint != dash && a.year >= commonYear && b.year >= commonYear
		return s.yearLike(a) && s.yearLike(b) && (plain || lead != unknown || s.enough(a))
	case lead == unknown && !s.enough(a):
		return false
	}
	return alike || b.firm
}

// bounded is the interval from the beginning of a to the end of b. An end
// without a year or week has that of the other; without both, the range is the
// newest that has begun.
func (s *scanner) bounded(a, b moment) (found, bool) {
	a, b = share(a, b)
	first, ok := s.resolved(a)
	last, ok2 := s.resolved(b)
	if !ok || !ok2 {
		return first, false
	}
	if last.until.Before(first.since) && b.said&(saidYear|saidUnit) == 0 {
		years, days := 0, 0
		switch {
		case b.said&(saidMonth|saidSeason|saidHoliday) != 0:
			years = 1
		case b.has(saidWeekday):
			days = 7
		}
		last.until = s.calendar.shift(last.until.Add(time.Microsecond), years, days).Add(-time.Microsecond)
	}
	first.until = last.until
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
// a name: sun-dried, 2023-05-08.md, april.js. An article or an ending of the table
// may hang on it: l'année, Mayıs'ta.
func (s *scanner) free(f found) bool {
	start, end := s.tokens[f.from].start, s.tokens[f.to-1].end
	before, size := utf8.DecodeLastRuneInString(s.source[:start])
	if isGlue(before) && !(f.from > 0 && s.tokens[f.from-1].isWord() && s.tokens[f.from-1].end == start) {
		if outer, _ := utf8.DecodeLastRuneInString(s.source[:start-size]); partOfName(outer) {
			return false
		}
	}
	after, size := utf8.DecodeRuneInString(s.source[end:])
	if isGlue(after) && !(f.to < len(s.tokens) && s.tokens[f.to].isWord() && s.tokens[f.to].start == end) {
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
