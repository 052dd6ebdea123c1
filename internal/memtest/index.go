package memtest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"combray/internal/lexical"
	"combray/internal/memory"
)

// Index is the plainest memory.Index: it holds every active memory and scores
// all of them for each question, in float64, with nothing left out. It is the
// oracle of the real one. Safe for concurrent use.
//
// Where ports.go and design/ranking.md leave a choice: BM25 counts over all
// active memories, whatever the filter; the mean m is that of all windows of
// active memories; the neighbours of a row are those beside it among the active
// memories of its session, rows with a position first, by position, the others
// behind them, by number.
type Index struct {
	store    memory.Store
	identity string
	terms    func(memory.Memory) (line, content []string)

	mu       sync.Mutex
	rows     map[int64]indexed
	sequence int64
}

var _ memory.Index = (*Index)(nil)

// NewIndex makes an index of a store for the vectors of one encoder identity,
// "" for words alone. It is empty until CatchUp.
func NewIndex(store memory.Store, identity string) *Index {
	return &Index{store: store, identity: identity, terms: lineTerms, rows: map[int64]indexed{}}
}

func lineTerms(m memory.Memory) (line, content []string) {
	return lexical.Terms(memory.Line(m)), lexical.Terms(string(m.Content))
}

// indexed is an active memory with what is scored.
type indexed struct {
	memory.Memory
	vectors       [][]float32
	line, content []string // terms
}

// Follow implements memory.Index; a plain index has nothing to put off.
func (x *Index) Follow(ctx context.Context) error { return x.CatchUp(ctx) }

// CatchUp implements memory.Index.
func (x *Index) CatchUp(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	changed, err := x.store.Changes(ctx, x.sequence, everything, x.identity)
	if err != nil {
		return err
	}
	for _, c := range changed {
		x.sequence = c.Memory.Seq
		if c.Erased || c.Memory.Forgotten() {
			delete(x.rows, c.Memory.Number)
			continue
		}
		line, content := x.terms(c.Memory)
		x.rows[c.Memory.Number] = indexed{c.Memory, c.Vectors, line, content}
	}
	return nil
}

// byNumber gives the rows in a fixed order, so that sums do not depend on chance.
func (x *Index) byNumber() []indexed {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.SortedFunc(maps.Values(x.rows), func(a, b indexed) int { return cmp.Compare(a.Number, b.Number) })
}

func eligible(m memory.Memory, f memory.IndexFilter) bool {
	return !slices.Contains(f.Exclude, m.Number) && passes(m, memory.ListFilter{
		Frame: f.Frame, Source: f.Source, SessionID: f.SessionID, Tier: f.Tier, Tags: f.Tags,
		Since: f.Since, Until: f.Until, UnknownEvent: f.UnknownEvent, Near: f.Near})
}

// Search implements memory.Index. A lane has the rows that it finds something
// in; PerLane of 0 or less keeps them all.
func (x *Index) Search(ctx context.Context, q memory.IndexQuery) (memory.IndexResult, error) {
	if err := ctx.Err(); err != nil {
		return memory.IndexResult{}, err
	}
	if q.Await != nil {
		var err error
		if q.Question, err = q.Await(ctx); err != nil {
			return memory.IndexResult{}, err
		}
	}
	rows := x.byNumber()
	words := countWords(rows, q.Content)
	out := memory.IndexResult{IDF: make([]float64, len(q.Terms))}
	for i, term := range q.Terms {
		out.IDF[i] = words.collection.IDF(term)
	}
	scores := scoreAll(rows, words, q)
	var found lanes
	for i, row := range rows {
		if eligible(row.Memory, q.Filter) {
			out.Eligible++
			if scores[i].HasVector {
				out.Vectors++
			}
			found.add(i, row.Memory, scores[i], q)
		}
	}
	kept := found.best(q.PerLane)
	for i, row := range rows {
		if !kept[i] {
			continue
		}
		c := candidate(row.Memory, scores[i])
		if q.Context {
			c.Previous, c.Next = neighbours(rows, scores, i)
		}
		out.Candidates = append(out.Candidates, c)
	}
	return out, nil
}

func scoreAll(rows []indexed, words wordCount, q memory.IndexQuery) []memory.Scores {
	meaning := newMeaning(rows, q.Question)
	scores := make([]memory.Scores, len(rows))
	for i, row := range rows {
		scores[i] = memory.Scores{Words: words.score(q.Terms, row), Meaning: meaning.score(row), HasVector: len(row.vectors) > 0}
	}
	return scores
}

// lanes are what words, vectors and cues find, each row with its score.
type lanes struct{ words, vectors, cues []scoredRow }

type scoredRow struct {
	row   int
	score float64
}

func (l *lanes) add(row int, m memory.Memory, s memory.Scores, q memory.IndexQuery) {
	if s.Words > 0 {
		l.words = append(l.words, scoredRow{row, s.Words})
	}
	if s.HasVector && len(q.Question) > 0 {
		l.vectors = append(l.vectors, scoredRow{row, s.Meaning})
	}
	if q.Cue == nil {
		return
	}
	if score := q.Cue(situation(m)); score > 0 {
		l.cues = append(l.cues, scoredRow{row, score})
	}
}

