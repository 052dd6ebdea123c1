package index

import "slices"

// cues runs the cue lane: the best rows by where and when they happened.
func (s *search) cues() []found {
	if s.query.Cue == nil {
		return nil
	}
	top := best[found]{k: s.query.PerLane, better: betterFound}
	split := int(s.state.split) / 64
	s.cuesOf(&top, s.allowed[:split], 0)
	s.cuesOf(&top, s.allowed[split:], s.state.split)
	return top.sorted()
}

// cuesOf offers the allowed rows of the part whose slots start at first.
func (s *search) cuesOf(top *best[found], allowed bitset, first uint32) {
	c, _ := s.state.row(first)
	where := s.state.placesOf(first)
	next := 0 // in where
	allowed.each(func(local uint32) {
		next = where.seek(next, local)
		if score := s.query.Cue(c.situation(local, where, next)); score > 0 {
			top.offer(found{slot: first + local, doc: c.docs[local], score: float32(score)})
		}
	})
}

// situation returns where and when a row happened. If it has a place, that is
// item at of where.
func (c *columns) situation(slot uint32, where *places, at int) Situation {
	out := Situation{HasEvent: c.flags[slot]&flagEvent != 0, Event: c.event[slot], HasHour: c.offset[slot] != noHour}
	if out.HasHour {
		out.Offset = int(c.offset[slot])
	}
	if at < len(where.slots) && where.slots[at] == slot {
		out.HasPlace, out.Lat, out.Lon = true, where.lat[at], where.lon[at]
	}
	return out
}

// situation returns where and when the row of a slot happened.
func (s *state) situation(slot uint32) Situation {
	c, local := s.row(slot)
	where := s.placesOf(slot)
	at, _ := slices.BinarySearch(where.slots, local)
	return c.situation(local, where, at)
}

// placesOf returns the places of the part that a slot belongs to.
func (s *state) placesOf(slot uint32) *places {
	switch {
	case slot >= s.split:
		return &s.delta.places
	case s.segment != nil:
		return &s.segment.places
	}
	return &places{}
}

// seek returns the first item from at on whose slot is not below slot. A few
// steps mostly do, because rows come one after the other.
func (p *places) seek(at int, slot uint32) int {
	for range 8 {
		if at == len(p.slots) || p.slots[at] >= slot {
			return at
		}
		at++
	}
	rest, _ := slices.BinarySearch(p.slots[at:], slot)
	return at + rest
}

// embedded counts the rows that pass and have a vector, where the vectors lane
// runs and no words lane has ranked them all.
func (s *search) embedded() int {
	if s.probe == nil || len(s.query.Terms) > 0 {
		return 0
	}
	file := s.state.split / 64
	n := s.allowed[:file].common(s.state.vectored())
	s.allowed[file:].each(func(local uint32) { n += count(s.state.delta.vectors.has(local)) })
	return n
}
