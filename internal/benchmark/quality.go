package benchmark

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"combray/index"
	"combray/internal/local"
	"combray/internal/memory"
)

// nearestWanted is the 10 of recall@10, and qualityAsks how many questions it is
// measured with.
const (
	nearestWanted = 10
	qualityAsks   = 100
)

// alike is how far scores of the index, which come of packed vectors, may be from
// those computed here: a memory that is so near to the tenth counts as one of the ten.
const alike = 1e-4

func (r *running) quality(ctx context.Context) error {
	if r.Encoder == nil {
		return nil
	}
	return r.opened(ctx, r.path, func(l *local.Local) error {
		return r.recallOf(ctx, l, usually)
	})
}

// recallOf compares what the index finds with what is nearest by every vector.
func (r *running) recallOf(ctx context.Context, l *local.Local, when occasion) error {
	if err := l.Index.CatchUp(ctx); err != nil {
		return err
	}
	q := make([]asked, min(r.Asks, qualityAsks))
	for i := range q {
		v, err := r.Encoder.Question(ctx, r.next())
		if err != nil {
			return err
		}
		if q[i], err = search(ctx, l.Index, v); err != nil {
			return err
		}
	}
	forgotten, err := r.compareAll(ctx, l, q)
	if err != nil {
		return err
	}
	sum := 0.0
	for _, a := range q {
		sum += a.recall()
	}
	r.value(when.name+"recall_at_10", fmt.Sprintf("recall@10 of the vectors, %d questions, against every vector%s", len(q), when.what), Share, sum/float64(len(q)))
	if forgotten > 0 {
		return fmt.Errorf("%d forgotten memories were found by their vectors", forgotten)
	}
	return nil
}

// asked is a question with what the index found for it, and what there is.
type asked struct {
	vector []float32
	found  []int64           // the best of the index
	scores map[int64]float64 // of found, computed here
	best   []float64         // scores of the nearest, descending, at most nearestWanted
}

// search asks the index as recall does.
func search(ctx context.Context, ix *index.Index, vector []float32) (asked, error) {
	result, err := ix.Search(ctx, index.Query{Vector: vector, PerLane: memory.PerLane})
	if err != nil {
		return asked{}, err
	}
	slices.SortFunc(result.Candidates, func(a, b index.Candidate) int { return cmp.Or(cmp.Compare(b.C, a.C), cmp.Compare(a.Doc, b.Doc)) })
	a := asked{vector: vector, scores: map[int64]float64{}}
	for _, c := range result.Candidates[:min(nearestWanted, len(result.Candidates))] {
		a.found = append(a.found, c.Doc)
	}
	return a, nil
}

// recall is the share of the nearest that were found.
func (a *asked) recall() float64 {
	if len(a.best) == 0 {
		return 1
	}
	right := 0
	for _, doc := range a.found {
		if s, live := a.scores[doc]; live && s >= a.best[len(a.best)-1]-alike {
			right++
		}
	}
	return float64(right) / float64(len(a.best))
}

// see takes a memory into account.
func (a *asked) see(doc int64, score float64) {
	if slices.Contains(a.found, doc) {
		a.scores[doc] = score
	}
	at, _ := slices.BinarySearchFunc(a.best, score, func(have, s float64) int { return cmp.Compare(s, have) })
	if at < nearestWanted {
		a.best = slices.Insert(a.best, at, score)
		a.best = a.best[:min(len(a.best), nearestWanted)]
	}
}

// compareAll shows every memory that stands to every question, and counts what was
// found of those that were forgotten.
func (r *running) compareAll(ctx context.Context, l *local.Local, questions []asked) (forgotten int, err error) {
	mean, err := l.Index.Centre(ctx)
	if err != nil {
		return 0, err
	}
	if mean == nil {
		mean = make([]float32, len(questions[0].vector))
	}
	for i := range questions {
		questions[i].vector = centred(questions[i].vector, mean)
	}
	for after := int64(0); ; {
		rows, err := l.Store.Changes(ctx, after, batch, l.VectorIdentity())
		if err != nil || len(rows) == 0 {
			return forgotten, err
		}
		after = rows[len(rows)-1].Memory.Seq
		live := live(rows, mean)
		err = parallel(ctx, len(questions), func(i int) error {
			for _, row := range live {
				questions[i].see(row.doc, row.score(questions[i].vector))
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
		forgotten += found(rows, questions)
	}
}

func found(rows []memory.Changed, questions []asked) (forgotten int) {
	for _, row := range rows {
		if !row.Erased && !row.Memory.Forgotten() {
			continue
		}
		for _, q := range questions {
			if slices.Contains(q.found, row.Memory.Number) {
				forgotten++
			}
		}
	}
	return forgotten
}

// vectors are those of a memory, less the mean, of length 1.
type vectors struct {
	doc     int64
	windows [][]float32
}

func live(rows []memory.Changed, mean []float32) (out []vectors) {
	for _, row := range rows {
		if row.Erased || row.Memory.Forgotten() || row.Vectors == nil {
			continue
		}
		v := vectors{doc: row.Memory.Number}
		for _, w := range row.Vectors {
			v.windows = append(v.windows, centred(w, mean))
		}
		out = append(out, v)
	}
	return out
}

// score is that of the best window.
func (v vectors) score(question []float32) float64 {
	best := math.Inf(-1)
	for _, w := range v.windows {
		best = max(best, float64(dot(w, question)))
	}
	return best
}

// centred is a vector less a mean, of length 1.
func centred(v, mean []float32) []float32 {
	out, square := make([]float32, len(v)), 0.0
	for i := range v {
		out[i] = v[i] - mean[i]
		square += float64(out[i]) * float64(out[i])
	}
	scale := float32(1 / math.Sqrt(max(square, math.SmallestNonzeroFloat64)))
	for i := range out {
		out[i] *= scale
	}
	return out
}
