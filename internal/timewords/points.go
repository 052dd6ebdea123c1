package timewords

// scanner finds the intervals in the tokens of a question.
type scanner struct {
	*lexer
	patterns *[classCount][]pattern
	spoken   langs // words of other languages do not count
	calendar calendar

	hit    hit // what atom tries
	moment moment
}

// between the neighbours that make a point, these may stand.
const binding = classes(1<<of | 1<<in | 1<<on | 1<<partOf)

// point reads a moment at a token, joined with the neighbours that say more.
func (s *scanner) point(at int) (moment, bool) {
	if at >= len(s.tokens) || s.tokens[at].classes == 0 {
		return moment{}, false
	}
	m, ok := s.atom(at)
	if !ok || s.is(at-1, each, m.langs) || m.said == saidMonth|saidYear && s.is(m.to, measure, anyLanguage) {
		return m, false // "in May 2000 people"
	}
	for {
		next := s.skip(m.to, binding, m.langs)
		if next >= len(s.tokens) {
			return m, true
		}
		neighbour, ok := s.atom(next)
		if !ok || neighbour.numericYear && !s.yearLike(neighbour) {
			return m, !m.isPart() || !s.is(m.to, partOf, m.langs)
		}
		joined, ok := join(m, neighbour)
		if !ok {
			return m, !m.isPart() || next == m.to || neighbour.said&(saidYear|saidMonth|saidSeason) == 0
		}
		m = joined
	}
}

// Markers are the words before a point that settle that it is one.
const (
	openMarkers = classes(1<<sinceBefore | 1<<beforeBefore | 1<<afterBefore | 1<<untilBefore)
	inMarkers   = openMarkers | 1<<in
	onMarkers   = openMarkers | 1<<on
	yearMarkers = inMarkers | 1<<from | 1<<between | 1<<to
)

// marked says whether one of the markers stands before a moment, articles
// between, or behind it.
func (s *scanner) marked(m moment, markers classes) bool {
	if markers&in.set() != 0 && s.is(m.to, inAfter, m.langs) {
		return true
	}
	at := m.from - 1
	for range 2 {
		if at > 0 && s.is(at, of, m.langs) && !s.anyOf(at, markers&s.tokens[at].classes, m.langs) && s.tokens[at].isWord() {
			at--
		}
	}
	return at >= 0 && s.anyOf(at, markers, m.langs)
}

// enough says whether a moment may stand as it does in the question.
func (s *scanner) enough(m moment) bool {
	switch {
	case m.firm:
		return true
	case m.said == saidYear:
		return s.marked(m, yearMarkers) && s.yearLike(m)
	case m.said == saidPart, m.said == saidDay:
		return false
	case m.has(saidHoliday):
		return s.marked(m, inMarkers|onMarkers)
	case m.has(saidWeekday), m.has(saidDay):
		return s.marked(m, onMarkers)
	}
	return s.marked(m, inMarkers)
}

// Years in digits alone. Before 1900 they are more often amounts, so that the
// next word must not be one that could be counted.
const (
	firstYear  = 1500
	commonYear = 1900
	lastYear   = 2100
)

// yearLike says whether a number behind a marker is a year: "in 2021", but not
// "in 2000 g" or "in 1500 steps".
func (s *scanner) yearLike(m moment) bool {
	if m.year < firstYear || m.year > lastYear || s.is(m.to, measure, anyLanguage) {
		return false
	}
	if m.year >= commonYear || m.to == len(s.tokens) {
		return true
	}
	next := s.tokens[m.to]
	return next.classes != 0 || next.capital || !isLetter(runeAt([]byte(s.source[next.start:next.end]), 0))
}
