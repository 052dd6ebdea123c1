package benchmark

import (
	"fmt"
	"slices"
)

// Ratio is a figure of one report against the same of another, new divided by old.
type Ratio struct {
	Name string  `json:"name"`
	What string  `json:"what"`
	Unit string  `json:"unit"`
	Of   string  `json:"of"` // value, min, p50 or p99
	Old  float64 `json:"old"`
	New  float64 `json:"new"`
	// Ratio is New/Old. Low and High are the least and the greatest of the ratios
	// of every new run to every old one.
	Ratio   float64 `json:"ratio"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Verdict string  `json:"verdict"` // better, worse, "" when the runs overlap or there are too few
}

// Verdicts of a Ratio.
const (
	Better = "better"
	Worse  = "worse"
)

// quantile is something that is compared of times.
type quantile struct {
	name string
	of   func(Spread) float64
}

var quantiles = []quantile{
	{"min", func(s Spread) float64 { return s.Min }},
	{"p50", func(s Spread) float64 { return s.P50 }},
	{"p99", func(s Spread) float64 { return s.P99 }},
}

// Compare gives the ratios of what both reports have, in the order of the new one,
// and says where the reports were not made alike.
func Compare(older, newer Report) (ratios []Ratio, differences []string) {
	for _, now := range newer.Figures {
		before, both := older.find(now.Name)
		if !both || before.Unit != now.Unit || (before.Spread == nil) != (now.Spread == nil) {
			continue
		}
		base := Ratio{Name: now.Name, What: now.What, Unit: now.Unit}
		if now.Spread == nil {
			base.Of = "value"
			ratios = append(ratios, base.between(before.Value, now.Value, values(before), values(now), now.Higher))
			continue
		}
		for _, q := range quantiles {
			base.Of = q.name
			ratios = append(ratios, base.between(q.of(*before.Spread), q.of(*now.Spread), q.runs(before), q.runs(now), now.Higher))
		}
	}
	return ratios, differencesOf(older, newer)
}

func values(f Figure) []float64 {
	out := make([]float64, len(f.Runs))
	for i, run := range f.Runs {
		out[i] = run.Value
	}
	return out
}

func (q quantile) runs(f Figure) []float64 {
	var out []float64
	for _, run := range f.Runs {
		if run.Spread != nil {
			out = append(out, q.of(*run.Spread))
		}
	}
	return out
}

// fewestRuns are needed on both sides before a difference is called one: of two
// each, one pair in six would be apart by chance.
const fewestRuns = 3

// between fills in what the runs say. A ratio to nothing is left 0.
func (r Ratio) between(before, now float64, old, new []float64, higher bool) Ratio {
	r.Old, r.New = before, now
	if before <= 0 || len(old) == 0 || len(new) == 0 || slices.Min(old) <= 0 {
		return r
	}
	r.Ratio = now / before
	r.Low, r.High = slices.Min(new)/slices.Max(old), slices.Max(new)/slices.Min(old)
	if len(old) < fewestRuns || len(new) < fewestRuns {
		return r
	}
	switch {
	case r.Low > 1 && higher, r.High < 1 && !higher:
		r.Verdict = Better
	case r.High < 1 && higher, r.Low > 1 && !higher:
		r.Verdict = Worse
	}
	return r
}

// differencesOf are sentences that a reader of the ratios must know.
func differencesOf(older, newer Report) (out []string) {
	differ := func(what string, before, now any) {
		if before != now {
			out = append(out, fmt.Sprintf("%s: %v before, %v now", what, before, now))
		}
	}
	a, b := older.Store, newer.Store
	differ("memories", a.Memories, b.Memories)
	differ("vectors that the encoder made", a.Encoded, b.Encoded)
	differ("seed", a.Seed, b.Seed)
	differ("text", a.TextDigest, b.TextDigest)
	differ("encoder", a.Encoder, b.Encoder)
	differ("neighbours", older.Settings.Neighbours, newer.Settings.Neighbours)
	differ("calls of each kind in a run", older.Settings.Asks, newer.Settings.Asks)
	differ("processor", older.Machine.CPU, newer.Machine.CPU)
	differ("cores", older.Machine.Cores, newer.Machine.Cores)
	differ("system", older.Machine.OS, newer.Machine.OS)
	differ("Go", older.Machine.Go, newer.Machine.Go)
	return out
}
