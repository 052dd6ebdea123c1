package index

import (
	"cmp"
	"slices"
)

// listMerge writes the inverted lists of one kind of name, terms or facets.
type listMerge struct {
	*merge
	names   nameWriter
	ends    *aside[uint64]
	encoder listEncoder
	added   []posting // of the delta, with new slots
	written uint64    // bytes of lists
}

func newListMerge(m *merge) *listMerge {
	return &listMerge{merge: m, names: newNameWriter(m.out), ends: newAside[uint64](m.out)}
}

// list writes the list of a name, made of its list in the file and its slots in
// the delta, and calls visit for what stands. A name that no row has is left out.
func (l *listMerge) list(name, inFile []byte, added []posting, visit func(posting)) {
	l.encoder.reset()
	l.added = l.added[:0]
	for _, p := range added {
		if p.slot = l.now[p.slot+l.split]; p.slot != noSlot {
			l.added = append(l.added, p)
		}
	}
	slices.SortFunc(l.added, func(a, b posting) int { return cmp.Compare(a.slot, b.slot) })
	take := func(p posting) {
		l.encoder.add(p)
		visit(p)
	}
	next := 0
	each(inFile, l.file.len(), func(p posting) {
		if p.slot = l.now[p.slot]; p.slot == noSlot {
			return
		}
		for ; next < len(l.added) && l.added[next].slot < p.slot; next++ {
			take(l.added[next])
		}
		take(p)
	})
	for ; next < len(l.added); next++ {
		take(l.added[next])
	}
	if len(l.encoder.bytes) == 0 {
		return
	}
	l.names.add(name)
	l.out.Write(l.encoder.bytes)
	l.written += uint64(len(l.encoder.bytes))
	l.ends.add(l.written)
}

// writeFacets writes the facets and their lists.
func (m *merge) writeFacets() {
	l := newListMerge(m)
	var file inverted
	if m.segment != nil {
		file = m.segment.facets
	}
	var added []posting
	m.out.begin(secFacetLists)
	union(file.names, m.delta.facets.names, func(name []byte, inFile, inDelta int) {
		added = added[:0]
		if inDelta >= 0 {
			for _, slot := range m.delta.facets.lists[inDelta] {
				added = append(added, posting{slot, 1, 1})
			}
		}
		l.list(name, listIn(&file, inFile), added, func(posting) {})
	})
	m.out.end(secFacetLists)
	m.out.header.Facets = uint32(l.ends.n)
	l.ends.place(secFacetEnds)
	l.names.write(m.out, secFacetNameEnds, secFacetNames)
}

// listIn returns the list of a name's number, nil for -1.
func listIn(file *inverted, id int) []byte {
	if id < 0 {
		return nil
	}
	return file.listOf(id)
}

// writeTerms writes the terms, their lists, their frequencies and the terms of
// each row.
func (m *merge) writeTerms() {
	l := newListMerge(m)
	var file wordTable
	if m.segment != nil {
		file = m.segment.words
	}
	ids := newRenumbering(file.names.len(), len(m.delta.terms.names))
	dfLine, dfContent := newAside[uint32](m.out), newAside[uint32](m.out)
	live := m.liveNow(func(*columns, uint32) {})
	var added []posting
	m.out.begin(secTermLists)
	union(file.names, m.delta.terms.names, func(name []byte, inFile, inDelta int) {
		added = added[:0]
		if inDelta >= 0 {
			each(m.delta.terms.lists[inDelta].bytes, m.delta.columns.len(), func(p posting) { added = append(added, p) })
		}
		var line, content uint32
		id := l.ends.n
		l.list(name, listIn(&file.inverted, inFile), added, func(p posting) {
			if live.has(p.slot) {
				line += uint32(count(p.line > 0))
				content += uint32(count(p.content > 0))
			}
		})
		ids.set(inFile, inDelta, uint32(id))
		if l.ends.n > id {
			dfLine.add(line)
			dfContent.add(content)
		}
	})
	m.out.end(secTermLists)
	m.out.header.Terms = uint32(l.ends.n)
	l.ends.place(secTermEnds)
	l.names.write(m.out, secTermNameEnds, secTermNames)
	dfLine.place(secTermLine)
	dfContent.place(secTermContent)
	m.writeForward(&file, &ids)
}

// writeForward writes the terms of each row.
func (m *merge) writeForward(file *wordTable, ids *renumbering) {
	ends := newAside[uint32](m.out)
	written := uint64(0)
	var terms []termOfRow
	var bytes []byte
	m.out.begin(secForward)
	for old := range m.order {
		var names []uint32
		if old < m.split {
			terms = readForward(terms[:0], file.forwardOf(old), file.names.len())
			names = ids.file
		} else {
			terms = m.delta.terms.of(terms[:0], old-m.split)
			names = ids.delta
		}
		for i := range terms {
			terms[i].id = names[terms[i].id]
		}
		slices.SortFunc(terms, func(a, b termOfRow) int { return cmp.Compare(a.id, b.id) })
		bytes = appendForward(bytes[:0], terms)
		m.out.Write(bytes)
		written += uint64(len(bytes))
		ends.add(uint32(written))
	}
	m.out.end(secForward)
	m.out.mustFit(written)
	ends.place(secForwardEnds)
}
