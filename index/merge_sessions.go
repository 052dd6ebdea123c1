package index

import "slices"

// writeSessions writes the sessions, the members of each in their order, and
// the session of each row.
func (m *merge) writeSessions() {
	var names nameWriter
	var ends, all []uint32
	of := make([]uint32, len(m.order)) // number of each row's session + 1
	added := m.addedMembers()
	var file sessionTable
	if m.segment != nil {
		file = m.segment.sessions
	}
	union(file.names, m.delta.sessionNames, func(name []byte, inFile, inDelta int) {
		start := len(all)
		for _, old := range file.membersOf(inFile) {
			if uint64(old) < uint64(m.file.len()) && m.now[old] != noSlot {
				all = append(all, m.now[old])
			}
		}
		if inDelta >= 0 {
			all = append(all, added[inDelta]...)
		}
		if len(all) == start {
			return
		}
		slices.SortFunc(all[start:], func(a, b uint32) int { return m.key(a).compare(m.key(b)) })
		names.add(name)
		ends = append(ends, uint32(len(all)))
		for _, slot := range all[start:] {
			of[slot] = uint32(len(ends))
		}
	})
	m.out.header.Sessions, m.out.header.Members = uint32(len(ends)), uint32(len(all))
	slice(m.out, secSession, of)
	slice(m.out, secSessionEnds, ends)
	slice(m.out, secSessionMembers, all)
	names.write(m.out, secSessionNameEnds, secSessionNames)
}

// key returns the place of a new slot in its session.
func (m *merge) key(slot uint32) sessionKey {
	columns, local := m.old(int(slot))
	return columns.key(local)
}

// addedMembers returns the rows of the delta that stand, by session of the
// delta, as new slots.
func (m *merge) addedMembers() [][]uint32 {
	members := make([][]uint32, len(m.delta.sessionNames))
	for local, session := range m.delta.session {
		if slot := m.now[m.split+uint32(local)]; session > 0 && slot != noSlot {
			members[session-1] = append(members[session-1], slot)
		}
	}
	return members
}