// best gives the union of the n best rows of each lane; equal scores go by
// number, the order in which the rows came.
func (l *lanes) best(n int) map[int]bool {
	kept := map[int]bool{}
	for _, lane := range [][]scoredRow{l.words, l.vectors, l.cues} {
		slices.SortStableFunc(lane, func(a, b scoredRow) int { return cmp.Compare(b.score, a.score) })
		for _, e := range cut(lane, n) {
			kept[e.row] = true
		}
	}
	return kept
}

func candidate(m memory.Memory, s memory.Scores) memory.Candidate {
	return memory.Candidate{Number: m.Number, Scores: s, Consolidated: m.Status == memory.Consolidated,
		CapturedAt: m.CreatedAt, EventAt: m.EventAt, Situation: situation(m)}
}

// situation puts the event on its own wall clock; the hour of a day known
// without one is no cue.
func situation(m memory.Memory) memory.Situation {
	var s memory.Situation
	if m.Place != nil {
		s.HasPlace, s.Lat, s.Lon = true, m.Place.Lat, m.Place.Lon
	}
	if m.EventAt != nil && (m.EventPrecision == nil || *m.EventPrecision == memory.PreciseInstant) {
		wall := *m.EventAt
		if m.EventOffset != nil {
			wall = wall.Add(time.Duration(*m.EventOffset) * time.Minute)
		}
		s.EventAt = &wall
	}
	return s
}

// neighbours gives the scores of the rows beside one in its session.
func neighbours(rows []indexed, scores []memory.Scores, i int) (previous, next *memory.Scores) {
	if rows[i].SessionID == nil {
		return nil, nil
	}
	var session []int
	for j, row := range rows {
		if matches(rows[i].SessionID, row.SessionID) {
			session = append(session, j)
		}
	}
	slices.SortStableFunc(session, func(a, b int) int { return comparePositions(rows[a].Memory, rows[b].Memory) })
	at := slices.Index(session, i)
	if at > 0 {
		previous = &scores[session[at-1]]
	}
	if at+1 < len(session) {
		next = &scores[session[at+1]]
	}
	return previous, next
}

func comparePositions(a, b memory.Memory) int {
	switch {
	case a.SessionPosition != nil && b.SessionPosition != nil:
		return cmp.Compare(*a.SessionPosition, *b.SessionPosition)
	case a.SessionPosition != nil:
		return -1
	case b.SessionPosition != nil:
		return 1
	}
	return cmp.Compare(a.Number, b.Number)
}

// Recent implements memory.Index. A limit of 0 or less means none.
func (x *Index) Recent(ctx context.Context, f memory.IndexFilter, limit int) ([]int64, error) {
	rows := slices.DeleteFunc(x.byNumber(), func(row indexed) bool { return !eligible(row.Memory, f) })
	slices.SortStableFunc(rows, func(a, b indexed) int {
		return cmp.Or(compareStatus(a.Status, b.Status), b.CreatedAt.Compare(a.CreatedAt))
	})
	var out []int64
	for _, row := range cut(rows, limit) {
		out = append(out, row.Number)
	}
	return out, ctx.Err()
}

// compareStatus puts consolidated memories first.
func compareStatus(a, b memory.Status) int {
	switch {
	case a == b:
		return 0
	case a == memory.Consolidated:
		return -1
	}
	return 1
}

// Count implements memory.Index.
func (x *Index) Count(ctx context.Context, f memory.IndexFilter) (memory.Counted, error) {
	x.mu.Lock()
	sequence := x.sequence
	x.mu.Unlock()
	all, err := x.Recent(ctx, f, 0)
	return memory.Counted{Memories: len(all), Sequence: sequence}, err
}

// Statistics implements memory.Index.
func (x *Index) Statistics(ctx context.Context, terms []string) (int, []int, float64, error) {
	words := countWords(x.byNumber(), true)
	df := make([]int, len(terms))
	for i, term := range terms {
		df[i] = words.collection.DF(term)
	}
	return words.collection.Size, df, words.collection.MeanLength, ctx.Err()
}

// Similarity implements memory.Index.
func (x *Index) Similarity(ctx context.Context, numbers []int64, question []float32) ([]float64, []bool, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	cosines, has := make([]float64, len(numbers)), make([]bool, len(numbers))
	for i, n := range numbers {
		if row := x.rows[n]; len(row.vectors) > 0 && len(question) > 0 {
			cosines[i], has[i] = bestWindow(row.vectors, func(v []float32) float64 { return dot(v, question) }), true
		}
	}
	return cosines, has, ctx.Err()
}

// Scrub implements memory.Index: nothing of an erased row is left after CatchUp.
func (x *Index) Scrub(ctx context.Context) error { return x.CatchUp(ctx) }

// Stats implements memory.Index.
func (x *Index) Stats(context.Context) memory.IndexStats {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := memory.IndexStats{Rows: len(x.rows), Sequence: x.sequence}
	for _, row := range x.rows {
		if len(row.vectors) > 0 {
			out.Vectors++
		}
	}
	return out
}
