package index

import (
	"cmp"
	"crypto/sha256"
	"iter"
	"slices"
)

// merge writes a snapshot as a file: the rows that stand, ascending by doc. What it
// keeps of each row is four bytes of now; what it writes comes from the snapshot and
// goes out in pieces.
type merge struct {
	*snapshot
	out   *fileWriter
	order iter.Seq[uint32] // old slot of each new slot
	rows  int              // new slots
	// now is the new slot of each old slot, noSlot for those that stand no more.
	now []uint32
}

func newMerge(s *snapshot, out *fileWriter) *merge {
	m := &merge{snapshot: s, out: out, order: s.order()}
	m.now = make([]uint32, s.slots())
	for i := range m.now {
		m.now[i] = noSlot
	}
	for old := range m.order {
		m.now[old] = uint32(m.rows)
		m.rows++
	}
	m.out.header.Slots = uint32(m.rows)
	return m
}

// stamp says in the header what the file is made from.
func (m *merge) stamp(config *Config, generation uint64) {
	h := &m.out.header
	h.Magic, h.Version = indexFormat.magic, indexFormat.version
	h.Generation, h.Seq = generation, m.seq
	h.Store, h.Identity = sha256.Sum256([]byte(config.StoreID)), sha256.Sum256([]byte(config.Identity))
	h.Dims = uint32(config.Dims)
}

// copied writes a column as it was.
func copied[T any](m *merge, id int, of func(*columns) []T) {
	file, added := of(&m.file), of(&m.delta.columns)
	column(m.out, id, func(yield func(T) bool) {
		for old := range m.order {
			var item T
			if old < m.split {
				item = file[old]
			} else {
				item = added[old-m.split]
			}
			if !yield(item) {
				return
			}
		}
	})
}

// writeColumns writes all that a row has one of.
func (m *merge) writeColumns() {
	copied(m, secDocs, func(c *columns) []int64 { return c.docs })
	copied(m, secCaptured, func(c *columns) []int64 { return c.captured })
	copied(m, secEvent, func(c *columns) []int64 { return c.event })
	copied(m, secPosition, func(c *columns) []int64 { return c.position })
	copied(m, secLineLength, func(c *columns) []uint32 { return c.lineLength })
	copied(m, secContentLength, func(c *columns) []uint32 { return c.contentLength })
	copied(m, secOffset, func(c *columns) []int16 { return c.offset })
	copied(m, secFlags, func(c *columns) []uint8 { return c.flags })
	copied(m, secClass, func(c *columns) []uint8 { return c.class })
	slice(m.out, secLive, m.liveNow(func(columns *columns, local uint32) {
		m.out.header.LineTotal += int64(columns.lineLength[local])
		m.out.header.ContentTotal += int64(columns.contentLength[local])
	}))
	m.writePlaces()
}

// liveNow returns the new slots that are live, and calls visit for the columns of
// each.
func (m *merge) liveNow(visit func(*columns, uint32)) bitset {
	live := make(bitset, wordsFor(m.rows))
	for old := range m.order {
		if m.live.has(old) {
			live.set(m.now[old])
			visit(m.row(old))
		}
	}
	return live
}

// place is one item of places.
type place struct {
	slot     uint32
	lat, lon float64
}

func (m *merge) writePlaces() {
	places := m.standingPlaces()
	m.out.header.Places = uint32(column(m.out, secPlaceSlots, fieldOf(places, func(p place) uint32 { return p.slot })))
	column(m.out, secPlaceLat, fieldOf(places, func(p place) float64 { return p.lat }))
	column(m.out, secPlaceLon, fieldOf(places, func(p place) float64 { return p.lon }))
}

func fieldOf[S, T any](items iter.Seq[S], of func(S) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for item := range items {
			if !yield(of(item)) {
				return
			}
		}
	}
}

// standingPlaces gives the places of the rows that stand, ascending by new slot.
func (m *merge) standingPlaces() iter.Seq[place] {
	var added []place
	for p := range m.placesIn(&m.delta.places, m.split) {
		added = append(added, p)
	}
	slices.SortFunc(added, func(a, b place) int { return cmp.Compare(a.slot, b.slot) })
	var file places
	if m.segment != nil {
		file = m.segment.places
	}
	return func(yield func(place) bool) {
		rest := added
		for p := range m.placesIn(&file, 0) {
			for len(rest) > 0 && rest[0].slot < p.slot {
				if !yield(rest[0]) {
					return
				}
				rest = rest[1:]
			}
			if !yield(p) {
				return
			}
		}
		for _, p := range rest {
			if !yield(p) {
				return
			}
		}
	}
}

// placesIn gives those of places that stand, whose slots count from offset, with their new slots.
func (m *merge) placesIn(p *places, offset uint32) iter.Seq[place] {
	return func(yield func(place) bool) {
		for i, slot := range p.slots {
			old := uint64(slot) + uint64(offset)
			if old < uint64(len(m.now)) && m.now[old] != noSlot && !yield(place{m.now[old], p.lat[i], p.lon[i]}) {
				return
			}
		}
	}
}

// nameWriter gathers the names of a dictionary.
type nameWriter struct {
	ends  *aside[uint32]
	bytes *aside[byte]
}

func newNameWriter(out *fileWriter) nameWriter {
	return nameWriter{newAside[uint32](out), newAside[byte](out)}
}

func (n *nameWriter) add(name []byte) {
	n.bytes.addAll(name)
	n.ends.add(uint32(n.bytes.n))
}

// write writes the sections.
func (n *nameWriter) write(out *fileWriter, ends, bytes int) {
	out.mustFit(uint64(n.bytes.n))
	n.ends.place(ends)
	n.bytes.place(bytes)
}

// union gives the names of a dictionary and of a delta, ascending, with their
// numbers in each, -1 for none.
func union(d dictionary, added []string, visit func(name []byte, inFile, inDelta int)) {
	order := make([]int, len(added))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(added[a], added[b]) })
	id := 0
	for _, i := range order {
		name := []byte(added[i])
		for id < d.len() && string(d.at(id)) < added[i] {
			visit(d.at(id), id, -1)
			id++
		}
		if id < d.len() && string(d.at(id)) == added[i] {
			visit(name, id, i)
			id++
		} else {
			visit(name, -1, i)
		}
	}
	for ; id < d.len(); id++ {
		visit(d.at(id), id, -1)
	}
}

// renumbering maps the numbers that names had to those they get.
type renumbering struct{ file, delta []uint32 }

func newRenumbering(inFile, inDelta int) renumbering {
	return renumbering{make([]uint32, inFile), make([]uint32, inDelta)}
}

func (r *renumbering) set(inFile, inDelta int, id uint32) {
	if inFile >= 0 {
		r.file[inFile] = id
	}
	if inDelta >= 0 {
		r.delta[inDelta] = id
	}
}
