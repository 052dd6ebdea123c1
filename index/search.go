package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"combray/index/hnsw"
)

const (
	// defaultPerLane is the ranking recipe's: the best 200 of each lane.
	defaultPerLane = 200
	// rescored candidates bring recall@10 from 0.988 to 1.0 (measured on 46,700
	// real vectors); it is the best 40 by their codes.
	rescored = 40
)

// scratch is the memory of a search that the next one uses again. Its sums are
// all zero between searches.
type scratch struct {
	allowed, space bitset
	sums           []float32 // of the words lane, by slot
	touched        []bool
	weights        [tabledCounts][weightTable]float32
	distances      []uint16
	buffers        [mostSharers]codeBuffer
	walker         hnsw.Walker
}

// takeScratch returns memory for a search, which must be given back.
func (ix *Index) takeScratch() *scratch {
	if space := ix.kept.Swap(nil); space != nil {
		return space
	}
	if space, ok := ix.scratch.Get().(*scratch); ok {
		return space
	}
	return new(scratch)
}

// giveScratch takes memory back. That of one search is kept for good: a pool alone
// loses it twice a collection, and at a million rows it is seven megabytes, whose making
// brings the next collection.
func (ix *Index) giveScratch(space *scratch) {
	if !ix.kept.CompareAndSwap(nil, space) {
		ix.scratch.Put(space)
	}
}

// fit makes room for a state.
func (s *scratch) fit(state *state) {
	slots := state.slots()
	words := wordsFor(slots)
	s.allowed, s.space = resize(s.allowed, words), resize(s.space, words)
	s.sums = resize(s.sums, slots)
	s.touched = resize(s.touched, slots>>touchedBits+1)
	s.distances = resize(s.distances, len(state.vectors.infos)+len(state.delta.vectors.infos))
}

// resize returns s with n items; those it had before are kept, others are zero
// if s was zero beyond its end.
func resize[S ~[]T, T any](s S, n int) S {
	if n <= cap(s) {
		return s[:n]
	}
	return make(S, n, n+n/8)
}

// check returns the query with its defaults, or says what is wrong with it.
func (q Query) check(config *Config) (Query, error) {
	if err := config.checkQuestion(q.Vector); err != nil {
		return q, err
	}
	if q.Field > Content {
		return q, fmt.Errorf("index: field %d, allowed are Line and Content", q.Field)
	}
	if !(q.K1 >= 0) || !(q.B >= 0 && q.B <= 1) || math.IsInf(q.K1, 0) {
		return q, fmt.Errorf("index: BM25 with k1 %g and b %g, allowed are k1 from 0 and b from 0 to 1", q.K1, q.B)
	}
	if q.PerLane < 0 || q.Shortlist < 0 {
		return q, fmt.Errorf("index: %d candidates a lane of a shortlist of %d, allowed are 0 for the default and more", q.PerLane, q.Shortlist)
	}
	if q.K1 == 0 && q.B == 0 {
		q.K1, q.B = defaultK1, defaultB
	}
	q.PerLane = orDefault(q.PerLane, defaultPerLane)
	return q, q.Filter.check()
}

// checkQuestion says what is wrong with the vector of a question, which may be nil.
func (c *Config) checkQuestion(vector []float32) error {
	if vector != nil && c.Identity != "" && !isUnit(vector, c.Dims) {
		return fmt.Errorf("index: the question's vector must have %d finite numbers and length 1", c.Dims)
	}
	return nil
}

// Search returns the best rows of each lane among those that pass the filter,
// with the scores of both lanes for every one of them. It answers from what
// CatchUp brought in last, and reads nothing from the source but the vectors of
// the candidates to be rescored.
func (ix *Index) Search(ctx context.Context, q Query) (Result, error) {
	q, err := q.check(&ix.config)
	if err != nil {
		return Result{}, err
	}
	search := &search{query: &q}
	if q.Await != nil {
		if err := search.await(ctx, ix); err != nil {
			return Result{}, err
		}
	}
	err = search.answer(ctx, ix)
	return search.result, err
}

// search is the work on one query.
type search struct {
	*scratch
	query *Query
	state *state
	lane  wordsLane
	words *wordsFound // nil before the words lane ran
	probe *probe      // nil without a vectors lane
	exact exactVectors
	// exhaustive makes the vectors lane compare all rows.
	exhaustive bool
	spread     *spread // nil unless it is asked for; needs a probe and no terms
	result     Result
}

// answer fills in the result.
func (s *search) answer(ctx context.Context, ix *Index) error {
	defer s.exact.read.Wait()
	if s.scratch == nil {
		s.scratch = ix.takeScratch()
	}
	err := ix.read(ctx, func(state *state) error {
		if !s.words.holdFor(state) {
			s.begin(state)
		}
		return s.run(ctx, ix)
	})
	s.giveBack(ix)
	if err != nil {
		return err
	}
	return s.rescore(ctx, ix.source)
}

// begin makes room for the rows of a state and says which of them are allowed.
func (s *search) begin(state *state) {
	s.lane.clear()
	s.words, s.state = nil, state
	s.fit(state)
	state.allow(s.allowed, s.space, &s.query.Filter)
}

