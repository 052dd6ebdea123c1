package benchmark

import (
	"slices"
	"time"
)

// samples gathers what the runs measured, under names, in the order of the first
// mention.
type samples struct {
	order []string
	kinds map[string]Figure
	times map[string][][]time.Duration // by name, of each run
	run   int                          // the one that measures now, from 0
}

func newSamples() *samples {
	return &samples{kinds: map[string]Figure{}, times: map[string][][]time.Duration{}}
}

// kind says what a name stands for; a name that is known already stays.
func (s *samples) kind(name, what, unit string) {
	if _, known := s.kinds[name]; !known {
		s.order = append(s.order, name)
		s.kinds[name] = Figure{Name: name, What: what, Unit: unit, Higher: unit == PerSecond || unit == Share}
	}
}

// took adds the time of a call.
func (s *samples) took(name, what string, t time.Duration) {
	s.kind(name, what, Milliseconds)
	runs := s.times[name]
	for len(runs) <= s.run {
		runs = append(runs, nil)
	}
	runs[s.run] = append(runs[s.run], t)
	s.times[name] = runs
}

// value adds a figure of a run that is no time of a call.
func (s *samples) value(name, what, unit string, v float64) {
	s.kind(name, what, unit)
	f := s.kinds[name]
	f.Runs = append(f.Runs, Run{Value: v})
	s.kinds[name] = f
}

// figures are what was gathered.
func (s *samples) figures() []Figure {
	out := make([]Figure, 0, len(s.order))
	for _, name := range s.order {
		f := s.kinds[name]
		if runs, timed := s.times[name]; timed {
			out = append(out, timedFigure(f, runs))
			continue
		}
		out = append(out, bestFigure(f))
	}
	return out
}

func timedFigure(f Figure, runs [][]time.Duration) Figure {
	for _, times := range runs {
		if len(times) > 0 {
			spread := spreadOf(times)
			f.Runs = append(f.Runs, Run{Value: spread.P50, Spread: &spread})
		}
	}
	all := spreadOf(slices.Concat(runs...))
	f.Value, f.Spread = all.P50, &all
	return f
}

// bestFigure takes the best run for the figure: on a machine that does other work
// too, the others say more of that work.
func bestFigure(f Figure) Figure {
	for i, run := range f.Runs {
		if i == 0 || (run.Value > f.Value) == f.Higher {
			f.Value = run.Value
		}
	}
	return f
}

// spreadOf gives the quantiles of times in milliseconds, by the nearest rank.
func spreadOf(times []time.Duration) Spread {
	sorted := slices.Sorted(slices.Values(times))
	at := func(share float64) float64 { return milliseconds(sorted[rank(share, len(sorted))]) }
	return Spread{Count: len(sorted), Min: at(0), P50: at(.50), P95: at(.95), P99: at(.99), Max: at(1)}
}

// rank is the place of a quantile among n sorted values: the nearest rank.
func rank(share float64, n int) int {
	at := int(share*float64(n)+0.999999) - 1
	return min(max(at, 0), n-1)
}

// milliseconds are given to the microsecond: finer says nothing of a call.
func milliseconds(t time.Duration) float64 {
	return float64(t.Round(time.Microsecond).Microseconds()) / 1e3
}
