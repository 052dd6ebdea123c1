package memory

import (
	"context"
	"slices"
	"time"

	"combray/internal/lexical"
)

// Recall answers a question, or gives the default order without one. It writes
// nothing.
func (s *Service) Recall(ctx context.Context, in RecallInput) (RecallResult, error) {
	q, err := checkRecall(in, s.zone)
	if err != nil {
		return RecallResult{}, err
	}
	return s.answer(ctx, q)
}

// Search answers a question by meaning, with words beside it unless mode is
// semantic. It writes nothing.
func (s *Service) Search(ctx context.Context, in RecallInput) (RecallResult, error) {
	q, err := checkSearch(in, s.zone)
	if err != nil {
		return RecallResult{}, err
	}
	return s.answer(ctx, q)
}

// answer follows design/architecture.md 3: encode with nothing locked, rank on
// the index at the store's newest sequence, then show what one snapshot allows.
func (s *Service) answer(ctx context.Context, q question) (RecallResult, error) {
	now, start := s.now(), s.clock()
	reserved := reserved{room: q.limit}
	var err error
	if !q.only {
		if reserved, err = s.reserved(ctx, q.limit); err != nil {
			return RecallResult{}, err
		}
	}
	q.filter.Exclude = append(q.filter.Exclude, reserved.numbers...)
	found, err := s.find(ctx, q, reserved.room, now)
	if err != nil {
		return RecallResult{}, err
	}
	out := RecallResult{Retrieval: found.retrieval, Warnings: q.warnings}
	err = s.store.View(ctx, func(r Reader) error { return s.show(ctx, r, q, found, now, &out) })
	if err != nil {
		return RecallResult{}, err
	}
	out.Retrieval.Elapsed = s.clock().Sub(start)
	return out, nil
}

// found is what ranking gave: numbers best first, with scores for those ranked.
type found struct {
	order     []int64
	places    map[int64]int // of those ranked, by number, in sorted
	sorted    []ranked
	ranking   ranking
	question  []float32
	terms     []string
	retrieval Retrieval
}

func (s *Service) find(ctx context.Context, q question, room int, now time.Time) (found, error) {
	var f found
	if err := s.index.CatchUp(ctx); err != nil {
		return f, err
	}
	eligible, err := s.index.Count(ctx, q.filter)
	if err != nil {
		return f, err
	}
	s.prepare(q, &f)
	f.retrieval.Unranked = eligible.Memories
	if room == 0 || eligible.Memories == 0 {
		return f, nil
	}
	if err := s.rankFound(ctx, q, &f, now); err != nil {
		return f, err
	}
	return f, s.fill(ctx, q, &f, room)
}

// prepare decides which lanes run.
func (s *Service) prepare(q question, f *found) {
	f.ranking = ranking{mode: ModeLexical, asked: q.query != "", cue: q.cue}
	f.retrieval = Retrieval{Mode: ModeLexical, Words: LaneNotAsked, Vectors: LaneNotAsked, Cues: LaneNotAsked}
	if q.cue != nil {
		f.retrieval.Cues = LaneRan
	}
	if q.query == "" {
		return
	}
	if q.mode != ModeSemantic {
		f.terms = lexical.Query(q.query)
		f.retrieval.Words = LaneRan
	}
	if q.needsVector() {
		f.retrieval.Backend = s.encoder.Describe()
	}
	if q.mode != ModeAuto {
		f.retrieval.Mode = q.mode
	}
	f.ranking.mode = f.retrieval.Mode
}

// needsVector reports whether the question is encoded, if there is an encoder.
func (q question) needsVector() bool { return q.query != "" && q.mode != ModeLexical }

// awaited gives the question's vector to a search that runs already, which then
// takes in what writers committed meanwhile.
func (s *Service) awaited(q question, f *found) func(context.Context) ([]float32, error) {
	return func(ctx context.Context) ([]float32, error) {
		if err := s.encode(ctx, q, f); err != nil || f.question == nil {
			return nil, err
		}
		if q.mode == ModeAuto {
			f.retrieval.Mode, f.ranking.mode = ModeHybrid, ModeHybrid
		}
		return f.question, s.index.CatchUp(ctx)
	}
}

