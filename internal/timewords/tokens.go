package timewords

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// token is a phrase of the table, a number, a sign, or an unknown word, which
// has no class.
type token struct {
	start, end int // bytes of the question
	classes    classes
	readings   group // words of the table; empty for numbers and signs
	number     numeral
	langs      langs // of a number: what its spelling leaves
	capital    bool  // begins with a capital letter
}

// isWord says whether the token is a phrase of the table.
func (t token) isWord() bool { return t.readings != group{} }

// lexer cuts a text into tokens.
type lexer struct {
	folded
	source string
	table  *table
	tokens []token
	votes  [32]uint8 // words of each language
}

func lex(source string) *lexer {
	l := &lexer{folded: fold(source), source: source, table: lexicon()}
	l.tokens = make([]token, 0, len(l.text)/5+4)
	for at := 0; at < len(l.text); {
		at = l.next(at)
	}
	return l
}

// next reads the token at a byte and returns the byte behind it.
func (l *lexer) next(at int) int {
	r, size := utf8.DecodeRune(l.text[at:])
	switch {
	case r == ' ':
		return at + 1
	case '0' <= r && r <= '9':
		return l.numeral(at)
	case runsOn(r):
		return l.unspaced(at, size)
	case unicode.Is(unicode.Hangul, r) && isLetter(r):
		return l.hangul(at)
	case isLetter(r):
		return l.spaced(at)
	}
	return l.sign(at, r, size)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// joins says whether a rune continues a word of a script with spaces.
func joins(r rune) bool { return isLetter(r) && !runsOn(r) || r >= '0' && r <= '9' }

// emit adds a token for text[at:end].
func (l *lexer) emit(at, end int, t token) int {
	t.start, t.end = int(l.at[at]), int(l.at[end])
	first, _ := utf8.DecodeRuneInString(l.source[t.start:])
	t.capital = unicode.IsUpper(first)
	l.tokens = append(l.tokens, t)
	return end
}

// phrase adds a token for a phrase of the table. Endings that add nothing are
// dropped.
func (l *lexer) phrase(at, end int, g group) int {
	set := l.table.classesOf(g)
	l.vote(g)
	if set&glued.set() != 0 && at > 0 && l.text[at-1] != ' ' && len(l.tokens) > 0 {
		return end
	}
	return l.emit(at, end, token{classes: set, readings: g})
}

// vote counts a phrase for its languages, unless it is another word, too.
func (l *lexer) vote(g group) {
	var voted langs
	for _, w := range l.table.words[g.first:g.last] {
		if w.class != unknown && w.flags&weak == 0 {
			voted |= w.langs
		}
	}
	for ; voted != 0; voted &= voted - 1 {
		if i := bits.TrailingZeros32(uint32(voted)); l.votes[i] < 255 {
			l.votes[i]++
		}
	}
}

// wordEnds says whether a phrase of a script with spaces may end at a byte.
// Hebrew prefixes may stand before digits.
func (l *lexer) wordEnds(end int) bool {
	r := runeAt(l.text, end)
	if !joins(r) {
		return true
	}
	before, _ := utf8.DecodeLastRune(l.text[:end])
	return before == '\'' || before == '-' || !isLetter(r) && unicode.Is(unicode.Hebrew, before)
}

// spaced reads a word, or a phrase of several, of a script with spaces.
func (l *lexer) spaced(at int) int {
	if g, end := l.table.longest(l.text, at, l.wordEnds); end > at {
		return l.phrase(at, end, g)
	}
	if end := l.prefixed(at, maxPrefixes); end > at {
		return end
	}
	return l.skipWord(at)
}

// skipWord adds an unknown word.
func (l *lexer) skipWord(at int) int {
	end := at
	for end < len(l.text) {
		r, size := utf8.DecodeRune(l.text[end:])
		if !joins(r) {
			break
		}
		end += size
	}
	return l.emit(at, end, token{})
}

// maxPrefixes is how many words of one letter Hebrew and Arabic write together
// with the word behind them, as "and" and "in" of ובמאי.
const maxPrefixes = 2

// prefixed reads a phrase behind prefixes that are words of the table.
func (l *lexer) prefixed(at, prefixes int) int {
	r, size := utf8.DecodeRune(l.text[at:])
	if prefixes == 0 || !unicode.In(r, unicode.Hebrew, unicode.Arabic) || !isLetter(runeAt(l.text, at+size)) {
		return at
	}
	g, end := l.table.longest(l.text, at, func(end int) bool { return end == at+size })
	if end == at {
		return at
	}
	known := len(l.tokens)
	l.emit(at, end, token{classes: l.table.classesOf(g), readings: g})
	if g, next := l.table.longest(l.text, end, l.wordEnds); next > end {
		return l.phrase(end, next, g)
	}
	if next := l.prefixed(end, prefixes-1); next > end {
		return next
	}
	l.tokens = l.tokens[:known]
	return at
}

// unspaced reads a phrase, a number or a single rune of a script without spaces.
func (l *lexer) unspaced(at, size int) int {
	g, end := l.table.longest(l.text, at, func(end int) bool { return !unicode.IsMark(runeAt(l.text, end)) })
	if n, after := hanNumeral(l.text, at); after > end {
		return l.emit(at, after, token{classes: n.classes(), number: n, langs: anyLanguage})
	}
	if end > at {
		return l.phrase(at, end, g)
	}
	return l.emit(at, at+size, token{})
}

// hangul reads a Korean word, which may be several phrases and endings written
// together. When something in it is unknown, so is the word: 일 is a day, but
// also the beginning of Japan.
func (l *lexer) hangul(at int) int {
	known := len(l.tokens)
	for end := at; ; {
		g, next := l.table.longest(l.text, end, func(int) bool { return true })
		if next == end {
			l.tokens = l.tokens[:known]
			return l.skipWord(at)
		}
		l.phrase(end, next, g)
		if end = next; !joins(runeAt(l.text, end)) {
			return end
		}
		if r := l.text[end]; '0' <= r && r <= '9' {
			return end
		}
	}
}

// sign reads a punctuation mark, or an ending that begins with an apostrophe.
func (l *lexer) sign(at int, r rune, size int) int {
	switch r {
	case ',':
		return l.emit(at, at+size, token{classes: of.set(), langs: anyLanguage})
	case '.':
		if l.abbreviates(at) {
			return at + size
		}
	case '-', '/':
		return l.emit(at, at+size, token{classes: dash.set(), langs: anyLanguage})
	case '\'':
		if g, end := l.table.longest(l.text, at, l.wordEnds); end > at && at > 0 && l.text[at-1] != ' ' {
			return l.phrase(at, end, g)
		}
	}
	return l.emit(at, at+size, token{})
}

// abbreviationLength bounds a month or unit before a dot: "sept.".
const abbreviationLength = 5

// abbreviates says whether a dot closes an abbreviation in the middle of a text.
func (l *lexer) abbreviates(at int) bool {
	n := len(l.tokens)
	if n == 0 || at+1 >= len(l.text) || l.tokens[n-1].classes&(month.set()|weekday.set()|unitWord.set()|yearAfter.set()) == 0 {
		return false
	}
	last := l.tokens[n-1]
	return last.end == int(l.at[at]) && last.end-last.start <= abbreviationLength
}

// spoken gives the languages of the question: those with the most words of the
// table in it, all when it has none. "hier" is yesterday in French and here in German.
func (l *lexer) spoken() langs {
	var most uint8
	var spoken langs
	for i, n := range l.votes {
		switch {
		case n > most:
			most, spoken = n, 1<<i
		case n == most:
			spoken |= 1 << i
		}
	}
	if most == 0 {
		return anyLanguage
	}
	return spoken
}
