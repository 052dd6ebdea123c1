package kernel

import (
	"fmt"
	"sync/atomic"
)

const (
	// maxWords is the longest row of Hamming in 64-bit words. One word more
	// could give a distance of 65,536, which a uint16 cannot hold.
	maxWords = 1<<16/64 - 1

	// maxCodes is the longest row of DotInt8. The kernel that adds most on the
	// way, "avx512-vnni", adds up to 255·128 for a code, and 65,535 of those are
	// just below 1<<31 (TestExtremes).
	maxCodes = 1<<16 - 1
)

// implementation is one set of loops: a machine kernel known to the C side by
// its number, or the plain Go loops.
type implementation struct {
	name   string
	number int
}

// portable is the number of the plain Go loops.
const portable = -1

// implementations lists what can run here, the fastest first, plain Go last.
var implementations = append(machine(), implementation{name: "go", number: portable})

// active is the position in implementations of the loops in use.
var active atomic.Int32

// Name returns the name of the loops in use: "avx512-vnni", "avx2", "neon", "c"
// or "go".
func Name() string {
	return implementations[active.Load()].name
}

// Portable makes the plain Go loops run when on is true, and the fastest loops
// of this processor when it is false. The returned function brings back what
// ran before. It is meant for tests: the choice holds for the whole process.
func Portable(on bool) (restore func()) {
	if on {
		return choose(len(implementations) - 1)
	}
	return choose(0)
}

// choose puts the implementation at position i to work.
func choose(i int) (restore func()) {
	before := active.Swap(int32(i))
	return func() { active.Store(before) }
}

// Hamming sets dst[i] to the number of bits in which row i of signs differs
// from query. A row has len(query) words, 1 to 1,023 of them, and rows follow
// each other without a gap. It panics unless len(signs) is
// len(dst)*len(query).
func Hamming(dst []uint16, query []uint64, signs []uint64) {
	if len(query) == 0 || len(query) > maxWords {
		panic(fmt.Sprintf("kernel: Hamming needs a query of 1 to %d words, got %d", maxWords, len(query)))
	}
	checkBlock("Hamming", len(dst), len(query), len(signs))
	if len(dst) == 0 {
		return
	}
	if number := implementations[active.Load()].number; number != portable {
		machineHamming(number, dst, query, signs)
		return
	}
	plainHamming(dst, query, signs)
}

// DotInt8 sets dst[i] to the dot product of query with row rows[i] of codes, or
// with row i when rows is nil. A row has len(query) codes, 1 to 65,535 of
// them, so that no sum can overflow. It panics when codes does not hold whole
// rows, when rows names a row that codes does not have, or when dst and the
// rows asked for differ in number.
func DotInt8(dst []int32, query []int8, codes []int8, rows []uint32) {
	if len(query) == 0 || len(query) > maxCodes {
		panic(fmt.Sprintf("kernel: DotInt8 needs a query of 1 to %d codes, got %d", maxCodes, len(query)))
	}
	if rows == nil {
		checkBlock("DotInt8", len(dst), len(query), len(codes))
	} else {
		checkRows(len(dst), len(query), len(codes), rows)
	}
	if len(dst) == 0 {
		return
	}
	if number := implementations[active.Load()].number; number != portable {
		machineDotInt8(number, dst, query, codes, rows)
		return
	}
	plainDotInt8(dst, query, codes, rows)
}

// Within sets the first items of dst to the positions of the distances up to
// limit, ascending, and returns how many those are. What dst has behind them is
// undefined. It panics when dst is shorter than distances.
func Within(dst []uint32, distances []uint16, limit uint16) int {
	checkRoom("Within", len(distances), len(dst))
	if len(distances) == 0 {
		return 0
	}
	if number := implementations[active.Load()].number; number != portable {
		return machineWithin(number, dst, distances, limit)
	}
	return plainWithin(dst, distances, limit)
}

// AtLeast is Within for scores from least on. A score that is not a number is never
// among them.
func AtLeast(dst []uint32, scores []float32, least float32) int {
	checkRoom("AtLeast", len(scores), len(dst))
	if len(scores) == 0 {
		return 0
	}
	if number := implementations[active.Load()].number; number != portable {
		return machineAtLeast(number, dst, scores, least)
	}
	return plainAtLeast(dst, scores, least)
}

// checkRoom panics unless all of n positions find room.
func checkRoom(op string, n, room int) {
	if room < n {
		panic(fmt.Sprintf("kernel: %s needs room for %d positions, got %d", op, n, room))
	}
}

// checkBlock panics unless a block of have values is n rows of width values.
func checkBlock(op string, n, width, have int) {
	if have%width != 0 || have/width != n {
		panic(fmt.Sprintf("kernel: %s needs %d rows of %d values, got %d values", op, n, width, have))
	}
}

// checkRows panics unless every one of the n rows asked for is in the block.
func checkRows(n, width, have int, rows []uint32) {
	if len(rows) != n {
		panic(fmt.Sprintf("kernel: DotInt8 needs as many rows as results, got %d rows for %d results", len(rows), n))
	}
	if have%width != 0 {
		panic(fmt.Sprintf("kernel: DotInt8 needs whole rows of %d codes, got %d codes", width, have))
	}
	var highest uint32
	for _, row := range rows {
		highest = max(highest, row)
	}
	if n > 0 && uint64(highest) >= uint64(have/width) {
		panic(fmt.Sprintf("kernel: DotInt8 was asked for row %d of %d", highest, have/width))
	}
}
