package tokenizer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// wordPiece takes the longest entry that a word begins with, then the longest
// continuation of the rest, and so on.
type wordPiece struct {
	start    doubleArray // entries as they are
	rest     doubleArray // continuations without their prefix
	unknown  int32
	maxChars int // longer words are unknown
}

// loadWordPiece builds the model; entries in hidden are never found in a text.
func loadWordPiece(settings modelSettings, vocab []trieKey, hidden map[int32]bool) (model, error) {
	if settings.UnkToken == nil || settings.Prefix == nil || settings.MaxChars == nil {
		return nil, fmt.Errorf("WordPiece needs unk_token, continuing_subword_prefix and max_input_chars_per_word")
	}
	m := &wordPiece{unknown: -1, maxChars: *settings.MaxChars}
	var start, rest []trieKey
	for _, k := range vocab {
		if k.text == *settings.UnkToken {
			m.unknown = int32(k.value)
			continue
		}
		if hidden[int32(k.value)] {
			continue
		}
		start = append(start, k)
		if tail, ok := strings.CutPrefix(k.text, *settings.Prefix); ok {
			rest = append(rest, trieKey{tail, k.value})
		}
	}
	if m.unknown < 0 {
		return nil, fmt.Errorf("unk_token %q is not in the vocabulary", *settings.UnkToken)
	}
	var err error
	if m.start, err = buildTrie(start); err == nil {
		m.rest, err = buildTrie(rest)
	}
	return m, err
}

func (m *wordPiece) appendPiece(dst []int32, piece []byte, _ *scratch) []int32 {
	if len(piece) > m.maxChars && utf8.RuneCount(piece) > m.maxChars {
		return append(dst, m.unknown)
	}
	first, trie := len(dst), m.start
	for len(piece) > 0 {
		id, n := trie.longest(piece)
		if n == 0 {
			return append(dst[:first], m.unknown)
		}
		dst = append(dst, int32(id))
		piece, trie = piece[n:], m.rest
	}
	return dst
}
