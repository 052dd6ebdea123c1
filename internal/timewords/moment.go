package timewords

// moment is what a phrase says, before the calendar is asked.
type moment struct {
	from, to int    // tokens
	langs    langs  // that all its words belong to
	firm     bool   // counts without a marker beside it
	said     fields // which of the values below are said

	year, lastYear int // lastYear of a pair of years, 0 without
	decade         int
	month, day     int
	lastDay        int // of a pair of days, 0 without
	weekday        int // 1–7, Monday first
	season         int
	part           int
	holiday        int
	offset         int  // days from today
	rel            int  // of the month, weekday, season or holiday: -2 to 1
	unit           unit // of ago and rolling
	count          int  // units from now, negative for the past; few allowed with less
	few            bool // count is its sign alone
	numericYear    bool // a year in digits without a word that says so
}

// fields is a set of what a moment says.
type fields uint16

const (
	saidYear    fields = 1 << iota
	saidDecade         //
	saidMonth          //
	saidDay            //
	saidWeekday        //
	saidSeason         //
	saidPart           //
	saidHoliday        //
	saidOffset         //
	saidRel            //
	saidUnit           // the calendar unit, count units from the current one
	saidRolling        // count units that end or begin now
)

func (m *moment) has(f fields) bool { return m.said&f == f }

// isYear says whether the moment names a year and nothing smaller.
func (m *moment) isYear() bool {
	return m.said == saidYear && m.lastYear == 0 || m.said == saidUnit && m.unit == year && !m.few
}

// isWeek says whether the moment names a calendar week.
func (m *moment) isWeek() bool { return m.said == saidUnit && m.unit == week && !m.few }

// isPart says whether the moment can be a part of something that follows, as in
// "the last week of the project", "last week in July".
func (m *moment) isPart() bool {
	smaller := m.unit == week || m.unit == weekend || m.unit == monthUnit || m.unit == quarter
	return (m.said == saidUnit && smaller || m.said == saidRolling) && m.count < 0
}

// isDay says whether the moment names one day, or several without a name.
func (m *moment) isDay() bool {
	return m.has(saidDay|saidMonth) || m.said&(saidOffset|saidWeekday) != 0 || m.said == saidUnit && m.unit == dayUnit && !m.few
}

// join makes one moment of two neighbours, such as a month and a year; false
// when they do not fit together.
func join(a, b moment) (moment, bool) {
	if a.said&b.said != 0 || a.langs&b.langs == 0 {
		return a, false
	}
	m, ok := joinInto(a, b)
	if !ok {
		m, ok = joinInto(b, a)
	}
	m.from, m.to, m.langs, m.firm = a.from, b.to, a.langs&b.langs, true
	return m, ok
}

// joinInto puts what b says into a, where b is the smaller or the plainer one.
func joinInto(a, b moment) (moment, bool) {
	switch {
	case b.said == saidPart && a.isDay() && a.lastDay == 0:
		a.part = b.part
	case a.isYear() && b.said&(saidMonth|saidSeason|saidHoliday) != 0 && b.said&(saidRel|saidYear|saidUnit) == 0:
		b.year, b.unit, b.count, b.numericYear = a.year, a.unit, a.count, a.numericYear
		b.said |= a.said
		return b, true
	case b.said == saidDay && a.said == saidUnit && a.unit == monthUnit && !a.few:
		a.day = b.day
	case a.isWeek() && b.said&^(saidPart|saidRel) == saidWeekday:
		b.said &^= saidRel
		b.unit, b.count = a.unit, a.count
		b.said |= a.said
		return b, true
	case b.said&^saidRel == saidWeekday && a.said&(saidDay|saidOffset) != 0,
		b.said == saidWeekday && a.said == saidUnit && a.unit == dayUnit:
		return a, true
	default:
		return a, false
	}
	a.said |= b.said
	return a, true
}
