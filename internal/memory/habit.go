package memory

import (
	"math"
	"time"
)

// silence says until when a memory stays silent at a moment of the event clock. The
// last firing before it decides, and the next one after it where a log is replayed
// out of order (contract/sense.md U20).
func silence(firings []Recollection, at time.Time) (until time.Time, silent bool) {
	for i, f := range firings {
		last := i == len(firings)-1 || firings[i+1].At.After(at)
		if f.At.After(at) {
			if rest := silenceAfter(firings, f.At); f.At.Sub(at) < rest {
				return f.At.Add(rest), true
			}
			return until, silent
		}
		if last {
			until = f.At.Add(silenceAfter(firings, f.At))
			silent = at.Before(until)
		}
	}
	return until, silent
}

// silenceAfter is how long a memory is silent after its firing at a moment: longer
// after it was called noise, never longer than mostSilence (contract/sense.md 4.9,
// 4.15b).
func silenceAfter(firings []Recollection, at time.Time) time.Duration {
	steps := 0
	var last time.Time
	for _, f := range firings {
		if f.At.After(at) {
			break
		}
		if !last.IsZero() {
			steps = max(0, steps-int(f.At.Sub(last)/recovery))
		}
		last = f.At
		switch {
		case f.Useful == nil:
		case *f.Useful:
			steps = 0
		default:
			steps += noiseSteps
		}
	}
	return time.Duration(min(float64(mostSilence), float64(firstSilence)*math.Pow(2, float64(steps))))
}

// activation is the base-level activation of ACT-R, ln of the sum of t^-0.5 over
// the days since a memory was made and since it came back (contract/sense.md U18).
// It breaks ties only.
func activation(m Memory, firings []Recollection, at time.Time) float64 {
	const moment = 1.0 / (24 * 60) // days; what happens now counts as a minute ago
	made := m.CreatedAt
	if m.EventAt != nil {
		made = *m.EventAt
	}
	sum := 0.0
	add := func(t time.Time) { sum += math.Pow(max(at.Sub(t).Hours()/24, moment), -0.5) }
	add(made)
	for _, f := range firings {
		add(f.At)
	}
	return math.Log(sum)
}
