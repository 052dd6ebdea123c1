package index

import "slices"

// codeInfo belongs to a row of codes.
type codeInfo struct {
	scale  float32 // of the codes, see quantize
	radius float32 // distance of the vector from the mean
}

// vectorSet holds the codes of the vectors of consecutive slots, one row of
// codes a window, in the order of the slots. It lies in a file or in memory.
type vectorSet struct {
	dims  int
	ends  []uint32 // where the rows of each slot end
	signs []uint64 // wordsFor(dims) a row
	codes []int8   // dims a row
	infos []codeInfo
}

// rows returns the range of rows of a slot; empty if it has none.
func (s *vectorSet) rows(slot uint32) (from, to uint32) {
	if int(slot) >= len(s.ends) {
		return 0, 0
	}
	from, to = s.start(slot), s.ends[slot]
	if from > to || int(to) > len(s.infos) { // damaged
		return 0, 0
	}
	return from, to
}

// start returns where the rows of a slot start; slot may be one past the last.
func (s *vectorSet) start(slot uint32) uint32 {
	if slot == 0 {
		return 0
	}
	return s.ends[slot-1]
}

// has reports whether a slot has vectors.
func (s *vectorSet) has(slot uint32) bool {
	from, to := s.rows(slot)
	return to > from
}

// slots returns those of the first n slots that have vectors.
func (s *vectorSet) slots(n int) bitset {
	held := make(bitset, wordsFor(n))
	for slot := range uint32(n) {
		if s.has(slot) {
			held.set(slot)
		}
	}
	return held
}

// codesOf returns the codes of a row.
func (s *vectorSet) codesOf(row uint32) []int8 {
	return s.codes[int(row)*s.dims : (int(row)+1)*s.dims]
}

// add appends a slot with the given vectors, coded about a mean.
func (s *vectorSet) add(vectors [][]float32, mean []float32) {
	for _, v := range vectors {
		s.addRow(v, mean)
	}
	s.ends = append(s.ends, uint32(len(s.infos)))
}

func (s *vectorSet) addRow(v, mean []float32) {
	var space [512]float32 // most encoders; longer vectors go to the heap
	unit := space[:]
	if s.dims > len(space) {
		unit = make([]float32, s.dims)
	}
	unit = unit[:s.dims]
	radius := centred(unit, v, mean)
	at := len(s.codes)
	s.codes = grow(s.codes, s.dims)
	scale := quantize(s.codes[at:], unit)
	words := wordsFor(s.dims)
	s.signs = grow(s.signs, words)
	signsOf(s.signs[len(s.signs)-words:], s.codes[at:])
	s.infos = append(s.infos, codeInfo{scale: scale, radius: float32(radius)})
}

// grow returns s with n more items, which the caller sets.
func grow[T any](s []T, n int) []T {
	return slices.Grow(s, n)[:len(s)+n]
}
