package index

import (
	"cmp"
	"math"
	"sort"
)

// sessionKey orders the rows of a session: known positions first, ascending,
// then by arrival.
type sessionKey struct {
	position, captured, doc int64
}

func (k sessionKey) compare(other sessionKey) int {
	return cmp.Or(
		cmp.Compare(k.position, other.position),
		cmp.Compare(k.captured, other.captured),
		cmp.Compare(k.doc, other.doc),
	)
}

// key returns the place of a slot in its session.
func (c *columns) key(slot uint32) sessionKey {
	position := c.position[slot]
	if position < 0 {
		position = math.MaxInt64
	}
	return sessionKey{position, c.captured[slot], c.docs[slot]}
}

// sessionTable is the sessions of a file.
type sessionTable struct {
	names   dictionary
	ends    []uint32 // where the members of each session end
	members []uint32 // slots, in the order of sessionKey within a session
}

// membersOf returns the members of session number id; none if there is no such.
func (t *sessionTable) membersOf(id int) []uint32 {
	if id < 0 || id >= len(t.ends) {
		return nil
	}
	start := uint32(0)
	if id > 0 {
		start = t.ends[id-1]
	}
	end := t.ends[id]
	if start > end || uint64(end) > uint64(len(t.members)) {
		return nil
	}
	return t.members[start:end]
}

// noSlot stands for the absence of a neighbour.
const noSlot = math.MaxUint32

// neighbours returns the live rows before and after a slot in its session, or
// noSlot. The row itself need not be live.
func (s *state) neighbours(slot uint32) (prev, next uint32) {
	base, added := s.session(slot)
	key := s.key(slot)
	before := s.nearest(base, key, -1)
	after := s.nearest(base, key, 1)
	prev = s.nearer(before, s.nearest(added, key, -1), 1)
	next = s.nearer(after, s.nearest(added, key, 1), -1)
	return prev, next
}

// members are rows of one session, in the order of sessionKey.
type members struct {
	slots  []uint32
	offset uint32 // what is added to get slots of the state
}

// session returns the rows of a slot's session in the file and in the delta.
func (s *state) session(slot uint32) (base, added members) {
	columns, local := s.row(slot)
	id := int(columns.session[local]) - 1
	if id < 0 {
		return members{}, members{}
	}
	number := -1 // in the delta
	if slot >= s.split {
		number, id = id, s.delta.sessions[id].base
	} else if found, ok := s.sessionInDelta[id]; ok {
		number = int(found)
	}
	if s.segment != nil {
		base = members{slots: s.segment.sessions.membersOf(id)}
	}
	if number >= 0 {
		added = members{slots: s.delta.sessions[number].members, offset: s.split}
	}
	return base, added
}

// nearest returns the live row nearest to key before it (step -1) or after it
// (step 1), or noSlot. A row with the very same key is not its own neighbour.
func (s *state) nearest(m members, key sessionKey, step int) uint32 {
	i := sort.Search(len(m.slots), func(i int) bool {
		slot := m.slots[i] + m.offset
		if step < 0 {
			return s.key(slot).compare(key) >= 0
		}
		return s.key(slot).compare(key) > 0
	})
	if step < 0 {
		i--
	}
	for ; i >= 0 && i < len(m.slots); i += step {
		if slot := m.slots[i] + m.offset; s.live.has(slot) {
			return slot
		}
	}
	return noSlot
}

// nearer returns the one of two slots with the higher key (sign 1) or the lower
// (sign -1); either may be noSlot.
func (s *state) nearer(a, b uint32, sign int) uint32 {
	if a == noSlot {
		return b
	}
	if b == noSlot || s.key(a).compare(s.key(b))*sign > 0 {
		return a
	}
	return b
}
