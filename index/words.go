package index

import (
	"math"

	"combray/index/kernel"
)

const (
	// defaultK1 and defaultB are the tuned constants of the ranking recipe.
	defaultK1 = 0.9
	defaultB  = 0.4
	// touchedBits makes the blocks of slots, 1,024 each, of which a search
	// remembers whether a posting was added: the others need no look.
	touchedBits = 10
	// tabledCounts and weightTable are up to which count of a term and length of a row
	// the weight is looked up.
	tabledCounts = 4
	weightTable  = 512
)

// found is a slot that a lane found.
type found struct {
	slot  uint32
	doc   int64
	score float32
}

// betterFound is the order of a lane: score down, then doc up.
func betterFound(a, b found) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return a.doc < b.doc
}

// wordsLane adds up BM25 for all slots: every posting of every term goes into
// one array.
type wordsLane struct {
	state   *state
	field   Field
	k1, b   float64
	scores  []float32 // by slot
	touched []bool    // by block of slots
	mean    float64
	// weights are those of a term that stands 1 to 4 times, by the length of the row.
	weights *[tabledCounts][weightTable]float32
}

// idf returns the weight of a term that n of live rows have.
func idf(live, n int) float64 {
	return math.Log(1 + (float64(live)-float64(n)+0.5)/(float64(n)+0.5))
}

// run adds up the terms and returns the weight of each.
func (l *wordsLane) run(terms []string) []float64 {
	l.mean = l.state.totals.meanLength(l.field)
	for i := range l.weights {
		for length := range l.weights[i] {
			l.weights[i][length] = float32(l.weight(uint16(i+1), uint32(length)))
		}
	}
	weights := make([]float64, len(terms))
	seen := make(map[string]bool, len(terms))
	for i, term := range terms {
		if seen[term] {
			continue
		}
		seen[term] = true
		weights[i] = idf(int(l.state.totals.rows), l.state.frequency(term, l.field))
		l.addTerm(term, float32(weights[i]))
	}
	return weights
}

// weight returns tf·(k1+1) / (tf + k1·(1-b+b·length/mean)).
func (l *wordsLane) weight(tf uint16, length uint32) float64 {
	norm := l.k1 * (1 - l.b + l.b*float64(length)/l.mean)
	return float64(tf) * (l.k1 + 1) / (float64(tf) + norm)
}

func (l *wordsLane) addTerm(term string, idf float32) {
	s := l.state
	if s.segment != nil {
		lengths := s.file.lengths(l.field)
		l.addList(s.segment.words.list(term), idf, lengths, 0)
	}
	if id, known := s.delta.terms.ids[term]; known {
		l.addList(s.delta.terms.lists[id].bytes, idf, s.delta.columns.lengths(l.field), s.split)
	}
}

// addList adds an encoded list whose slots are counted from offset, lengths too.
func (l *wordsLane) addList(list []byte, idf float32, lengths []uint32, offset uint32) {
	decoder := listDecoder{bytes: list, limit: uint32(len(lengths))}
	var batch [128]posting
	for n := decoder.read(batch[:]); n > 0; n = decoder.read(batch[:]) {
		l.add(batch[:n], idf, lengths, offset)
	}
}

// add adds postings whose slots are counted from offset, lengths too.
func (l *wordsLane) add(postings []posting, idf float32, lengths []uint32, offset uint32) {
	scores := l.scores[offset:]
	inContent := l.field == Content
	for _, p := range postings {
		tf := p.line
		if inContent {
			tf = p.content
		}
		if tf == 0 {
			continue
		}
		length := lengths[p.slot]
		l.touched[(p.slot+offset)>>touchedBits] = true
		if tf <= tabledCounts && length < weightTable {
			scores[p.slot] += idf * l.weights[tf-1][length]
		} else {
			scores[p.slot] += idf * float32(l.weight(tf, length))
		}
	}
}

// best returns the k best of the allowed slots that have a term. Hardly any score
// beats the worst of those that are kept, so that is looked at first. The rows
// of the file come by ascending doc: with an equal score they are no better.
func (l *wordsLane) best(allowed bitset, k int) []found {
	top := best[found]{k: k, better: betterFound}
	const block = 1 << touchedBits
	var good [block]uint32
	for i, touched := range l.touched {
		if !touched {
			continue
		}
		first, end := i*block, min((i+1)*block, len(l.scores))
		least := leastScore(&top, end <= int(l.state.split))
		for _, at := range good[:kernel.AtLeast(good[:], l.scores[first:end], least)] {
			if slot := uint32(first) + at; allowed.has(slot) {
				top.offer(found{slot: slot, doc: l.state.doc(slot), score: l.scores[slot]})
			}
		}
	}
	return top.sorted()
}

// leastScore returns the lowest score that may be worth an offer.
func leastScore(top *best[found], inFile bool) float32 {
	switch {
	case !top.full():
		return math.SmallestNonzeroFloat32
	case inFile:
		return math.Nextafter32(top.worst().score, math.MaxFloat32)
	}
	return top.worst().score
}

// clear makes the array ready for the next search.
func (l *wordsLane) clear() {
	const block = 1 << touchedBits
	for i, touched := range l.touched {
		if touched {
			clear(l.scores[i*block : min((i+1)*block, len(l.scores))])
			l.touched[i] = false
		}
	}
}
