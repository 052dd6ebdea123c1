package memory

import "combray/internal/sense"

// sameVisit says whether a cue only tells again where somebody has been since the
// last cue of its source (contract/sense.md 4.11).
func (p *perception) sameVisit(last *Visit) bool {
	if last == nil || !last.HasPlace || p.place == nil || p.news() {
		return false
	}
	return p.at.Sub(last.At).Abs() <= visitTime && sense.Distance(p.place.Lat, p.place.Lon, last.Lat, last.Lon) <= visitRadiusM
}

// repeats says whether a cue is its source's last one again.
func (p *perception) repeats(last *Visit) bool {
	return last != nil && last.Cue == p.key && p.at.Sub(last.At).Abs() < repeatTime
}

// visit is the cue as the next one of its source will look back on it. A cue
// without a place leaves the place of the stay as it was.
func (p *perception) visit(last *Visit) Visit {
	v := Visit{Source: p.source, At: p.at, Cue: p.key}
	switch {
	case p.place != nil:
		v.HasPlace, v.Lat, v.Lon = true, p.place.Lat, p.place.Lon
	case last != nil:
		v.HasPlace, v.Lat, v.Lon = last.HasPlace, last.Lat, last.Lon
	}
	return v
}
