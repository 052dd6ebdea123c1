package tokenizer

import (
	"fmt"
	"unicode/utf8"
)

// pieces are the parts of one text, end to end in one buffer.
type pieces struct {
	text []byte
	ends []int // where each piece ends in text
	head bool  // the first piece begins where the whole text begins
	cuts []cut // scratch of splitCuts
}

// cut is a part of a text that a pattern matched or left between two matches.
type cut struct {
	end   int
	match bool
}

func (p *pieces) reset(head bool) {
	p.text, p.ends, p.head = p.text[:0], p.ends[:0], head
}

// piece returns piece k.
func (p *pieces) piece(k int) []byte {
	start := 0
	if k > 0 {
		start = p.ends[k-1]
	}
	return p.text[start:p.ends[k]]
}

// add appends a piece; an empty one is dropped.
func (p *pieces) add(piece []byte) {
	p.text = append(p.text, piece...)
	p.close()
}

// close ends the piece whose bytes were appended to p.text.
func (p *pieces) close() {
	if n := len(p.ends); len(p.text) > 0 && (n == 0 || p.ends[n-1] < len(p.text)) {
		p.ends = append(p.ends, len(p.text))
	}
}

// behavior says what becomes of a delimiter.
type behavior int

const (
	removed behavior = iota
	isolated
	mergedWithPrevious
	mergedWithNext
	contiguous // neighbouring delimiters become one piece
)

var behaviors = map[string]behavior{
	"Removed": removed, "Isolated": isolated, "MergedWithPrevious": mergedWithPrevious,
	"MergedWithNext": mergedWithNext, "Contiguous": contiguous,
}

// UnmarshalText reads the name of a behavior.
func (b *behavior) UnmarshalText(name []byte) error {
	v, ok := behaviors[string(name)]
	if !ok {
		return fmt.Errorf("behavior %q is not supported", name)
	}
	*b = v
	return nil
}

// joins tells whether two neighbouring parts make one piece.
func (b behavior) joins(left, right cut) bool {
	switch b {
	case mergedWithPrevious:
		return !left.match && right.match
	case mergedWithNext:
		return left.match && !right.match
	case contiguous:
		return left.match == right.match
	}
	return false
}

// splitCuts adds the pieces of text, whose parts are in p.cuts.
func (p *pieces) splitCuts(text []byte, b behavior) {
	start := 0
	for i, c := range p.cuts {
		if b == removed && c.match {
			if start = c.end; len(p.ends) == 0 {
				p.head = false
			}
			continue
		}
		if i+1 < len(p.cuts) && b.joins(c, p.cuts[i+1]) {
			continue
		}
		p.add(text[start:c.end])
		start = c.end
	}
}

// cutAt appends a part that ends at end, if it is not empty.
func (p *pieces) cutAt(end int, match bool) {
	if n := len(p.cuts); end > 0 && (n == 0 || p.cuts[n-1].end < end) {
		p.cuts = append(p.cuts, cut{end, match})
	}
}

// lastRune returns the length in bytes of the last character of text.
func lastRune(text []byte) int {
	_, size := utf8.DecodeLastRune(text)
	return size
}
