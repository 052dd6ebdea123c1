package memory

import (
	"math"

	"combray/internal/lexical"
)

// How far a cue's text and the memory that is nearest to it stand out for each
// other: s of contract/sense.md 4.15b, with what docs/decisions/0009 adds.

// sample is how C spreads over the texts that one is compared with.
type sample struct {
	n, sum, squares float64
	of              float64 // the best of how many texts is looked at
	centred         bool
}

// z says how many deviations a C lies above the mean of a sample, less what the best
// of so many would by chance. The sample is joined by pseudoTexts, as few texts tell
// nothing of how they spread.
func (s sample) z(c float64, off Part) float64 {
	mean, deviation := 0.0, pseudoDeviation
	if !s.centred {
		mean, deviation = plainMean, plainDeviation
	}
	total := s.n + pseudoTexts
	mu := (s.sum + pseudoTexts*mean) / total
	variance := (s.squares+pseudoTexts*(deviation*deviation+mean*mean))/total - mu*mu
	sigma := max(leastDeviation, math.Sqrt(max(0, variance)))
	return (c-mu)/sigma - off.or(PartChance, math.Sqrt(2*math.Log(max(fewestTexts, s.of))), 0)
}

// standsOut is the z of the best text of a survey among the other memories' texts.
func standsOut(v Survey, off Part) float64 {
	best := v.Best[0].Scores.Meaning
	s := sample{n: float64(v.Distinct), centred: v.Centred}
	s.of = s.n * float64(v.Memories) / float64(v.Compared)
	s.sum, s.squares = v.Mean*s.n, (v.Deviation*v.Deviation+v.Mean*v.Mean)*s.n
	if v.Compared == v.Memories {
		s.n, s.sum, s.squares = s.n-1, s.sum-best, s.squares-best*best
	}
	return s.z(best, off)
}

// standsOutAmongHeard is the z of a cue's C among those of the texts that were heard
// earlier, all with the same memory: a memory that is near to whatever is said, in
// its language perhaps, is called by nothing of it.
func standsOutAmongHeard(c float64, heard []float64, centred bool, off Part) float64 {
	s := sample{n: float64(len(heard)), of: float64(len(heard)), centred: centred}
	for _, h := range heard {
		s.sum += h
		s.squares += h * h
	}
	return s.z(c, off)
}

// terse is what a memory that says little loses in z: the nearest to anything is
// often a note of three usual words. words is how many words of its own it has.
func terse(words float64) float64 {
	return tersePrice * math.Min(0, math.Log(math.Max(words, 1)/fullText))
}

// ownWords counts a memory's words, each the less the more of n memories hold it: 1
// for a word that no other holds, or at most one memory in a hundred.
func ownWords(n int, held []int) (words float64) {
	full := min(lexical.IDF(n, 1), math.Log(100))
	for _, others := range held {
		words += min(1, lexical.IDF(n, others)/full)
	}
	return words
}

// logistic gives s for a z above a shift.
func logistic(z float64) float64 { return 1 / (1 + math.Exp(-topicSlope*z)) }

// alikeLeast is C from which two cues, and from which two memories, speak of one
// topic.
func alikeLeast(centred bool) (cues, memories float64) {
	if centred {
		return topicAlike, fanAlike
	}
	return topicAlikePlain, fanAlikePlain
}
