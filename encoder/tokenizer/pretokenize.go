package tokenizer

import (
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// A splitter is a pre-tokenizer: it cuts a piece of normalized text into
// smaller ones and may rewrite them.
type splitter interface {
	// split adds the pieces of piece to dst. head says that piece begins where
	// the whole text begins. piece is not changed and does not overlap dst.
	split(dst *pieces, piece []byte, head bool)
}

// loadSplitters reads the "pre_tokenizer" block; sequences are flattened.
func loadSplitters(raw json.RawMessage) ([]splitter, error) {
	var list []splitter
	err := eachComponent("pre_tokenizer", "pretokenizers", raw, func(c component) error {
		sp, err := loadSplitter(c)
		list = append(list, sp...)
		return err
	})
	return list, err
}

func loadSplitter(c component) ([]splitter, error) {
	switch c.Type {
	case "WhitespaceSplit":
		return []splitter{whitespaceSplit{}}, nil
	case "Whitespace":
		return []splitter{wordSplit{}}, nil
	case "BertPreTokenizer":
		return []splitter{whitespaceSplit{}, charSplit{isPunctuation, isolated}}, nil
	case "Punctuation":
		return loadPunctuation(c)
	case "Digits":
		return loadDigits(c)
	case "Metaspace":
		return loadMetaspace(c)
	case "Split":
		return loadSplit(c)
	case "ByteLevel":
		return loadByteLevel(c)
	}
	return nil, c.unknown("BertPreTokenizer, ByteLevel, Digits, Metaspace, Punctuation, Split, Whitespace and WhitespaceSplit")
}

// whitespaceSplit cuts at white space and drops it.
type whitespaceSplit struct{}

func (whitespaceSplit) split(dst *pieces, piece []byte, _ bool) {
	start := 0
	for i := 0; i < len(piece); {
		r, size := rune(piece[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(piece[i:])
		}
		if unicode.IsSpace(r) {
			if dst.add(piece[start:i]); len(dst.ends) == 0 {
				dst.head = false
			}
			start = i + size
		}
		i += size
	}
	dst.add(piece[start:])
}

// wordSplit is the pre-tokenizer Whitespace: runs of word characters and runs
// of characters that are neither that nor white space.
type wordSplit struct{}

func (wordSplit) split(dst *pieces, piece []byte, _ bool) {
	const space, word, other = 0, 1, 2
	start, kind := 0, space
	flush := func(end int) {
		if kind != space {
			dst.add(piece[start:end])
		} else if end > start && len(dst.ends) == 0 {
			dst.head = false
		}
		start = end
	}
	for i := 0; i < len(piece); {
		r, size := utf8.DecodeRune(piece[i:])
		k := other
		if isWord(r) {
			k = word
		} else if unicode.IsSpace(r) {
			k = space
		}
		if k != kind {
			flush(i)
			kind = k
		}
		i += size
	}
	flush(len(piece))
}

// charSplit cuts at every character that match accepts.
type charSplit struct {
	match    func(rune) bool
	behavior behavior
}

func (c charSplit) split(dst *pieces, piece []byte, _ bool) {
	dst.cuts = dst.cuts[:0]
	for i := 0; i < len(piece); {
		r, size := utf8.DecodeRune(piece[i:])
		if c.match(r) {
			dst.cutAt(i, false)
			dst.cutAt(i+size, true)
		}
		i += size
	}
	dst.cutAt(len(piece), false)
	dst.splitCuts(piece, c.behavior)
}

func loadPunctuation(c component) ([]splitter, error) {
	v, err := decode[struct {
		Behavior *behavior `json:"behavior"`
	}](c)
	if err != nil || v.Behavior == nil {
		return []splitter{charSplit{isPunctuation, isolated}}, err
	}
	return []splitter{charSplit{isPunctuation, *v.Behavior}}, nil
}

func loadDigits(c component) ([]splitter, error) {
	v, err := decode[struct {
		Individual bool `json:"individual_digits"`
	}](c)
	if v.Individual {
		return []splitter{charSplit{unicode.IsNumber, isolated}}, err
	}
	return []splitter{charSplit{unicode.IsNumber, contiguous}}, err
}

// patternSplit is the pre-tokenizer Split.
type patternSplit struct {
	pattern  pattern
	behavior behavior
	invert   bool // the text between the matches is the delimiter
}

func loadSplit(c component) ([]splitter, error) {
	v, err := decode[struct {
		Pattern  json.RawMessage `json:"pattern"`
		Behavior *behavior       `json:"behavior"`
		Invert   bool            `json:"invert"`
	}](c)
	if err != nil {
		return nil, err
	}
	if v.Behavior == nil {
		return nil, fmt.Errorf("%s Split: behavior is missing", c.role)
	}
	p, err := loadPattern(v.Pattern)
	if err != nil {
		return nil, fmt.Errorf("%s Split: %w", c.role, err)
	}
	return []splitter{patternSplit{p, *v.Behavior, v.Invert}}, nil
}

func (p patternSplit) split(dst *pieces, piece []byte, _ bool) {
	dst.cuts = dst.cuts[:0]
	for at := 0; at < len(piece); {
		start, end := p.pattern.find(piece, at)
		if start < 0 {
			break
		}
		dst.cutAt(start, p.invert)
		dst.cutAt(end, !p.invert)
		at = end
	}
	dst.cutAt(len(piece), p.invert)
	dst.splitCuts(piece, p.behavior)
}
