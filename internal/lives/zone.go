package lives

import "time"

// zone is a wall clock: hours ahead of UTC, and when it is summer. Lives carry
// their own rules, so that they do not change with a machine's time zone files.
type zone struct {
	hours  float64
	summer func(year int) (begin, end time.Time) // UTC; nil: no summer time
}

// europe is the summer time of the European Union (directive 2000/84/EC).
func europe(year int) (begin, end time.Time) {
	return sunday(year, time.March, 31).Add(time.Hour), sunday(year, time.October, 31).Add(time.Hour)
}

// mountain is the summer time of the United States (15 U.S.C. 260a) at seven hours
// behind UTC.
func mountain(year int) (begin, end time.Time) {
	return sunday(year, time.March, 14).Add(9 * time.Hour), sunday(year, time.November, 7).Add(8 * time.Hour)
}

// sunday is the last Sunday up to a day of a month, at 00:00 UTC.
func sunday(year int, month time.Month, day int) time.Time {
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return t.AddDate(0, 0, -int(t.Weekday()))
}

// at is a wall clock time, hours after the midnight that begins a date.
func (z zone) at(date time.Time, hours float64) time.Time {
	wall := date.Add(time.Duration(hours * float64(time.Hour))).Truncate(time.Second)
	utc := wall.Add(-time.Duration(z.hours * float64(time.Hour)))
	offset := z.hours
	if z.summer != nil {
		if begin, end := z.summer(wall.Year()); !utc.Before(begin) && utc.Before(end) {
			utc, offset = utc.Add(-time.Hour), offset+1
		}
	}
	return utc.In(time.FixedZone("", int(offset*3600)))
}
