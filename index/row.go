package index

import (
	"context"
	"fmt"
	"math"
)

// Row is a memory as the index needs it. The index copies what it keeps.
type Row struct {
	Doc int64 // row number in the store, above 0, never used twice
	Seq int64 // change sequence of this state
	// Gone says that the memory was erased; the other fields are not read.
	Gone bool
	// Live says that the memory is active. Rows that are not live, the forgotten
	// ones, count neither in N, nor in document frequencies, nor in the mean
	// length, and are found only by a Filter that asks for them.
	Live  bool
	Class uint8 // place in the default order, the highest class first

	Captured int64 // when it was stored, microseconds since 1970 in UTC
	Event    int64 // when it happened, microseconds since 1970 in UTC
	HasEvent bool  // false: Event is unknown
	Offset   int   // of the wall clock there, minutes east of UTC
	HasHour  bool  // false: the hour of Event or Offset is unknown
	Lat, Lon float64
	HasPlace bool // false, or Lat or Lon out of range: the place is unknown

	Session  string // "" for none
	Position int64  // place within the session, below 0 if unknown

	Facets []string    // labels for Filter.All, such as "tag=tea"; compared byte for byte
	Terms  []TermCount // each term once

	// Vectors has one vector of length 1 for each window of the text; none while
	// the memory is not embedded. A row with a vector that is not of Config.Dims
	// finite numbers and length 1 counts as not embedded, and Stats counts it.
	Vectors [][]float32
}

// TermCount says how often a term stands in a memory.
type TermCount struct {
	Term    string
	Line    uint16 // in the whole line: date, source and content
	Content uint16 // in the content alone
}

// Source is the store that an index is made from. Rows and Vectors may be
// called while a search runs, from several goroutines.
type Source interface {
	// Sequence returns the change sequence of the newest change.
	Sequence(ctx context.Context) (int64, error)
	// Rows returns at most limit rows whose newest change is above after, each in
	// its newest state, in ascending order of Seq. Fewer than limit means that
	// there are no more.
	Rows(ctx context.Context, after int64, limit int) ([]Row, error)
	// Vectors returns the vectors of the windows of each of docs, in the same
	// order, as Row.Vectors would have them now; none for a doc without any.
	Vectors(ctx context.Context, docs []int64) ([][][]float32, error)
}

// check returns an error for a row that breaks the contract of Source.
func (r *Row) check(after int64) error {
	if r.Doc <= 0 {
		return fmt.Errorf("index: the store gave row number %d, row numbers start at 1", r.Doc)
	}
	if r.Seq <= after {
		return fmt.Errorf("index: the store gave row %d with sequence %d after %d, sequences must ascend", r.Doc, r.Seq, after)
	}
	return nil
}

// placed reports whether the row has a place on earth.
func (r *Row) placed() bool {
	return r.HasPlace && onEarth(r.Lat, r.Lon)
}

// offset returns the column of the wall clock.
func (r *Row) offset() int16 {
	const day = 24 * 60 // no zone is further from UTC
	if !r.HasEvent || !r.HasHour || r.Offset < -day || r.Offset > day {
		return noHour
	}
	return int16(r.Offset)
}

// unitTolerance is how far the squared length of a vector may be from 1. Half
// precision, in which a store may keep vectors, moves it by 0.001 at most.
const unitTolerance = 0.01

// isUnit reports whether v is a vector of dims finite numbers and length 1.
func isUnit(v []float32, dims int) bool {
	if len(v) != dims {
		return false
	}
	square := dot(v, v)
	return math.Abs(square-1) <= unitTolerance // false for NaN and infinities too
}

// areUnits reports whether every one of vectors passes isUnit.
func areUnits(vectors [][]float32, dims int) bool {
	for _, v := range vectors {
		if !isUnit(v, dims) {
			return false
		}
	}
	return true
}
