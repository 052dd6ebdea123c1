package memory

import (
	"cmp"
	"math"
	"slices"
)

// Weights of design/ranking.md, "Two scores on a common scale", tuned on the dev
// sets named there; `make eval` prints what they reach.
const (
	weightWords   = 0.4 // of U in A
	weightMeaning = 0.6 // of C in A
	weightContext = 0.1 // of each session neighbour's A in B
)

// PerLane is how many rows of each lane go into the fusion (design/ranking.md).
const PerLane = 200

// ranking is what a candidate's place is made from.
type ranking struct {
	mode     Mode // lexical, semantic or hybrid: what ran
	asked    bool // there is a query
	idf      float64
	cue      *Cue
	interval *Interval
	total    int // rows that were eligible
}

// ranked is a candidate with its scores.
type ranked struct {
	Candidate
	u, c   float64 // words and meaning, each 0–1
	text   float64 // B, U or C: what the question finds in the row
	score  float64 // what rows are sorted by: text, with cues the pull score
	chance float64 // calibrated
}

// rank orders candidates: score down, then the default order (consolidated
// first, newest captured, number).
func (r ranking) rank(candidates []Candidate) []ranked {
	out := make([]ranked, len(candidates))
	for i, c := range candidates {
		out[i] = r.scored(c)
	}
	slices.SortFunc(out, compareRanked)
	r.calibrate(out)
	return out
}

func compareRanked(a, b ranked) int {
	if n := cmp.Compare(b.score, a.score); n != 0 {
		return n
	}
	if a.Consolidated != b.Consolidated {
		if a.Consolidated {
			return -1
		}
		return 1
	}
	if n := b.CapturedAt.Compare(a.CapturedAt); n != 0 {
		return n
	}
	return cmp.Compare(a.Number, b.Number)
}

func (r ranking) scored(c Candidate) ranked {
	out := ranked{Candidate: c, u: r.words(c.Scores), c: meaning(c.Scores)}
	out.text = r.alone(c.Scores)
	if r.mode == ModeHybrid {
		out.text += weightContext * (r.neighbour(c.Previous) + r.neighbour(c.Next))
	}
	out.text *= r.timeFactor(c)
	out.score = out.text
	if r.cue != nil {
		out.score = r.cue.score(c.Situation, out.text, r.asked)
	}
	return out
}

// words is U: how much of the question the row's words match. The sum of idf
// runs over all query terms, also those that no memory holds.
func (r ranking) words(s Scores) float64 {
	if r.idf == 0 {
		return 0
	}
	return s.Words / r.idf
}

// meaning is C with negative values cut.
func meaning(s Scores) float64 {
	if !s.HasVector {
		return 0
	}
	return math.Max(s.Meaning, 0)
}

// alone is the score of a row without its neighbours: U, C or A.
func (r ranking) alone(s Scores) float64 {
	switch r.mode {
	case ModeLexical:
		return r.words(s)
	case ModeSemantic:
		return meaning(s)
	}
	return weightWords*r.words(s) + weightMeaning*meaning(s)
}

func (r ranking) neighbour(s *Scores) float64 {
	if s == nil {
		return 0
	}
	return r.alone(*s)
}

// insideBoost lifts a memory whose event lies in the interval that the question
// names. On lifelog dev 1.5 gives R@5 .790, 1.25 .776, nothing .708, and 2 no more that is
// real (docs/decisions/0012).
const insideBoost = 1.5

func (r ranking) timeFactor(c Candidate) float64 {
	if r.interval == nil || c.EventAt == nil ||
		c.EventAt.Before(r.interval.Since) || c.EventAt.After(r.interval.Until) {
		return 1
	}
	return insideBoost
}

// why explains a row's place: each lane with its rank among the candidates.
func (r ranking) why(rows []ranked, row ranked) []Why {
	var out []Why
	add := func(lane string, value, part float64, of func(ranked) float64) {
		if value == 0 {
			return
		}
		rank := 1
		for _, other := range rows {
			if of(other) > of(row) {
				rank++
			}
		}
		out = append(out, Why{Lane: lane, Rank: rank, Value: value, Share: share(part, row.score)})
	}
	if r.mode != ModeSemantic {
		weight := weightWords
		if r.mode == ModeLexical {
			weight = 1
		}
		add("words", row.u, weight*row.u, func(x ranked) float64 { return x.u })
	}
	if r.mode != ModeLexical {
		weight := weightMeaning
		if r.mode == ModeSemantic {
			weight = 1
		}
		add("vectors", row.c, weight*row.c, func(x ranked) float64 { return x.c })
	}
	if r.mode == ModeHybrid {
		context := weightContext * (r.neighbour(row.Previous) + r.neighbour(row.Next))
		add("context", context, context, func(x ranked) float64 {
			return weightContext * (r.neighbour(x.Previous) + r.neighbour(x.Next))
		})
	}
	if f := r.timeFactor(row.Candidate); f != 1 {
		out = append(out, Why{Lane: "time", Rank: 1, Value: f, Share: 1 - 1/f})
	}
	return out
}

func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return math.Min(part/whole, 1)
}
