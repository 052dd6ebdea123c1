package index

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"combray/index/hnsw"
	"combray/index/kernel"
)

const (
	// spanWords is how many words of the bitset, 64 slots each, are scanned
	// between two looks at the context: some 0.1 ms.
	spanWords = 256
	// defaultShareRows is from how many rows on a scan is shared among processors;
	// below it would not be worth while to start them.
	defaultShareRows = 64 << 10
	// manyAllowed is the number of allowed slots in a word of the bitset, on average
	// over a span, above which it pays to look at its rows first and at the slots after.
	manyAllowed = 16
	// mostSharers bounds the processors that one search takes.
	mostSharers = 4
)

// vectorsLane finds the rows nearest to a probe: the Hamming distances of the
// signs, or a walk of the graph, choose a shortlist, and its int8 codes decide.
type vectorsLane struct {
	state   *state
	probe   *probe
	allowed bitset
	k       int
	// shortlist is how many rows the signs leave. If no more slots are allowed,
	// or exhaustive is set, all allowed rows are compared.
	shortlist  int
	exhaustive bool
	shareRows  int      // from how many rows on the work is shared
	distances  []uint16 // of the rows of the file, then of the delta
	buffers    *[mostSharers]codeBuffer
	compared   atomic.Int64

	graph  *graph // nil to scan
	ef     int
	walker *hnsw.Walker
	space  bitset // as long as allowed
}

// codeBuffer is memory for the rows of a span that are looked at.
type codeBuffer struct {
	near  []uint32 // positions of distances
	rows  []uint32
	slots []uint32 // of rows
	dots  []int32
	// scores are made before they are compared: the scales of a shortlist lie far
	// apart, and the processor fetches many at once where nothing depends on them.
	scores []float32
}

// span is a range of slots of the file or of the delta.
type slotSpan struct {
	set      *vectorSet
	first    int // word of the bitset at which set starts
	from, to int // words, counted from first
	base     int // where the distances of set start
}

// run returns the k best.
func (l *vectorsLane) run(ctx context.Context) ([]found, error) {
	spans := l.spans()
	limit := uint16(1<<16 - 1)
	if l.graph != nil {
		var err error
		if l.allowed, err = l.walk(ctx, l.space); err != nil {
			return nil, err
		}
		l.exhaustive = true
	} else if !l.exhaustive && l.allowed.count() > l.shortlist {
		var err error
		if limit, err = l.measure(ctx, spans); err != nil {
			return nil, err
		}
	} else {
		l.exhaustive = true
	}
	return l.compare(ctx, spans, limit)
}

// spans cuts the slots into pieces of work.
func (l *vectorsLane) spans() []slotSpan {
	var spans []slotSpan
	split := int(l.state.split) / 64
	add := func(set *vectorSet, first, words, base int) {
		for from := 0; from < words; from += spanWords {
			spans = append(spans, slotSpan{set, first, from, min(from+spanWords, words), base})
		}
	}
	add(l.state.vectors, 0, split, 0)
	add(&l.state.delta.vectors, split, len(l.allowed)-split, len(l.state.vectors.infos))
	return spans
}

// rows returns the range of rows of a span.
func (s *slotSpan) rows() (from, to int) { return s.wordRows(s.from, s.to) }

// wordRows returns the range of rows of words from..to of the bitset; empty if
// the file is damaged there.
func (s *slotSpan) wordRows(from, to int) (int, int) {
	slots := len(s.set.ends)
	first, end := s.set.start(uint32(min(from*64, slots))), s.set.start(uint32(min(to*64, slots)))
	if first > end || int(end) > len(s.set.infos) {
		return 0, 0
	}
	return int(first), int(end)
}

// measure sets the distances of all rows and returns the least distance within
// which the shortlist fills up with allowed rows. Rows at the very distance are
// in, all of them, so that the order of rows does not matter.
func (l *vectorsLane) measure(ctx context.Context, spans []slotSpan) (limit uint16, err error) {
	total := l.newCounts()
	var mu sync.Mutex
	err = l.share(ctx, spans, func(sharer int, next func() *slotSpan) {
		counts, bound := l.newCounts(), uint16(1<<16-1)
		for span := next(); span != nil; span = next() {
			l.measureSpan(span, bound, counts, &l.buffers[sharer])
			bound = counts.holding(l.shortlist)
		}
		mu.Lock()
		defer mu.Unlock()
		for distance, n := range counts {
			total[distance] += n
		}
	})
	return total.holding(l.shortlist), err
}

// distanceCounts is how many rows there are of each distance.
type distanceCounts []int

func (l *vectorsLane) newCounts() distanceCounts {
	return make(distanceCounts, len(l.probe.signs)*64+1)
}

// holding returns the least distance within which there are n rows, the highest
// number if there are fewer.
func (c distanceCounts) holding(n int) uint16 {
	sum := 0
	for distance, more := range c {
		if sum += more; sum >= n {
			return uint16(distance)
		}
	}
	return 1<<16 - 1
}

// measureSpan sets the distances of a span and counts those of allowed rows up to
// bound: the shortlist is known to be full there.
func (l *vectorsLane) measureSpan(s *slotSpan, bound uint16, counts distanceCounts, buffer *codeBuffer) {
	from, to := s.rows()
	if from == to {
		return
	}
	distances := l.distances[s.base:]
	width := len(l.probe.signs)
	kernel.Hamming(distances[from:to], l.probe.signs, s.set.signs[from*width:to*width])
	l.gather(buffer, s, bound)
	for _, row := range buffer.rows {
		counts[distances[row]]++
	}
}

