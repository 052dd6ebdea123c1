package sense

import (
	"math"
	"slices"
)

// bodyReading is one of the six readings of contract/sense.md 4.4.
type bodyReading struct {
	name   string
	width  float64 // of the similarity kernel, on the reading's scale
	log    bool    // compared by its natural logarithm
	centre float64 // median of the population, on the reading's scale
	spread float64 // its median absolute deviation, on the same scale
}

// bodyReadings in the contract's order. The population values hold until a
// person has a history; where a source gives a mean and a standard deviation or
// a normal range of 95 %, the spread is .6745 deviations.
//
//   - heart_rate, bpm: adults awake and sitting, mean 73, 5 % to 95 % about 54 to 95
//     (Ostchega et al., National Health Statistics Reports 41, 2011).
//   - hrv, ms, as RMSSD over short recordings: mean 42, deviation 15 (Nunan et al.,
//     Pacing and Clinical Electrophysiology 33, 2010).
//   - skin_temp, deg C, at the wrist over the day: about 33.5, deviation 1 (Sarabia et al.,
//     Physiology & Behavior 95, 2008).
//   - eda, microsiemens: the tonic level lies between 2 and 20 (Dawson, Schell, Filion:
//     The Electrodermal System, Handbook of Psychophysiology, 2007).
//   - steps_per_min: most minutes of a day hold none, incidental ones 1 to 19
//     (Tudor-Locke et al., Preventive Medicine 53, 2011).
//   - respiration_rate, breaths a minute: 12 to 20 in adults at rest, the clinical range.
var bodyReadings = []bodyReading{
	{name: "heart_rate", width: 12, centre: 73, spread: 8.4},
	{name: "hrv", width: .35, log: true, centre: math.Log(42), spread: .24},
	{name: "skin_temp", width: .8, centre: 33.5, spread: .67},
	{name: "eda", width: .5, log: true, centre: (math.Log(2) + math.Log(20)) / 2, spread: .40},
	{name: "steps_per_min", width: 25, centre: 0, spread: 10},
	{name: "respiration_rate", width: 3, centre: 16, spread: 1.4},
}

// BodyHistory is how many readings of a kind a person needs before their own
// median and deviation stand for the population's (contract/sense.md 4.4).
const BodyHistory = 50

// consistentMAD makes a median absolute deviation comparable with the standard
// deviation of a normal distribution: 1 / .6745.
const consistentMAD = 1.4826

// leastSpread is the smallest deviation of a person's own, in widths of the
// kernel: a sensor that repeats one value would make every other one infinitely rare.
const leastSpread = .25

// BodyNorm is what is usual for a person: a median and a deviation for each reading,
// on the scale it is compared on. The zero value is the population.
type BodyNorm struct {
	known  [6]bool
	centre [6]float64
	spread [6]float64 // as a standard deviation
}

// BodyNormOf returns what is usual in the readings a person had so far. A reading
// with fewer than BodyHistory values is left to the population.
func BodyNormOf(history []map[string]float64) BodyNorm {
	var norm BodyNorm
	for i, r := range bodyReadings {
		var values []float64
		for _, body := range history {
			if x, ok := r.of(body); ok {
				values = append(values, x)
			}
		}
		if len(values) < BodyHistory {
			continue
		}
		centre := medianOf(values)
		for j, x := range values {
			values[j] = math.Abs(x - centre)
		}
		norm.known[i], norm.centre[i] = true, centre
		norm.spread[i] = max(consistentMAD*medianOf(values), leastSpread*r.width)
	}
	return norm
}

// Body is the similarity of the readings perceived now with those of a memory, over
// the names both have; 0 when they share none. Being at rest is no cue: readings
// that are usual for the person count for little (contract/sense.md 4.4). Names it
// does not know, and values without a meaning (NaN, no positive hrv or eda), are
// left out.
func Body(now, then map[string]float64, usual BodyNorm) float64 {
	var apart, rare float64
	n := 0
	for i, r := range bodyReadings {
		x, here := r.of(now)
		y, there := r.of(then)
		if !here || !there {
			continue
		}
		n++
		d := (x - y) / r.width
		z := (x - r.centre) / (consistentMAD * r.spread)
		if usual.known[i] {
			z = (x - usual.centre[i]) / usual.spread[i]
		}
		apart += d * d
		rare += z * z
	}
	if n == 0 {
		return 0
	}
	return math.Exp(-.5*apart/float64(n)) * (1 - math.Exp(-.5*rare/float64(n)))
}

// of returns the reading in a body on the scale it is compared on.
func (r bodyReading) of(body map[string]float64) (float64, bool) {
	x, ok := body[r.name]
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, false
	}
	if !r.log {
		return x, true
	}
	if x <= 0 {
		return 0, false
	}
	return math.Log(x), true
}

// medianOf returns the median of values, which it sorts; there must be one at least.
func medianOf(values []float64) float64 {
	slices.Sort(values)
	half := len(values) / 2
	if len(values)%2 == 1 {
		return values[half]
	}
	return (values[half-1] + values[half]) / 2
}
