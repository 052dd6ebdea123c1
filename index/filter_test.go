package index

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFilters(t *testing.T) {
	s := newStore()
	s.put(Row{Live: true, Captured: 10, Facets: []string{"tag=a", "tier=x"}})
	s.put(Row{Live: true, Captured: 20, Event: 5, HasEvent: true, Facets: []string{"tag=a"}})
	s.put(Row{Live: true, Captured: 30, Event: -5, HasEvent: true, Lat: 48.3, Lon: 1.25, HasPlace: true})
	s.put(Row{Captured: 40, Facets: []string{"tag=a"}})
	s.put(Row{Live: true, Captured: 50, HasPlace: true, Lat: 91, Lon: 0}) // nowhere on earth
	for _, test := range []struct {
		name   string
		filter Filter
		want   []int64
	}{
		{"zero", Filter{}, []int64{5, 3, 2, 1}},
		{"forgotten", Filter{State: NotLive}, []int64{4}},
		{"any", Filter{State: Any}, []int64{5, 4, 3, 2, 1}},
		{"facet", Filter{All: []string{"tag=a"}}, []int64{2, 1}},
		{"facets", Filter{All: []string{"tag=a", "tier=x"}}, []int64{1}},
		{"unknown facet", Filter{All: []string{"tag=a", "tag="}}, nil},
		{"event since", Filter{EventSince: new(int64(-5))}, []int64{3, 2}},
		{"event between", Filter{EventSince: new(int64(-4)), EventUntil: new(int64(5))}, []int64{2}},
		{"captured until", Filter{CapturedUntil: new(int64(20))}, []int64{2, 1}},
		{"captured at", Filter{CapturedSince: new(int64(20)), CapturedUntil: new(int64(20))}, []int64{2}},
		{"undated", Filter{Undated: true}, []int64{5, 1}},
		{"undated among the captured", Filter{Undated: true, CapturedUntil: new(int64(20))}, []int64{1}},
		{"undated and since an event", Filter{Undated: true, EventSince: new(int64(-9))}, nil},
		{"near", Filter{Near: &Near{48.3, 1.25, 0}}, []int64{3}},
		{"everywhere", Filter{Near: &Near{0, 0, 3e7}}, []int64{3}},
		{"excluded", Filter{Exclude: []int64{5, 1, 99}}, []int64{3, 2}},
		{"combined", Filter{State: Any, All: []string{"tag=a"}, CapturedSince: new(int64(20)), Exclude: []int64{2}}, []int64{4}},
	} {
		for _, ix := range []*Index{openCaughtUp(t, Config{}, s), rewritten(t, s)} {
			got, err := ix.Recent(context.Background(), test.filter, 10)
			if err != nil || !slices.Equal(got, test.want) && len(got)+len(test.want) > 0 {
				t.Errorf("%s: %v (%v), want %v", test.name, got, err, test.want)
			}
			if n, err := ix.Count(context.Background(), test.filter); err != nil || n != (Counted{len(test.want), 5}) {
				t.Errorf("%s: counts %v (%v), want %d", test.name, n, err, len(test.want))
			}
		}
	}
}

// rewritten returns an index all of whose rows are in a file.
func rewritten(t testing.TB, s Source) *Index {
	ix := openCaughtUp(t, Config{Dir: t.TempDir()}, s)
	rewrite(t, ix)
	return ix
}

func TestFiltersThatCannotBe(t *testing.T) {
	ix := open(t, Config{}, newStore())
	for _, filter := range []Filter{
		{State: 3}, {Near: &Near{91, 0, 1}}, {Near: &Near{0, 181, 1}}, {Near: &Near{0, 0, -1}},
		{Near: &Near{0, 0, math.NaN()}}, {Near: &Near{math.NaN(), 0, 1}},
	} {
		if _, err := ix.Count(context.Background(), filter); err == nil || !strings.HasPrefix(err.Error(), "index: ") {
			t.Errorf("%+v %+v: error %v", filter, filter.Near, err)
		}
	}
}

