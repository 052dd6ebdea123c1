package sense

import "math"

// EarthRadiusM is the mean radius of the earth in metres (contract/sense.md 4.1).
const EarthRadiusM = 6_371_008.8

// Distance is the great-circle distance in metres between two points in WGS84
// degrees, by the haversine formula; it holds at the poles and over the date line.
func Distance(lat1, lon1, lat2, lon2 float64) float64 {
	const degree = math.Pi / 180
	sinLat := math.Sin((lat2 - lat1) * degree / 2)
	sinLon := math.Sin((lon2 - lon1) * degree / 2)
	h := sinLat*sinLat + math.Cos(lat1*degree)*math.Cos(lat2*degree)*sinLon*sinLon
	return 2 * EarthRadiusM * math.Asin(math.Min(1, math.Sqrt(h)))
}

// Place is the similarity of two places that are d metres apart: the same spot
// (120 m) and the same neighbourhood (2 km), contract/sense.md 4.1.
func Place(d float64) float64 {
	return 0.7*math.Exp(-d*d/(2*120*120)) + 0.3*math.Exp(-d/2000)
}

// PlaceReliability lowers what a place proves when it is known only to within
// uncertaintyM metres: 1 up to 150 m, falling with the logarithm beyond.
func PlaceReliability(uncertaintyM float64) float64 {
	return 1 / (1 + 0.5*math.Log10(math.Max(uncertaintyM, 150)/150))
}
