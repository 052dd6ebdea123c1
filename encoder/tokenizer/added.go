package tokenizer

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// addedToken is one entry of the added_tokens block: a text that is found
// before the model runs and becomes one id.
type addedToken struct {
	ID         int64  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// scanner finds added tokens in a text: leftmost, then longest.
type scanner struct {
	trie     doubleArray // values are places in tokens
	tokens   []addedToken
	starts   [256]bool // bytes that some token begins with
	longest  int       // bytes of the longest token
	ordinary bool      // some token is not special
}

// newScanner returns a scanner for tokens, nil if there are none. Of tokens
// with the same text special ones come first, then file order, as in the
// reference.
func newScanner(tokens []addedToken) (*scanner, error) {
	sc := &scanner{}
	seen := map[string]bool{}
	var keys []trieKey
	for _, special := range []bool{true, false} {
		for _, tok := range tokens {
			if tok.Special != special || tok.Content == "" || seen[tok.Content] {
				continue
			}
			seen[tok.Content] = true
			keys = append(keys, trieKey{tok.Content, uint32(len(sc.tokens))})
			sc.tokens = append(sc.tokens, tok)
			sc.starts[tok.Content[0]] = true
			sc.longest = max(sc.longest, len(tok.Content))
			sc.ordinary = sc.ordinary || !special
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	var err error
	sc.trie, err = buildTrie(keys)
	return sc, err
}

// matches walks over the added tokens in one text.
type matches struct {
	scanner  *scanner
	text     []byte
	specials bool // special tokens count too

	at         int // where to look next
	start, end int // the token found, with the white space it takes along
	id         int32
	done       bool
}

// next finds the next token. After the last it reports the end of the text
// once, with id -1.
func (m *matches) next() bool {
	if m.done {
		return false
	}
	from := m.end
	for m.at < len(m.text) {
		if !m.scanner.starts[m.text[m.at]] {
			m.at++
			continue
		}
		rest := m.text[m.at:]
		value, n := m.scanner.trie.longest(rest[:min(len(rest), m.scanner.longest)])
		if n == 0 {
			m.at++
			continue
		}
		tok, start := m.scanner.tokens[value], m.at
		m.at += n
		if tok.Special && !m.specials || tok.SingleWord && !alone(m.text, start, m.at) {
			continue
		}
		m.take(tok, start, from)
		return true
	}
	m.start, m.end, m.id, m.done = len(m.text), len(m.text), -1, true
	return true
}

// take records the match of tok between start and m.at, widened by the white
// space the token takes along. from is the end of the match before.
func (m *matches) take(tok addedToken, start, from int) {
	m.start, m.end, m.id = start, m.at, int32(tok.ID)
	for tok.LStrip && m.start > from {
		r, size := utf8.DecodeLastRune(m.text[:m.start])
		if !unicode.IsSpace(r) {
			break
		}
		m.start -= size
	}
	for tok.RStrip && m.end < len(m.text) {
		r, size := utf8.DecodeRune(m.text[m.end:])
		if !unicode.IsSpace(r) {
			break
		}
		m.end += size
	}
}

// alone tells whether text[start:end] has no word character beside it.
func alone(text []byte, start, end int) bool {
	before, n := utf8.DecodeLastRune(text[:start])
	if n > 0 && isWord(before) {
		return false
	}
	after, n := utf8.DecodeRune(text[end:])
	return n == 0 || !isWord(after)
}

// numberAdded checks that the ids the file gives to its added tokens are those
// the reference gives: that of the vocabulary, else the next number after it.
func numberAdded(tokens []addedToken, vocab func(string) (int32, bool), size int) error {
	next := int64(size)
	seen := map[string]bool{}
	for _, tok := range tokens {
		if tok.Content == "" || seen[tok.Content] {
			continue
		}
		seen[tok.Content] = true
		id, ok := vocab(tok.Content)
		want := int64(id)
		if !ok {
			want = next
			next++
		}
		if tok.ID != want {
			return fmt.Errorf("added token %q has id %d, its place in the vocabulary is %d: the file is damaged or put together by hand", tok.Content, tok.ID, want)
		}
	}
	return nil
}
