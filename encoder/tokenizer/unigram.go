package tokenizer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// maxPieceBytes bounds the pieces of a vocabulary that is looked up by prefix.
// SentencePiece makes none above 64 characters.
const maxPieceBytes = 512

// unknownPenalty is how far below the worst piece an unknown character scores
// (SentencePiece, unigram_model.cc: kUnkPenalty).
const unknownPenalty = 10

// unigram finds the division of a piece into vocabulary entries with the
// highest sum of log probabilities.
type unigram[S float32 | float64] struct {
	trie    doubleArray
	scores  []S // by id
	unknown int32
	longest int         // bytes of the longest entry
	floor   float64     // score of an unknown character
	bytes   *[256]int32 // ids of the byte pieces, -1 for none; nil: no byte fallback
}

// pathEnd is the best division found that ends at one byte of a piece.
type pathEnd struct {
	score float64
	start int32 // where its last entry starts; -1: no division ends here
	id    int32 // its last entry; -1: an unknown character
}

// newUnigram finishes a model whose trie, scores and settings are set.
func newUnigram[S float32 | float64](m unigram[S], byteFallback bool) (*unigram[S], error) {
	if int64(m.unknown) < 0 || int(m.unknown) >= len(m.scores) {
		return nil, fmt.Errorf("unk_id %d must be a place in the vocabulary of %d", m.unknown, len(m.scores))
	}
	lowest := math.Inf(1)
	for id, s := range m.scores {
		if math.IsNaN(float64(s)) || math.IsInf(float64(s), 0) {
			return nil, fmt.Errorf("the score of piece %d is not a number", id)
		}
		lowest = min(lowest, float64(s))
	}
	m.floor = lowest - unknownPenalty
	if byteFallback {
		m.bytes = bytePieces(func(name string) (int32, bool) {
			id, ok := m.trie.get(name)
			return int32(id), ok && int(id) < len(m.scores)
		})
	}
	return &m, nil
}

// bytePieces looks up the pieces <0x00> to <0xFF>.
func bytePieces(find func(string) (int32, bool)) *[256]int32 {
	var ids [256]int32
	for b := range ids {
		ids[b] = -1
		if id, ok := find(bytePiece(byte(b))); ok {
			ids[b] = id
		}
	}
	return &ids
}

// bytePiece is the name of the piece for a byte.
func bytePiece(b byte) string { return fmt.Sprintf("<0x%02X>", b) }

func (m *unigram[S]) appendPiece(dst []int32, piece []byte, s *scratch) []int32 {
	m.search(piece, s)
	return m.trace(dst, piece, s.path)
}

// search fills s.path for piece. Of equal sums the one found first stays: the
// reference compares with ">" too.
func (m *unigram[S]) search(piece []byte, s *scratch) {
	n := len(piece)
	s.path = slices.Grow(s.path[:0], n+1)[:n+1]
	path := s.path
	path[0].score = 0
	for i := range path {
		path[i].start = -1
	}
	root := m.trie.root()
	for start := 0; start < n; {
		before := path[start].score
		width := 1
		if piece[start] >= utf8.RuneSelf {
			_, width = utf8.DecodeRune(piece[start:])
		}
		whole, base := false, root
		for i, c := range piece[start:min(n, start+m.longest)] {
			next, ends, ok := m.trie.step(base, c)
			if !ok {
				break
			}
			base = next
			if !ends {
				continue
			}
			id := m.trie.value(base)
			if uint64(id) >= uint64(len(m.scores)) {
				continue
			}
			path[start+i+1].offer(before+float64(m.scores[id]), start, int32(id))
			whole = whole || i+1 == width
		}
		if !whole {
			path[start+width].offer(before+m.floor, start, -1)
		}
		start += width
	}
}

// offer takes a division if it is better than the one known.
func (e *pathEnd) offer(score float64, start int, id int32) {
	if e.start < 0 || score > e.score {
		e.score, e.start, e.id = score, int32(start), id
	}
}

// trace appends the ids of the best division of piece. Neighbouring unknown
// characters become one unknown, or their bytes if there are pieces for all.
func (m *unigram[S]) trace(dst []int32, piece []byte, path []pathEnd) []int32 {
	first := len(dst)
	for end := len(piece); end > 0; {
		e := path[end]
		start := int(e.start)
		if e.id >= 0 {
			dst = append(dst, e.id)
			end = start
			continue
		}
		for start > 0 && path[start].id < 0 {
			start = int(path[start].start)
		}
		dst = m.appendUnknown(dst, piece[start:end])
		end = start
	}
	slices.Reverse(dst[first:])
	return dst
}

// appendUnknown appends the ids of text, which the vocabulary lacks, last first.
func (m *unigram[S]) appendUnknown(dst []int32, text []byte) []int32 {
	if m.bytes == nil {
		return append(dst, m.unknown)
	}
	first := len(dst)
	for _, b := range slices.Backward(text) {
		id := m.bytes[b]
		if id < 0 {
			return append(dst[:first], m.unknown)
		}
		dst = append(dst, id)
	}
	return dst
}

// unigramVocab is a Unigram vocabulary as a file lists it.
type unigramVocab struct {
	pieces []string
	scores []float64
}

// load builds the model. Pieces in hidden are never found in a text. Scores
// are kept in single precision where that loses nothing.
func (v unigramVocab) load(settings modelSettings, hidden map[int32]bool) (model, error) {
	if settings.UnkID == nil {
		return nil, errors.New("a Unigram model without unk_id is not supported: name the unknown token's place in the vocabulary")
	}
	unknown := *settings.UnkID
	keys, longest := make([]trieKey, 0, len(v.pieces)), 0
	for id, text := range v.pieces {
		if !hidden[int32(id)] && int32(id) != unknown {
			keys = append(keys, trieKey{text, uint32(id)})
			longest = max(longest, len(text))
		}
	}
	trie, err := buildTrie(keys)
	if err != nil {
		return nil, err
	}
	single := make([]float32, len(v.scores))
	for id, s := range v.scores {
		single[id] = float32(s)
		if float64(single[id]) != s {
			return newUnigram(unigram[float64]{trie: trie, scores: v.scores, unknown: unknown, longest: longest}, settings.ByteFallback)
		}
	}
	return newUnigram(unigram[float32]{trie: trie, scores: single, unknown: unknown, longest: longest}, settings.ByteFallback)
}
