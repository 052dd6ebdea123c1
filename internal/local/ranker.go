package local

import (
	"context"
	"errors"
	"time"

	"combray/index"
	"combray/internal/lexical"
	"combray/internal/memory"
)

// ranker is the index as the rules ask for it.
type ranker struct{ index *index.Index }

var _ memory.Index = ranker{}

// CatchUp implements memory.Index.
func (r ranker) CatchUp(ctx context.Context) error { return unavailable(r.index.CatchUp(ctx)) }

// Follow implements memory.Index.
func (r ranker) Follow(ctx context.Context) error { return unavailable(r.index.Follow(ctx)) }

// alikeShortlist is how many rows are compared closely for one that says nearly the
// same: vectors so near differ in fewer signs than nearly all others
// (TestAlikeNeedsAShortShortlist of index).
const alikeShortlist = 1000

// Search implements memory.Index.
func (r ranker) Search(ctx context.Context, q memory.IndexQuery) (memory.IndexResult, error) {
	query := index.Query{Terms: q.Terms, Field: index.Line, K1: lexical.Ranking.K1, B: lexical.Ranking.B, Vector: q.Question, Await: q.Await,
		Filter: filter(q.Filter), PerLane: q.PerLane, Neighbours: q.Context}
	if q.Alike {
		query.Shortlist = alikeShortlist
	}
	if q.Content {
		query.Field, query.K1, query.B = index.Content, lexical.Relevance.K1, lexical.Relevance.B
	}
	if q.Cue != nil {
		query.Cue = func(s index.Situation) float64 { return q.Cue(situation(s)) }
	}
	found, err := r.index.Search(ctx, query)
	if err != nil {
		return memory.IndexResult{}, unavailable(err)
	}
	out := memory.IndexResult{IDF: found.IDF, Eligible: found.Eligible, Vectors: found.Vectors.Embedded,
		Candidates: make([]memory.Candidate, len(found.Candidates))}
	for i, c := range found.Candidates {
		out.Candidates[i] = candidate(c)
	}
	return out, nil
}

func candidate(c index.Candidate) memory.Candidate {
	out := memory.Candidate{Number: c.Doc, Scores: scores(c.Scores), Consolidated: c.Class == classConsolidated,
		CapturedAt: time.UnixMicro(c.Captured).UTC(), Situation: situation(c.Situation)}
	if c.Situation.HasEvent {
		t := time.UnixMicro(c.Situation.Event).UTC()
		out.EventAt = &t
	}
	out.Previous, out.Next = neighbour(c.Prev), neighbour(c.Next)
	return out
}

func neighbour(s *index.Scores) *memory.Scores {
	if s == nil {
		return nil
	}
	out := scores(*s)
	return &out
}

func scores(s index.Scores) memory.Scores {
	return memory.Scores{Words: s.Words, Meaning: s.C, HasVector: s.HasVector}
}

func situation(s index.Situation) memory.Situation {
	out := memory.Situation{HasPlace: s.HasPlace, Lat: s.Lat, Lon: s.Lon}
	if s.HasHour {
		wall := time.UnixMicro(s.Event).In(time.FixedZone("", s.Offset*60))
		out.EventAt = &wall
	}
	return out
}

func filter(f memory.IndexFilter) index.Filter {
	out := index.Filter{Exclude: f.Exclude, EventSince: micro(f.Since), EventUntil: micro(f.Until), Undated: f.UnknownEvent}
	for name, value := range map[string]*string{facetFrame: f.Frame, facetSource: f.Source, facetSession: f.SessionID, facetTier: (*string)(f.Tier)} {
		if value != nil {
			out.All = append(out.All, name+*value)
		}
	}
	for _, t := range f.Tags {
		out.All = append(out.All, facetTag+t)
	}
	if f.Near != nil {
		out.Near = &index.Near{Lat: f.Near.Lat, Lon: f.Near.Lon, RadiusM: f.Near.RadiusM}
	}
	return out
}

func micro(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	n := t.UnixMicro()
	return &n
}

// Recent implements memory.Index.
func (r ranker) Recent(ctx context.Context, f memory.IndexFilter, limit int) ([]int64, error) {
	docs, err := r.index.Recent(ctx, filter(f), limit)
	return docs, unavailable(err)
}

// Count implements memory.Index.
func (r ranker) Count(ctx context.Context, f memory.IndexFilter) (memory.Counted, error) {
	n, err := r.index.Count(ctx, filter(f))
	return memory.Counted{Memories: n.Rows, Sequence: n.Seq}, unavailable(err)
}

// Statistics implements memory.Index.
func (r ranker) Statistics(ctx context.Context, terms []string) (int, []int, float64, error) {
	n, df, mean, err := r.index.Statistics(ctx, terms, index.Content)
	return n, df, mean, unavailable(err)
}

// Similarity implements memory.Index.
func (r ranker) Similarity(ctx context.Context, numbers []int64, question []float32) ([]float64, []bool, error) {
	cosines, has, err := r.index.Similarity(ctx, numbers, question)
	return cosines, has, unavailable(err)
}

// Scrub implements memory.Index.
func (r ranker) Scrub(ctx context.Context) error { return unavailable(r.index.Rewrite(ctx)) }

// Stats implements memory.Index; an index that cannot be read has nothing to show.
func (r ranker) Stats(ctx context.Context) memory.IndexStats {
	s, err := r.index.Stats(ctx)
	if err != nil {
		return memory.IndexStats{}
	}
	out := memory.IndexStats{Rows: s.Rows, Vectors: s.Vectors, Delta: s.DeltaRows, Bytes: s.FileBytes, Sequence: s.Seq}
	if sample, err := r.index.Sample(ctx); err == nil {
		out.Due, out.Found = sample.Due, sample.Found
	}
	return out
}

// unavailable gives an index error its code. The store's own errors and those of
// the context pass through.
func unavailable(err error) error {
	if err == nil || memory.CodeOf(err) != memory.CodeInternal || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return memory.Unavailable("Run combray check; the index is made anew from the store when its files are removed.", err, "the index cannot be read")
}
