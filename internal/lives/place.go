package lives

import (
	"math"
	"math/rand/v2"

	"combray/internal/sense"
)

// spot is a point on the earth, WGS84 degrees.
type spot struct{ lat, lon float64 }

const metresPerDegree = 111_195 // of latitude, on the sphere of sense.Distance

// off is the spot so many metres away in a direction, radians from north.
func (s spot) off(metres, bearing float64) spot {
	north, east := metres*math.Cos(bearing), metres*math.Sin(bearing)
	return spot{s.lat + north/metresPerDegree, s.lon + east/(metresPerDegree*math.Cos(s.lat*math.Pi/180))}
}

func (s spot) metres(to spot) float64 { return sense.Distance(s.lat, s.lon, to.lat, to.lon) }

// near is a spot that lies scattered around another.
func (s spot) near(r *rand.Rand, deviation float64) spot {
	return s.off(math.Abs(r.NormFloat64())*deviation*math.Sqrt2, bearing(r))
}

func bearing(r *rand.Rand) float64 { return r.Float64() * 2 * math.Pi }

// place is somewhere a person goes.
type place struct {
	spot
	usual    bool // part of the routine
	home     bool
	memories int
}

// town is where a person lives or travels to.
type town struct {
	centre spot
	zone   zone
}

// district is a town as one person knows it.
type district struct {
	zone       zone
	home, work *place
	errands    []*place // routine, the most frequent first
	seldom     []*place // the most frequent first
}

// Distances between places, metres. Some seldom places lie close to home or work,
// where the routine passes; the rest anywhere in town.
const (
	apartLeast  = 250
	closeLeast  = 260
	closeMost   = 700
	townRadius  = 9000
	workDistant = 4000
	closeShare  = 0.15
)

// settle lays out a town for a person. errands and seldom are how many of each.
func settle(r *rand.Rand, t town, errands, seldom int) *district {
	d := &district{zone: t.zone, home: &place{spot: t.centre.near(r, 1500), usual: true, home: true}}
	d.work = &place{spot: d.home.off(workDistant*(0.5+r.Float64()), bearing(r)), usual: true}
	for i := range errands {
		around := d.home
		if i%2 == 1 {
			around = d.work
		}
		d.errands = append(d.errands, d.found(r, func() spot { return around.off(300+900*r.Float64(), bearing(r)) }, true))
	}
	for range seldom {
		d.seldom = append(d.seldom, d.found(r, func() spot { return d.somewhere(r, t.centre) }, false))
	}
	return d
}

func (d *district) somewhere(r *rand.Rand, centre spot) spot {
	if r.Float64() < closeShare {
		around := d.home
		if r.IntN(2) == 1 {
			around = d.work
		}
		return around.off(closeLeast+(closeMost-closeLeast)*r.Float64(), bearing(r))
	}
	return centre.off(townRadius*math.Sqrt(r.Float64()), bearing(r))
}

// found looks for a spot that is apart from every place so far.
func (d *district) found(r *rand.Rand, try func() spot, usual bool) *place {
	for {
		s := try()
		apart := true
		for _, p := range d.all() {
			apart = apart && s.metres(p.spot) >= apartLeast
		}
		if apart {
			return &place{spot: s, usual: usual}
		}
	}
}

func (d *district) all() []*place {
	out := append([]*place{d.home, d.work}, d.errands...)
	return append(out, d.seldom...)
}
