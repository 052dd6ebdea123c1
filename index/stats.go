package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Stats are the sizes of an index.
type Stats struct {
	Rows     int   // rows that are not erased
	Live     int   // those of them that are active
	Embedded int   // those of them that have vectors
	Vectors  int   // rows of codes, one a window, those of replaced rows included
	Seq      int64 // change sequence that the index stands for

	DeltaRows  int    // rows in memory because they are newer than the file, replaced ones included
	FileRows   int    // rows in the file, those replaced since included
	FileBytes  int64  // 0 without a file
	FileSeq    int64  // change sequence of the file
	Generation uint64 // of the file, 1 for the first; 0 without one
	GraphBytes int64  // of the file of the graph; 0 while there is none

	// CentreSize is how many embedded rows the mean that is subtracted stands for,
	// 0 while there is none.
	CentreSize int
	// RefusedVectors counts rows, since Open, whose vectors could not be used.
	RefusedVectors int64
}

// Stats returns the sizes of the index.
func (ix *Index) Stats(ctx context.Context) (Stats, error) {
	stats := Stats{RefusedVectors: ix.refused.Load()}
	err := ix.read(ctx, func(s *state) error {
		stats.Rows, stats.Live, stats.Embedded = s.rows(), int(s.totals.rows), s.embedded
		stats.Vectors = len(s.vectors.infos) + len(s.delta.vectors.infos)
		stats.Seq, stats.DeltaRows, stats.FileRows = s.seq, s.delta.columns.len(), s.file.len()
		stats.CentreSize = s.centre.size
		if s.segment != nil {
			stats.FileBytes = int64(s.segment.header.Size)
			stats.FileSeq, stats.Generation = s.segment.header.Seq, s.segment.header.Generation
			if g := s.segment.graph.Load(); g != nil {
				stats.GraphBytes = g.mapping.info.Size()
			}
		}
		return nil
	})
	return stats, err
}

// Centre returns the mean that is subtracted from all vectors before they are
// compared, nil while there is none.
func (ix *Index) Centre(ctx context.Context) (mean []float32, err error) {
	err = ix.read(ctx, func(s *state) error {
		if s.centre.size > 0 {
			mean = slices.Clone(s.centre.mean)
		}
		return nil
	})
	return mean, err
}

// Audit is what a full scan found beside what Search finds.
type Audit struct {
	Docs  []int64 // the best live rows by all int8 codes, rescored, the best first
	Found int     // how many of Docs the shortlist of Search finds as well
}

// Audit compares a vector with the codes of all live rows and returns the k
// best, and how many of them a search would have found: Found/len(Docs) is a
// sample of its recall. At a million rows it takes some 25 ms of one processor.
func (ix *Index) Audit(ctx context.Context, vector []float32, k int) (Audit, error) {
	var audit Audit
	if k < 1 {
		return audit, fmt.Errorf("index: an audit of the %d best rows, it needs 1 or more", k)
	}
	if err := ix.checkVector(vector); err != nil {
		return audit, err
	}
	all, err := ix.nearest(ctx, vector, k, true)
	if err != nil {
		return audit, err
	}
	usual, err := ix.nearest(ctx, vector, k, false)
	if err != nil {
		return audit, err
	}
	audit.Docs = all
	for _, doc := range all {
		audit.Found += count(slices.Contains(usual, doc))
	}
	return audit, nil
}

// nearest returns the k live rows nearest to a vector, the best first.
func (ix *Index) nearest(ctx context.Context, vector []float32, k int, exhaustive bool) ([]int64, error) {
	search := &search{query: &Query{Vector: vector, PerLane: max(k, rescored)}, exhaustive: exhaustive}
	if err := search.answer(ctx, ix); err != nil {
		return nil, err
	}
	candidates := search.result.Candidates
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.C, a.C), cmp.Compare(a.Doc, b.Doc))
	})
	docs := make([]int64, min(k, len(candidates)))
	for i := range docs {
		docs[i] = candidates[i].Doc
	}
	return docs, nil
}