// giveBack gives the scratch back, if the search has one.
func (s *search) giveBack(ix *Index) {
	if s.scratch != nil {
		s.lane.clear()
		ix.giveScratch(s.scratch)
	}
	s.state, s.scratch = nil, nil
}

// run does all that needs the state.
func (s *search) run(ctx context.Context, ix *Index) error {
	s.result.N = int(s.state.totals.rows)
	s.result.MeanLength = s.state.totals.meanLength(s.query.Field)
	s.result.Eligible = s.allowed.count()
	s.result.Seq = s.state.seq
	if s.query.Vector != nil && s.state.vectors.dims > 0 {
		s.probe = newProbe(s.query.Vector, s.state.centre)
	}
	slots, err := s.lanes(ctx, ix)
	if err != nil {
		return err
	}
	s.score(slots)
	if s.spread != nil {
		return s.measureSpread(ctx, s.result.Vectors.Embedded, ix.config.surveyRows)
	}
	return nil
}

// lanes runs both lanes side by side and returns the slots of the candidates,
// ascending by doc.
func (s *search) lanes(ctx context.Context, ix *Index) ([]uint32, error) {
	var near []found
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		near, err = s.vectors(ctx, &ix.config)
		s.readAhead(ctx, ix.source, near)
	}()
	union := map[uint32]int64{}
	if s.words == nil {
		s.lookForWords()
	}
	for _, f := range s.words.best {
		union[f.slot] = f.doc
	}
	embedded := s.embedded()
	<-done
	s.result.Vectors.Embedded = embedded
	for _, f := range near {
		union[f.slot] = f.doc
	}
	for _, f := range s.cues() {
		union[f.slot] = f.doc
	}
	for _, doc := range s.query.Extra {
		if slot, found := s.state.find(doc); found && s.allowed.has(slot) {
			union[slot] = doc
		}
	}
	slots := make([]uint32, 0, len(union))
	for slot := range union {
		slots = append(slots, slot)
	}
	slices.SortFunc(slots, func(a, b uint32) int { return cmp.Compare(union[a], union[b]) })
	return slots, err
}

// wordsFound is what the words lane found, and in what.
type wordsFound struct {
	best  []found
	state *state
	seq   int64
}

// holdFor reports whether the lane would find the same now.
func (w *wordsFound) holdFor(state *state) bool {
	return w != nil && w.state == state && w.seq == state.seq
}

// await makes the vector, and looks for words meanwhile if the scratch that is kept is
// free: a vector may be long in coming, and who waits should not hold more.
func (s *search) await(ctx context.Context, ix *Index) error {
	var found sync.WaitGroup
	if s.scratch = ix.kept.Swap(nil); s.scratch != nil {
		found.Go(func() {
			// An error comes again in answer.
			_ = ix.read(ctx, func(state *state) error {
				s.begin(state)
				s.lookForWords()
				return nil
			})
		})
	}
	var err error
	s.query.Vector, err = s.query.Await(ctx)
	found.Wait()
	if err == nil {
		err = ix.config.checkQuestion(s.query.Vector)
	}
	if err != nil {
		s.giveBack(ix)
	}
	return err
}

// lookForWords runs the words lane.
func (s *search) lookForWords() {
	s.words = &wordsFound{state: s.state, seq: s.state.seq}
	if len(s.query.Terms) == 0 {
		return
	}
	s.lane = wordsLane{
		state: s.state, field: s.query.Field, k1: s.query.K1, b: s.query.B,
		scores: s.sums, touched: s.touched, weights: &s.weights,
	}
	s.result.IDF = s.lane.run(s.query.Terms)
	s.words.best = s.lane.best(s.allowed, s.query.PerLane)
	s.result.Words = WordsLane{Ran: true, Found: len(s.words.best)}
}

// readAhead reads the exact vectors of the rows that are likely to be rescored: words
// hardly ever find one that is nearer.
func (s *search) readAhead(ctx context.Context, source Source, near []found) {
	if len(near) == 0 {
		return
	}
	docs := make([]int64, min(len(near), rescored))
	for i := range docs {
		docs[i] = near[i].doc
	}
	s.exact.readBeside(ctx, source, docs)
}

// vectors runs the vectors lane.
func (s *search) vectors(ctx context.Context, config *Config) ([]found, error) {
	if s.probe == nil {
		return nil, nil
	}
	lane := vectorsLane{
		state: s.state, probe: s.probe, allowed: s.allowed, distances: s.distances, buffers: &s.buffers,
		k:          s.query.PerLane,
		shortlist:  orDefault(s.query.Shortlist, max(config.Shortlist, int(s.state.totals.rows)*shortlistPercent/100)),
		exhaustive: s.exhaustive,
		shareRows:  config.shareRows,
		graph:      s.graphOf(config), ef: config.Ef, walker: &s.walker, space: s.space,
	}
	best, err := lane.run(ctx)
	s.result.Vectors = VectorsLane{Ran: true, Found: len(best), Walked: lane.graph != nil, Shortlisted: int(lane.compared.Load())}
	return best, err
}
