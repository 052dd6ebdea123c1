package memory

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// seeker finds cues: words of which every match of a pattern holds one. It looks
// at a text once, four bytes at a time, so that a text without any cue is
// rejected at a few nanoseconds a byte (BenchmarkScreen).
type seeker struct {
	buckets [1 << seekBits][]cueWord
}

// cueWord is a cue with the patterns that it may belong to.
type cueWord struct {
	word     string // lower case, at least seekLength bytes
	patterns []int
}

const (
	seekLength = 4  // bytes of a cue that are hashed
	seekBits   = 12 // of the hash: some 700 cues leave most buckets empty
)

func newSeeker(patterns []screenPattern) *seeker {
	var s seeker
	for i, p := range patterns {
		for _, word := range p.cues {
			s.add(word, i)
		}
	}
	return &s
}

func (s *seeker) add(word string, pattern int) {
	if len(word) < seekLength {
		panic("memory: the cue " + word + " of a screening pattern is too short")
	}
	b := &s.buckets[seekHash(word)]
	i := slices.IndexFunc(*b, func(c cueWord) bool { return c.word == word })
	if i < 0 {
		*b = append(*b, cueWord{word: word})
		i = len(*b) - 1
	}
	if !slices.Contains((*b)[i].patterns, pattern) {
		(*b)[i].patterns = append((*b)[i].patterns, pattern)
	}
}

// seekHash hashes the first four bytes of a text.
func seekHash(s string) uint32 {
	v := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
	return v * 0x9E3779B1 >> (32 - seekBits) // 2^32 over the golden ratio (Knuth 3, 6.4)
}

// sight is a cue that stands in a text.
type sight struct {
	pattern int
	at      int // byte offset
}

// sights gives where cues stand in a lower-case text, by pattern, then place.
func (s *seeker) sights(text string) []sight {
	var out []sight
	for at := 0; at+seekLength <= len(text); at++ {
		for _, c := range s.buckets[seekHash(text[at:])] {
			if strings.HasPrefix(text[at:], c.word) {
				for _, p := range c.patterns {
					out = append(out, sight{p, at})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b sight) int { return cmp.Or(cmp.Compare(a.pattern, b.pattern), cmp.Compare(a.at, b.at)) })
	return out
}

// Reaches are how far a match can stretch from its cue to either side, in bytes
// that are not white space: more than the longest expression, and the longest
// chain of words, has.
const (
	reachExpression = 120
	reachWords      = 320
)

// stretches gives the parts of a text that can hold a match of a pattern around
// the sights of its cues, in order, none overlapping another. Runs of white
// space count nothing, for patterns take them as one.
func (p screenPattern) stretches(text string, sights []sight) []span {
	reach := reachExpression
	if _, words := p.form.(*wordShape); words {
		reach = reachWords
	}
	var out []span
	for _, s := range sights {
		part := span{spread(text, s.at, -1, reach), spread(text, s.at, 1, reach)}
		if !p.promising(text[part.from:part.to]) {
			continue
		}
		if n := len(out); n > 0 && part.from <= out[n-1].to {
			out[n-1].to = part.to
			continue
		}
		out = append(out, part)
	}
	return out
}

// promising says whether a word that every match holds beside the cue stands in
// a stretch.
func (p screenPattern) promising(stretch string) bool {
	return p.with == nil || slices.ContainsFunc(p.with, func(w string) bool { return strings.Contains(stretch, w) })
}

// spread walks from a place to one side until reach is used up, and on to the
// border of a rune.
func spread(text string, at, step, reach int) int {
	for at > 0 && step < 0 || at < len(text) && step > 0 {
		if !isSpace(text[at+min(step, 0)]) {
			if reach == 0 && utf8.RuneStart(text[at]) {
				break
			}
			reach = max(reach-1, 0)
		}
		at += step
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
