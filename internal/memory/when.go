package memory

import (
	"regexp"
	"time"
)

// instantForm is the shape of contract/history.md 2.5: a date, a time to the
// second, at most six fraction digits, and Z or an offset.
var instantForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$`)

const timestampHint = "Give an ISO 8601 time with seconds and an offset, for example 2024-05-08T14:30:00+02:00 or 2024-05-08T12:30:00Z."

// ParseInstant reads an input time with an offset. It gives the instant in UTC,
// cut to microseconds, and the offset in minutes east of UTC.
func ParseInstant(field, s string) (time.Time, int, error) {
	t, offset, hasOffset, err := parseClock(field, s)
	if err == nil && !hasOffset {
		err = badTimestamp(field)
	}
	return t, offset, err
}

// ParseLocal reads an input time whose offset may be missing; then zone decides,
// and assumed is true.
func ParseLocal(field, s string, zone *time.Location) (t time.Time, offset int, assumed bool, err error) {
	t, offset, hasOffset, err := parseClock(field, s)
	if err != nil || hasOffset {
		return t, offset, false, err
	}
	local := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
	_, seconds := local.Zone()
	return local.UTC(), seconds / 60, true, nil
}

func parseClock(field, s string) (t time.Time, offset int, hasOffset bool, err error) {
	m := instantForm.FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, 0, false, badTimestamp(field)
	}
	layout := "2006-01-02T15:04:05"
	if m[2] != "" {
		layout += "Z07:00"
	}
	t, perr := time.Parse(layout, s)
	if perr != nil || t.Year() < 1 || t.UTC().Year() < 1 || t.UTC().Year() > 9999 {
		return time.Time{}, 0, false, badTimestamp(field)
	}
	_, seconds := t.Zone()
	return t.UTC(), seconds / 60, m[2] != "", nil
}

func badTimestamp(field string) *Error {
	return Invalid(field, timestampHint,
		"%s must be a timestamp such as 2024-05-08T14:30:00+02:00: a calendar date, hours, minutes, seconds, at most six fraction digits, and Z or an offset", field)
}

// FormatInstant writes an instant as the contract shows it: UTC, no fraction
// when it is zero, else exactly six digits, and +00:00.
func FormatInstant(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond()/1000 == 0 {
		return t.Format("2006-01-02T15:04:05+00:00")
	}
	return t.Format("2006-01-02T15:04:05.000000+00:00")
}

// Micro cuts a time to the microseconds that are stored, in UTC.
func Micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }
