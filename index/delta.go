package index

import (
	"cmp"
	"slices"
)

// delta holds in memory the rows that are newer than the file. Rows are only
// ever appended, so that freeze can hand out what is there without copying it;
// which of them still stand is kept in the bitsets of state.
type delta struct {
	columns
	places
	vectors vectorSet
	slots   map[int64]uint32 // newest slot of each doc that stands
	terms   deltaTerms
	facets  deltaFacets
	// sessions has the rows of each session; session number i is named
	// sessionNames[i].
	sessions     []deltaSession
	sessionNames []string
	sessionIDs   map[string]uint32
}

// deltaTerms is the words of the rows of a delta.
type deltaTerms struct {
	ids               map[string]uint32
	names             []string
	lists             []listEncoder // one a term
	dfLine, dfContent []uint32      // live rows that have the term
	forward           []byte        // terms of all slots, one after the other, see appendForward
	forwardEnds       []uint32
	row               []termOfRow // of add
}

// deltaFacets is the facets of the rows of a delta.
type deltaFacets struct {
	ids   map[string]uint32
	names []string
	lists [][]uint32 // ascending slots
}

// deltaSession is a session that rows of a delta belong to.
type deltaSession struct {
	base    int      // number of the session in the file, -1 if it is not there
	members []uint32 // slots in the order of sessionKey
}

func newDelta(dims int) *delta {
	return &delta{
		vectors:    vectorSet{dims: dims},
		slots:      map[int64]uint32{},
		terms:      deltaTerms{ids: map[string]uint32{}},
		facets:     deltaFacets{ids: map[string]uint32{}},
		sessionIDs: map[string]uint32{},
	}
}

// add appends a row, whose vectors have been checked, and returns its slot.
func (d *delta) add(row *Row, mean []float32, sessionInFile func(string) int) uint32 {
	slot := uint32(d.columns.len())
	session := d.sessionOf(row.Session, sessionInFile)
	d.columns.add(row, session)
	if session > 0 {
		d.join(session-1, slot)
	}
	if row.placed() {
		d.places.add(slot, row.Lat, row.Lon)
	}
	d.terms.add(row.Terms, slot, row.Live)
	for _, facet := range row.Facets {
		d.facets.add(facet, slot)
	}
	if d.vectors.dims > 0 {
		d.vectors.add(row.Vectors, mean)
	}
	d.slots[row.Doc] = slot
	return slot
}

// sessionOf returns the number of a session + 1, 0 for none.
func (d *delta) sessionOf(name string, sessionInFile func(string) int) uint32 {
	if name == "" {
		return 0
	}
	id, known := d.sessionIDs[name]
	if !known {
		id = uint32(len(d.sessions))
		d.sessions = append(d.sessions, deltaSession{base: sessionInFile(name)})
		d.sessionNames = append(d.sessionNames, name)
		d.sessionIDs[name] = id
	}
	return id + 1
}

// join puts a slot into its session, mostly at the end.
func (d *delta) join(session, slot uint32) {
	members := d.sessions[session].members
	at, _ := slices.BinarySearchFunc(members, slot, func(a, b uint32) int {
		return d.columns.key(a).compare(d.columns.key(b))
	})
	d.sessions[session].members = slices.Insert(members, at, slot)
}

func (t *deltaTerms) add(terms []TermCount, slot uint32, live bool) {
	t.row = t.row[:0]
	for _, term := range terms {
		if term.Term == "" || (term.Line == 0 && term.Content == 0) {
			continue
		}
		id, known := t.ids[term.Term]
		if !known {
			id = t.name(term.Term)
		} else if t.lists[id].next == slot+1 {
			continue // a term that the row has given already
		}
		t.lists[id].add(posting{slot, term.Line, term.Content})
		t.row = append(t.row, termOfRow{id, term.Content > 0})
	}
	slices.SortFunc(t.row, func(a, b termOfRow) int { return cmp.Compare(a.id, b.id) })
	t.forward = appendForward(t.forward, t.row)
	t.forwardEnds = append(t.forwardEnds, uint32(len(t.forward)))
	if live {
		t.count(t.row, 1)
	}
}

func (t *deltaTerms) name(term string) uint32 {
	id := uint32(len(t.names))
	t.ids[term] = id
	t.names = append(t.names, term)
	t.lists = append(t.lists, listEncoder{})
	t.dfLine = append(t.dfLine, 0)
	t.dfContent = append(t.dfContent, 0)
	return id
}

// count adds a live row with the given terms, or takes it away: by is 1 or -1.
func (t *deltaTerms) count(terms []termOfRow, by int32) {
	for _, term := range terms {
		t.dfLine[term.id] += uint32(by)
		if term.inContent {
			t.dfContent[term.id] += uint32(by)
		}
	}
}

// of appends the terms of a slot, ascending by id.
func (t *deltaTerms) of(terms []termOfRow, slot uint32) []termOfRow {
	start := uint32(0)
	if slot > 0 {
		start = t.forwardEnds[slot-1]
	}
	return readForward(terms, t.forward[start:t.forwardEnds[slot]], len(t.names))
}

func (f *deltaFacets) add(facet string, slot uint32) {
	id, known := f.ids[facet]
	if !known {
		id = uint32(len(f.names))
		f.ids[facet] = id
		f.names = append(f.names, facet)
		f.lists = append(f.lists, nil)
	}
	if list := f.lists[id]; len(list) == 0 || list[len(list)-1] != slot {
		f.lists[id] = append(list, slot)
	}
}

// list returns the slots that have a facet.
func (f *deltaFacets) list(facet string) []uint32 {
	id, known := f.ids[facet]
	if !known {
		return nil
	}
	return f.lists[id]
}

// freeze returns the rows that are there now, for a reader that must not see
// those that are appended while it reads. It has only what writing a file needs.
func (d *delta) freeze() *delta {
	frozen := &delta{columns: d.columns, places: d.places, vectors: d.vectors, sessionNames: d.sessionNames}
	frozen.terms = deltaTerms{
		names: d.terms.names, lists: slices.Clone(d.terms.lists),
		forward: d.terms.forward, forwardEnds: d.terms.forwardEnds,
	}
	frozen.facets = deltaFacets{names: d.facets.names, lists: slices.Clone(d.facets.lists)}
	return frozen
}
