package sense

import (
	"math"
	"testing"
)

func TestBodyComparesWhatBothHave(t *testing.T) {
	running := map[string]float64{"heart_rate": 150, "steps_per_min": 160}
	for name, c := range map[string]struct {
		now, then map[string]float64
		low, high float64
	}{
		"the same run":                      {running, running, .999, 1},
		"a run and a walk":                  {running, map[string]float64{"heart_rate": 110, "steps_per_min": 100}, 0, .05},
		"one width apart":                   {map[string]float64{"heart_rate": 150}, map[string]float64{"heart_rate": 138}, .60, .61},
		"nothing in common":                 {map[string]float64{"heart_rate": 150}, map[string]float64{"eda": 12}, 0, 0},
		"no readings":                       {nil, nil, 0, 0},
		"rest is no cue":                    {map[string]float64{"heart_rate": 73}, map[string]float64{"heart_rate": 73}, 0, 0},
		"near rest is hardly one":           {map[string]float64{"heart_rate": 78}, map[string]float64{"heart_rate": 78}, .05, .10},
		"hrv by its logarithm":              {map[string]float64{"hrv": 10}, map[string]float64{"hrv": 10 * math.Exp(.35)}, .60, .61},
		"a reading without a meaning":       {map[string]float64{"hrv": -3}, map[string]float64{"hrv": -3}, 0, 0},
		"not a number":                      {map[string]float64{"heart_rate": math.NaN()}, running, 0, 0},
		"an unknown name":                   {map[string]float64{"mood": 7}, map[string]float64{"mood": 7}, 0, 0},
		"a name only one has does not tell": {map[string]float64{"heart_rate": 150, "eda": 9}, map[string]float64{"heart_rate": 150}, .999, 1},
	} {
		if got := Body(c.now, c.then, BodyNorm{}); got < c.low || got > c.high {
			t.Errorf("%s: %.4f, want %.3f to %.3f", name, got, c.low, c.high)
		}
	}
}

func TestBodyKnowsWhatIsUsualForAPerson(t *testing.T) {
	athlete := func(n int) (out []map[string]float64) {
		for i := range n {
			out = append(out, map[string]float64{"heart_rate": 48 + float64(i%5)})
		}
		return out
	}
	rest, norm := map[string]float64{"heart_rate": 50}, map[string]float64{"heart_rate": 73}
	for name, c := range map[string]struct {
		body      map[string]float64
		history   int
		low, high float64
	}{
		"an athlete's rest, unknown":            {rest, BodyHistory - 1, .8, 1},
		"an athlete's rest, known":              {rest, BodyHistory, 0, .001},
		"the population's rest in the athlete":  {norm, BodyHistory, .999, 1},
		"the population's rest without history": {norm, 0, 0, .001},
	} {
		if got := Body(c.body, c.body, BodyNormOf(athlete(c.history))); got < c.low || got > c.high {
			t.Errorf("%s: %.4f, want %.3f to %.3f", name, got, c.low, c.high)
		}
	}
}

// A sensor stuck at one value has no deviation; its next value must stay finite.
func TestBodyOfAStuckSensor(t *testing.T) {
	var history []map[string]float64
	for range BodyHistory {
		history = append(history, map[string]float64{"skin_temp": 33})
	}
	warm := map[string]float64{"skin_temp": 33.2}
	if got := Body(warm, warm, BodyNormOf(history)); got < .3 || got > .5 {
		t.Errorf("one least deviation from a stuck sensor gives %.3f, want 1-exp(-.5) = .39", got)
	}
}
