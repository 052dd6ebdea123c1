package index

import (
	"context"
	"math/bits"
)

// recency is what the default order compares.
type recency struct {
	class    uint8
	captured int64
	doc      int64
}

// moreRecent is the default order: class down, capture time down, doc up.
func moreRecent(a, b recency) bool {
	if a.class != b.class {
		return a.class > b.class
	}
	if a.captured != b.captured {
		return a.captured > b.captured
	}
	return a.doc < b.doc
}

// Recent returns the first limit rows that pass a filter, in the default order.
func (ix *Index) Recent(ctx context.Context, filter Filter, limit int) ([]int64, error) {
	top := best[recency]{k: max(limit, 0), better: moreRecent}
	err := ix.filtered(ctx, filter, func(s *state, allowed bitset) {
		if top.k == 0 {
			return
		}
		split := int(s.split) / 64
		mostRecent(&top, allowed[:split], &s.file)
		mostRecent(&top, allowed[split:], &s.delta.columns)
	})
	if err != nil {
		return nil, err
	}
	docs := make([]int64, len(top.items))
	for i, r := range top.sorted() {
		docs[i] = r.doc
	}
	return docs, nil
}

// mostRecent offers the allowed rows of some columns. Most rows came in the order of
// their capture, so that the last are looked at first and the others are hardly ever
// worth an offer.
func mostRecent(top *best[recency], allowed bitset, c *columns) {
	for word := len(allowed) - 1; word >= 0; word-- {
		for rest := allowed[word]; rest != 0; {
			bit := bits.Len64(rest) - 1
			rest &^= 1 << bit
			slot := word*64 + bit
			class, captured := c.class[slot], c.captured[slot]
			if top.full() {
				worst := &top.items[0]
				if class < worst.class || class == worst.class && captured < worst.captured {
					continue
				}
			}
			top.offer(recency{class, captured, c.docs[slot]})
		}
	}
}

// Counted is a number of rows and the change sequence that it stands for.
type Counted struct {
	Rows int
	Seq  int64
}

// Count returns how many rows pass a filter.
func (ix *Index) Count(ctx context.Context, filter Filter) (n Counted, err error) {
	err = ix.filtered(ctx, filter, func(s *state, allowed bitset) { n = Counted{allowed.count(), s.seq} })
	return n, err
}

// filtered calls visit with the state and the slots that pass a filter.
func (ix *Index) filtered(ctx context.Context, filter Filter, visit func(*state, bitset)) error {
	if err := filter.check(); err != nil {
		return err
	}
	space := ix.takeScratch()
	defer ix.giveScratch(space)
	return ix.read(ctx, func(s *state) error {
		space.fit(s)
		s.allow(space.allowed, space.space, &filter)
		visit(s, space.allowed)
		return nil
	})
}

// Statistics returns what BM25 knows of terms: the number of live rows, in how
// many of them each term stands, and their mean length in terms.
func (ix *Index) Statistics(ctx context.Context, terms []string, field Field) (rows int, frequencies []int, meanLength float64, err error) {
	frequencies = make([]int, len(terms))
	err = ix.read(ctx, func(s *state) error {
		rows, meanLength = int(s.totals.rows), s.totals.meanLength(field)
		for i, term := range terms {
			frequencies[i] = s.frequency(term, field)
		}
		return nil
	})
	return rows, frequencies, meanLength, err
}
