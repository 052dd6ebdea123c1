package timewords

// Phrases that hold dates and years; see phrases.go.

// monthAndDays gives the month of a phrase, by name or number, and its other
// numbers.
func (h *hit) monthAndDays() (int, []*numeral) {
	numbers := h.numbers[:h.counted]
	if v, ok := h.value(month); ok {
		return v, numbers
	}
	if _, ok := h.value(monthBefore); ok {
		return h.get(number), numbers
	}
	return numbers[0].parts[0], numbers[1:]
}

// sayMonth reads a month, but not "this may", "this march".
func sayMonth(m *moment, h *hit) bool {
	n, _ := h.monthAndDays()
	v, ok := h.rel()
	if ok && v == 0 && !h.settled(verb) || !m.date(n, 0, 0) {
		return false
	}
	m.name(m.said, h)
	return true
}

// date sets a month, and where they are not 0 its day and the last of several.
func (m *moment) date(monthNumber, dayNumber, last int) bool {
	m.said, m.month, m.day, m.lastDay = saidMonth, monthNumber, dayNumber, last
	if dayNumber != 0 {
		m.said |= saidDay
	}
	return 1 <= monthNumber && monthNumber <= 12 && max(dayNumber, last) <= longestMonth[monthNumber-1] &&
		(last == 0 || last > dayNumber)
}

var longestMonth = [12]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// Thai years count from 543 before ours. 2400 of them is 1857; larger numbers are
// no years of ours that a question is about.
const (
	firstBuddhist = 2400
	buddhistEra   = 543
)

// commonEra gives the year of ours that a number means.
func commonEra(y int) int {
	if y >= firstBuddhist {
		return y - buddhistEra
	}
	return y
}

// isYearNumber says whether a number is written as a year.
func isYearNumber(n *numeral) bool {
	return n.lengths[0] == 4 && 1000 <= n.parts[0] && n.parts[0] < 3000
}

// isDayNumber says whether a number is written as a day of the month.
func isDayNumber(n *numeral) bool {
	return n.lengths[0] <= 2 && 1 <= n.parts[0] && n.parts[0] <= 31
}

// settled says whether a month that is a verb or a name too is meant as a month
// beside a day.
func (h *hit) settled(f flag) bool { return h.flags&f == 0 || h.capital || h.ordinal }

// sayDate reads a month with a day, two days or a year. It wants more of a word
// that is not a month alone when that comes first: "el mar 3" is the sea in a
// language that has the day first.
func sayDate(m *moment, h *hit) bool {
	n, days := h.monthAndDays()
	monthLeads := h.pattern.steps[0].class == month
	m.firm = h.settled(verb)
	if monthLeads {
		m.firm = h.settled(weak)
	}
	a := days[0]
	switch {
	case a.count == 2:
		return m.date(n, a.parts[0], a.parts[1])
	case len(days) == 2:
		return isDayNumber(a) && isDayNumber(days[1]) && m.date(n, a.parts[0], days[1].parts[0])
	case isDayNumber(a):
		return m.date(n, a.parts[0], 0)
	}
	m.firm = true
	return isYearNumber(a) && (monthLeads || h.flags&verb == 0) && m.date(n, 0, 0) && m.inYear(a.parts[0])
}

func sayFirstOfMonth(m *moment, h *hit) bool {
	return h.settled(verb) && m.date(h.get(month), 1, 0)
}

// sayDayMonthYear reads 22-Jan-2016.
func sayDayMonthYear(m *moment, h *hit) bool {
	d, y := h.numbers[0], h.numbers[1]
	return isDayNumber(d) && isYearNumber(y) && m.fullDate(y.parts[0], h.get(month), d.parts[0])
}

// sayDayNumber reads a day that only a month beside it makes a time: 上个月5号.
func sayDayNumber(m *moment, h *hit) bool {
	m.said, m.day = saidDay, h.numbers[0].parts[0]
	return isDayNumber(h.numbers[0])
}

// sayYear reads a year without a word that says so.
func sayYear(m *moment, h *hit) bool {
	m.numericYear = true
	return sayMarkedYear(m, h)
}

func sayMarkedYear(m *moment, h *hit) bool {
	return isYearNumber(h.numbers[0]) && m.inYear(h.numbers[0].parts[0])
}

// sayEra reads a Japanese year: 令和5年 is 2018 + 5.
func sayEra(m *moment, h *hit) bool {
	n := h.numbers[0].parts[0]
	m.said, m.year = saidYear, h.get(era)+n
	return 1 <= n && n <= 64 // the longest era, 昭和
}

// sayDecade reads "the 90s", "the 1990s"; two digits from 30 on are of the
// twentieth century.
func sayDecade(m *moment, h *hit) bool {
	n := h.numbers[0]
	v := n.parts[0]
	switch {
	case v%10 != 0 || n.ordinal && n.lengths[0] != 2:
		return false
	case n.lengths[0] == 2 && v >= 30:
		v += 1900
	case n.lengths[0] == 2:
		v += 2000
	case !isYearNumber(n):
		return false
	}
	m.said, m.decade = saidDecade, v
	return true
}

// sayNumeric reads a date in numbers. Years of four digits and a day stand for
// themselves, but with dots only when they cannot be a version; the others need a
// marker.
func sayNumeric(m *moment, h *hit) bool {
	n := h.numbers[0]
	p, l := n.parts, n.lengths
	switch {
	case n.count == 3 && l[0] == 4:
		m.firm = n.sep != '.' || l[1] == 2 && l[2] == 2
		return l[1] <= 2 && l[2] <= 2 && m.fullDate(p[0], p[1], p[2])
	case n.count == 3 && l[0] <= 2 && l[1] <= 2 && (l[2] == 4 || l[2] == 2 && n.sep != '-'):
		m.firm = l[2] == 4 || n.sep == '/'
		d, mo := n.dayAndMonth(h.monthFirst)
		return m.fullDate(p[2], mo, d)
	case n.count == 2 && l[0] == 4 && l[1] == 4 && n.sep == '-':
		m.said, m.year, m.lastYear, m.numericYear = saidYear, p[0], p[1], true
		return p[0] < p[1] && p[0] >= 1000 && p[1] < 3000
	case n.count == 2 && l[0] == 4 && l[1] <= 2:
		return m.date(p[1], 0, 0) && m.inYear(p[0])
	case n.count == 2 && l[0] <= 2 && l[1] == 4:
		return m.date(p[0], 0, 0) && m.inYear(p[1])
	case n.count == 2 && l[0] <= 2 && l[1] <= 2:
		d, mo := n.dayAndMonth(h.monthFirst)
		return d > 0 && (n.sep != '.' || n.ordinal) && m.date(mo, d, 0) // 8.5., not 8.5
	}
	return false
}

func (m *moment) fullDate(y, mo, d int) bool {
	if d == 0 || !m.date(mo, d, 0) || !m.inYear(y) {
		return false
	}
	return y < 100 || civil(m.year, mo, d).Day() == d
}

func (m *moment) inYear(y int) bool {
	m.said |= saidYear
	m.year = commonEra(y)
	return y < 100 || 1000 <= y && y < 3000
}

// dayAndMonth decides the order of the first two numbers.
func (n *numeral) dayAndMonth(monthFirst bool) (d, mo int) {
	a, b := n.parts[0], n.parts[1]
	if b > 12 || a <= 12 && monthFirst && n.sep == '/' {
		return b, a
	}
	return a, b
}
