package store

import (
	"database/sql/driver"
	"fmt"
	"math"

	"modernc.org/sqlite"

	"combray/internal/memory"
)

// earthRadius is the mean radius of the earth in metres (contract/sense.md 4.1).
const earthRadius = 6_371_008.8

const radian = math.Pi / 180

// metres is the haversine distance of two places in degrees.
func metres(lat1, lon1, lat2, lon2 float64) float64 {
	north := math.Sin((lat2 - lat1) * radian / 2)
	east := math.Sin((lon2 - lon1) * radian / 2)
	h := north*north + math.Cos(lat1*radian)*math.Cos(lat2*radian)*east*east
	return 2 * earthRadius * math.Asin(min(1, math.Sqrt(h)))
}

// metresFunction is metres(lat1, lon1, lat2, lon2) in SQL; null when one is null.
func metresFunction(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	var degrees [4]float64
	for i, a := range args {
		switch v := a.(type) {
		case nil:
			return nil, nil
		case float64:
			degrees[i] = v
		case int64:
			degrees[i] = float64(v)
		default:
			return nil, fmt.Errorf("metres: argument %d is a %T", i+1, a)
		}
	}
	return metres(degrees[0], degrees[1], degrees[2], degrees[3]), nil
}

// box is a circle's bounding box in degrees. It may be larger than the circle,
// never smaller (TestBoxHoldsCircle).
type box struct {
	south, north float64
	west, east   float64 // west > east: the box crosses the 180th meridian
}

// boxSlack widens a box by some 10 centimetres, more than any rounding here.
const boxSlack = 1e-6

func boxAround(n memory.Near) box {
	angle := n.RadiusM/earthRadius/radian + boxSlack
	b := box{south: n.Lat - angle, north: n.Lat + angle, west: -180, east: 180}
	if b.south <= -90 || b.north >= 90 {
		return b // holds a pole, and so every meridian
	}
	// The meridian that touches the circle does so at this distance in longitude.
	reach := math.Asin(min(1, math.Sin(angle*radian)/math.Cos(n.Lat*radian)))/radian + boxSlack
	b.west, b.east = n.Lon-reach, n.Lon+reach
	if b.west < -180 {
		b.west += 360
	}
	if b.east > 180 {
		b.east -= 360
	}
	return b
}
