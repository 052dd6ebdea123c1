package sense

import (
	"math"
	"testing"
	"time"
)

func TestHourHasTheValuesOfTheContract(t *testing.T) {
	for dh, want := range map[float64]float64{0: 1, .5: .946, 1: .801, 1.5: .610, 2: .419, 3: .149, 6: .002, 23: .801} {
		if got := Hour(dh); math.Abs(got-want) > .0006 {
			t.Errorf("Hour(%g) = %.4f, want %.3f", dh, got, want)
		}
	}
}

func TestClockComparesWallClocks(t *testing.T) {
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	sunday := at("2019-04-14T16:00:00+02:00")
	for name, c := range map[string]struct {
		other time.Time
		want  float64
	}{
		"the same Sunday hour":                {at("2019-04-21T16:00:00+02:00"), 1},
		"the same wall clock in another zone": {at("2019-04-21T16:00:00-09:00"), 1},
		"Saturday at that hour":               {at("2019-04-20T16:00:00+02:00"), .9},
		"Monday at that hour":                 {at("2019-04-22T16:00:00+02:00"), .7},
		"midnight is near a quarter to":       {at("2019-04-21T04:00:00+02:00"), 0},
	} {
		if got := Clock(sunday, c.other); math.Abs(got-c.want) > .001 {
			t.Errorf("%s: %.3f, want %.3f", name, got, c.want)
		}
	}
}

// TestVeryHourKnowsTheHourAlone: half at three quarters of an hour, nothing at two.
func TestVeryHourKnowsTheHourAlone(t *testing.T) {
	for dh, want := range map[float64]float64{0: 1, .25: .93, .75: .54, 1: .34, 2: .014, 23.75: .93} {
		if got := VeryHour(dh); math.Abs(got-want) > .006 {
			t.Errorf("VeryHour(%g) = %.3f, want %.3f", dh, got, want)
		}
	}
}
