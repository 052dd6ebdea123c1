package index

import "sort"

// dictionary is a list of different names in ascending byte order, laid out flat.
// A damaged one answers wrongly, but never panics.
type dictionary struct {
	ends  []uint32 // where each name ends in bytes
	bytes []byte
}

func (d dictionary) len() int { return len(d.ends) }

// at returns name i, which lies in the dictionary's own memory.
func (d dictionary) at(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = d.ends[i-1]
	}
	end := d.ends[i]
	if start > end || uint64(end) > uint64(len(d.bytes)) {
		return nil
	}
	return d.bytes[start:end]
}

// find returns the number of a name.
func (d dictionary) find(name string) (id int, found bool) {
	id = sort.Search(d.len(), func(i int) bool { return string(d.at(i)) >= name })
	return id, id < d.len() && string(d.at(id)) == name
}

// inverted maps names to the lists of the slots that have them, see listEncoder.
type inverted struct {
	names dictionary
	ends  []uint64 // where the list of each name ends in lists
	lists []byte
}

// list returns the encoded list of a name, nil if there is none.
func (v *inverted) list(name string) []byte {
	id, found := v.names.find(name)
	if !found {
		return nil
	}
	return v.listOf(id)
}

// listOf returns the encoded list of name number id, which must exist.
func (v *inverted) listOf(id int) []byte {
	start := uint64(0)
	if id > 0 {
		start = v.ends[id-1]
	}
	end := v.ends[id]
	if start > end || end > uint64(len(v.lists)) {
		return nil
	}
	return v.lists[start:end]
}

// wordTable is the inverted lists of the terms, with what BM25 and a change of
// a row need beside them.
type wordTable struct {
	inverted
	dfLine, dfContent []uint32 // live rows that have the term, when the file was made
	// forward holds the terms of each slot, see appendForward; a row's part ends
	// at forwardEnds.
	forwardEnds []uint32
	forward     []byte
}

// forwardOf returns the encoded terms of a slot, which must exist.
func (w *wordTable) forwardOf(slot uint32) []byte {
	start := uint32(0)
	if slot > 0 {
		start = w.forwardEnds[slot-1]
	}
	end := w.forwardEnds[slot]
	if start > end || uint64(end) > uint64(len(w.forward)) {
		return nil
	}
	return w.forward[start:end]
}
