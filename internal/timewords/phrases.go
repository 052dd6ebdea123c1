package timewords

// The functions below turn a matched pattern into a moment. Each returns false
// where the words, though in place, say no time: "last day", "31 months ago" is
// fine, "2000年前" is not two thousand years ago.

// maxCount bounds "N units ago": larger numbers are something else.
var maxCount = [unitCount]int{minute: 600, hour: 600, dayUnit: 1000, week: 500, monthUnit: 500, year: 150, decade: 20, weekend: 100, night: 100, quarter: 40}

// amount sets count units in a direction, -1 for the past.
func (m *moment) amount(f fields, n, direction int, u unit) bool {
	if n > maxCount[u] || n == 0 {
		return false
	}
	m.said, m.unit, m.count = f, u, n*direction
	if n == few {
		m.few, m.count = true, direction
	}
	return true
}

func sayDay(m *moment, h hit) bool {
	m.said, m.offset = saidOffset, h.values[0]
	return true
}

func sayDayPart(m *moment, h hit) bool {
	m.said = saidOffset | saidPart
	m.offset, m.part = unpair(h.values[0])
	return true
}

func sayPartDay(m *moment, h hit) bool {
	m.said, m.part, m.offset = saidOffset|saidPart, h.values[0], h.values[1]
	return true
}

func sayRelPart(m *moment, h hit) bool { return m.partOfDay(h.values[0], h.values[1]) }

func sayPartPost(m *moment, h hit) bool { return m.partOfDay(h.values[1], h.values[0]) }

func (m *moment) partOfDay(rel, part int) bool {
	m.said, m.offset, m.part = saidOffset|saidPart, rel, part
	return true
}

func sayAgo(m *moment, h hit) bool {
	// The number stands first in "3 days ago" and second in "vor 3 Tagen"; the
	// other place holds "ago", whose value is zero, or the unit.
	n, u := h.values[0], h.values[1]
	if h.first == agoBefore {
		n, u = h.values[1], h.values[2]
	}
	return m.amount(saidUnit, n, -1, unit(u))
}

func saySpanAgo(m *moment, h hit) bool {
	v := h.values[0]
	if h.first == agoBefore {
		v = h.values[1]
	}
	n, u := unpair(v)
	return m.amount(saidUnit, n, -1, unit(u))
}

func saySeasonsAgo(m *moment, h hit) bool {
	n, v := h.values[0], h.values[1]
	if h.first == agoBefore {
		n, v = h.values[1], h.values[2]
	}
	m.said, m.season, m.rel = saidSeason|saidRel, v, -n
	return n >= 1 && n <= 100
}

func sayRolling(m *moment, h hit) bool { return m.rolling(h.values[0], h.values[1], h.values[2]) }

func sayRollingNumberFirst(m *moment, h hit) bool {
	return m.rolling(h.values[1], h.values[0], h.values[2])
}

func sayRollingPost(m *moment, h hit) bool {
	return m.rolling(h.values[2], h.values[0], h.values[1])
}

func sayPastNumber(m *moment, h hit) bool      { return m.rolling(-1, h.values[1], h.values[2]) }
func sayPastNumberFirst(m *moment, h hit) bool { return m.rolling(-1, h.values[0], h.values[2]) }
func sayPastUnit(m *moment, h hit) bool        { return m.rolling(-1, 1, h.values[1]) }

func sayPastSpan(m *moment, h hit) bool        { return m.rollingSpan(-1, h.values[1]) }
func saySpanRolling(m *moment, h hit) bool     { return m.rollingSpan(h.values[0], h.values[1]) }
func sayRollingSpanPost(m *moment, h hit) bool { return m.rollingSpan(h.values[1], h.values[0]) }

func (m *moment) rollingSpan(rel, v int) bool {
	n, u := unpair(v)
	return m.rolling(rel, n, u)
}

// rolling is "the last N units", up to now, or "the next N units".
func (m *moment) rolling(rel, n, u int) bool {
	if rel < -1 {
		return false
	}
	direction := -1
	if rel > 0 {
		direction = 1
	}
	return m.amount(saidRolling, n, direction, unit(u))
}

func sayInRelUnit(m *moment, h hit) bool {
	if u := unit(h.values[2]); u > dayUnit && u != night || h.values[1] == 0 {
		return m.relative(h.values[1], int(u))
	}
	return m.rolling(h.values[1], 1, h.values[2])
}

func sayRelUnit(m *moment, h hit) bool  { return m.relative(h.values[0], h.values[1]) }
func sayUnitPost(m *moment, h hit) bool { return m.relative(h.values[1], h.values[0]) }

func sayFused(m *moment, h hit) bool {
	n, u := unpair(h.values[0])
	return m.relative(n, u)
}

// relative is "last week". The last day, night, hour and minute are those of
// something else: "the last day of school".
func (m *moment) relative(rel, u int) bool {
	m.said, m.unit, m.count = saidUnit, unit(u), rel
	return m.unit > dayUnit && m.unit != night
}

func sayFusedSeason(m *moment, h hit) bool {
	rel, v := unpair(h.values[0])
	m.said, m.rel, m.season = saidSeason|saidRel, rel, v
	return true
}

func sayRelWeekday(m *moment, h hit) bool {
	m.said, m.rel, m.weekday = saidWeekday|saidRel, h.values[0], h.values[1]
	return true
}

func sayWeekdayPost(m *moment, h hit) bool {
	m.said, m.rel, m.weekday = saidWeekday|saidRel, h.values[1], h.values[0]
	return true
}

func sayRelMonth(m *moment, h hit) bool {
	m.said, m.rel, m.month = saidMonth|saidRel, h.values[0], h.values[1]
	return h.flags&verb == 0 || h.capital || h.values[0] != 0 // "this may", "this march"
}

func sayMonthPost(m *moment, h hit) bool {
	m.said, m.rel, m.month = saidMonth|saidRel, h.values[1], h.values[0]
	return true
}

func sayRelSeason(m *moment, h hit) bool {
	m.said, m.rel, m.season = saidSeason|saidRel, h.values[0], h.values[1]
	return true
}

func saySeasonPost(m *moment, h hit) bool {
	m.said, m.rel, m.season = saidSeason|saidRel, h.values[1], h.values[0]
	return true
}

func sayRelHoliday(m *moment, h hit) bool {
	m.said, m.rel, m.holiday = saidHoliday|saidRel, h.values[0], h.values[1]
	return true
}

func sayHolidayPost(m *moment, h hit) bool {
	m.said, m.rel, m.holiday = saidHoliday|saidRel, h.values[1], h.values[0]
	return true
}

func sayWeekday(m *moment, h hit) bool {
	m.said, m.weekday = saidWeekday, h.values[0]
	return true
}

func saySeason(m *moment, h hit) bool {
	m.said, m.season = saidSeason, h.values[0]
	return true
}

func sayHoliday(m *moment, h hit) bool {
	m.said, m.holiday = saidHoliday, h.values[0]
	return true
}

func sayPart(m *moment, h hit) bool {
	m.said, m.part = saidPart, h.values[0]
	return true
}
