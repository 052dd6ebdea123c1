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
	s := 0.70
	if weekend(a) == weekend(b) {
		s += 0.20
	}
	if a.Weekday() == b.Weekday() {
		s += 0.10
	}
	return Hour(hourOf(a)-hourOf(b)) * s
}

func hourOf(t time.Time) float64 {
	return float64(t.Hour()) + float64(t.Minute())/60 + float64(t.Second())/3600
}

func weekend(t time.Time) bool {
	return t.Weekday() == time.Saturday || t.Weekday() == time.Sunday
}
