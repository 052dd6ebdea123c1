package index

import "math"

const (
	// earthRadiusM is the mean radius of the earth, (2a+b)/3 of WGS 84.
	earthRadiusM = 6_371_008.8
	degree       = math.Pi / 180
)

// onEarth reports whether lat and lon are degrees of a place.
func onEarth(lat, lon float64) bool {
	return math.Abs(lat) <= 90 && math.Abs(lon) <= 180 // false for NaN
}

// distanceM returns the great-circle distance of two places in metres, by the
// haversine formula.
func distanceM(lat1, lon1, lat2, lon2 float64) float64 {
	sinLat := math.Sin((lat2 - lat1) * degree / 2)
	sinLon := math.Sin((lon2 - lon1) * degree / 2)
	h := sinLat*sinLat + math.Cos(lat1*degree)*math.Cos(lat2*degree)*sinLon*sinLon
	return 2 * earthRadiusM * math.Asin(math.Sqrt(min(h, 1)))
}

// circle is a Near made ready for many places.
//
// Let x and y be the differences of latitude and longitude, and c the cosine of a
// latitude. Lengths on the sphere are the integral of sqrt(dx² + c²dy²), so with
// the largest c of the circle's latitudes sqrt(x² + c²y²) is not below the
// distance of a place, and with the smallest it is not above that of a place
// inside, the way to which does not leave the circle. So nearly all places are
// told without a sine (TestCirclesEqualDistances).
type circle struct {
	Near
	south, north   float64 // no place of it lies beyond
	widest, narrow float64 // squares of the largest and smallest cosine
	within, beyond float64 // squares of degrees that are surely inside and outside
}

// slack keeps what is sure away from the rim by more than floats are wrong.
const slack = 1e-6

func newCircle(n *Near) circle {
	radius := n.RadiusM / (earthRadiusM * degree) // in degrees of latitude
	c := circle{Near: *n, within: radius * radius * (1 - slack), beyond: radius*radius*(1+slack) + slack*slack}
	reach := math.Sqrt(c.beyond)
	c.south, c.north = n.Lat-reach, n.Lat+reach
	south, north := max(c.south, -90), min(c.north, 90)
	atSouth, atNorth := max(math.Cos(south*degree), 0), max(math.Cos(north*degree), 0)
	largest, smallest := max(atSouth, atNorth), min(atSouth, atNorth)
	if south <= 0 && north >= 0 {
		largest = 1
	}
	c.widest, c.narrow = largest*largest, smallest*smallest
	return c
}

// holds reports whether a place lies in the circle.
func (c *circle) holds(lat, lon float64) bool {
	x, y := lat-c.Lat, math.Abs(lon-c.Lon)
	y = min(y, 360-y)
	x, y = x*x, y*y
	if x+c.narrow*y > c.beyond {
		return false
	}
	return x+c.widest*y <= c.within || distanceM(c.Lat, c.Lon, lat, lon) <= c.RadiusM
}
