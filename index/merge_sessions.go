package index

import "slices"

// writeSessions writes the sessions, the members of each in their order, and
// the session of each row.
func (m *merge) writeSessions() {
	var file sessionTable
	if m.segment != nil {
		file = m.segment.sessions
	}
	names, ends := newNameWriter(m.out), newAside[uint32](m.out)
	numbers := newRenumbering(file.names.len(), len(m.delta.sessionNames)) // new ones + 1, 0 for a session without rows
	added := m.addedMembers()
	var olds []uint32
	written := 0
	m.out.begin(secSessionMembers)
	union(file.names, m.delta.sessionNames, func(name []byte, inFile, inDelta int) {
		olds = m.standing(olds[:0], file.membersOf(inFile))
		if inDelta >= 0 {
			olds = append(olds, added[inDelta]...)
		}
		if len(olds) == 0 {
			return
		}
		slices.SortFunc(olds, func(a, b uint32) int { return m.key(a).compare(m.key(b)) })
		for i, old := range olds {
			olds[i] = m.now[old]
		}
		m.out.Write(bytesOf(olds))
		written += len(olds)
		names.add(name)
		ends.add(uint32(written))
		numbers.set(inFile, inDelta, uint32(ends.n))
	})
	m.out.end(secSessionMembers)
	m.out.header.Sessions, m.out.header.Members = uint32(ends.n), uint32(written)
	ends.place(secSessionEnds)
	names.write(m.out, secSessionNameEnds, secSessionNames)
	m.writeSessionOfRows(&numbers)
}

// standing appends those of slots of the file that stand to olds.
func (m *merge) standing(olds, slots []uint32) []uint32 {
	for _, old := range slots {
		if uint64(old) < uint64(m.file.len()) && m.now[old] != noSlot {
			olds = append(olds, old)
		}
	}
	return olds
}

func (m *merge) writeSessionOfRows(numbers *renumbering) {
	column(m.out, secSession, func(yield func(uint32) bool) {
		for old := range m.order {
			columns, local := m.row(old)
			of, now := numbers.file, uint32(0)
			if old >= m.split {
				of = numbers.delta
			}
			// A number that a damaged file made up is that of no session.
			if session := columns.session[local]; session > 0 && uint64(session) <= uint64(len(of)) {
				now = of[session-1]
			}
			if !yield(now) {
				return
			}
		}
	})
}

// key returns the place of an old slot in its session.
func (m *merge) key(old uint32) sessionKey {
	columns, local := m.row(old)
	return columns.key(local)
}

// addedMembers returns the slots of the delta that stand, by session of the delta.
func (m *merge) addedMembers() [][]uint32 {
	members := make([][]uint32, len(m.delta.sessionNames))
	for local, session := range m.delta.session {
		if old := m.split + uint32(local); session > 0 && m.now[old] != noSlot {
			members[session-1] = append(members[session-1], old)
		}
	}
	return members
}
