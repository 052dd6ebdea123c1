package index

import "math"

// distinct is a set of numbers. Rows with the same text have the same codes, and so
// the very same C with any vector: a set of their C tells them from other rows.
type distinct struct {
	table []uint64 // bits of the numbers, open addressing; 0 is an empty place
	n     int
	zero  bool // the number 0, whose bits are those of an empty place
}

// add returns whether the number was not there.
func (d *distinct) add(x float64) bool {
	key := math.Float64bits(x + 0) // -0 is 0
	if key == 0 {
		added := !d.zero
		d.zero = true
		return added
	}
	if 2*d.n >= len(d.table) {
		d.grow()
	}
	at := d.find(key)
	if d.table[at] == key {
		return false
	}
	d.table[at] = key
	d.n++
	return true
}

// find returns the place of a key, or the empty place where it belongs.
func (d *distinct) find(key uint64) int {
	mask := len(d.table) - 1
	at := int(key*0x9E3779B97F4A7C15>>32) & mask // Fibonacci hashing: Knuth, TAOCP 3, 6.4
	for d.table[at] != 0 && d.table[at] != key {
		at = (at + 1) & mask
	}
	return at
}

func (d *distinct) grow() {
	old := d.table
	d.table = make([]uint64, max(64, 2*len(old)))
	for _, key := range old {
		if key != 0 {
			d.table[d.find(key)] = key
		}
	}
}
