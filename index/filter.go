package index

import "fmt"

// check says what is wrong with a filter.
func (f *Filter) check() error {
	if f.State > Any {
		return fmt.Errorf("index: filter state %d, allowed are Live, NotLive and Any", f.State)
	}
	n := f.Near
	if n != nil && (!onEarth(n.Lat, n.Lon) || !(n.RadiusM >= 0)) {
		return fmt.Errorf("index: filter circle of %g m about %g, %g: it needs a place on earth and a radius of 0 or more", n.RadiusM, n.Lat, n.Lon)
	}
	return nil
}

// allow sets allowed, of wordsFor(s.slots()) words, to the slots that pass a
// filter. Every step only takes slots away, the cheap ones first.
func (s *state) allow(allowed, space bitset, f *Filter) {
	switch f.State {
	case Live:
		copy(allowed, s.live)
	default:
		copy(allowed, s.alive)
	}
	if f.State == NotLive {
		for i, word := range s.live {
			allowed[i] &^= word
		}
	}
	for _, doc := range f.Exclude {
		if slot, found := s.find(doc); found {
			allowed.clear(slot)
		}
	}
	for _, facet := range f.All {
		clear(space)
		s.markFacet(space, facet)
		allowed.and(space)
	}
	if f.Near != nil {
		clear(space)
		s.markNear(space, f.Near)
		allowed.and(space)
	}
	s.keepTimes(allowed, f)
}

// markFacet sets the slots that have a facet.
func (s *state) markFacet(marked bitset, facet string) {
	if s.segment != nil {
		each(s.segment.facets.list(facet), s.file.len(), func(p posting) { marked.set(p.slot) })
	}
	for _, local := range s.delta.facets.list(facet) {
		marked.set(s.split + local)
	}
}

// markNear sets the slots of rows inside a circle.
func (s *state) markNear(marked bitset, near *Near) {
	circle := newCircle(near)
	if s.segment != nil {
		markPlaces(marked, &s.segment.places, &circle, 0)
	}
	markPlaces(marked, &s.delta.places, &circle, s.split)
}

func markPlaces(marked bitset, places *places, circle *circle, offset uint32) {
	south, north := circle.south, circle.north
	for i, lat := range places.lat {
		if lat < south || lat > north || !circle.holds(lat, places.lon[i]) {
			continue
		}
		if slot := uint64(places.slots[i]) + uint64(offset); slot>>6 < uint64(len(marked)) {
			marked.set(uint32(slot))
		}
	}
}
