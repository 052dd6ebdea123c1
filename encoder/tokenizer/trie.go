package tokenizer

import (
	"fmt"
	"slices"
	"strings"
)

// doubleArray is a trie over bytes in the unit layout of darts-clone
// (github.com/s-yata/darts-clone, the layout SentencePiece stores its character
// maps in). A unit holds a label (bits 0-7), whether a key ends there (bit 8)
// and the distance to its children (bits 10-30, times 256 if bit 9 is set); the
// child for byte c sits at base XOR c, the value of a key at base XOR 0 with
// bit 31 set. Byte 0 cannot be part of a key.
//
// Every access is checked against the length, so damaged units give wrong
// answers but never a panic.
type doubleArray []uint32

const (
	leafFlag  = 1 << 31
	labelMask = leafFlag | 0xFF
	keyEnds   = 1 << 8
	farFlag   = 1 << 9
)

// offset returns the distance from a unit to its children, to be XORed with
// the unit's position.
func offset(unit uint32) uint32 { return unit >> 10 << (unit & farFlag >> 6) }

// root returns the base of the first level.
func (d doubleArray) root() uint32 {
	if len(d) == 0 {
		return 0
	}
	return offset(d[0])
}

// step follows byte c from the node with this base. ok says that the trie has
// such a child; ends says that a key ends there, its value is value(next).
func (d doubleArray) step(base uint32, c byte) (next uint32, ends, ok bool) {
	pos := base ^ uint32(c)
	if pos >= uint32(len(d)) {
		return 0, false, false
	}
	unit := d[pos]
	if unit&labelMask != uint32(c) || c == 0 {
		return 0, false, false
	}
	return pos ^ offset(unit), unit&keyEnds != 0, true
}

// value returns the value of the key that ends at the node with this base.
func (d doubleArray) value(base uint32) uint32 {
	if base >= uint32(len(d)) {
		return 0
	}
	return d[base] &^ leafFlag
}

// longest returns the value and the length in bytes of the longest key that
// text starts with; length 0 means none.
func (d doubleArray) longest(text []byte) (value uint32, length int) {
	base := d.root()
	for i, c := range text {
		next, ends, ok := d.step(base, c)
		if !ok {
			break
		}
		if base = next; ends {
			value, length = d.value(base), i+1
		}
	}
	return value, length
}

// get returns the value of exactly this key.
func (d doubleArray) get(key string) (value uint32, ok bool) {
	base, ends := d.root(), false
	for i := range len(key) {
		if base, ends, ok = d.step(base, key[i]); !ok {
			return 0, false
		}
	}
	return d.value(base), ends
}

// trieKey is a key with its value, which is below 1<<31.
type trieKey struct {
	text  string
	value uint32
}

// trieWindow is how many of the last units are searched for a free place, as
// in darts-clone: larger packs tighter and builds slower.
const trieWindow = 16 * 256

// trieBuilder lays keys out in a double array.
type trieBuilder struct {
	units []uint32
	taken []bool // the unit holds a node or a value
	bases []bool // some node has its children at this base
	next  []uint32
	prev  []uint32
	free  uint32 // first free unit of the window; noUnit: none
}

const noUnit = ^uint32(0)

// buildTrie returns the double array of keys. Empty keys are left out; of
// equal keys the last counts. The result depends on the set of keys alone.
func buildTrie(keys []trieKey) (doubleArray, error) {
	slices.SortStableFunc(keys, func(a, b trieKey) int { return strings.Compare(a.text, b.text) })
	unique := keys[:0]
	for _, k := range keys {
		switch {
		case k.text == "":
		case strings.IndexByte(k.text, 0) >= 0:
			return nil, fmt.Errorf("piece %q contains U+0000, which this package cannot look up", k.text)
		case len(k.text) > maxPieceBytes:
			return nil, fmt.Errorf("piece %.40q... has %d bytes, at most %d are allowed", k.text, len(k.text), maxPieceBytes)
		case len(unique) > 0 && unique[len(unique)-1].text == k.text:
			unique[len(unique)-1] = k
		default:
			unique = append(unique, k)
		}
	}
	b := trieBuilder{free: noUnit}
	b.grow()
	b.take(0)
	if len(unique) > 0 {
		b.arrange(unique, 0, 0)
	}
	return b.units, nil
}

