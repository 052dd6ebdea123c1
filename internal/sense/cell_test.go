package sense

import (
	"slices"
	"testing"
)

func TestNeighbourCellsHoldWhatIsNear(t *testing.T) {
	for name, p := range map[string]struct{ lat, lon float64 }{
		"a town":            {48.226, 16.385},
		"the equator":       {0.00001, 0.00001},
		"the date line":     {-16.8, 179.9999},
		"the far north":     {89.9, 40},
		"the pole":          {90, 0},
		"the south pole":    {-90, 77},
		"west of Greenwich": {51.5, -0.0001},
	} {
		home := CellAndNeighbours(p.lat, p.lon)
		if home[0] != Cell(p.lat, p.lon) {
			t.Errorf("%s: the first is not the cell itself", name)
		}
		// 20 m of GPS noise along either axis stays within.
		const noise = 20.0 / 111195
		for _, lat := range []float64{max(p.lat-noise, -90), min(p.lat+noise, 90)} {
			if !slices.Contains(home, Cell(lat, p.lon)) {
				t.Errorf("%s: %g is not beside %g", name, lat, p.lat)
			}
		}
		if !slices.Contains(home, Cell(p.lat, p.lon+noise)) || !slices.Contains(home, Cell(p.lat, p.lon-noise)) {
			t.Errorf("%s: a step along the band leaves it", name)
		}
	}
}

func TestCellsAreAboutTheirSize(t *testing.T) {
	for _, lat := range []float64{0, 48, -63} {
		lon, steps := 10.0, 0
		first := Cell(lat, lon)
		for Cell(lat, lon) == first {
			lon += 1e-5
		}
		edge := Cell(lat, lon)
		start := lon
		for Cell(lat, lon) == edge {
			lon += 1e-5
			steps++
		}
		if d := Distance(lat, start, lat, lon); d < CellM*.97 || d > CellM*1.03 {
			t.Errorf("at %g degrees a cell is %g m wide", lat, d)
		}
	}
}
