package sense

import (
	"math"
	"time"
)

// Hour is the similarity of two hours of the day that are dh hours apart: a von
// Mises kernel with kappa 6.5, about an hour and a half (contract/sense.md 4.2).
func Hour(dh float64) float64 {
	return math.Exp(6.5 * (math.Cos(2*math.Pi*dh/24) - 1))
}

// Clock is the similarity of two moments, each on its own wall clock: the hour,
// weighed by whether both days are workdays or both are not, and by the weekday.
func Clock(a, b time.Time) float64 {
	return Hour(HourOf(a)-HourOf(b)) * Weekdays(a, b)
}

// Weekdays weighs two days: 1 for the same weekday, 0.9 when both are workdays or
// both are not, else 0.7 (contract/sense.md 4.2).
func Weekdays(a, b time.Time) float64 {
	s := 0.70
	if Weekend(a) == Weekend(b) {
		s += 0.20
	}
	if a.Weekday() == b.Weekday() {
		s += 0.10
	}
	return s
}

// HourOf is the hour of the day on a moment's own wall clock, 0 to 24.
func HourOf(t time.Time) float64 {
	return float64(t.Hour()) + float64(t.Minute())/60 + float64(t.Second())/3600
}

// Weekend says whether a moment falls on a Saturday or Sunday on its own wall clock.
func Weekend(t time.Time) bool {
	return t.Weekday() == time.Saturday || t.Weekday() == time.Sunday
}

// Day is the date of a moment's own wall clock in days since 1970.
func Day(t time.Time) int {
	_, offset := t.Zone()
	return int(math.Floor(float64(t.Unix()+int64(offset)) / (24 * 60 * 60)))
}

// WeekendDay says whether a day since 1970 is a Saturday or Sunday; 1970 began on
// a Thursday.
func WeekendDay(day int) bool {
	weekday := ((day+4)%7 + 7) % 7 // 0 is Sunday
	return weekday == 0 || weekday == 6
}

// Slot is the similarity of two parts of the day that are dh hours apart, wider
// than Hour: kappa 4 (contract/sense.md 4.15b; flat from 3 to 5).
func Slot(dh float64) float64 {
	return math.Exp(4 * (math.Cos(2*math.Pi*dh/24) - 1))
}

// VeryHour is the similarity of two times that are dh hours apart where only about
// the same hour is alike: kappa 32, half at three quarters of an hour
// (docs/decisions/0009).
func VeryHour(dh float64) float64 {
	return math.Exp(32 * (math.Cos(2*math.Pi*dh/24) - 1))
}
