package sense

import (
	"math"
	"math/bits"
	"slices"
)

// Bounds of the two comparisons of pictures. The thresholds of "the same picture" are
// those of facts/media.md 6; the others are measured on its development pictures
// (docs/BENCHMARKS.md, Pictures and sounds).
var (
	pictureBounds = bounds{unrelated: .25, chance: .47, same: .80} // cosine; no false pair in 75,000
	copyBounds    = bounds{unrelated: 30, chance: 19, same: 11}    // unequal bits of 64
)

// Picture compares two vectors of one picture encoder.
func Picture(a, b Vector) Alike { return pictureBounds.of(a.Cosine(b)) }

// Copy compares two pictures by their pHash64: it knows exact and recompressed copies,
// not crops.
func Copy(a, b uint64) Alike { return copyBounds.of(float64(bits.OnesCount64(a ^ b))) }

// HashGrid is how many cells each way a picture is averaged to.
const HashGrid = 32

// hashLow is how many frequencies each way are kept.
const hashLow = 8

// GreyGrid averages a picture to a small grey one, row by row: exact area averages,
// a pixel counts in a cell by the share of the cell it covers. What it takes of
// memory does not grow with the picture.
type GreyGrid struct {
	cells         [HashGrid * HashGrid]float64 // by rows
	columns, rows lineOverlaps
}

// NewGreyGrid returns the grid of a picture of w x h pixels, each at least 1.
func NewGreyGrid(w, h int) *GreyGrid {
	return &GreyGrid{columns: lineOverlaps(w), rows: lineOverlaps(h)}
}

// AddRow adds the row y of the picture: R G B A a pixel, on an opaque ground. Every
// row must come once, in any order.
func (g *GreyGrid) AddRow(y int, pixels []byte) {
	var line [HashGrid]float64
	for x := range int(g.columns) {
		grey := float64(greyOf(pixels[4*x], pixels[4*x+1], pixels[4*x+2]))
		first, last := g.columns.cells(x)
		if first == last { // nearly always in a photograph
			line[first] += grey * HashGrid / float64(g.columns)
			continue
		}
		for c := first; c <= last; c++ {
			line[c] += grey * g.columns.share(x, c)
		}
	}
	first, last := g.rows.cells(y)
	for r := first; r <= last; r++ {
		share := g.rows.share(y, r)
		for c, v := range line {
			g.cells[r*HashGrid+c] += v * share
		}
	}
}

// Cells returns the grid by rows, HashGrid x HashGrid values between 0 and 255.
func (g *GreyGrid) Cells() []float64 { return g.cells[:] }

// lineOverlaps says how the pixels of a line lie in its HashGrid cells; its value
// is the number of pixels. In units of 1/(pixels HashGrid) of the line a pixel is
// HashGrid long and a cell as long as there are pixels.
type lineOverlaps int

// cells returns the first and last cell that the pixel i lies in.
func (n lineOverlaps) cells(i int) (first, last int) {
	return i * HashGrid / int(n), ((i+1)*HashGrid - 1) / int(n)
}

// share returns which part of the cell c the pixel i covers.
func (n lineOverlaps) share(i, c int) float64 {
	left, right := max(i*HashGrid, c*int(n)), min((i+1)*HashGrid, (c+1)*int(n))
	return float64(right-left) / float64(n)
}

// PHash64 is the perceptual hash of facts/media.md 6 of the cells of a GreyGrid:
// orthonormal DCT-II, the lowest 8 x 8 by rows with the mean set to 0, each bit
// whether its value is above the median of the other 63, the first bit highest.
func PHash64(cells []float64) uint64 {
	low := lowFrequencies(cells)
	low[0] = 0
	middle := medianOf(slices.Clone(low[1:]))
	var hash uint64
	for _, v := range low {
		hash <<= 1
		if v > middle {
			hash |= 1
		}
	}
	return hash
}

// greyOf is the luma of ITU-R BT.601 in sixteenth-bit fixed point, rounded.
func greyOf(r, g, b uint8) uint32 {
	return (19595*uint32(r) + 38470*uint32(g) + 7471*uint32(b) + 1<<15) >> 16
}

// lowFrequencies returns the lowest hashLow x hashLow of the orthonormal
// two-dimensional DCT-II of a grid, by rows.
func lowFrequencies(grid []float64) [hashLow * hashLow]float64 {
	var wave [hashLow][HashGrid]float64
	for k := range hashLow {
		for n := range HashGrid {
			wave[k][n] = math.Sqrt(2./HashGrid) * math.Cos(math.Pi*float64(2*n+1)*float64(k)/(2*HashGrid))
		}
	}
	for n := range HashGrid {
		wave[0][n] = math.Sqrt(1. / HashGrid)
	}
	var across [HashGrid][hashLow]float64
	for y := range HashGrid {
		for k := range hashLow {
			for x := range HashGrid {
				across[y][k] += grid[y*HashGrid+x] * wave[k][x]
			}
		}
	}
	var low [hashLow * hashLow]float64
	for j := range hashLow {
		for k := range hashLow {
			for y := range HashGrid {
				low[j*hashLow+k] += across[y][k] * wave[j][y]
			}
		}
	}
	return low
}
