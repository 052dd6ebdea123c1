package memtest

import (
	"math"
	"slices"

	"combray/internal/lexical"
)

// wordCount is what BM25 needs of all rows.
type wordCount struct {
	bm25       lexical.BM25
	collection lexical.Collection
	document   func(indexed) []string
}

// countWords reads contents with the constants of relevance, or lines with those
// of ranking.
func countWords(rows []indexed, content bool) wordCount {
	w := wordCount{bm25: lexical.Ranking, document: func(row indexed) []string { return row.line }}
	if content {
		w = wordCount{bm25: lexical.Relevance, document: func(row indexed) []string { return row.content }}
	}
	df := map[string]int{}
	total := 0
	for _, row := range rows {
		terms := slices.Clone(w.document(row))
		total += len(terms)
		slices.Sort(terms)
		for _, t := range slices.Compact(terms) {
			df[t]++
		}
	}
	w.collection = lexical.Collection{Size: len(rows), DF: func(term string) int { return df[term] }}
	if len(rows) > 0 {
		w.collection.MeanLength = float64(total) / float64(len(rows))
	}
	return w
}

func (w wordCount) score(question []string, row indexed) float64 {
	return w.bm25.Score(question, w.document(row), w.collection)
}

// centreFrom is how many memories with vectors it takes to centre, and rawLow and
// rawHigh are what raw cosines below that are mapped from to 0–1
// (design/ranking.md, "Meaning, C").
const (
	centreFrom = 6
	rawLow     = 0.75
	rawHigh    = 0.95
)

// meaning is C of a question against any row.
type meaning struct {
	question []float32
	mean     []float64 // nil: raw cosines
}

func newMeaning(rows []indexed, question []float32) meaning {
	m := meaning{question: question}
	if len(question) == 0 {
		return m
	}
	sum := make([]float64, len(question))
	var memories, windows float64
	for _, row := range rows {
		if len(row.vectors) > 0 {
			memories++
		}
		for _, v := range row.vectors {
			windows++
			for i := range v {
				sum[i] += float64(v[i])
			}
		}
	}
	if memories < centreFrom {
		return m
	}
	for i := range sum {
		sum[i] /= windows
	}
	m.mean = sum
	return m
}

func (m meaning) score(row indexed) float64 {
	if len(m.question) == 0 || len(row.vectors) == 0 {
		return 0
	}
	c := bestWindow(row.vectors, m.with)
	if m.mean == nil {
		return min((c-rawLow)/(rawHigh-rawLow), 1)
	}
	return c
}

// with is C with any vector; the plain cosine, not mapped, below six memories.
func (m meaning) with(v []float32) float64 {
	if m.mean == nil {
		return dot(v, m.question)
	}
	return centredCosine(v, m.question, m.mean)
}

func bestWindow(windows [][]float32, score func([]float32) float64) float64 {
	best := math.Inf(-1)
	for _, v := range windows {
		best = max(best, score(v))
	}
	return best
}

// centredCosine is the cosine of a-m and b-m, 0 where one of them is nothing.
func centredCosine(a, b []float32, m []float64) float64 {
	var ab, aa, bb float64
	for i := range m {
		p, q := float64(a[i])-m[i], float64(b[i])-m[i]
		ab, aa, bb = ab+p*q, aa+p*p, bb+q*q
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}
