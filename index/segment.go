package index

import (
	"sync"
	"sync/atomic"
)

// segment is a file that is in use, or one section after the other of it. It
// never changes but for its graph. Its memory goes when the last user has released it.
type segment struct {
	header   *header
	mapping  *mapping
	columns  columns
	live     bitset
	places   places
	sessions sessionTable
	facets   inverted
	words    wordTable
	vectors  vectorSet
	centre   *centre
	times    func() []timeBlock // of columns, made when a filter asks for times first
	// graph of vectors, nil while there is none. Who uses it holds Index.mu for reading.
	graph atomic.Pointer[graph]
	users atomic.Int32
}

// newSegment lays out the sections of a mapped file, whose header has been
// checked, without reading them. The caller is its first user. Offsets within
// sections are checked where they are used.
func newSegment(h *header, m *mapping) (*segment, error) {
	s := &segment{header: h, mapping: m}
	s.times = sync.OnceValue(func() []timeBlock { return timeBlocks(&s.columns) })
	l := layout{data: m.data, header: h}
	s.layColumns(&l)
	s.layLists(&l)
	s.layVectors(&l)
	s.users.Store(1)
	return s, l.err
}

// layout hands out the sections of a file and keeps the first error.
type layout struct {
	data   []byte
	header *header
	err    error
}

// lay sets to to the n items of a section.
func lay[T any](l *layout, to *[]T, id int, n uint32) {
	layLong(l, to, id, int(n))
}

func layLong[T any](l *layout, to *[]T, id, n int) {
	if l.err == nil {
		*to, l.err = view[T](l.data, l.header.Sections[id], n)
	}
}

// layBytes sets to to a section of any length.
func (l *layout) layBytes(to *[]byte, id int) {
	if length := l.header.Sections[id].Length; length <= uint64(len(l.data)) {
		layLong(l, to, id, int(length))
	} else {
		layLong(l, to, id, len(l.data))
	}
}

func (s *segment) layColumns(l *layout) {
	c, n := &s.columns, l.header.Slots
	lay(l, &c.docs, secDocs, n)
	lay(l, &c.captured, secCaptured, n)
	lay(l, &c.event, secEvent, n)
	lay(l, &c.position, secPosition, n)
	lay(l, &c.lineLength, secLineLength, n)
	lay(l, &c.contentLength, secContentLength, n)
	lay(l, &c.session, secSession, n)
	lay(l, &c.offset, secOffset, n)
	lay(l, &c.flags, secFlags, n)
	lay(l, &c.class, secClass, n)
	layLong(l, (*[]uint64)(&s.live), secLive, wordsFor(int(n)))
	lay(l, &s.places.slots, secPlaceSlots, l.header.Places)
	lay(l, &s.places.lat, secPlaceLat, l.header.Places)
	lay(l, &s.places.lon, secPlaceLon, l.header.Places)
	lay(l, &s.sessions.names.ends, secSessionNameEnds, l.header.Sessions)
	l.layBytes(&s.sessions.names.bytes, secSessionNames)
	lay(l, &s.sessions.ends, secSessionEnds, l.header.Sessions)
	lay(l, &s.sessions.members, secSessionMembers, l.header.Members)
}

func (s *segment) layLists(l *layout) {
	lay(l, &s.facets.names.ends, secFacetNameEnds, l.header.Facets)
	l.layBytes(&s.facets.names.bytes, secFacetNames)
	lay(l, &s.facets.ends, secFacetEnds, l.header.Facets)
	l.layBytes(&s.facets.lists, secFacetLists)
	w := &s.words
	lay(l, &w.names.ends, secTermNameEnds, l.header.Terms)
	l.layBytes(&w.names.bytes, secTermNames)
	lay(l, &w.ends, secTermEnds, l.header.Terms)
	l.layBytes(&w.lists, secTermLists)
	lay(l, &w.dfLine, secTermLine, l.header.Terms)
	lay(l, &w.dfContent, secTermContent, l.header.Terms)
	lay(l, &w.forwardEnds, secForwardEnds, l.header.Slots)
	l.layBytes(&w.forward, secForward)
}

func (s *segment) layVectors(l *layout) {
	h := l.header
	dims, rows := int(h.Dims), int(h.CodeRows)
	s.vectors.dims = dims
	lay(l, &s.vectors.ends, secVectorEnds, h.Slots)
	layLong(l, &s.vectors.codes, secCodes, rows*dims)
	layLong(l, &s.vectors.signs, secSigns, rows*wordsFor(dims))
	lay(l, &s.vectors.infos, secCodeInfos, h.CodeRows)
	c := &centre{size: int(h.Centred), last: h.LastDoc}
	lay(l, &c.mean, secMean, h.Dims)
	lay(l, &c.docs, secSampleDocs, h.Sample)
	lay(l, &c.hashes, secSampleHashes, h.Sample)
	// States that outlive the file keep its centre, so it is copied.
	s.centre = &centre{
		mean: append([]float32(nil), c.mean...), square: dot(c.mean, c.mean), size: c.size, last: c.last,
		docs: append([]int64(nil), c.docs...), hashes: append([]uint64(nil), c.hashes...),
	}
}

// use adds a user, who must release the segment. It may be called on nil.
func (s *segment) use() {
	if s != nil {
		s.users.Add(1)
	}
}

// release takes a user away. It may be called on nil.
func (s *segment) release() {
	if s != nil && s.users.Add(-1) == 0 {
		s.mapping.close()
		if g := s.graph.Swap(nil); g != nil {
			g.mapping.close()
		}
	}
}