// encode makes the question's vector. In mode auto an encoder that is not ready
// costs the lane and is named; asked for by name it is an error.
func (s *Service) encode(ctx context.Context, q question, f *found) error {
	reason := s.encoderProblem(ctx)
	if reason == "" {
		v, err := s.encoder.Question(ctx, q.query)
		if err == nil {
			f.question, f.retrieval.Vectors, f.retrieval.InferencePerformed = v, LaneRan, true
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.log.Warn("question not encoded", "err", err)
		reason = "the encoder failed on this question"
	}
	if q.mode != ModeAuto {
		return Unavailable("Call recall with mode lexical, or run combray models verify to see what the encoder needs.", nil,
			"mode %s is unavailable: semantic search did not run because %s", q.mode, reason)
	}
	f.retrieval.Vectors = reason
	return nil
}

// encoderProblem waits for an encoder that loads and says why it cannot be
// used, "" when it can.
func (s *Service) encoderProblem(ctx context.Context) string {
	patience, cancel := context.WithTimeout(ctx, EncoderPatience)
	defer cancel()
	if state := s.encoder.Wait(patience); !state.Ready {
		return state.Reason
	}
	return ""
}

func (s *Service) rankFound(ctx context.Context, q question, f *found, now time.Time) error {
	if q.query == "" && q.cue == nil {
		return nil
	}
	if q.times && q.query != "" {
		if span, ok := s.times.Understand(q.query, now.In(s.zone)); ok {
			f.retrieval.TimeUnderstood, f.ranking.interval = &span, &span
		}
	}
	query := IndexQuery{Terms: f.terms, Content: q.content, AnyLanguage: true, Filter: q.filter, PerLane: max(PerLane, q.limit)}
	if q.needsVector() {
		query.Await, query.Context = s.awaited(q, f), q.mode != ModeSemantic
	}
	if q.cue != nil {
		query.Cue = func(at Situation) float64 { return q.cue.score(at, 0, false) }
	}
	result, err := s.index.Search(ctx, query)
	if err != nil {
		return err
	}
	for _, v := range result.IDF {
		f.ranking.idf += v
	}
	f.ranking.total = result.Eligible
	f.sorted = f.ranking.rank(result.Candidates)
	f.order, f.places = make([]int64, len(f.sorted)), make(map[int64]int, len(f.sorted))
	for i := range f.sorted {
		f.order[i] = f.sorted[i].Number
		f.places[f.order[i]] = i
	}
	f.retrieval.Reranked, f.retrieval.Unranked = rankedCount(result, f.ranking.mode)
	f.retrieval.Candidates = len(result.Candidates)
	if f.ranking.asked {
		f.retrieval.Verdict = VerdictNone
		if len(f.sorted) > 0 {
			f.retrieval.Verdict = verdictOf(f.sorted[0].chance)
		}
	}
	return nil
}

// row gives the scores of a row, none where it was not ranked.
func (f *found) row(number int64) ranked {
	if place, ok := f.places[number]; ok {
		return f.sorted[place]
	}
	return ranked{Candidate: Candidate{Number: number}}
}

// rankedCount says how many eligible rows took part in the ranking: words see
// every row, vectors those that have one.
func rankedCount(r IndexResult, mode Mode) (ranked, unranked int) {
	if mode == ModeSemantic {
		return r.Vectors, r.Eligible - r.Vectors
	}
	return r.Eligible, 0
}

// spareRows stand ready beyond what is shown, so that a row the snapshot no
// longer allows can be replaced by the next.
const spareRows = 8

// fill puts rows without a match behind the others in the default order.
func (s *Service) fill(ctx context.Context, q question, f *found, room int) error {
	want := room + spareRows
	if q.minScore > 0 || len(f.order) >= want {
		return nil
	}
	recent, err := s.index.Recent(ctx, q.filter, want)
	if err != nil {
		return err
	}
	for _, n := range recent {
		if _, ranked := f.places[n]; !ranked {
			f.order = append(f.order, n)
		}
	}
	return nil
}

// show reads one snapshot and puts the answer together.
func (s *Service) show(ctx context.Context, r Reader, q question, f found, now time.Time, out *RecallResult) error {
	if q.only {
		return s.showMemories(ctx, r, q, f, reserved{room: q.limit}, out)
	}
	reserved, err := loadReserved(ctx, r, q.limit)
	if err != nil {
		return err
	}
	out.Anchors, out.Canon = reserved.anchors, reserved.canon
	if err := s.showMemories(ctx, r, q, f, reserved, out); err != nil {
		return err
	}
	if out.StaleInterpretations, err = overdue(ctx, r, now); err != nil {
		return err
	}
	if err := s.showNarrative(ctx, r, now, out); err != nil {
		return err
	}
	out.Conflicts, err = openConflicts(ctx, r)
	return err
}

func (s *Service) showMemories(ctx context.Context, r Reader, q question, f found, reserved reserved, out *RecallResult) error {
	left, bytesLeft := reserved.room, q.maxBytes
	shown := make([]ranked, 0, min(left, len(f.order)))
	out.Memories = make([]Row, 0, cap(shown))
	for chunk := range slices.Chunk(f.order, max(reserved.room, 1)) {
		memories, err := r.Numbered(ctx, chunk)
		if err != nil {
			return err
		}
		for _, m := range memories {
			row := f.row(m.Number)
			if left == 0 || !q.passes(m) || reserved.holds(m.Number) || row.chance < q.minScore {
				continue
			}
			if q.maxBytes >= 0 {
				if len(m.Content) > bytesLeft {
					out.Retrieval.Omitted++
					continue
				}
				bytesLeft -= len(m.Content)
			}
			left--
			shown = append(shown, row)
			out.Memories = append(out.Memories, Row{Memory: m})
		}
		if left == 0 {
			break
		}
	}
	return s.score(ctx, q, f, shown, out.Memories)
}

// passes asks again, of the snapshot, what the index was asked.
func (q question) passes(m Memory) bool {
	return !m.Forgotten() && (q.filter.Frame == nil || m.Frame != nil && *m.Frame == *q.filter.Frame)
}

// score fills in the numbers of the shown rows.
func (s *Service) score(ctx context.Context, q question, f found, shown []ranked, rows []Row) error {
	if q.blank {
		for i := range rows {
			rows[i].Relevance = new(float64)
		}
	}
	if len(rows) == 0 || !f.ranking.asked && q.cue == nil {
		return nil
	}
	numbers := make([]int64, len(rows))
	for i := range rows {
		numbers[i] = rows[i].Memory.Number
		score, chance := shown[i].score, shown[i].chance
		rows[i].SearchScore, rows[i].Score = &score, &chance
		if q.cue != nil {
			rows[i].Channels = q.cue.channels(shown[i].Situation)
			if f.ranking.asked {
				rows[i].Channels[string(ChannelText)] = min(shown[i].text, 1)
			}
		}
		if q.explain {
			rows[i].Why = f.ranking.why(f.sorted, shown[i])
		}
	}
	if !f.ranking.asked {
		return nil
	}
	if err := s.similarities(ctx, f, numbers, rows); err != nil {
		return err
	}
	return s.relevances(ctx, lexical.Query(q.query), rows)
}

func (s *Service) similarities(ctx context.Context, f found, numbers []int64, rows []Row) error {
	if f.question == nil {
		return nil
	}
	cosines, has, err := s.index.Similarity(ctx, numbers, f.question)
	if err != nil {
		return err
	}
	for i := range rows {
		if has[i] {
			rows[i].SemanticSimilarity = &cosines[i]
		}
	}
	return nil
}

// relevances computes BM25 of contract/history.md 3.2 over the contents.
func (s *Service) relevances(ctx context.Context, terms []string, rows []Row) error {
	n, df, mean, err := s.index.Statistics(ctx, terms)
	if err != nil {
		return err
	}
	scorer := newRelevance(terms, n, df, mean)
	for i := range rows {
		v := scorer.of(rows[i].Memory.Content)
		rows[i].Relevance = &v
	}
	return nil
}
