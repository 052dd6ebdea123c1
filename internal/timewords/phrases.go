package timewords

// The functions below turn a matched pattern into a moment. Each returns false
// where the words, though in place, say no time: "last day", "2000年前".

// maxCount bounds "N units ago": larger numbers are something else.
var maxCount = [unitCount]int{minute: 600, hour: 600, dayUnit: 1000, week: 500, monthUnit: 500, year: 150, decade: 20, weekend: 100, night: 100, quarter: 40}

// value is the value of the word of a class; false when the pattern has none.
func (h *hit) value(c class) (int, bool) {
	for i, step := range h.pattern.steps {
		if step.class == c {
			return h.values[i], true
		}
	}
	return 0, false
}

func (h *hit) get(c class) int {
	v, _ := h.value(c)
	return v
}

// rel is the value of "last", "this" or "next" on either side of its noun.
func (h *hit) rel() (int, bool) {
	if v, ok := h.value(rel); ok {
		return v, true
	}
	return h.value(post)
}

// count is the number and the unit of "three days", or of one word for both.
func (h *hit) count() (int, unit) {
	if v, ok := h.value(span); ok {
		n, u := unpair(v)
		return n, unit(u)
	}
	n, ok := h.value(number)
	if !ok {
		n = 1
	}
	return n, unit(h.get(unitWord))
}

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

// name sets something with a name, and "last", "this" or "next" beside it.
func (m *moment) name(f fields, h *hit) {
	m.said = f
	if v, ok := h.rel(); ok {
		m.said |= saidRel
		m.rel = v
	}
}

func sayDay(m *moment, h *hit) bool {
	m.said, m.offset = saidOffset, h.get(day)
	return true
}

func sayDayPart(m *moment, h *hit) bool {
	m.said = saidOffset | saidPart
	m.offset, m.part = unpair(h.get(dayPart))
	return true
}

// sayPartOfDay reads "this morning" and "the evening of yesterday".
func sayPartOfDay(m *moment, h *hit) bool {
	m.said, m.part = saidOffset|saidPart, h.get(part)
	if v, ok := h.rel(); ok {
		m.offset = v
	} else {
		m.offset = h.get(day)
	}
	return true
}

func sayAgo(m *moment, h *hit) bool {
	n, u := h.count()
	return m.amount(saidUnit, n, -1, u)
}

func saySeasonsAgo(m *moment, h *hit) bool {
	n := h.get(number)
	m.said, m.season, m.rel = saidSeason|saidRel, h.get(season), -n
	return n >= 1 && n <= maxCount[year]
}

// sayRolling reads "the last N units", up to now, and "the next N units".
func sayRolling(m *moment, h *hit) bool {
	n, u := h.count()
	direction := -1
	if v, ok := h.rel(); ok && v > 0 {
		direction = 1
	} else if v < -1 {
		return false
	}
	return m.amount(saidRolling, n, direction, u)
}

// sayInRelative reads "in the last week", and "in the last hour", which has no
// calendar unit.
func sayInRelative(m *moment, h *hit) bool { return sayRelative(m, h) || sayRolling(m, h) }

// sayRelative reads "last week". The last day, night, hour and minute are those
// of something else: "the last day of school".
func sayRelative(m *moment, h *hit) bool {
	n, ok := h.rel()
	u := h.get(unitWord)
	if !ok {
		n, u = unpair(h.get(relUnit))
	}
	m.said, m.unit, m.count = saidUnit, unit(u), n
	return m.unit > dayUnit && m.unit != night
}

func sayWeekday(m *moment, h *hit) bool {
	m.name(saidWeekday, h)
	m.weekday = h.get(weekday)
	if m.has(saidRel) && h.langs == chineseWeeks { // 上周五 is the Friday of last week
		m.said, m.unit, m.count = saidWeekday|saidUnit, week, m.rel
	}
	return true
}

// chineseWeeks are the languages whose weekdays hold the word for a week.
var chineseWeeks = codes("zh")

func saySeason(m *moment, h *hit) bool {
	m.name(saidSeason, h)
	m.season = h.get(season)
	if v, ok := h.value(relSeason); ok {
		m.said |= saidRel
		m.rel, m.season = unpair(v)
	}
	return true
}

func sayHoliday(m *moment, h *hit) bool {
	m.name(saidHoliday, h)
	m.holiday = h.get(holiday)
	return true
}

func sayPart(m *moment, h *hit) bool {
	m.said, m.part = saidPart, h.get(part)
	return true
}
