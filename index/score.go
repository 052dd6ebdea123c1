package index

import (
	"slices"

	"combray/index/kernel"
)

// around are the neighbours of a candidate, or noSlot.
type around struct{ prev, next uint32 }

// score fills in the candidates at slots and their neighbours.
func (s *search) score(slots []uint32) {
	var near []around
	all := slices.Clone(slots)
	if s.query.Neighbours {
		near = make([]around, len(slots))
		for i, slot := range slots {
			near[i].prev, near[i].next = s.state.neighbours(slot)
			all = append(all, near[i].prev, near[i].next)
		}
	}
	similar := s.similarities(all)
	s.result.Candidates = make([]Candidate, len(slots))
	beside := make([]Scores, 0, 2*len(near)) // what Prev and Next point to
	neighbour := func(slot uint32) *Scores {
		if slot == noSlot {
			return nil
		}
		beside = append(beside, s.scores(slot, similar.of(slot)))
		return &beside[len(beside)-1]
	}
	for i, slot := range slots {
		columns, local := s.state.row(slot)
		c := &s.result.Candidates[i]
		c.Doc, c.Class, c.Captured = columns.docs[local], columns.class[local], columns.captured[local]
		own := similar.of(slot)
		c.Scores, c.Cosine = s.scores(slot, own), own.cosine
		c.Situation = s.state.situation(slot)
		if s.query.Neighbours {
			c.Prev, c.Next = neighbour(near[i].prev), neighbour(near[i].next)
		}
	}
}

func (s *search) scores(slot uint32, similar similarity) Scores {
	return Scores{Words: float64(s.sums[slot]), C: similar.c, HasVector: similar.has}
}

// similarities is how near some slots are to the probe, by their codes.
type similarities struct {
	slots []uint32 // ascending
	near  []similarity
}

// of returns the similarity of one of the slots.
func (s *similarities) of(slot uint32) similarity {
	if at, found := slices.BinarySearch(s.slots, slot); found {
		return s.near[at]
	}
	return similarity{}
}

// similarities compares slots, which may repeat and be noSlot, with the probe.
func (s *search) similarities(slots []uint32) similarities {
	if s.probe == nil {
		return similarities{}
	}
	slices.Sort(slots)
	slots = slices.Compact(slots)
	near := make([]similarity, len(slots))
	at, _ := slices.BinarySearch(slots, s.state.split)
	s.measure(near[:at], s.state.vectors, slots[:at], 0)
	s.measure(near[at:], &s.state.delta.vectors, slots[at:], s.state.split)
	return similarities{slots, near}
}

// measure sets near to the similarities of slots, those of one set of vectors
// whose first slot is offset.
func (s *search) measure(near []similarity, set *vectorSet, slots []uint32, offset uint32) {
	buffer := &s.buffers[0]
	buffer.rows, buffer.slots = buffer.rows[:0], buffer.slots[:0]
	for i, slot := range slots {
		from, to := set.rows(slot - offset) // none for noSlot
		for row := from; row < to; row++ {
			buffer.rows, buffer.slots = append(buffer.rows, row), append(buffer.slots, uint32(i))
		}
	}
	if len(buffer.rows) == 0 {
		return
	}
	buffer.dots = grow(buffer.dots[:0], len(buffer.rows))
	kernel.DotInt8(buffer.dots, s.probe.codes, set.codes, buffer.rows)
	for i, row := range buffer.rows {
		near[buffer.slots[i]].add(s.probe.coded(buffer.dots[i], set.infos[row]))
	}
}
