package sense

import "math"

// CellM is the edge of a cell in metres: how far apart two positions of one
// place may be (contract/sense.md 4.7, 4.11).
const CellM = 150

// cellDegrees is CellM in degrees of latitude.
const cellDegrees = CellM / (EarthRadiusM * math.Pi / 180)

// Cell names the piece of the earth, some CellM on each side, that a point in
// WGS84 degrees lies in.
func Cell(lat, lon float64) int64 {
	band := bandOf(lat)
	return cellIn(band, lon)
}

// CellAndNeighbours gives the cell of a point and the four beside it. A position
// near an edge falls into either cell from day to day: with its own cell alone,
// three times as many memories come back wrongly (contract/sense.md 4.15b).
func CellAndNeighbours(lat, lon float64) []int64 {
	band := bandOf(lat)
	step := 360 / cellsIn(band)
	return []int64{cellIn(band, lon), cellIn(band, lon+step), cellIn(band, lon-step), cellIn(band+1, lon), cellIn(band-1, lon)}
}

func bandOf(lat float64) int64 { return int64(math.Floor(lat / cellDegrees)) }

// cellsIn is how many cells a band holds: fewer towards the poles, one at them.
func cellsIn(band int64) float64 {
	middle := (float64(band) + 0.5) * cellDegrees * math.Pi / 180
	return math.Max(1, math.Floor(360/cellDegrees*math.Cos(middle)))
}

// cellIn packs a band and the place in it. It holds over the date line.
func cellIn(band int64, lon float64) int64 {
	n := cellsIn(band)
	turn := math.Mod(lon+180, 360)
	if turn < 0 {
		turn += 360
	}
	place := int64(turn / 360 * n)
	return band<<32 | min(place, int64(n)-1)
}
