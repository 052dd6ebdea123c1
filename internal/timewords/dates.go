package timewords

// Phrases that hold dates and years; see phrases.go.

func sayMonth(m *moment, h hit) bool { return m.date(h.values[0], 0, 0) }

func sayMonthNumber(m *moment, h hit) bool {
	n := h.values[0]
	if h.first == monthBefore {
		n = h.values[1]
	}
	return m.date(n, 0, 0)
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
func (h hit) settled(f flag) bool { return h.flags&f == 0 || h.capital || h.ordinal }

func sayDayMonth(m *moment, h hit) bool {
	m.firm = h.settled(verb)
	return m.numbered(h.values[1], h.numbers[0]) && (m.has(saidDay) || h.flags&verb == 0)
}

// sayMonthDay wants more of a word that is not a month alone: "el mar 3" is the
// sea in a language that has the day first.
func sayMonthDay(m *moment, h hit) bool {
	ok := m.numbered(h.values[0], h.numbers[1])
	m.firm = h.settled(weak) || m.has(saidYear)
	return ok
}

// numbered sets a month with a number that is its day or its year.
func (m *moment) numbered(monthNumber int, n *numeral) bool {
	switch {
	case isDayNumber(n):
		return m.date(monthNumber, n.parts[0], 0)
	case isYearNumber(n):
		ok := m.date(monthNumber, 0, 0)
		m.said |= saidYear
		m.year = commonEra(n.parts[0])
		return ok
	}
	return false
}

func sayFirstMonth(m *moment, h hit) bool { return m.date(h.values[1], 1, 0) }

func sayMonthDayNumbers(m *moment, h hit) bool {
	return isDayNumber(h.numbers[2]) && m.date(h.values[0], h.values[2], 0)
}

func sayDayMonthNumbers(m *moment, h hit) bool {
	return isDayNumber(h.numbers[0]) && m.date(h.values[2], h.values[0], 0)
}

func sayDayMonthYear(m *moment, h hit) bool {
	return isDayNumber(h.numbers[0]) && isYearNumber(h.numbers[4]) && m.fullDate(h.values[4], h.values[2], h.values[0])
}

// sayDayNumber reads a day that only a month beside it makes a time: 上个月5号.
func sayDayNumber(m *moment, h hit) bool {
	m.said, m.day = saidDay, h.values[0]
	return isDayNumber(h.numbers[0])
}

func sayDaysMonth(m *moment, h hit) bool {
	m.firm = h.settled(verb)
	return m.date(h.values[1], h.numbers[0].parts[0], h.numbers[0].parts[1])
}

func sayMonthDays(m *moment, h hit) bool {
	m.firm = h.settled(weak)
	return m.date(h.values[0], h.numbers[1].parts[0], h.numbers[1].parts[1])
}

func sayDayToDayMonth(m *moment, h hit) bool {
	m.firm = h.settled(verb)
	return isDayNumber(h.numbers[0]) && isDayNumber(h.numbers[2]) && m.date(h.values[3], h.values[0], h.values[2])
}

func sayMonthDayToDay(m *moment, h hit) bool {
	m.firm = h.settled(weak)
	return isDayNumber(h.numbers[1]) && isDayNumber(h.numbers[3]) && m.date(h.values[0], h.values[1], h.values[3])
}

func sayMonthDayToDayNumbers(m *moment, h hit) bool {
	return isDayNumber(h.numbers[2]) && m.date(h.values[0], h.values[2], h.numbers[5].parts[0])
}

func sayYear(m *moment, h hit) bool {
	m.said, m.year, m.numericYear = saidYear, commonEra(h.values[0]), true
	return isYearNumber(h.numbers[0])
}

func sayMarkedYear(m *moment, h hit) bool {
	n := h.numbers[0]
	if h.first == yearBefore {
		n = h.numbers[1]
	}
	m.said, m.year = saidYear, commonEra(n.parts[0])
	return isYearNumber(n)
}

// sayEra reads a Japanese year: 令和5年 is 2018 + 5.
func sayEra(m *moment, h hit) bool {
	m.said, m.year = saidYear, h.values[0]+h.values[1]
	return 1 <= h.values[1] && h.values[1] <= 64 // the longest era, 昭和
}

// sayDecade reads "the 90s", "the 1990s"; two digits from 30 on are of the
// twentieth century.
func sayDecade(m *moment, h hit) bool {
	n := h.numbers[0]
	if h.first == decadeBefore {
		n = h.numbers[1]
	}
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
func sayNumeric(m *moment, h hit) bool {
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
