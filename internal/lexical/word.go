package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is the word being read.
type word struct {
	buf     []byte // folded
	scripts script
	humps   []int  // where the further parts of a camelCase name begin in buf
	exact   []byte // lower case with its accents; empty while there was none
	toned   bool   // exact has letters that only Vietnamese uses
	capital bool   // it begins with a capital letter
}

// add takes a letter outside ASCII into the word.
func (w *word) add(r rune) {
	if len(w.buf) == 0 {
		w.capital = unicode.IsUpper(r) || unicode.IsTitle(r)
	}
	if len(w.exact) == 0 {
		w.exact = append(w.exact, w.buf...)
	}
	var s script
	w.buf, s = foldInto(w.buf, r)
	w.scripts |= s
	r = unicode.ToLower(r)
	w.toned = w.toned || r == 'ơ' || r == 'ư' || r >= 'ạ' && r <= 'ỹ'
	w.exact = utf8.AppendRune(w.exact, r)
}

// mark takes a combining mark into the word where it is part of the spelling.
func (w *word) mark(r rune) {
	if w.scripts&marked == 0 {
		return
	}
	if w.scripts&devanagari != 0 {
		switch r {
		case '\u093C': // nukta, often left out
			return
		case '\u0901': // candrabindu, often written as anusvara
			r = '\u0902'
		}
	}
	w.buf = utf8.AppendRune(w.buf, r)
}

// findHumps notes where the parts of a camelCase name begin. A name that begins
// with a capital is left whole (YouTube, JavaScript), and so is one with a part
// of a single letter (iPhone).
func (w *word) findHumps(name string) {
	if w.scripts != latin || name[0] < 'a' {
		return
	}
	last := 0
	for i := 1; i < len(name); i++ {
		if name[i] >= 'a' || name[i-1] < 'a' {
			continue
		}
		if i-last < 2 {
			break
		}
		w.humps = append(w.humps, i)
		last = i
	}
	if len(name)-last < 2 {
		w.humps = w.humps[:0]
	}
}

func (w *word) reset() {
	w.buf, w.humps, w.exact = w.buf[:0], w.humps[:0], w.exact[:0]
	w.scripts, w.toned, w.capital = 0, false, false
}

// endWord turns the word being read into terms.
func (s *scanner) endWord() {
	w := &s.word
	if len(w.buf) == 0 {
		w.reset()
		return
	}
	if s.naming != nil {
		s.naming.note(w)
	}
	if w.scripts&digits != 0 {
		s.emit(plainNumber(w.buf), w.scripts)
	} else {
		s.emit(w.buf, w.scripts)
	}
	if len(w.humps) > 0 && w.scripts == latin {
		last := 0
		for _, h := range append(w.humps, len(w.buf)) {
			s.emit(w.buf[last:h], latin)
			last = h
		}
	}
	if w.toned && w.scripts == latin && len(w.exact) <= maxWord {
		s.put("="+string(w.exact), s.nameOrPlain(w.capital))
	}
	w.reset()
}

// capWord ends a word that has grown too long.
func (s *scanner) capWord() {
	if len(s.word.buf) >= maxWord {
		s.endWord()
	}
}

// emit appends the terms of a folded word.
func (s *scanner) emit(w []byte, scripts script) {
	f := formsOf(w, scripts)
	s.put(f.stem, s.nameOrPlain(s.word.capital))
	if f.family != "" {
		s.put(f.family, family)
	}
}

// plainNumber writes 08 as 8 and 8th as 8, so that the days of 2026-05-08, of
// 8 May and of May 8th are one term.
func plainNumber(w []byte) []byte {
	if len(w) == 2 && w[0] == '0' {
		return w[1:]
	}
	n := len(w) - 2
	if n < 1 || n > 3 || slices.ContainsFunc(w[:n], func(c byte) bool { return c < '0' || c > '9' }) {
		return w
	}
	switch string(w[n:]) {
	case "st", "nd", "rd", "th":
		return w[:n]
	}
	return w
}

// compound is a chain of words joined by hyphens or underscores.
type compound struct {
	buf     []byte // the words without the signs
	scripts script
	capital bool // its first word begins with a capital letter
}

// maxCompound is the length in bytes over which a chain is a path or a table
// and not one word; it then gives its parts only.
const maxCompound = 64

// add takes the word being read into the chain.
func (c *compound) add(w *word) {
	if len(c.buf) == 0 {
		c.capital = w.capital
	}
	if len(c.buf) <= maxCompound {
		c.buf = append(c.buf, w.buf...)
		c.scripts |= w.scripts
	}
}

// hyphen ends a word, as a part of a compound if another word follows at once.
func (s *scanner) hyphen(rest string) {
	if len(s.word.buf) == 0 || !startsWord(rest) {
		s.flush()
		return
	}
	s.compound.add(&s.word)
	s.endWord()
}

// endCompound ends the word being read and the compound it closes.
func (s *scanner) endCompound() {
	c := &s.compound
	if len(c.buf) > 0 {
		c.add(&s.word)
	}
	s.endWord()
	if len(c.buf) > 0 && len(c.buf) <= maxCompound {
		s.put(formsOf(c.buf, c.scripts).stem, s.nameOrPlain(c.capital))
	}
	c.buf, c.scripts = c.buf[:0], 0
	if s.naming != nil {
		s.naming.endWord()
	}
}

// apostrophe handles the sign after a word and returns how many bytes of the
// rest it took with it. English endings are cut off, with n't as the word
// "not"; elsewhere the sign parts Latin words (l'homme, İstanbul'da) and stands
// inside others (Ukrainian, Hebrew).
func (s *scanner) apostrophe(rest string) int {
	if s.word.scripts&joined != 0 && startsWord(rest) {
		return 0
	}
	n := 0
	if s.word.scripts != 0 && s.word.scripts&^(latin|digits) == 0 {
		n = contraction(rest)
	}
	if n == 1 && rest[0]|0x20 == 't' && s.word.negation() {
		s.flush()
		s.emit([]byte("not"), latin)
		return 1
	}
	s.flush()
	return n
}

// contraction returns the length of the English ending that the text begins
// with, 0 if there is none.
func contraction(text string) int {
	n := 0
	for n < len(text) && n < 3 && asciiLetter(text[n]) {
		n++
	}
	if n == 0 || startsWord(text[n:]) {
		return 0
	}
	switch strings.ToLower(text[:n]) {
	case "s", "t", "d", "m", "ll", "re", "ve":
		return n
	}
	return 0
}

func asciiLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// negation takes the n of n't off the word and reports whether it was there.
func (w *word) negation() bool {
	switch string(w.buf) {
	case "can":
		return true
	case "won":
		w.buf = append(w.buf[:0], "will"...)
		return true
	}
	n := len(w.buf) - 1
	if n < 1 || w.buf[n] != 'n' {
		return false
	}
	w.buf = w.buf[:n]
	return true
}
