package index

import "context"

// Field says which counts of a term BM25 uses.
type Field uint8

const (
	Line    Field = iota // the whole line: date, source and content
	Content              // the content alone
)

// Query is a question to Search. The zero Query finds nothing.
type Query struct {
	Terms []string // a term given twice counts once
	Field Field
	// K1 and B are the constants of BM25; both 0 means 0.9 and 0.4, the tuned
	// values of the ranking.
	K1, B  float64
	Vector []float32 // of length 1; nil for words only
	// Await makes Vector where that takes a while: words are looked for meanwhile. It may
	// return nil, and it may bring the index up to date. Nil: Vector is there.
	Await  func(context.Context) ([]float32, error)
	Filter Filter
	// PerLane is how many of the best of each lane become candidates, 0 means 200.
	PerLane int
	// Shortlist is how many rows the signs leave to the codes, 0 means
	// Config.Shortlist or 3 % of the live rows. Fewer are quicker and find what is very
	// near.
	Shortlist int
	// Cue scores a row by where and when it happened, above 0 for something in
	// common; the best PerLane become candidates too. Nil: no cue lane. It is
	// called for every row that passes the filter.
	Cue func(Situation) float64
	// Extra names rows to score as well. They must pass the filter like all others.
	Extra []int64
	// Neighbours asks for the scores of the memories before and after each candidate.
	Neighbours bool
}

// Situation is where and when a memory happened.
type Situation struct {
	HasPlace bool
	Lat, Lon float64 // degrees
	HasEvent bool
	Event    int64 // microseconds since 1970 in UTC
	HasHour  bool
	Offset   int // of the wall clock there, minutes east of UTC
}

// State selects rows by whether they are live.
type State uint8

const (
	Live    State = iota // active rows
	NotLive              // forgotten rows
	Any                  // both
)

// Filter selects rows. A row that lacks a field that the filter asks for does
// not pass. The zero Filter passes all live rows.
type Filter struct {
	State   State
	All     []string // facets that the row must have, all of them
	Exclude []int64  // rows that do not pass

	// Bounds in microseconds since 1970 in UTC, inclusive; nil for none.
	EventSince, EventUntil       *int64 // a row without an event does not pass
	CapturedSince, CapturedUntil *int64
	Undated                      bool // only rows without an event

	Near *Near // nil for anywhere
}

// Near is a circle on the earth, its rim included.
type Near struct {
	Lat, Lon float64 // degrees
	RadiusM  float64 // metres, 0 or more
}

// Result is the answer to a Query. It belongs to the caller.
type Result struct {
	Candidates []Candidate // ascending by Doc
	// IDF has the weight of each of Query.Terms, ln(1+(N-n+0.5)/(n+0.5)); a term
	// that no live row holds has n = 0, and a repetition weighs 0. The sum is what
	// Words is divided by to get U.
	IDF        []float64
	N          int     // live rows
	MeanLength float64 // terms of a live row in the field, mean; 1 if the mean is 0
	Eligible   int     // rows that pass the filter
	Words      WordsLane
	Vectors    VectorsLane
	Seq        int64 // change sequence that the answer stands for
}

// WordsLane says what the words lane did.
type WordsLane struct {
	Ran   bool // false without terms
	Found int  // candidates it gave: rows that pass and hold a term, PerLane at most
}

// VectorsLane says what the vectors lane did.
type VectorsLane struct {
	Ran         bool // false without Query.Vector or without an encoder identity
	Found       int  // candidates it gave: embedded rows that pass, PerLane at most
	Walked      bool // the graph found the rows, not a scan
	Shortlisted int  // code rows compared in int8 after the walk or the scan of the signs
	Rescored    int  // candidates compared with their exact vectors
	Embedded    int  // rows that pass and have a vector; counted only without Query.Terms
}

// Candidate is a row among the best of a lane, with the scores of both.
type Candidate struct {
	Doc int64
	Scores
	// Cosine is the plain cosine of the best window, exact where the row was
	// rescored, otherwise within some 0.002.
	Cosine     float64
	Rescored   bool
	Class      uint8
	Captured   int64
	Situation  Situation
	Prev, Next *Scores // neighbours in the session; nil for none or not asked for
}

// Scores are the two scores of a memory.
type Scores struct {
	Words float64 // BM25, the sum over the query terms
	// C is the cosine of the best window, both vectors less the mean of the
	// store, not clipped. A store of fewer than 6 embedded rows has no mean: then
	// C is the plain cosine mapped from 0.75..0.95 to 0..1, not clipped either.
	C         float64
	HasVector bool // false: not embedded, C is 0
}
