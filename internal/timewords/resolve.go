package timewords

import "time"

// resolve gives the first and the last microsecond of a moment; false when there
// is no such time, as 29 February 2019.
func (c calendar) resolve(m moment) (since, until time.Time, ok bool) {
	if m.has(saidRolling) {
		since, until = c.rolling(m)
		return since, until, true
	}
	if m.has(saidUnit) && m.unit < dayUnit {
		since, until = c.around(m)
		return since, until, true
	}
	s, ok := c.span(m)
	if !ok {
		return since, until, false
	}
	since, until = c.ends(s)
	return since, until, since.Before(until)
}

// rolling is the last N units up to now, from the beginning of a day, or the
// next N. Hours and minutes are exact.
func (c calendar) rolling(m moment) (since, until time.Time) {
	n := m.count
	if m.few {
		n *= fewMax
	}
	var end time.Time
	switch {
	case m.unit == minute:
		end = c.now.Add(time.Duration(n) * time.Minute)
	case m.unit == hour:
		end = c.now.Add(time.Duration(n) * time.Hour)
	case n > 0:
		end = c.instant(back(c.today, m.unit, n).AddDate(0, 0, 1)).Add(-time.Microsecond)
	default:
		end = c.instant(back(c.today, m.unit, n))
	}
	now := c.now.Truncate(time.Microsecond)
	if n > 0 {
		return now, end
	}
	return end, now
}

// around is some hours or minutes ago, with half an hour or a minute of play on
// both sides, and a few of them from two to six.
func (c calendar) around(m moment) (since, until time.Time) {
	size, play := time.Minute, time.Minute
	if m.unit == hour {
		size, play = time.Hour, time.Hour/2
	}
	near, far := m.count, m.count
	if m.few {
		near, far = near*fewMin, far*fewMax
	}
	a, b := c.now.Add(time.Duration(near)*size), c.now.Add(time.Duration(far)*size)
	if b.Before(a) {
		a, b = b, a
	}
	return a.Add(-play).Truncate(time.Microsecond), b.Add(play).Truncate(time.Microsecond)
}

// span is the civil time of a moment of whole days or parts of one.
func (c calendar) span(m moment) (civilSpan, bool) {
	switch {
	case m.has(saidMonth):
		return c.monthSpan(m)
	case m.has(saidSeason):
		return c.recurring(m, func(y int) (civilSpan, bool) { return seasonOf(y, m.season), true })
	case m.has(saidHoliday):
		return c.recurring(m, func(y int) (civilSpan, bool) { return holidayOf(y, m.holiday), true })
	case m.has(saidWeekday):
		return m.partOf(c.weekday(m)), true
	case m.has(saidOffset):
		return m.partOf(c.today.AddDate(0, 0, m.offset)), true
	case m.has(saidDecade):
		return months(m.decade, 1, 120), true
	case m.has(saidYear):
		return months(m.year, 1, 12*(max(m.lastYear, m.year)-m.year+1)), true
	case m.has(saidUnit | saidDay):
		d := c.unit(monthUnit, m.count).from.AddDate(0, 0, m.day-1)
		return m.partOf(d), d.Day() == m.day
	case m.has(saidUnit):
		return c.units(m), true
	}
	return civilSpan{}, false
}

// partOf is a day, or the part of it that the moment says.
func (m *moment) partOf(day time.Time) civilSpan {
	if m.has(saidPart) {
		return partOfDay(day, m.part)
	}
	return days(day, 1)
}

func (c calendar) units(m moment) civilSpan {
	if m.few {
		a, b := c.unit(m.unit, m.count*fewMin), c.unit(m.unit, m.count*fewMax)
		if b.from.Before(a.from) {
			a, b = b, a
		}
		return civilSpan{a.from, b.to}
	}
	s := c.unit(m.unit, m.count)
	switch {
	case m.unit == night:
		return partOfDay(s.from, nightPart)
	case m.has(saidPart):
		return partOfDay(s.from, m.part)
	}
	return s
}

// weekday is the day of a named week; else the newest before today, or, with
// "this", the one of this week, with "next", the first to come.
func (c calendar) weekday(m moment) time.Time {
	if m.has(saidUnit) {
		return c.unit(week, m.count).from.AddDate(0, 0, m.weekday-1)
	}
	inThisWeek := monday(c.today).AddDate(0, 0, m.weekday-1)
	newest := inThisWeek
	if !newest.Before(c.today) {
		newest = newest.AddDate(0, 0, -7)
	}
	switch {
	case !m.has(saidRel) || m.rel == -1:
		return newest
	case m.rel == 0:
		return inThisWeek
	case m.rel < 0:
		return newest.AddDate(0, 0, 7*(m.rel+1))
	}
	if inThisWeek.After(c.today) {
		return inThisWeek
	}
	return inThisWeek.AddDate(0, 0, 7*m.rel)
}

// monthSpan is a month, a day of it, several days, or a part of a day.
func (c calendar) monthSpan(m moment) (civilSpan, bool) {
	return c.recurring(m, func(y int) (civilSpan, bool) {
		if !m.has(saidDay) {
			return months(y, m.month, 1), true
		}
		d := civil(y, m.month, m.day)
		if d.Day() != m.day {
			return civilSpan{}, false
		}
		if m.lastDay != 0 {
			return days(d, m.lastDay-m.day+1), true
		}
		return m.partOf(d), true
	})
}

// leap is the longest time between two 29 February, in years.
const leap = 8

// recurring is what comes once a year, in the year that the moment names; else
// the newest that has begun. With "last" it is the newest that is over, with a
// number that many back; with "this" the one of this year, with "next" the first
// to come.
func (c calendar) recurring(m moment, in func(year int) (civilSpan, bool)) (civilSpan, bool) {
	this := c.today.Year()
	switch {
	case m.has(saidYear):
		return in(fullYear(m.year, this))
	case m.has(saidUnit):
		return in(this + m.count)
	case m.has(saidRel) && m.rel == 0:
		return in(this)
	case m.has(saidRel) && m.rel > 0:
		for y := this - 1; y <= this+leap+1; y++ {
			if s, ok := in(y); ok && s.from.After(c.today) {
				return s, true
			}
		}
		return civilSpan{}, false
	}
	back, over := 1, m.has(saidRel)
	if over {
		back = -m.rel
	}
	for y := this + 1; y >= this-leap-back; y-- {
		s, ok := in(y)
		past := ok && !s.from.After(c.today)
		if over {
			past = ok && !s.to.After(c.today)
		}
		if past {
			if back--; back == 0 {
				return s, true
			}
		}
	}
	return civilSpan{}, false
}

// futureYears is how far ahead a year of two digits may lie.
const futureYears = 19

// fullYear completes a year of two digits.
func fullYear(y, this int) int {
	if y >= 100 {
		return y
	}
	y += this - this%100
	if y > this+futureYears {
		y -= 100
	}
	return y
}
