package lexical

import (
	"strings"
	"sync"
)

// Word is a term that perceptions are compared by.
type Word struct {
	Term string
	// Name says that the term comes from a word that begins with a capital letter
	// inside a sentence, as names do.
	Name bool
}

// Words returns what a perception and a memory are compared by: the terms of
// Query without those of families ("commu*"), in order, each once. Every Term is
// a term of Terms(text) (FuzzWords).
//
// A term is a Name where one of its words begins with a capital and no sentence.
// A sentence begins with the text, after a line's end, and after . ! ? …, their
// wide forms and 。 with whatever quotes follow; not after the point of an initial
// or of a title such as "Dr.", nor after a point that a letter or digit follows
// at once. Nothing is a Name in scripts without case, among stop words, in German,
// which writes all nouns so, and in titles and shouts. German is a text with more
// of germanWords in it than of other stop words; a title or shout has most of two
// and more stop words inside its sentences with a capital.
func Words(text string) []Word {
	n := naming{begins: true, stops: stopTerms()}
	terms := scanNaming(text, true, &n)
	n.judge()
	at := make(map[string]int, len(terms))
	var words, stopped []Word
	for i, t := range terms {
		if n.kinds[i] == family {
			continue
		}
		if _, stop := n.stops[t]; stop {
			if _, known := at[t]; !known {
				at[t] = 0
				stopped = append(stopped, Word{Term: t})
			}
			continue
		}
		where, known := at[t]
		if !known {
			where = len(words)
			at[t] = where
			words = append(words, Word{Term: t})
		}
		words[where].Name = words[where].Name || n.kinds[i] == name
	}
	if len(words) == 0 {
		return stopped
	}
	return words
}

// kind says where a term comes from.
type kind uint8

const (
	plain  kind = iota
	family      // the first letters of a word
	name        // a word with a capital inside a sentence
)

// naming takes notes of names while a text is scanned.
type naming struct {
	kinds  []kind // of the terms, in order
	begins bool   // the next word begins a sentence
	noted  bool   // a word of the compound at hand was noted
	stops  map[string]struct{}

	german, foreign  int // words of germanWords; stop words that German does not have
	inside, capitals int // stop words inside sentences; those with a capital
}

// note takes in a word that has ended.
func (n *naming) note(w *word) {
	n.noted = true
	_, stop := n.stops[formsOf(w.buf, w.scripts).stem]
	switch german, known := germanWords()[string(w.buf)]; {
	case german:
		n.german++
	case stop && !known:
		n.foreign++
	}
	if stop && !n.begins && string(w.buf) != "i" {
		n.inside++
		if w.capital {
			n.capitals++
		}
	}
}

// endWord says that a word, with all parts of its compound, has ended.
func (n *naming) endWord() {
	n.begins = n.begins && !n.noted
	n.noted = false
}

// judge takes the names back where capitals do not tell them.
func (n *naming) judge() {
	if n.german <= n.foreign && (n.capitals < 2 || 2*n.capitals <= n.inside) {
		return
	}
	for i, k := range n.kinds {
		if k == name {
			n.kinds[i] = plain
		}
	}
}

// nameOrPlain is the kind of the terms of the word at hand.
func (s *scanner) nameOrPlain(capital bool) kind {
	if capital && s.naming != nil && !s.naming.begins {
		return name
	}
	return plain
}

// endSentence handles a sign that may end a sentence.
func (s *scanner) endSentence(sign byte, rest string) {
	ends := s.naming != nil && (sign != '.' || !startsWord(rest) && !s.word.abbreviates())
	s.flush()
	if ends {
		s.naming.begins = true
	}
}

// abbreviates reports whether a point after the word mostly shortens it: an
// initial, or a title before a name.
func (w *word) abbreviates() bool {
	if !w.capital {
		return false
	}
	switch string(w.buf) {
	case "mr", "mrs", "ms", "dr", "st", "prof", "mt":
		return true
	}
	return len(w.buf) == 1
}

// germanWords has, as true, folded words that German sentences are made of and
// other languages hardly use, and as false those that German shares with another
// language of stopWords, which speak for neither.
var germanWords = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(`der das dem den und ist nicht ein eine einer einem einen mit von zu zum zur auf fur
		sich im wie wer wann welche welcher welches ich du wir ihr sie mich mir dich dir uns habe haben hatte bei beim vom aus
		nach auch noch mein meine meinem meinen meiner dein deine unser unsere uber wird wurde werden sind bist kein keine
		dass wenn weil oder aber heute gestern morgen schon wieder`) {
		m[w] = true
	}
	for _, w := range strings.Fields("in so an am was war man hat will es er") {
		m[w] = false
	}
	return m
})
