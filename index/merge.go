package index

import (
	"crypto/sha256"
	"slices"
)

// merge writes a snapshot as a file: the rows that stand, ascending by doc.
type merge struct {
	*snapshot
	out   *fileWriter
	order []uint32 // old slot of each new slot
	// now is the new slot of each old slot, noSlot for those that stand no more.
	now []uint32
}

func newMerge(s *snapshot, out *fileWriter) *merge {
	m := &merge{snapshot: s, out: out, order: s.order()}
	m.now = make([]uint32, s.slots())
	for i := range m.now {
		m.now[i] = noSlot
	}
	for slot, old := range m.order {
		m.now[old] = uint32(slot)
	}
	m.out.header.Slots = uint32(len(m.order))
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

// old returns the columns that new slot i comes from, and its place in them.
func (m *merge) old(i int) (*columns, uint32) { return m.row(m.order[i]) }

// copied writes a column as it was.
func copied[T any](m *merge, id int, of func(*columns) []T) {
	file, added := of(&m.file), of(&m.delta.columns)
	column(m.out, id, len(m.order), func(i int) T {
		if slot := m.order[i]; slot < m.split {
			return file[slot]
		}
		return added[m.order[i]-m.split]
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
	live := make(bitset, wordsFor(len(m.order)))
	for i, old := range m.order {
		if !m.live.has(old) {
			continue
		}
		live.set(uint32(i))
		columns, local := m.row(old)
		m.out.header.LineTotal += int64(columns.lineLength[local])
		m.out.header.ContentTotal += int64(columns.contentLength[local])
	}
	slice(m.out, secLive, live)
	m.writePlaces()
}

// place is one item of places.
type place struct {
	slot     uint32
	lat, lon float64
}

func (m *merge) writePlaces() {
	var found []place
	take := func(p *places, offset uint32) {
		for i, slot := range p.slots {
			if old := uint64(slot) + uint64(offset); old < uint64(len(m.now)) && m.now[old] != noSlot {
				found = append(found, place{m.now[old], p.lat[i], p.lon[i]})
			}
		}
	}
	if m.segment != nil {
		take(&m.segment.places, 0)
	}
	take(&m.delta.places, m.split)
	slices.SortFunc(found, func(a, b place) int { return int(a.slot) - int(b.slot) })
	m.out.header.Places = uint32(len(found))
	column(m.out, secPlaceSlots, len(found), func(i int) uint32 { return found[i].slot })
	column(m.out, secPlaceLat, len(found), func(i int) float64 { return found[i].lat })
	column(m.out, secPlaceLon, len(found), func(i int) float64 { return found[i].lon })
}

// nameWriter gathers the names of a dictionary.
type nameWriter struct {
	ends  []uint32
	bytes []byte
}

func (n *nameWriter) add(name []byte) {
	n.bytes = append(n.bytes, name...)
	n.ends = append(n.ends, uint32(len(n.bytes)))
}

func (n *nameWriter) write(out *fileWriter, ends, bytes int) {
	out.mustFit(uint64(len(n.bytes)))
	slice(out, ends, n.ends)
	slice(out, bytes, n.bytes)
}

// union gives the names of a dictionary and of a delta, ascending, with their
// numbers in each, -1 for none.
func union(d dictionary, added []string, visit func(name []byte, inFile, inDelta int)) {
	order := make([]int, len(added))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareStrings(added[a], added[b]) })
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

func compareStrings(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
