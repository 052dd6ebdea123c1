package lexical

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/russian"
)

// forms are the terms of one word.
type forms struct {
	word   string // folded
	stem   string
	family string // the first letters with a star; empty for short words and words with digits
}

// familyLetters is the number of letters that words of one family share. Five
// was measured against four, six and seven, alone and beside the stem.
const familyLetters = 5

// newForms stems a folded word.
func newForms(word string, scripts script) forms {
	f := forms{word: word, stem: stem(word, scripts)}
	if scripts&digits != 0 {
		return f
	}
	if scripts == arabic {
		word = withoutArticle(word)
	}
	if n, ok := prefix(word, familyLetters); ok {
		f.family = word[:n] + "*"
	}
	return f
}

// prefix returns the length in bytes of the first n letters of a word, and
// whether it has that many.
func prefix(word string, n int) (int, bool) {
	for i := range word {
		if n == 0 {
			return i, true
		}
		n--
	}
	return len(word), n == 0
}

// stem returns the stem of a folded word, the word itself where its script has
// no rules.
func stem(word string, scripts script) string {
	s := word
	switch scripts {
	case latin:
		if base, ok := irregular()[word]; ok {
			return base
		}
		s = snowball(word, english.Stem)
	case cyrillic:
		s = snowball(word, russian.Stem)
	case arabic:
		s = stemArabic(word)
	case greek:
		s = stemGreek(word)
	case devanagari:
		s = stemDevanagari(word)
	}
	if s == "" {
		return word
	}
	return s
}

func snowball(word string, rules func(*snowballstem.Env) bool) string {
	env := snowballstem.NewEnv(word)
	rules(env)
	return env.Current()
}