func TestDistances(t *testing.T) {
	for _, test := range []struct {
		name                   string
		lat1, lon1, lat2, lon2 float64
		want                   float64
	}{
		{"same place", 48.3, 1.25, 48.3, 1.25, 0},
		{"one degree of the equator", 0, 0, 0, 1, 111_195.08},
		{"over the date line", 0, 179.5, 0, -179.5, 111_195.08},
		{"over the pole", 89.5, 0, 89.5, 180, 111_195.08},
		{"at the pole", 90, 10, 90, -170, 0},
		{"antipodes", 0, 0, 0, 180, math.Pi * 6_371_008.8},
	} {
		got := distanceM(test.lat1, test.lon1, test.lat2, test.lon2)
		if math.Abs(got-test.want) > max(1, test.want*1e-4) {
			t.Errorf("%s: %.1f m, want %.1f", test.name, got, test.want)
		}
		larger, smaller := newCircle(&Near{test.lat1, test.lon1, got + 1e-3}), newCircle(&Near{test.lat1, test.lon1, got - 0.01})
		if !larger.holds(test.lat2, test.lon2) {
			t.Errorf("%s: a circle of %.4f m does not hold it", test.name, larger.RadiusM)
		}
		if got > 0 && smaller.holds(test.lat2, test.lon2) {
			t.Errorf("%s: a circle of %.4f m holds it", test.name, smaller.RadiusM)
		}
	}
}

// TestCirclesEqualDistances holds that what is told without a sine is told right,
// around the rim above all.
func TestCirclesEqualDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lat, lon := rapid.Float64Range(-90, 90).Draw(t, "lat"), rapid.Float64Range(-180, 180).Draw(t, "lon")
		size := math.Pow(10, rapid.Float64Range(-6, 2.2).Draw(t, "size"))
		lat2 := min(max(lat+size*rapid.Float64Range(-1, 1).Draw(t, "north"), -90), 90)
		lon2 := math.Remainder(lon+size*rapid.Float64Range(-3, 3).Draw(t, "east"), 360)
		distance := distanceM(lat, lon, lat2, lon2)
		for _, share := range []float64{0, 0.5, 1 - 1e-4, 1 - 1e-7, 1, 1 + 1e-7, 1 + 1e-4, 2} {
			c := newCircle(&Near{lat, lon, distance * share})
			sure := math.Abs(distance-c.RadiusM) > 1e-6 // the haversine itself is no better across the date line
			if got, want := c.holds(lat2, lon2), distance <= c.RadiusM; got != want && sure {
				t.Fatalf("%v of %v m: holds %v", share, distance, got)
			}
		}
	})
}

func TestDistanceEqualsChord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lat, lon := rapid.Float64Range(-90, 90), rapid.Float64Range(-180, 180)
		lat1, lon1, lat2, lon2 := lat.Draw(t, "lat1"), lon.Draw(t, "lon1"), lat.Draw(t, "lat2"), lon.Draw(t, "lon2")
		got, want := distanceM(lat1, lon1, lat2, lon2), chord(lat1, lon1, lat2, lon2)
		if math.Abs(got-want) > 1 {
			t.Fatalf("%v m, want %v", got, want)
		}
	})
}

// TestNarrowFilterLosesNothing holds that the best rows that pass are found
// however few they are and however many others are nearer.
func TestNarrowFilterLosesNothing(t *testing.T) {
	s, c := newStore(), newCloud(4, 32, 5)
	question := c.vector()
	for i := range 3000 {
		row := Row{Live: true, Terms: words("tea"), Vectors: [][]float32{c.near(question, 0.1)}}
		if i%300 == 299 {
			row.Facets, row.Vectors = []string{"tag=far"}, [][]float32{c.vector()}
		}
		s.put(row)
	}
	ix := openCaughtUp(t, Config{Dir: t.TempDir(), Identity: "e", Dims: 32, Shortlist: 20}, s)
	got := ask(t, ix, Query{Terms: []string{"tea"}, Vector: question, PerLane: 10, Filter: Filter{All: []string{"tag=far"}}})
	if len(got.Candidates) != 10 || got.Eligible != 10 || got.Words.Found != 10 || got.Vectors.Found != 10 {
		t.Errorf("got %s", show(got))
	}
}
