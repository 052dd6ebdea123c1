package memtest

import (
	"cmp"
	"context"
	"math"
	"slices"

	"combray/internal/memory"
)

// CueIndex is the plainest memory.CueIndex: an Index whose words are those of
// cues, and which compares a cue with every memory, none left out. C is not mapped
// below six memories: it is then the plain cosine.
type CueIndex struct{ *Index }

var _ memory.CueIndex = CueIndex{}

// NewCueIndex makes a cue index of a store for an identity of cue vectors, "" for
// words alone.
func NewCueIndex(store memory.Store, identity string) CueIndex {
	x := NewIndex(store, identity)
	x.terms = func(m memory.Memory) (line, content []string) {
		terms := memory.CueTerms(m)
		return terms, terms
	}
	return CueIndex{x}
}

// CueIdentity is the identity of an encoder's cue vectors.
func CueIdentity(e memory.Encoder) string { return memory.CueIdentity(e.Identity()) }

// Identity implements memory.CueIndex.
func (x CueIndex) Identity() string { return x.identity }

// bestSurveyed is how many memories memory.Survey names.
const bestSurveyed = 8

// Survey implements memory.CueIndex.
func (x CueIndex) Survey(ctx context.Context, cue []float32) (memory.Survey, error) {
	rows := x.byNumber()
	meaning := newMeaning(rows, cue)
	out := memory.Survey{Centred: meaning.mean != nil}
	var sum, square float64
	seen := map[float64]bool{}
	for _, row := range rows {
		if len(row.vectors) == 0 {
			continue
		}
		c := bestWindow(row.vectors, meaning.with)
		if !seen[c] {
			seen[c] = true
			sum, square = sum+c, square+c*c
		}
		out.Best = append(out.Best, memory.Candidate{Number: row.Number, Scores: memory.Scores{Meaning: c, HasVector: true}})
	}
	if n := float64(len(seen)); n > 0 {
		out.Memories, out.Compared, out.Distinct = len(out.Best), len(out.Best), len(seen)
		out.Mean = sum / n
		out.Deviation = math.Sqrt(max(square/n-out.Mean*out.Mean, 0))
	}
	slices.SortStableFunc(out.Best, func(a, b memory.Candidate) int { return cmp.Compare(b.Scores.Meaning, a.Scores.Meaning) })
	out.Best = cut(out.Best, bestSurveyed)
	return out, ctx.Err()
}

// Meaning implements memory.CueIndex.
func (x CueIndex) Meaning(ctx context.Context, numbers []int64, cue []float32) ([]float64, error) {
	rows := x.byNumber()
	meaning := newMeaning(rows, cue)
	out := make([]float64, len(numbers))
	for _, row := range rows {
		for i, n := range numbers {
			if n == row.Number && len(row.vectors) > 0 {
				out[i] = bestWindow(row.vectors, meaning.with)
			}
		}
	}
	return out, ctx.Err()
}

// Compare implements memory.CueIndex.
func (x CueIndex) Compare(ctx context.Context, cue []float32, others [][]float32) ([]float64, error) {
	meaning := newMeaning(x.byNumber(), cue)
	out := make([]float64, len(others))
	for i, v := range others {
		if len(v) == len(cue) {
			out[i] = meaning.with(v)
		}
	}
	return out, ctx.Err()
}
