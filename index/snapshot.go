package index

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
)

// snapshot is a state that does not change, to make a file or a centre from.
type snapshot struct {
	segment     *segment // nil without a file
	file        columns
	vectors     *vectorSet // of file
	delta       *delta
	split       uint32
	alive, live bitset
	seq, target int64
	centre      *centre
	moved       bool
	embedded    int
}

// snapshot returns the state as it is, to be read before it changes.
func (s *state) snapshot() *snapshot {
	return &snapshot{
		segment: s.segment, file: s.file, vectors: s.vectors, delta: s.delta, split: s.split,
		alive: s.alive, live: s.live, seq: s.seq, target: s.target, centre: s.centre, moved: s.moved, embedded: s.embedded,
	}
}

// freeze returns the state as it is, to be read while it changes. release must
// be called in the end.
func (s *state) freeze() *snapshot {
	frozen := s.snapshot()
	frozen.delta = s.delta.freeze()
	frozen.alive, frozen.live = slices.Clone(s.alive), slices.Clone(s.live)
	s.segment.use()
	return frozen
}

func (s *snapshot) release() { s.segment.release() }

// row returns the columns of a slot and its place in them.
func (s *snapshot) row(slot uint32) (*columns, uint32) {
	if slot >= s.split {
		return &s.delta.columns, slot - s.split
	}
	return &s.file, slot
}

// vectorsOf returns the vectors of a slot's part and its place in it.
func (s *snapshot) vectorsOf(slot uint32) (*vectorSet, uint32) {
	if slot >= s.split {
		return &s.delta.vectors, slot - s.split
	}
	return s.vectors, slot
}

// slots returns how many slots there are.
func (s *snapshot) slots() int { return int(s.split) + s.delta.columns.len() }

// order gives the slots that stand, ascending by doc.
func (s *snapshot) order() iter.Seq[uint32] {
	sorted := s.added()
	return func(yield func(uint32) bool) {
		added := sorted
		for word, rest := range s.alive[:s.split/64] {
			for ; rest != 0; rest &= rest - 1 {
				slot := uint32(word<<6 + bits.TrailingZeros64(rest))
				for len(added) > 0 && s.delta.docs[added[0]-s.split] < s.file.docs[slot] {
					if !yield(added[0]) {
						return
					}
					added = added[1:]
				}
				if !yield(slot) {
					return
				}
			}
		}
		for _, slot := range added {
			if !yield(slot) {
				return
			}
		}
	}
}

// added returns the slots of the delta that stand, ascending by doc.
func (s *snapshot) added() []uint32 {
	var added []uint32
	for local := range s.delta.docs {
		if slot := s.split + uint32(local); s.alive.has(slot) {
			added = append(added, slot)
		}
	}
	slices.SortFunc(added, func(a, b uint32) int {
		return cmp.Compare(s.delta.docs[a-s.split], s.delta.docs[b-s.split])
	})
	return added
}

// embeddedDoc returns the row at a slot if it stands and has vectors, otherwise 0.
func (s *snapshot) embeddedDoc(slot uint32) int64 {
	set, local := s.vectorsOf(slot)
	if !s.alive.has(slot) || !set.has(local) {
		return 0
	}
	columns, local := s.row(slot)
	return columns.docs[local]
}

// embeddedDocs gives the rows that stand and have vectors, ascending.
func (s *snapshot) embeddedDocs() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for slot := range s.order() {
			if doc := s.embeddedDoc(slot); doc != 0 && !yield(doc) {
				return
			}
		}
	}
}
