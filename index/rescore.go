package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// exactVectors are those of some rows, read from the store while the search goes on.
type exactVectors struct {
	read  sync.WaitGroup
	byDoc map[int64][][]float32
	err   error
}

// readBeside starts to read the vectors of docs.
func (e *exactVectors) readBeside(ctx context.Context, source Source, docs []int64) {
	e.read.Go(func() { e.add(ctx, source, docs) })
}

// add reads the vectors of docs.
func (e *exactVectors) add(ctx context.Context, source Source, docs []int64) {
	var vectors [][][]float32
	vectors, e.err = readVectors(ctx, source, docs)
	if e.byDoc == nil {
		e.byDoc = make(map[int64][][]float32, len(docs))
	}
	for i := range vectors {
		e.byDoc[docs[i]] = vectors[i]
	}
}

// of returns the vectors of each of docs; those that have not been read are read now.
func (e *exactVectors) of(ctx context.Context, source Source, docs []int64) (map[int64][][]float32, error) {
	e.read.Wait()
	missing := slices.DeleteFunc(docs, func(doc int64) bool { _, read := e.byDoc[doc]; return read })
	if e.err == nil {
		e.add(ctx, source, missing)
	}
	return e.byDoc, e.err
}

// rescore replaces the scores of the best candidates by those of their exact
// vectors. Rows that changed since keep the scores of their codes.
func (s *search) rescore(ctx context.Context, source Source) error {
	if s.probe == nil {
		return nil
	}
	var best []*Candidate
	for i := range s.result.Candidates {
		if c := &s.result.Candidates[i]; c.HasVector {
			best = append(best, c)
		}
	}
	slices.SortFunc(best, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(b.C, a.C), cmp.Compare(a.Doc, b.Doc))
	})
	best = best[:min(len(best), rescored)]
	docs := make([]int64, len(best))
	for i, c := range best {
		docs[i] = c.Doc
	}
	vectors, err := s.exact.of(ctx, source, docs)
	if err != nil {
		return err
	}
	for _, c := range best {
		if near := s.probe.nearest(vectors[c.Doc]); near.has {
			c.C, c.Cosine, c.Rescored = near.c, near.cosine, true
			s.result.Vectors.Rescored++
		}
	}
	return nil
}

// nearest returns the similarity of a row with the given vectors.
func (p *probe) nearest(vectors [][]float32) similarity {
	var near similarity
	for _, v := range vectors {
		if isUnit(v, len(p.plain)) {
			near.add(p.exact(v))
		}
	}
	return near
}

// Similarity returns the plain cosine of the best window of each of docs with a
// vector of length 1, from the exact vectors in the store, and whether the row
// has any.
func (ix *Index) Similarity(ctx context.Context, docs []int64, vector []float32) (cosines []float64, has []bool, err error) {
	if err := ix.checkVector(vector); err != nil {
		return nil, nil, err
	}
	cosines, has = make([]float64, len(docs)), make([]bool, len(docs))
	p := newProbe(vector, newUncentred(ix.config.Dims))
	err = eachVectors(ctx, ix.source, docs, func(i int, vectors [][]float32) {
		near := p.nearest(vectors)
		cosines[i], has[i] = near.cosine, near.has
	})
	return cosines, has, err
}

// checkVector says why a vector cannot be compared with those of the index.
func (ix *Index) checkVector(vector []float32) error {
	if ix.config.Identity == "" {
		return errors.New("index: it has no vectors, open it with the identity of an encoder")
	}
	if !isUnit(vector, ix.config.Dims) {
		return fmt.Errorf("index: the vector must have %d finite numbers and length 1", ix.config.Dims)
	}
	return nil
}
