package memory

import (
	"math"

	"combray/internal/lexical"
)

// relevance is the BM25 of contract/history.md 3.2 over contents: N, df and mean
// length are those of the active memories, so that a filter never changes a
// score.
type relevance struct {
	idf  map[string]float64
	mean float64
}

func newRelevance(terms []string, n int, df []int, mean float64) relevance {
	r := relevance{idf: make(map[string]float64, len(terms)), mean: mean}
	for i, t := range terms {
		r.idf[t] = lexical.IDF(n, df[i])
	}
	return r
}

// of scores one content, rounded to four decimals as the contract shows it.
func (r relevance) of(content Text) float64 {
	terms := lexical.Terms(string(content))
	counts := make(map[string]float64, len(r.idf))
	for _, t := range terms {
		if _, asked := r.idf[t]; asked {
			counts[t]++
		}
	}
	var sum float64
	for t, tf := range counts {
		sum += r.idf[t] * lexical.Relevance.Saturation(tf, float64(len(terms)), r.mean)
	}
	return math.Round(sum*1e4) / 1e4
}
