package index

import (
	"context"
	"math/bits"
)

const (
	// sampleQuestions is how many rows a sample asks about, sampleNearest how many
	// neighbours of each it looks for.
	sampleQuestions = 8
	sampleNearest   = 10
)

// Sample is how much of the truth searches find.
type Sample struct {
	Due   int // nearest rows that a full scan of the codes named; 0 without vectors
	Found int // of these, those that a search found as well
}

// Sample asks, with the vectors of 8 live rows, for the 10 rows nearest to each, as Audit
// does. Which rows depends on the change sequence alone, so that it changes as the store
// does. It writes nothing, and takes some 0.3 s of one processor at a million rows.
func (ix *Index) Sample(ctx context.Context) (Sample, error) {
	var sample Sample
	docs, err := ix.sampleDocs(ctx)
	if err != nil {
		return sample, err
	}
	vectors, err := readVectors(ctx, ix.source, docs)
	if err != nil {
		return sample, err
	}
	for _, windows := range vectors {
		if len(windows) == 0 || !isUnit(windows[0], ix.config.Dims) {
			continue // it changed since
		}
		audit, err := ix.Audit(ctx, windows[0], sampleNearest)
		if err != nil {
			return sample, err
		}
		sample.Due += len(audit.Docs)
		sample.Found += audit.Found
	}
	return sample, nil
}

// sampleDocs returns the rows that a sample asks about.
func (ix *Index) sampleDocs(ctx context.Context) ([]int64, error) {
	var docs []int64
	err := ix.read(ctx, func(s *state) error {
		if s.embedded == 0 {
			return nil
		}
		lowest := best[int64]{k: sampleQuestions, better: func(a, b int64) bool { return scramble(a+s.seq) < scramble(b+s.seq) }}
		for word, rest := range s.live {
			for ; rest != 0; rest &= rest - 1 {
				slot := uint32(word<<6 + bits.TrailingZeros64(rest))
				if doc := s.doc(slot); !lowest.full() || lowest.better(doc, lowest.worst()) {
					if s.hasVectors(slot) {
						lowest.offer(doc)
					}
				}
			}
		}
		docs = lowest.sorted()
		return nil
	})
	return docs, err
}
