package main

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"combray/internal/lexical"
	"combray/internal/memory"
	"combray/internal/timewords"
)

// recipe is a way to rank, computed here row by row and apart from the product: what
// the product is compared with.
type recipe struct {
	name      string
	cosine    bool // plain cosines alone
	symmetric bool // both sides encoded alike
	turns     bool // short turns are encoded with the end of the one before
	time      bool // what lies inside the time that the question names is lifted
}

// Weights of recipe B, the way a memory is read, and centring from six memories on
// are those of the ranking recipe.
const (
	ofWords, ofMeaning, ofNeighbour = 0.4, 0.6, 0.1
	lift                            = 1.5 // the product's insideBoost
)

// shelf is a collection as a recipe reads it.
type shelf struct {
	c          collection
	memories   []memory.Memory
	before     []int // index of the turn before, -1 for none
	after      []int
	postings   map[string][]posting
	lengths    []float64
	meanLength float64
	windows    [][][]float32
	mean       []float32
}

type posting struct{ document, count int }

// ranked answers every question of a collection: indexes of documents, best first.
func (r recipe) ranked(ctx context.Context, e memory.Encoder, c collection) ([][]int, error) {
	s := newShelf(c)
	if err := s.encode(ctx, e, r); err != nil {
		return nil, err
	}
	out := make([][]int, len(c.questions))
	for i, q := range c.questions {
		encode := e.Question
		if r.symmetric {
			encode = e.Symmetric
		}
		v, err := encode(ctx, q.text)
		if err != nil {
			return nil, err
		}
		out[i] = best(r.scores(s, q.text, v))
	}
	return out, nil
}

func newShelf(c collection) *shelf {
	s := &shelf{c: c, postings: map[string][]posting{}}
	last := map[string]int{}
	for i, d := range c.documents {
		m := memory.Memory{Content: memory.Text(d.text), Source: nonEmpty(d.source), SessionID: nonEmpty(d.session)}
		if !d.at.IsZero() {
			m.EventAt = &d.at
		}
		s.memories = append(s.memories, m)
		s.before, s.after = append(s.before, -1), append(s.after, -1)
		if d.session != "" {
			if p, known := last[d.session]; known {
				s.before[i], s.after[p] = p, i
			}
			last[d.session] = i
		}
		s.count(i, lexical.Terms(memory.Line(m)))
	}
	s.meanLength /= float64(len(c.documents))
	return s
}

func (s *shelf) count(document int, terms []string) {
	counts := map[string]int{}
	for _, t := range terms {
		counts[t]++
	}
	for t, n := range counts {
		s.postings[t] = append(s.postings[t], posting{document, n})
	}
	s.lengths = append(s.lengths, float64(len(terms)))
	s.meanLength += float64(len(terms))
}

// encode makes the vectors of the documents and, unless cosines are plain, centres
// them about their mean.
func (s *shelf) encode(ctx context.Context, e memory.Encoder, r recipe) error {
	for i, m := range s.memories {
		line := memory.Line(m)
		if r.turns {
			var before *memory.Memory
			if p := s.before[i]; p >= 0 {
				before = &s.memories[p]
			}
			line = memory.TurnLine(m, before)
		}
		windows, err := e.Passage(ctx, line)
		if r.symmetric {
			var v []float32
			v, err = e.Symmetric(ctx, line)
			windows = [][]float32{v}
		}
		if err != nil {
			return err
		}
		s.windows = append(s.windows, windows)
	}
	s.mean = make([]float32, len(s.windows[0][0]))
	if r.cosine || len(s.memories) < 6 {
		return nil
	}
	n := 0
	for _, windows := range s.windows {
		for _, v := range windows {
			n++
			for i, x := range v {
				s.mean[i] += x
			}
		}
	}
	for i := range s.mean {
		s.mean[i] /= float32(n)
	}
	for i, windows := range s.windows {
		s.windows[i] = slices.Clone(windows)
		for j, v := range windows {
			s.windows[i][j] = less(v, s.mean)
		}
	}
	return nil
}

// less is v less the mean, of length 1.
func less(v, mean []float32) []float32 {
	out := make([]float32, len(v))
	var square float64
	for i, x := range v {
		out[i] = x - mean[i]
		square += float64(out[i]) * float64(out[i])
	}
	for i := range out {
		out[i] /= float32(math.Sqrt(square))
	}
	return out
}

func (r recipe) scores(s *shelf, text string, question []float32) []float64 {
	question = less(question, s.mean)
	meaning := make([]float64, len(s.memories))
	for i, windows := range s.windows {
		meaning[i] = math.Inf(-1)
		for _, v := range windows {
			meaning[i] = max(meaning[i], product(question, v))
		}
	}
	if r.cosine {
		return meaning
	}
	alone := s.words(text)
	for i := range alone {
		c := max(meaning[i], 0)
		if len(s.memories) < 6 {
			c = (meaning[i] - 0.75) / 0.2
		}
		alone[i] = ofWords*alone[i] + ofMeaning*c
	}
	span, timed := timewords.Reader{}.Understand(text, time.Now().UTC())
	out := slices.Clone(alone)
	for i := range out {
		for _, n := range []int{s.before[i], s.after[i]} {
			if n >= 0 {
				out[i] += ofNeighbour * alone[n]
			}
		}
		if at := s.c.documents[i].at; r.time && timed && !at.IsZero() && !at.Before(span.Since) && !at.After(span.Until) {
			out[i] *= lift
		}
	}
	return out
}

// words is U of every document.
func (s *shelf) words(text string) []float64 {
	out := make([]float64, len(s.memories))
	total := 0.0
	for _, t := range lexical.Query(text) {
		found := s.postings[t]
		idf := lexical.IDF(len(s.memories), len(found))
		total += idf
		for _, p := range found {
			out[p.document] += idf * lexical.Ranking.Saturation(float64(p.count), s.lengths[p.document], s.meanLength)
		}
	}
	for i := range out {
		if total > 0 {
			out[i] /= total
		}
	}
	return out
}

func product(a, b []float32) float64 {
	var sum float32
	for i, x := range a {
		sum += x * b[i]
	}
	return float64(sum)
}

// best gives the documents that are looked at, best first; ties by number.
func best(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return order[:min(depth, len(order))]
}
