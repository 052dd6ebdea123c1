package timewords

import "time"

// calendar answers as of a moment, in its location. Days and months are counted
// on civil dates, kept as times in UTC, and only the ends of an interval become
// instants: a day of 23 or 25 hours is one day.
type calendar struct {
	now   time.Time
	today time.Time // civil
}

func newCalendar(now time.Time) calendar {
	y, m, d := now.Date()
	return calendar{now: now, today: civil(y, int(m), d)}
}

func civil(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

// instant is when the wall clock in the calendar's location first shows a civil
// time, or, where the clock skips it, the moment of the skip.
func (c calendar) instant(t time.Time) time.Time {
	y, m, d := t.Date()
	h, minute, _ := t.Clock()
	at := time.Date(y, m, d, h, minute, 0, 0, c.now.Location())
	began, ends := at.ZoneBounds()
	if wall(at).Before(t) && !ends.IsZero() { // skipped, and Go chose the offset before
		return ends
	}
	if wall(at).After(t) { // skipped, and Go chose the offset after
		return began
	}
	if began.IsZero() {
		return at
	}
	_, offset := at.Zone()
	_, before := began.Add(-1).Zone()
	if earlier := at.Add(time.Duration(offset-before) * time.Second); earlier.Before(began) && wall(earlier).Equal(t) {
		return earlier // the clock shows it twice
	}
	return at
}

// wall is the civil time that the clock shows at an instant.
func wall(t time.Time) time.Time {
	y, m, d := t.Date()
	h, minute, s := t.Clock()
	return time.Date(y, m, d, h, minute, s, 0, time.UTC)
}

// shift moves an instant by years and days on the wall clock.
func (c calendar) shift(t time.Time, years, days int) time.Time {
	return c.instant(wall(t.In(c.now.Location())).AddDate(years, 0, days))
}

// civilSpan is a span of civil time: from is in it, to is not.
type civilSpan struct{ from, to time.Time }

func days(from time.Time, n int) civilSpan { return civilSpan{from, from.AddDate(0, 0, n)} }

func months(y, m, n int) civilSpan { return civilSpan{civil(y, m, 1), civil(y, m+n, 1)} }

// ends are the first and the last microsecond of a span.
func (c calendar) ends(s civilSpan) (since, until time.Time) {
	return c.instant(s.from), c.instant(s.to).Add(-time.Microsecond)
}

// weekdayOf counts from Monday, 0.
func weekdayOf(day time.Time) int { return (int(day.Weekday()) + 6) % 7 }

// monday is the first day of the week that holds a day.
func monday(day time.Time) time.Time { return day.AddDate(0, 0, -weekdayOf(day)) }

// unit is the calendar unit, n units from the one that holds today.
func (c calendar) unit(u unit, n int) civilSpan {
	y, m, _ := c.today.Date()
	switch u {
	case dayUnit, night:
		return days(c.today.AddDate(0, 0, n), 1)
	case week:
		return days(monday(c.today).AddDate(0, 0, 7*n), 7)
	case weekend:
		return days(monday(c.today).AddDate(0, 0, 7*n+5), 2)
	case monthUnit:
		return months(y, int(m)+n, 1)
	case quarter:
		return months(y, (int(m)-1)/3*3+1+3*n, 3)
	case year:
		return months(y+n, 1, 12)
	}
	return months(y-y%10+10*n, 1, 120)
}

// back is the civil date n units from a day, at most the last day of its month.
func back(day time.Time, u unit, n int) time.Time {
	y, m, d := day.Date()
	switch u {
	case week, weekend:
		return day.AddDate(0, 0, 7*n)
	case monthUnit:
		return clamped(y, int(m)+n, d)
	case quarter:
		return clamped(y, int(m)+3*n, d)
	case year:
		return clamped(y+n, int(m), d)
	case decade:
		return clamped(y+10*n, int(m), d)
	}
	return day.AddDate(0, 0, n)
}

func clamped(y, m, d int) time.Time {
	last := civil(y, m+1, 0)
	if d < last.Day() {
		return last.AddDate(0, 0, d-last.Day())
	}
	return last
}

// dayHours are the hours of the parts of a day, from and to.
var dayHours = [...][2]int{morning: {5, 12}, noon: {11, 14}, afternoon: {12, 18}, evening: {17, 24}, nightPart: {18, 30}}

func partOfDay(day time.Time, part int) civilSpan {
	h := dayHours[part]
	return civilSpan{day.Add(time.Duration(h[0]) * time.Hour), day.Add(time.Duration(h[1]) * time.Hour)}
}

// seasonOf is three months; seasons are counted from spring, 0.
func seasonOf(y, season int) civilSpan { return months(y, 3+3*season, 3) }

// holidayOf is a holiday with its eve: 24–26 December, 31 December–1 January,
// 31 October. New Year belongs to the year that begins.
func holidayOf(y, holiday int) civilSpan {
	switch holiday {
	case christmas:
		return days(civil(y, 12, 24), 3)
	case newYear:
		return days(civil(y-1, 12, 31), 2)
	}
	return days(civil(y, 10, 31), 1)
}
