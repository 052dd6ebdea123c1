package hnsw

import (
	"math"
	"slices"

	"combray/index/kernel"
)

// Vectors are those of the rows of a graph.
type Vectors struct {
	Dims  int
	Codes []int8 // Dims a row
	// Scale returns what the codes of a row are to be multiplied with.
	Scale func(row uint32) float32
}

func (v *Vectors) of(row uint32) []int8 {
	return v.Codes[int(row)*v.Dims : (int(row)+1)*v.Dims]
}

// Query is what a walk looks for.
type Query struct {
	Codes []int8
	// Ef is how many of the rows that pass the walk keeps at a time, and the most
	// that it returns: the more, the longer it takes and the more of the nearest
	// it finds. As ef in the paper.
	Ef int
	// Pass says which rows may be returned; nil lets all pass.
	Pass func(row uint32) bool
	// Stop is called now and then; an error it returns ends the walk. nil never
	// stops it.
	Stop func() error
}

// rank is a row with its similarity to a question, so that the better of two is
// the greater number: of two that are as similar the one of the lower row.
type rank uint64

func rankOf(similarity float32, row uint32) rank {
	order := math.Float32bits(similarity)
	if order>>31 != 0 {
		order = ^order
	} else {
		order |= 1 << 31
	}
	return rank(order)<<32 | rank(^row)
}

func (r rank) row() uint32 { return ^uint32(r) }

// Walker is the memory of walks, one at a time. Its zero value is ready; it
// grows to a bit a row of the graph and what the walk meets.
type Walker struct {
	seen  []uint64 // one bit a row
	near  heap     // ranks of what was found, the worst first
	ahead heap     // complements of the ranks to go on from, the best first
	rows  []uint32
	dots  []int32
}

// Walk returns rows that pass, Ef at most, the nearest first. The result is
// valid until the next walk.
func (w *Walker) Walk(g *Graph, v *Vectors, q *Query) ([]uint32, error) {
	w.rows = w.rows[:0]
	if g.Rows() == 0 || q.Ef < 1 {
		return w.rows, nil
	}
	found, err := w.descend(g, v, q, true)
	if err != nil {
		return nil, err
	}
	w.rows = w.rows[:0]
	for _, r := range found {
		w.rows = append(w.rows, r.row())
	}
	return w.rows, nil
}

// descend goes down to the lowest layer and walks there. It starts from the
// entry as well, from which every row can be reached. The result has rows that
// are copies of others if copies is set.
func (w *Walker) descend(g *Graph, v *Vectors, q *Query, copies bool) ([]rank, error) {
	entry := w.rankOf(v, q.Codes, 1, g.entry)
	start := []rank{entry}
	for layer := g.top; layer > 0; layer-- {
		found, err := w.layer(g, v, &step{Query: Query{Codes: q.Codes, Ef: 1}, scale: 1, layer: layer}, start)
		if err != nil {
			return nil, err
		}
		start[0] = found[0]
	}
	if start[0] != entry {
		start = append(start, entry)
	}
	return w.layer(g, v, &step{Query: *q, scale: 1, copies: copies}, start)
}

// step is the walk on one layer.
type step struct {
	Query
	scale  float32 // of Codes
	layer  int
	copies bool // take copies as well
}

// stopEvery is how many rows a walk goes on from between two calls of Stop, some
// 0.2 ms.
const stopEvery = 128

// layer is algorithm 2 of the paper: it goes on from the best row it has met
// until that is worse than the worst of the Ef best. The result is the best
// first, and valid until the next call.
func (w *Walker) layer(g *Graph, v *Vectors, s *step, start []rank) ([]rank, error) {
	w.begin(g, s, start)
	for i := 1; len(w.ahead) > 0; i++ {
		best := ^w.ahead.pop()
		if !w.wants(s, best) {
			break
		}
		if s.Stop != nil && i%stopEvery == 0 {
			if err := s.Stop(); err != nil {
				return nil, err
			}
		}
		w.meet(g, v, s, best.row())
	}
	slices.SortFunc(w.near, bestFirst)
	return w.near, nil
}

func (w *Walker) begin(g *Graph, s *step, start []rank) {
	words := (g.Rows() + 63) / 64
	w.seen = slices.Grow(w.seen[:0], words)[:words]
	clear(w.seen)
	w.near, w.ahead = w.near[:0], w.ahead[:0]
	for _, r := range start {
		w.see(r.row())
		w.offer(g, s, r)
	}
}

// see notes that a row was met and reports whether that is new.
func (w *Walker) see(row uint32) bool {
	bit := uint64(1) << (row & 63)
	before := w.seen[row>>6]
	w.seen[row>>6] = before | bit
	return before&bit == 0
}

// meet offers the neighbours of a row that were not met before.
func (w *Walker) meet(g *Graph, v *Vectors, s *step, row uint32) {
	w.rows = w.rows[:0]
	rows := uint32(g.Rows())
	for _, neighbour := range g.links(row, s.layer) {
		if neighbour >= rows {
			break
		}
		if w.see(neighbour) {
			w.rows = append(w.rows, neighbour)
		}
	}
	for i, dot := range w.products(v, s.Codes, w.rows) {
		row := w.rows[i]
		w.offer(g, s, rankOf(float32(dot)*(s.scale*v.Scale(row)), row))
	}
}

// offer takes in a row, and its copies, if it is good enough to go on from.
func (w *Walker) offer(g *Graph, s *step, r rank) {
	if !w.wants(s, r) {
		return
	}
	w.ahead.push(^r)
	w.take(s, r)
	if s.copies {
		g.eachCopy(r, func(c rank) bool {
			w.take(s, c)
			return w.wants(s, c)
		})
	}
}

// wants reports whether a row of this rank could be among the Ef best.
func (w *Walker) wants(s *step, r rank) bool {
	return len(w.near) < s.Ef || r >= w.near[0]
}

// take puts a row that passes among the Ef best if it is.
func (w *Walker) take(s *step, r rank) {
	if !w.wants(s, r) || s.Pass != nil && !s.Pass(r.row()) {
		return
	}
	w.near.push(r)
	if len(w.near) > s.Ef {
		w.near.pop()
	}
}

// products returns the dot products of codes with those of rows.
func (w *Walker) products(v *Vectors, codes []int8, rows []uint32) []int32 {
	w.dots = slices.Grow(w.dots[:0], len(rows))[:len(rows)]
	if len(rows) > 0 {
		kernel.DotInt8(w.dots, codes, v.Codes, rows)
	}
	return w.dots
}

// rankOf ranks one row.
func (w *Walker) rankOf(v *Vectors, codes []int8, scale float32, row uint32) rank {
	w.rows = append(w.rows[:0], row)
	return rankOf(float32(w.products(v, codes, w.rows)[0])*(scale*v.Scale(row)), row)
}

// heap gives the least of its numbers first.
type heap []rank

func (h *heap) push(r rank) {
	items := append(*h, r)
	i := len(items) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if items[parent] <= r {
			break
		}
		items[i] = items[parent]
		i = parent
	}
	items[i] = r
	*h = items
}

func (h *heap) pop() rank {
	items := *h
	least, last := items[0], items[len(items)-1]
	items = items[:len(items)-1]
	*h = items
	if len(items) == 0 {
		return least
	}
	i := 0
	for child := 1; child < len(items); child = 2*i + 1 {
		if child+1 < len(items) && items[child+1] < items[child] {
			child++
		}
		if items[child] >= last {
			break
		}
		items[i] = items[child]
		i = child
	}
	items[i] = last
	return least
}
