package index

import (
	"encoding/binary"
	"math"
)

// posting says that a slot has a term, and how often.
type posting struct {
	slot          uint32
	line, content uint16
}

// The two lowest bits of a posting's first number say which counts it has; the
// others are the gap to the slot before, less 1. Most terms stand in a line once.
const (
	onceInBoth  = iota // line 1, content 1
	onceInLine         // line 1, content 0; read counts on these two being 0 and 1
	sameInBoth         // one more number: the count of both
	differently        // two more numbers: line, content
)

// maxSlots is how many slots a file may have, so that a gap and its two bits
// fit in 32 bits.
const maxSlots = 1 << 30

// listEncoder writes a list of postings in ascending order of slot, in
// variable-length numbers as encoding/binary has them.
type listEncoder struct {
	bytes []byte
	next  uint32 // the lowest slot that may follow
}

func (e *listEncoder) reset() { e.bytes, e.next = e.bytes[:0], 0 }

func (e *listEncoder) add(p posting) {
	head := (p.slot - e.next) << 2
	e.next = p.slot + 1
	switch {
	case p.line == 1 && p.content == 1:
		e.number(head + onceInBoth)
	case p.line == 1 && p.content == 0:
		e.number(head + onceInLine)
	case p.line == p.content:
		e.number(head + sameInBoth)
		e.number(uint32(p.line))
	default:
		e.number(head + differently)
		e.number(uint32(p.line))
		e.number(uint32(p.content))
	}
}

func (e *listEncoder) number(n uint32) {
	e.bytes = binary.AppendUvarint(e.bytes, uint64(n))
}

// listDecoder reads what listEncoder wrote. On damaged bytes it stops early; it
// never gives a slot at or above limit, nor the same slot twice.
type listDecoder struct {
	bytes []byte
	next  uint32
	limit uint32 // number of slots
}

// read fills batch with the next postings and returns how many there were, 0 at
// the end. Whole batches cost a third of what single calls would.
func (d *listDecoder) read(batch []posting) int {
	bytes, next, i, n := d.bytes, d.next, 0, 0
	for n < len(batch) && i < len(bytes) {
		head := uint64(bytes[i])
		if head < 0x80 {
			i++
		} else {
			long, width := binary.Uvarint(bytes[i:])
			if width <= 0 || long > math.MaxUint32 {
				i = len(bytes)
				break
			}
			head = long
			i += width
		}
		slot := uint64(next) + head>>2
		if slot >= uint64(d.limit) {
			i = len(bytes)
			break
		}
		next = uint32(slot) + 1
		p := &batch[n]
		p.slot, p.line, p.content = uint32(slot), 1, uint16(^head&1)
		if head&3 >= sameInBoth {
			i += p.readCounts(bytes[i:], head&3)
		}
		n++
	}
	d.bytes, d.next = bytes[i:], next
	return n
}

// readCounts reads the counts that follow the first number of a posting, and
// returns how many bytes they took.
func (p *posting) readCounts(bytes []byte, kind uint64) int {
	line, width := binary.Uvarint(bytes)
	read := max(width, 0)
	content := line
	if kind == differently {
		content, width = binary.Uvarint(bytes[read:])
		read += max(width, 0)
	}
	p.line, p.content = uint16(line), uint16(content)
	return read
}

// each calls visit for every posting of an encoded list.
func each(list []byte, slots int, visit func(posting)) {
	decoder := listDecoder{bytes: list, limit: uint32(slots)}
	var batch [128]posting
	for n := decoder.read(batch[:]); n > 0; n = decoder.read(batch[:]) {
		for _, p := range batch[:n] {
			visit(p)
		}
	}
}

// termOfRow is a term that a row has, and whether its content has it too.
type termOfRow struct {
	id        uint32
	inContent bool
}

// appendForward writes the terms of a row, ascending by id.
func appendForward(bytes []byte, terms []termOfRow) []byte {
	next := uint32(0)
	for _, term := range terms {
		n := uint64(term.id-next) << 1
		if term.inContent {
			n |= 1
		}
		bytes = binary.AppendUvarint(bytes, n)
		next = term.id + 1
	}
	return bytes
}

// readForward appends what appendForward wrote to terms. On damaged bytes it
// stops early; it never gives an id at or above limit.
func readForward(terms []termOfRow, bytes []byte, limit int) []termOfRow {
	next := uint64(0)
	for len(bytes) > 0 {
		n, width := binary.Uvarint(bytes)
		id := next + n>>1
		if width <= 0 || n>>1 >= uint64(limit) || id >= uint64(limit) {
			return terms
		}
		terms = append(terms, termOfRow{id: uint32(id), inContent: n&1 != 0})
		next = id + 1
		bytes = bytes[width:]
	}
	return terms
}
