package lexical

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the length in bytes at which a word is cut into pieces, so that a
// megabyte without a space gives many terms and not one; more than twice the
// longest words that people write.
const maxWord = 128

// maxKept is the number of terms over which a scanner is not kept for the next
// text, so that one huge text does not hold its memory.
const maxKept = 1 << 14

// scanner walks over a text once and collects terms.
type scanner struct {
	out      []string
	question bool
	naming   *naming // nil: nobody asks which terms are names
	word     word
	compound compound
	run      run
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

// trademarks take the signs away that NFKC would glue to the name before them.
var trademarks = strings.NewReplacer("™", " ", "℠", " ")

// scanText returns the terms of a text in order, duplicates included.
func scanText(text string, question bool) []string {
	return scanNaming(text, question, nil)
}

// scanNaming is scanText that also takes notes of names, unless n is nil.
func scanNaming(text string, question bool, n *naming) []string {
	text = strings.ToValidUTF8(text, " ") // NFKC misses letters beside broken ones
	if !norm.NFKC.IsNormalString(text) {
		text = norm.NFKC.String(trademarks.Replace(text))
	}
	s := scanners.Get().(*scanner)
	s.question, s.naming = question, n
	s.scan(text)
	terms := append([]string(nil), s.out...)
	s.naming = nil
	if cap(s.out) <= maxKept {
		clear(s.out)
		s.out = s.out[:0]
		scanners.Put(s)
	}
	return terms
}

// put appends a term, of the word at hand or a run.
func (s *scanner) put(term string, k kind) {
	s.out = append(s.out, term)
	if s.naming != nil {
		s.naming.kinds = append(s.naming.kinds, k)
	}
}

func (s *scanner) scan(text string) {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if asciiClass[c] == letter {
				i = s.asciiWord(text, i)
			} else {
				i += 1 + s.asciiSign(c, text[i+1:])
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		i += s.rune(r, text[i:])
	}
	s.flush()
}

// asciiClass has letter for letters and digits; the rest is told apart in
// asciiSign.
var asciiClass = func() (t [utf8.RuneSelf]class) {
	for c := range t {
		if r := rune(c); unicode.IsLetter(r) || unicode.IsDigit(r) {
			t[c] = letter
		}
	}
	return t
}()

// asciiWord takes the ASCII letters and digits from position i on into the word
// and returns the position after them.
func (s *scanner) asciiWord(text string, i int) int {
	s.endRun()
	w := &s.word
	old, end := len(w.buf), min(len(text), i+maxWord-len(w.buf))
	begin := i
	for i < end && text[i] < utf8.RuneSelf && asciiClass[text[i]] == letter {
		c := text[i]
		switch {
		case c < 'A':
			w.scripts |= digits
		case c < 'a':
			w.scripts |= latin
			c |= 0x20
		default:
			w.scripts |= latin
		}
		w.buf = append(w.buf, c)
		i++
	}
	if old == 0 {
		w.findHumps(text[begin:i])
		w.capital = text[begin]-'A' < 26
	} else if len(w.exact) > 0 {
		w.exact = append(w.exact, w.buf[old:]...)
	}
	s.capWord()
	return i
}

// asciiSign handles an ASCII character that is neither letter nor digit and
// returns how many bytes of the rest it took with it.
func (s *scanner) asciiSign(c byte, rest string) int {
	switch c {
	case '\'':
		return s.apostrophe(rest)
	case '"':
		if s.word.scripts == pointed { // a Hebrew abbreviation
			return s.apostrophe(rest)
		}
	case '-', '_':
		s.hyphen(rest)
		return 0
	case '+', '#':
		s.language(c, rest)
	case '.', '!', '?', '\n', '\r':
		s.endSentence(c, rest)
		return 0
	}
	s.flush()
	return 0
}

// rune handles a character outside ASCII and returns how many bytes of the rest
// it took with it.
func (s *scanner) rune(r rune, rest string) int {
	switch classAt(r) {
	case letter:
		s.endRun()
		s.word.add(r)
		s.capWord()
	case cluster:
		s.endCompound()
		if s.run.add(r) {
			return 0
		}
		s.endRun()
		s.run.add(r)
	case mark:
		if s.run.len() > 0 {
			s.run.mark(r)
		} else {
			s.word.mark(r)
			s.capWord()
		}
	case decimal:
		s.endRun()
		s.word.buf = append(s.word.buf, digitOf(r))
		s.word.scripts |= digits
		s.capWord()
	case ignorable:
		if r == '\u200C' && s.word.scripts&arabic != 0 { // between stem and ending in Persian
			s.endWord()
		}
	case apostrophe:
		return s.apostrophe(rest)
	case hyphen:
		s.hyphen(rest)
	case tsheg:
		s.run.open = false
	case symbol:
		s.flush()
		s.put(string(r), plain)
	default:
		if r == '·' && s.betweenLs(rest) {
			return 0
		}
		s.flush()
		if r == '。' && s.naming != nil {
			s.naming.begins = true
		}
	}
	return 0
}

// betweenLs reports whether the point of a Catalan l·l is at hand.
func (s *scanner) betweenLs(rest string) bool {
	n := len(s.word.buf)
	return n > 0 && s.word.buf[n-1] == 'l' && rest != "" && rest[0]|0x20 == 'l'
}

// language gives C++, C#, F# and their like, a letter with a sign, a term of
// their own beside the letter.
func (s *scanner) language(c byte, rest string) {
	sign := "#"
	if c == '+' {
		if !strings.HasPrefix(rest, "+") {
			return
		}
		sign, rest = "++", rest[1:]
	}
	if s.word.scripts == latin && len(s.word.buf) == 1 && !startsWord(rest) {
		s.put(string(s.word.buf)+sign, s.nameOrPlain(s.word.capital))
	}
}

// startsWord reports whether a word of letters or digits begins the text.
func startsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	if r < utf8.RuneSelf {
		return asciiClass[r] == letter && len(text) > 0
	}
	c := classAt(r)
	return c == letter || c == decimal
}

// flush ends whatever is open.
func (s *scanner) flush() {
	s.endCompound()
	s.endRun()
}
