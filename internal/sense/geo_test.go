package sense

import (
	"math"
	"testing"
)

func TestPlaceHasTheValuesOfTheContract(t *testing.T) {
	for d, want := range map[float64]float64{0: 1, 30: .974, 50: .934, 100: .780, 150: .599, 200: .446, 300: .289, 500: .234, 1000: .182, 2000: .110, 5000: .025} {
		if got := Place(d); math.Abs(got-want) > .0006 {
			t.Errorf("Place(%g) = %.4f, want %.3f", d, got, want)
		}
	}
}

func TestDistanceHoldsAtTheSeams(t *testing.T) {
	for name, c := range map[string]struct{ lat1, lon1, lat2, lon2, want float64 }{
		"a degree of latitude":     {0, 0, 1, 0, 111195},
		"over the date line":       {-16.8, 179.99, -16.8, -179.99, 2129},
		"over Greenwich":           {51.5, -.01, 51.5, .01, 1384},
		"longitude at the pole":    {90, 0, 90, 137, 0},
		"from pole to pole":        {90, 0, -90, 0, math.Pi * EarthRadiusM},
		"antipodes on the equator": {0, 0, 0, 180, math.Pi * EarthRadiusM},
	} {
		if got := Distance(c.lat1, c.lon1, c.lat2, c.lon2); math.Abs(got-c.want) > 2 {
			t.Errorf("%s: %.1f m, want %.1f", name, got, c.want)
		}
	}
}

func TestPlaceReliabilityFallsWithUncertainty(t *testing.T) {
	if PlaceReliability(0) != 1 || PlaceReliability(150) != 1 {
		t.Error("up to 150 m a place proves all it can")
	}
	if got := PlaceReliability(1500); math.Abs(got-1/1.5) > 1e-9 {
		t.Errorf("PlaceReliability(1500) = %g", got)
	}
}
