package index

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"combray/index/kernel"
)

const (
	// surveyBest is how many of the nearest rows a survey names: more than a
	// perception can call back.
	surveyBest = 8
	// defaultSurveyRows is up to how many rows a survey compares all; of more it takes a
	// sample of about as many. The error of a deviation is then 1/sqrt(2·16,384),
	// 0.6 % of it.
	defaultSurveyRows = 16 << 10
)

// Survey is how near the live rows are to a vector. The C of its fields is that
// of Scores, but where there is no mean (Centred is false) it is the plain
// cosine as it is, not mapped to 0..1.
type Survey struct {
	Embedded int  // live rows that have vectors
	Compared int  // of those, the rows that were compared
	Distinct int  // of those, the rows that differ: a text stored twice counts once
	Centred  bool // false while the index has no mean
	// Mean of C over the distinct rows, by their codes, and the root of the mean
	// square of what C differs from it; 0 without rows.
	Mean, Deviation float64
	Best            []Nearest // the best 8 as Search finds and rescores them, the nearest first
}

// Nearest is a row with its C.
type Nearest struct {
	Doc int64
	C   float64
}

// Survey compares a vector of length 1 with all live rows, or with a sample of
// 16,384, give or take a hundred, of more rows than that. The sample depends on
// the row numbers alone and is spread evenly over them. Like Search it reads
// nothing from the source but the vectors of the rows to be rescored.
func (ix *Index) Survey(ctx context.Context, vector []float32) (Survey, error) {
	if err := ix.checkVector(vector); err != nil {
		return Survey{}, err
	}
	search := &search{query: &Query{Vector: vector, PerLane: rescored}, spread: new(spread)}
	if err := search.answer(ctx, ix); err != nil {
		return Survey{}, err
	}
	out := search.spread.survey()
	out.Embedded, out.Centred = search.result.Vectors.Embedded, search.probe.centre.size > 0
	for _, c := range search.result.Candidates {
		if c.HasVector {
			out.Best = append(out.Best, Nearest{c.Doc, search.probe.raw(c.C, c.Cosine)})
		}
	}
	slices.SortFunc(out.Best, func(a, b Nearest) int {
		return cmp.Or(cmp.Compare(b.C, a.C), cmp.Compare(a.Doc, b.Doc))
	})
	out.Best = out.Best[:min(len(out.Best), surveyBest)]
	return out, nil
}

// raw returns the C of a survey, given that of Scores and the plain cosine.
func (p *probe) raw(c, cosine float64) float64 {
	if p.centre.size == 0 {
		return cosine
	}
	return c
}

// spread adds up the C of rows. Its sums are whole numbers, so that they do not
// depend on the order of the rows, which is not the same in all indexes of a store.
type spread struct {
	compared    int
	rows        int   // distinct
	sum, square int64 // in parts of spreadOne
	seen        distinct
}

// spreadOne is 1 in the sums of a spread: 16,384 of it are far from the end of
// an int64, and what is cut off does not count.
const spreadOne = 1 << 40

func (s *spread) add(c float64) {
	s.compared++
	if !s.seen.add(c) {
		return
	}
	s.rows++
	s.sum += int64(c * spreadOne)
	s.square += int64(c * c * spreadOne)
}

func (s *spread) survey() Survey {
	if s.rows == 0 {
		return Survey{}
	}
	n := float64(s.rows) * spreadOne
	mean := float64(s.sum) / n
	return Survey{Compared: s.compared, Distinct: s.rows, Mean: mean, Deviation: math.Sqrt(max(float64(s.square)/n-mean*mean, 0))}
}

// measureSpread adds up the C of the allowed rows, of which so many have vectors,
// or of a sample of about most of them.
func (s *search) measureSpread(ctx context.Context, embedded, most int) error {
	limit := uint64(math.MaxUint64) // of the scramble of rows that are taken
	if embedded > most {
		limit, _ = bits.Div64(uint64(most), 0, uint64(embedded))
	}
	split := int(s.state.split) / 64
	for _, part := range []struct {
		set   *vectorSet
		docs  []int64
		slots bitset
	}{{s.state.vectors, s.state.file.docs, s.allowed[:split]}, {&s.state.delta.vectors, s.state.delta.docs, s.allowed[split:]}} {
		for at := 0; at < len(part.slots); at += spanWords {
			if err := ctx.Err(); err != nil {
				return err
			}
			span := part.slots[at:min(at+spanWords, len(part.slots))]
			s.spreadOf(part.set, span, func(slot uint32) bool { return scramble(part.docs[slot]) <= limit }, uint32(at*64))
		}
	}
	return nil
}

// spreadOf adds up the rows of some slots that are taken. The bits of slots
// count from first.
func (s *search) spreadOf(set *vectorSet, slots bitset, taken func(slot uint32) bool, first uint32) {
	buffer := &s.buffers[0]
	buffer.rows, buffer.slots = buffer.rows[:0], buffer.slots[:0]
	slots.each(func(local uint32) {
		slot := first + local
		if !taken(slot) {
			return
		}
		from, to := set.rows(slot)
		for row := from; row < to; row++ {
			buffer.rows, buffer.slots = append(buffer.rows, row), append(buffer.slots, slot)
		}
	})
	if len(buffer.rows) == 0 {
		return
	}
	buffer.dots = grow(buffer.dots[:0], len(buffer.rows))
	kernel.DotInt8(buffer.dots, s.probe.codes, set.codes, buffer.rows)
	for i := 0; i < len(buffer.rows); {
		var near similarity
		for slot := buffer.slots[i]; i < len(buffer.rows) && buffer.slots[i] == slot; i++ {
			near.add(s.probe.coded(buffer.dots[i], set.infos[buffer.rows[i]]))
		}
		s.spread.add(s.probe.raw(near.c, near.cosine))
	}
}

// Meaning returns the C, as that of Survey, of each of docs with a vector of
// length 1, by their codes: 0 for a row that has no vectors or is not there.
func (ix *Index) Meaning(ctx context.Context, docs []int64, vector []float32) ([]float64, error) {
	if err := ix.checkVector(vector); err != nil {
		return nil, err
	}
	space := ix.takeScratch()
	defer ix.giveScratch(space)
	meanings := make([]float64, len(docs))
	err := ix.read(ctx, func(state *state) error {
		slots := make([]uint32, len(docs))
		for i, doc := range docs {
			slots[i] = noSlot
			if slot, found := state.find(doc); found {
				slots[i] = slot
			}
		}
		search := &search{scratch: space, state: state, probe: newProbe(vector, state.centre)}
		similar := search.similarities(slices.Clone(slots))
		for i, slot := range slots {
			if near := similar.of(slot); near.has {
				meanings[i] = search.probe.raw(near.c, near.cosine)
			}
		}
		return nil
	})
	return meanings, err
}

// Compare returns the C, as that of Survey, of a vector of length 1 with each of
// others, which need not be those of rows: 0 with one that is not of Config.Dims
// finite numbers and length 1.
func (ix *Index) Compare(ctx context.Context, vector []float32, others [][]float32) ([]float64, error) {
	if err := ix.checkVector(vector); err != nil {
		return nil, err
	}
	var p *probe
	if err := ix.read(ctx, func(state *state) error { p = newProbe(vector, state.centre); return nil }); err != nil {
		return nil, err
	}
	meanings := make([]float64, len(others))
	for i, other := range others {
		if near := p.nearest([][]float32{other}); near.has {
			meanings[i] = p.raw(near.c, near.cosine)
		}
	}
	return meanings, nil
}
