package index

import "math"

// earthRadiusM is the mean radius of the earth, (2a+b)/3 of WGS 84.
const earthRadiusM = 6_371_008.8

// onEarth reports whether lat and lon are degrees of a place.
func onEarth(lat, lon float64) bool {
	return math.Abs(lat) <= 90 && math.Abs(lon) <= 180 // false for NaN
}

// distanceM returns the great-circle distance of two places in metres, by the
// haversine formula.
func distanceM(lat1, lon1, lat2, lon2 float64) float64 {
	const degree = math.Pi / 180
	sinLat := math.Sin((lat2 - lat1) * degree / 2)
	sinLon := math.Sin((lon2 - lon1) * degree / 2)
	h := sinLat*sinLat + math.Cos(lat1*degree)*math.Cos(lat2*degree)*sinLon*sinLon
	return 2 * earthRadiusM * math.Asin(math.Sqrt(min(h, 1)))
}

// holds reports whether a place lies in the circle. Places further north or
// south than the radius are ruled out without a sine.
func (n *Near) holds(lat, lon float64) bool {
	const metresPerDegree = earthRadiusM * math.Pi / 180
	if math.Abs(lat-n.Lat)*metresPerDegree > n.RadiusM*(1+1e-9)+1e-3 {
		return false
	}
	return distanceM(n.Lat, n.Lon, lat, lon) <= n.RadiusM
}
