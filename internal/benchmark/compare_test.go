package benchmark

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestRatios(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for _, test := range []struct {
		name             string
		old, new         []float64
		higher           bool
		ratio, low, high float64
		verdict          string
	}{
		{"faster", []float64{10, 11, 12}, []float64{5, 5.5, 6}, false, 0.5, 5. / 12, 0.6, Better},
		{"slower", []float64{5, 5.5, 6}, []float64{10, 11, 12}, false, 2, 10. / 6, 12. / 5, Worse},
		{"more a second", []float64{100, 100, 100}, []float64{200, 210, 220}, true, 2.2, 2, 2.2, Better},
		{"less a second", []float64{200, 210, 220}, []float64{100, 100, 100}, true, 1 / 2.2, 1 / 2.2, 0.5, Worse},
		{"runs that overlap", []float64{10, 11, 12}, []float64{9, 9.5, 10.5}, false, 0.9, 0.75, 1.05, ""},
		{"too few runs", []float64{10, 11, 12}, []float64{5, 5.5}, false, 0.5, 5. / 12, 0.55, ""},
		{"nothing before", []float64{0, 0, 0}, []float64{5, 5, 5}, false, 0, 0, 0, ""},
		{"the same", []float64{7, 7, 7}, []float64{7, 7, 7}, false, 1, 1, 1, ""},
	} {
		r := Ratio{}.between(best(test.old, test.higher), best(test.new, test.higher), test.old, test.new, test.higher)
		if !near(r.Ratio, test.ratio) || !near(r.Low, test.low) || !near(r.High, test.high) || r.Verdict != test.verdict {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
}

func best(runs []float64, higher bool) float64 {
	if higher {
		return slices.Max(runs)
	}
	return slices.Min(runs)
}

// TestOnlyTheSameIsCompared holds that a figure which one report lacks, or has in
// another unit, is left out, and that what was not made alike is said.
func TestOnlyTheSameIsCompared(t *testing.T) {
	older, newer := sample(10, 2), sample(20, 1)
	older.Figures = slices.DeleteFunc(older.Figures, func(f Figure) bool { return f.Name == "remember" })
	for i := range older.Figures {
		if older.Figures[i].Name == "build_index" {
			older.Figures[i].Unit = Bytes
		}
	}
	ratios, differences := Compare(older, newer)
	if !slices.Equal(differences, []string{"memories: 10 before, 20 now"}) {
		t.Errorf("differences %q", differences)
	}
	if want := 3*10 + 4; len(ratios) != want {
		t.Errorf("%d ratios, want %d", len(ratios), want)
	}
	for _, r := range ratios {
		if r.Name == "remember" || r.Name == "build_index" {
			t.Errorf("%s is compared", r.Name)
		}
		if r.Name == "recall_hybrid_all" && math.Abs(r.Ratio-0.5) > 1e-3 {
			t.Errorf("%s, %s: %v", r.Name, r.Of, r.Ratio)
		}
	}
}

func TestSpreads(t *testing.T) {
	var times []time.Duration
	for i := range 200 {
		times = append(times, time.Duration(200-i)*time.Millisecond)
	}
	if got, want := spreadOf(times), (Spread{Count: 200, Min: 1, P50: 100, P95: 190, P99: 198, Max: 200}); got != want {
		t.Errorf("%+v", got)
	}
	if got, want := spreadOf(times[:1]), (Spread{Count: 1, Min: 200, P50: 200, P95: 200, P99: 200, Max: 200}); got != want {
		t.Errorf("of one: %+v", got)
	}
}

// TestFiguresTakeTheBestRun holds what stands for all runs, and that times are
// over the calls of all.
func TestFiguresTakeTheBestRun(t *testing.T) {
	s := newSamples()
	for s.run = range 3 {
		s.value("speed", "", PerSecond, float64(10+s.run%2))
		s.value("size", "", Bytes, float64(10+s.run%2))
		if s.run != 1 {
			s.took("call", "", time.Duration(1+s.run)*time.Second)
		}
	}
	f := s.figures()
	if len(f) != 3 || f[0].Value != 11 || f[1].Value != 10 || len(f[0].Runs) != 3 {
		t.Fatalf("%+v", f)
	}
	if call := f[2]; call.Value != 1000 || call.Spread.Count != 2 || call.Spread.Max != 3000 || len(call.Runs) != 2 {
		t.Errorf("%+v of %+v", call, call.Spread)
	}
}
