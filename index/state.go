package index

import (
	"sort"
	"sync"
)

// state is what an index knows at a sequence: the rows of a file, which of them
// still stand, and the newer rows in memory. Slots number both: those of the
// file from 0, those of the delta from split. Index.mu guards it.
type state struct {
	segment *segment // nil without a file
	file    columns  // of segment, or empty
	// vectors of the rows of the file: those of the file, or others made in
	// memory because the centre moved.
	vectors *vectorSet
	// vectored are the slots of the file that vectors has rows for, made when a
	// search counts them first.
	vectored func() bitset
	delta    *delta
	split    uint32 // first slot of the delta, a multiple of 64

	alive, live bitset // rows that stand; those of them that are live
	seq         int64
	target      int64 // the store's sequence when it was last asked
	totals      totals
	taken       map[uint32]taken // what the terms of the file lost since it was made
	// sessionInDelta maps sessions of the file to those of the delta.
	sessionInDelta map[int]uint32

	centre   *centre
	moved    bool // the centre may be out of date
	embedded int  // rows that stand and have vectors
}

// totals are sums over the live rows.
type totals struct {
	rows, line, content int64
}

// taken is how many live rows of the file that had a term stand no more.
type taken struct {
	line, content uint32
}

// newState returns the state of a file, or an empty one for nil.
func newState(file *segment, config *Config) *state {
	dims := config.Dims
	s := &state{
		segment: file, delta: newDelta(dims),
		taken: map[uint32]taken{}, sessionInDelta: map[int]uint32{}, centre: newUncentred(dims),
	}
	if file == nil {
		s.setVectors(&vectorSet{dims: dims})
		return s
	}
	s.file, s.centre = file.columns, file.centre
	s.setVectors(&file.vectors)
	rows := file.columns.len()
	words := wordsFor(rows)
	s.split = uint32(words * 64)
	s.live = append(s.live, file.live...)
	s.alive = make(bitset, words)
	for i := range s.alive {
		s.alive[i] = ^uint64(0)
	}
	if rest := rows % 64; rest != 0 {
		s.alive[words-1] = 1<<rest - 1
		s.live[words-1] &= s.alive[words-1]
	}
	s.seq = file.header.Seq
	s.totals = totals{int64(s.live.count()), file.header.LineTotal, file.header.ContentTotal}
	s.embedded = int(file.header.Embedded)
	s.moved = s.centre.doubtful(s.embedded, config.sampleDocs)
	return s
}

// setVectors sets the vectors of the rows of the file.
func (s *state) setVectors(of *vectorSet) {
	rows := s.file.len()
	s.vectors, s.vectored = of, sync.OnceValue(func() bitset { return of.slots(rows) })
}

// fileSeq returns the sequence of the file, 0 without one.
func (s *state) fileSeq() int64 {
	if s.segment == nil {
		return 0
	}
	return s.segment.header.Seq
}

// slots returns how many slots there are, the unused ones before split included.
func (s *state) slots() int { return int(s.split) + s.delta.columns.len() }

// rows returns how many rows stand.
func (s *state) rows() int { return s.alive.count() }

// row returns the columns of a slot and its place in them.
func (s *state) row(slot uint32) (*columns, uint32) {
	if slot >= s.split {
		return &s.delta.columns, slot - s.split
	}
	return &s.file, slot
}

// doc returns the row number of a slot that stands.
func (s *state) doc(slot uint32) int64 {
	columns, local := s.row(slot)
	return columns.docs[local]
}

// key is columns.key for any slot; a slot that a damaged file made up has the
// zero key.
func (s *state) key(slot uint32) sessionKey {
	columns, local := s.row(slot)
	if int(local) >= columns.len() {
		return sessionKey{}
	}
	return columns.key(local)
}

// find returns the slot at which a doc stands.
func (s *state) find(doc int64) (slot uint32, found bool) {
	if local, ok := s.delta.slots[doc]; ok {
		return s.split + local, true
	}
	at := sort.Search(s.file.len(), func(i int) bool { return s.file.docs[i] >= doc })
	found = at < s.file.len() && s.file.docs[at] == doc && s.alive.has(uint32(at))
	return uint32(at), found
}