// arrange places the children of the node in unit pos. keys share the bytes
// before depth.
func (b *trieBuilder) arrange(keys []trieKey, depth int, pos uint32) {
	var labels []byte
	for i, k := range keys {
		if label := labelAt(k, depth); i == 0 || label != labels[len(labels)-1] {
			labels = append(labels, label)
		}
	}
	base := b.place(labels, pos)
	distance := pos ^ base
	if distance < 1<<21 {
		b.units[pos] |= distance << 10
	} else {
		b.units[pos] |= distance<<2 | farFlag
	}
	if labels[0] == 0 {
		b.units[pos] |= keyEnds
		b.units[base] = leafFlag | keys[0].value
		keys, labels = keys[1:], labels[1:]
	}
	for _, label := range labels {
		b.units[base^uint32(label)] = uint32(label)
	}
	for _, label := range labels {
		n := 1
		for n < len(keys) && labelAt(keys[n], depth) == label {
			n++
		}
		b.arrange(keys[:n], depth+1, base^uint32(label))
		keys = keys[n:]
	}
}

// labelAt returns the byte of k at depth, 0 at its end.
func labelAt(k trieKey, depth int) byte {
	if depth == len(k.text) {
		return 0
	}
	return k.text[depth]
}

// place reserves room for children with these labels and returns their base.
func (b *trieBuilder) place(labels []byte, pos uint32) uint32 {
	base, found := uint32(0), false
	for p := b.free; p != noUnit && !found; p = b.next[p] {
		base = p ^ uint32(labels[0])
		found = b.fits(base, pos, labels)
	}
	if !found {
		// A fresh block: the low byte of the distance is 0, so any distance
		// can be written.
		base = uint32(len(b.units)) | pos&0xFF
		b.grow()
	}
	b.bases[base] = true
	for _, label := range labels {
		b.take(base ^ uint32(label))
	}
	return base
}

// fits tells whether the children of pos can go to base.
func (b *trieBuilder) fits(base, pos uint32, labels []byte) bool {
	distance := base ^ pos
	if b.bases[base] || distance >= 1<<21 && distance&0xFF != 0 {
		return false
	}
	for _, label := range labels {
		if b.taken[base^uint32(label)] {
			return false
		}
	}
	return true
}

// grow adds a block of 256 free units and drops the units that leave the window.
func (b *trieBuilder) grow() {
	first := uint32(len(b.units))
	b.units = append(b.units, make([]uint32, 256)...)
	b.taken = append(b.taken, make([]bool, 256)...)
	b.bases = append(b.bases, make([]bool, 256)...)
	b.next = append(b.next, make([]uint32, 256)...)
	b.prev = append(b.prev, make([]uint32, 256)...)
	for p := first; p < first+256; p++ {
		b.link(p)
	}
	if first >= trieWindow {
		for p := first - trieWindow; p < first-trieWindow+256; p++ {
			if !b.taken[p] {
				b.take(p)
			}
		}
	}
}

// link puts p at the end of the list of free units, whose first unit knows the last.
func (b *trieBuilder) link(p uint32) {
	if b.free == noUnit {
		b.free, b.next[p], b.prev[p] = p, noUnit, p
		return
	}
	last := b.prev[b.free]
	b.next[last], b.next[p] = p, noUnit
	b.prev[p], b.prev[b.free] = last, p
}

// take removes p from the list of free units.
func (b *trieBuilder) take(p uint32) {
	b.taken[p] = true
	next := b.next[p]
	if p == b.free {
		if b.free = next; next != noUnit {
			b.prev[next] = b.prev[p]
		}
		return
	}
	b.next[b.prev[p]] = next
	if next != noUnit {
		b.prev[next] = b.prev[p]
	} else {
		b.prev[b.free] = b.prev[p]
	}
}
