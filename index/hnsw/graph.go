package hnsw

import (
	"errors"
	"fmt"
	"math/bits"
)

const (
	// Links is M of the paper: how many links a new row gets on a layer, and the
	// most it may have on the layers above the lowest. The paper finds 12 to 48
	// right for vectors of many dimensions. It must be a power of two, see layerOf.
	Links = 16
	// BaseLinks is the most links of a row on the lowest layer, 2·M as in the paper.
	BaseLinks = 2 * Links
	// None fills the places of links that a row does not have. It is no row.
	None = 1<<32 - 1
	// MaxRows is how many rows a graph can have.
	MaxRows = 1<<31 - 1
)

// Graph holds the links of all rows. Walks may go on in several goroutines.
type Graph struct {
	// Base has BaseLinks links a row on the lowest layer, None behind the last.
	Base []uint32
	// Tall lists the rows that are on higher layers as well, ascending.
	Tall []uint32
	// Ends says where the layers of each row of Tall end in Upper, in blocks of
	// Links links, one a layer.
	Ends  []uint32
	Upper []uint32
	// Same has the next row with the same vector for each row, None behind the
	// last. Only the first of them has links.
	Same []uint32

	entry uint32 // where walks start
	top   int    // its highest layer
}

// Rows returns how many rows there are.
func (g *Graph) Rows() int { return len(g.Base) / BaseLinks }

// Open makes arrays that were read from a file ready to be walked. It returns an
// error if their lengths do not fit together; wrong links within them give
// wrong answers but no panic (FuzzWalk).
func (g *Graph) Open() error {
	switch {
	case len(g.Base)%BaseLinks != 0 || g.Rows() > MaxRows:
		return fmt.Errorf("hnsw: %d links on the lowest layer, needed are %d for each row", len(g.Base), BaseLinks)
	case len(g.Same) != g.Rows():
		return fmt.Errorf("hnsw: copies of %d rows for %d rows", len(g.Same), g.Rows())
	case len(g.Ends) != len(g.Tall):
		return fmt.Errorf("hnsw: layers of %d rows for %d tall rows", len(g.Ends), len(g.Tall))
	}
	g.entry, g.top = 0, 0
	end := uint32(0)
	for i, row := range g.Tall {
		height := int64(g.Ends[i]) - int64(end)
		if height < 1 || height > maxLayer || int64(row) >= int64(g.Rows()) || i > 0 && row <= g.Tall[i-1] {
			return fmt.Errorf("hnsw: tall row %d of %d layers, allowed are ascending rows of 1 to %d", row, height, maxLayer)
		}
		if int(height) > g.top {
			g.entry, g.top = row, int(height)
		}
		end = g.Ends[i]
	}
	if len(g.Upper) != int(end)*Links {
		return errors.New("hnsw: the links of the higher layers are not as many as the layers need")
	}
	return nil
}

// links returns the places of the links of a row on a layer, 0 the lowest; nil
// if the row is not on that layer.
func (g *Graph) links(row uint32, layer int) []uint32 {
	if layer == 0 {
		at := int(row) * BaseLinks
		return g.Base[at : at+BaseLinks]
	}
	at := g.tall(row)
	if at == len(g.Tall) || g.Tall[at] != row {
		return nil
	}
	block := layer - 1
	if at > 0 {
		block += int(g.Ends[at-1])
	}
	if block >= int(g.Ends[at]) {
		return nil
	}
	return g.Upper[block*Links : (block+1)*Links]
}

// tall returns where a row is, or would be, in Tall.
func (g *Graph) tall(row uint32) int {
	from, to := 0, len(g.Tall)
	for from < to {
		if middle := int(uint(from+to) >> 1); g.Tall[middle] < row {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}

// maxLayer is the highest layer there can be: the hash of layerOf has 64 bits.
const maxLayer = 64 / layerBits

// layerBits is the binary logarithm of Links.
const layerBits = 4

// layerOf returns the highest layer of a row: floor(-ln(U)·mL) with mL = 1/ln(M)
// as in the paper, for U = hash/2^64. With M = 16 that is a layer for every four
// zeros that the hash begins with.
func layerOf(row uint32) int {
	return bits.LeadingZeros64(scramble(uint64(row))) / layerBits
}

// scramble is the finisher of SplitMix64 (Steele, Lea, Flood: "Fast splittable
// pseudorandom number generators", 2014), a bijection.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