// apply brings in a row of the store. Its vectors have been checked.
func (s *state) apply(row *Row) {
	had := false
	if slot, found := s.find(row.Doc); found {
		had = s.hasVectors(slot)
		s.kill(slot)
	}
	vectors := row.Vectors
	if row.Gone || s.vectors.dims == 0 {
		vectors = nil
	}
	if !row.Gone {
		s.append(row)
	}
	s.embedded += count(len(vectors) > 0) - count(had)
	s.moved = s.moved || s.centre.movedBy(row.Doc, vectors, had, s.embedded)
	s.seq = row.Seq
}

// countEmbedded counts the rows that stand and have vectors.
func (s *state) countEmbedded() (n int) {
	s.alive.each(func(slot uint32) { n += count(s.hasVectors(slot)) })
	return n
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// append puts a row that does not stand yet into the delta.
func (s *state) append(row *Row) {
	local := s.delta.add(row, s.centre.mean, s.sessionInFile)
	slot := s.split + local
	if session := s.delta.columns.session[local]; session > 0 {
		if base := s.delta.sessions[session-1].base; base >= 0 {
			s.sessionInDelta[base] = session - 1
		}
	}
	if int(slot>>6) == len(s.alive) {
		s.alive = append(s.alive, 0)
		s.live = append(s.live, 0)
	}
	s.alive.set(slot)
	if row.Live {
		s.live.set(slot)
		s.total(slot, 1)
	}
}

// sessionInFile returns the number of a session in the file, -1 if it has none.
func (s *state) sessionInFile(name string) int {
	if s.segment == nil {
		return -1
	}
	if id, found := s.segment.sessions.names.find(name); found {
		return id
	}
	return -1
}

// total adds the lengths of a live row to the totals, or takes them away.
func (s *state) total(slot uint32, sign int64) {
	columns, local := s.row(slot)
	s.totals.rows += sign
	s.totals.line += sign * int64(columns.lineLength[local])
	s.totals.content += sign * int64(columns.contentLength[local])
}

// kill makes a slot stand no more.
func (s *state) kill(slot uint32) {
	if s.live.has(slot) {
		s.total(slot, -1)
		s.takeTerms(slot)
		s.live.clear(slot)
	}
	s.alive.clear(slot)
	if slot >= s.split {
		delete(s.delta.slots, s.doc(slot))
	}
}

// takeTerms takes a live row out of the document frequencies.
func (s *state) takeTerms(slot uint32) {
	var space [64]termOfRow
	if slot >= s.split {
		s.delta.terms.count(s.delta.terms.of(space[:0], slot-s.split), -1)
		return
	}
	words := &s.segment.words
	for _, term := range readForward(space[:0], words.forwardOf(slot), words.names.len()) {
		lost := s.taken[term.id]
		lost.line++
		lost.content += uint32(count(term.inContent))
		s.taken[term.id] = lost
	}
}

// hasVectors reports whether a slot is embedded.
func (s *state) hasVectors(slot uint32) bool {
	set, local := s.vectorsOf(slot)
	return set.has(local)
}

// vectorsOf returns the vectors of a slot's part and its place in it.
func (s *state) vectorsOf(slot uint32) (*vectorSet, uint32) {
	if slot >= s.split {
		return &s.delta.vectors, slot - s.split
	}
	return s.vectors, slot
}

// lengthTotal returns the sum of the lengths of the live rows.
func (t totals) lengthTotal(field Field) int64 {
	if field == Content {
		return t.content
	}
	return t.line
}

// meanLength returns the mean length of the live rows, 1 if it would be 0.
func (t totals) meanLength(field Field) float64 {
	total := t.lengthTotal(field)
	if t.rows <= 0 || total <= 0 {
		return 1
	}
	return float64(total) / float64(t.rows)
}

// frequency returns in how many live rows a term stands.
func (s *state) frequency(term string, field Field) int {
	n := 0
	if id, known := s.delta.terms.ids[term]; known {
		n += int(pick(field, s.delta.terms.dfLine, s.delta.terms.dfContent)[id])
	}
	if s.segment == nil {
		return n
	}
	if id, known := s.segment.words.names.find(term); known {
		n += int(pick(field, s.segment.words.dfLine, s.segment.words.dfContent)[id])
		lost := s.taken[uint32(id)]
		n -= int(pick(field, lost.line, lost.content))
	}
	return max(n, 0)
}

// pick returns what belongs to a field.
func pick[T any](field Field, line, content T) T {
	if field == Content {
		return content
	}
	return line
}
