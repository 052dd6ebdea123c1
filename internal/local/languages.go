package local

import (
	"context"
	"math"

	"combray/internal/memory"
)

// Search implements memory.Index. A question that may be in another language than
// what it asks for is compared without what only tells its language.
func (r rankers) Search(ctx context.Context, q memory.IndexQuery) (memory.IndexResult, error) {
	if await := q.Await; await != nil && q.AnyLanguage && len(r.languages) > 0 {
		q.Await = func(ctx context.Context) ([]float32, error) {
			question, err := await(ctx)
			if question == nil || err != nil {
				return nil, err
			}
			mean, err := r.index.Centre(ctx)
			if mean == nil || err != nil {
				return question, err
			}
			return withoutLanguage(question, mean, r.languages), nil
		}
	}
	return r.ranker.Search(ctx, q)
}

// languageTaken is how much of a question's language is taken from it. All of it finds
// no more on Tatoeba and XQuAD dev than half does, and costs a store of notes in many
// languages some places (docs/decisions/0012).
const languageTaken = 0.5

// withoutLanguage takes from a unit vector, as it is seen from the mean, languageTaken
// of its share in some orthonormal directions (Xie and others 2022, "Discovering low-rank subspaces
// for language-agnostic multilingual representations", here on the question alone).
// The result is the vector of length 1 that is seen in the remaining direction; a
// question without any gives itself.
func withoutLanguage(question, mean []float32, directions [][]float32) []float32 {
	seen := make([]float64, len(question))
	for i, x := range question {
		seen[i] = float64(x) - float64(mean[i])
	}
	for _, d := range directions {
		along := 0.0
		for i, x := range d {
			along += float64(x) * seen[i]
		}
		for i, x := range d {
			seen[i] -= languageTaken * along * float64(x)
		}
	}
	// mean + far·seen has length 1: far is the positive root of
	// |seen|²·far² + 2·(mean·seen)·far + |mean|² - 1 = 0.
	var square, across, inner float64
	for i, x := range seen {
		m := float64(mean[i])
		square, across, inner = square+x*x, across+m*x, inner+m*m
	}
	if square < 1e-12 || inner >= 1 {
		return question
	}
	far := (math.Sqrt(across*across+square*(1-inner)) - across) / square
	out := make([]float32, len(question))
	for i, x := range seen {
		out[i] = float32(float64(mean[i]) + far*x)
	}
	return out
}