// compare returns the best of the allowed rows within a distance by their codes.
func (l *vectorsLane) compare(ctx context.Context, spans []slotSpan, limit uint16) ([]found, error) {
	top := best[found]{k: l.k, better: betterFound}
	var mu sync.Mutex
	err := l.share(ctx, spans, func(sharer int, next func() *slotSpan) {
		part := comparison{lane: l, limit: limit, top: best[found]{k: l.k, better: betterFound}, codeBuffer: &l.buffers[sharer]}
		for span := next(); span != nil; span = next() {
			part.compare(span)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, f := range part.top.items {
			top.offer(f)
		}
	})
	return top.sorted(), err
}

// comparison is the part of one processor in comparing codes.
type comparison struct {
	lane  *vectorsLane
	limit uint16
	top   best[found]
	*codeBuffer
}

func (c *comparison) compare(s *slotSpan) {
	c.lane.gather(c.codeBuffer, s, c.limit)
	c.lane.compared.Add(int64(len(c.rows)))
	if len(c.rows) == 0 {
		return
	}
	c.dots = grow(c.dots[:0], len(c.rows))
	kernel.DotInt8(c.dots, c.lane.probe.codes, s.set.codes, c.rows)
	c.offer(s.set)
}

// gather lists the rows of a span whose slots are allowed and which are within a
// distance, or all that are allowed where distances are not measured.
func (l *vectorsLane) gather(c *codeBuffer, s *slotSpan, limit uint16) {
	c.rows, c.slots = c.rows[:0], c.slots[:0]
	allowed := l.allowed[s.first+s.from : s.first+s.to]
	if l.exhaustive || allowed.count() <= manyAllowed*len(allowed) {
		l.gatherAllowed(c, s, limit)
	} else {
		l.gatherNear(c, s, limit)
	}
}

// take puts a row on the list.
func (c *codeBuffer) take(s *slotSpan, slot, row uint32) {
	c.rows = append(c.rows, row)
	c.slots = append(c.slots, slot+uint32(s.first)*64)
}

// gatherAllowed goes slot by slot.
func (l *vectorsLane) gatherAllowed(c *codeBuffer, s *slotSpan, limit uint16) {
	l.allowed[s.first+s.from : s.first+s.to].each(func(local uint32) {
		slot := uint32(s.from*64) + local
		from, to := s.set.rows(slot)
		for row := from; row < to; row++ {
			if l.exhaustive || l.distances[s.base+int(row)] <= limit {
				c.take(s, slot, row)
			}
		}
	})
}

// gatherNear goes distance by distance, which is faster when most slots are
// allowed, because few rows are near.
func (l *vectorsLane) gatherNear(c *codeBuffer, s *slotSpan, limit uint16) {
	first, end := s.rows()
	distances := l.distances[s.base+first : s.base+end]
	c.near = grow(c.near[:0], len(distances))
	c.near = c.near[:kernel.Within(c.near, distances, limit)]
	single := l.single(s)
	slot := uint32(s.from * 64)
	for _, at := range c.near {
		row := uint32(first) + at
		if single {
			slot = uint32(s.from*64) + at
		} else {
			slot = s.slotOf(row, slot)
		}
		if l.allowed.has(uint32(s.first)*64 + slot) {
			c.take(s, slot, row)
		}
	}
}

// single reports whether each slot of a span is known to have one row. Then ends, in
// which every look at a near row would wait for memory, need not be read.
func (l *vectorsLane) single(s *slotSpan) bool {
	from, to := s.rows()
	slots := (s.to - s.from) * 64
	return s.set == l.state.vectors && to-from == slots && l.state.vectored()[s.from:s.to].count() == slots
}

// slotOf returns the slot of a row of the span, which is at from or later.
func (s *slotSpan) slotOf(row, from uint32) uint32 {
	last := uint32(min(s.to*64, len(s.set.ends))) - 1
	for from < last && s.set.ends[from] <= row {
		from++
	}
	return from
}

// offer offers each slot with its best row. The rows of a slot stand together.
func (c *comparison) offer(set *vectorSet) {
	c.scores = grow(c.scores[:0], len(c.rows))
	for i, row := range c.rows {
		c.scores[i] = float32(c.dots[i]) * set.infos[row].scale
	}
	for i := 0; i < len(c.rows); {
		slot, score := c.slots[i], c.scores[i]
		for i++; i < len(c.rows) && c.slots[i] == slot; i++ {
			score = max(score, c.scores[i])
		}
		if c.top.full() && score < c.top.worst().score {
			continue
		}
		c.top.offer(found{slot: slot, doc: c.lane.state.doc(slot), score: score})
	}
}

// share lets some goroutines, numbered from 0, work on spans; next gives each the next one, nil
// when there are no more or the context has ended.
func (l *vectorsLane) share(ctx context.Context, spans []slotSpan, work func(sharer int, next func() *slotSpan)) error {
	var taken atomic.Int64
	next := func() *slotSpan {
		i := int(taken.Add(1)) - 1
		if i >= len(spans) || ctx.Err() != nil {
			return nil
		}
		return &spans[i]
	}
	var mu sync.Mutex
	var others sync.WaitGroup
	over := false
	for i := range l.sharers(len(spans)) - 1 {
		go func() {
			mu.Lock()
			late := over
			if !late {
				others.Add(1)
			}
			mu.Unlock()
			if late {
				return
			}
			defer others.Done()
			work(i+1, next)
		}()
	}
	work(0, next)
	mu.Lock()
	over = true // nobody waits for one that found no processor until now
	mu.Unlock()
	others.Wait()
	return ctx.Err()
}

func (l *vectorsLane) sharers(spans int) int {
	if len(l.distances) < l.shareRows {
		return 1
	}
	return max(1, min(runtime.GOMAXPROCS(0), spans, mostSharers))
}
