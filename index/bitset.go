package index

import "math/bits"

// bitset is a set of slots, one bit each. Slots beyond its end are not in it.
type bitset []uint64

// wordsFor returns how many words of a bitset hold n slots.
func wordsFor(n int) int { return (n + 63) / 64 }

func (b bitset) has(slot uint32) bool {
	word := int(slot >> 6)
	return word < len(b) && b[word]>>(slot&63)&1 != 0
}

func (b bitset) set(slot uint32)   { b[slot>>6] |= 1 << (slot & 63) }
func (b bitset) clear(slot uint32) { b[slot>>6] &^= 1 << (slot & 63) }

func (b bitset) count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// common returns how many slots are in b and in other.
func (b bitset) common(other bitset) int {
	n := 0
	for i := range min(len(b), len(other)) {
		n += bits.OnesCount64(b[i] & other[i])
	}
	return n
}

// and keeps in b what is also in other, which must be as long.
func (b bitset) and(other bitset) {
	for i, word := range other {
		b[i] &= word
	}
}

// each calls visit for every slot of the set, ascending.
func (b bitset) each(visit func(slot uint32)) {
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			visit(uint32(i<<6 + bits.TrailingZeros64(word)))
		}
	}
}
