package lexical

import (
	"sync"
	"unicode"

	"golang.org/x/text/unicode/rangetable"
)

// class says what a character does to the term it stands in or beside.
type class uint8

const (
	separator  class = iota // ends words and runs
	ignorable               // as if it were not there
	mark                    // combining mark
	letter                  // letter or number of a script with spaces
	decimal                 // decimal digit of any script
	cluster                 // letter of a script without spaces
	symbol                  // pictograph: a term of its own
	apostrophe              // joins, ends or trims a word, see scanner.apostrophe
	hyphen                  // joins two words into a compound
	tsheg                   // ends a Tibetan syllable inside a run
)

// script is a set of the writing systems found in one word.
type script uint8

const (
	latin script = 1 << iota
	cyrillic
	greek
	arabic
	devanagari
	pointed // scripts whose marks are optional points: Hebrew, Syriac
	digits
	others
)

// marked holds the scripts whose combining marks are part of the spelling; in
// the others a mark is an accent, a stress or a vowel point and is dropped.
const marked = devanagari | others

// joined holds the scripts in which an apostrophe stands inside a word.
const joined = cyrillic | pointed | others

// unspaced covers the scripts that put no space between words, and Hangul,
// whose words carry particles and compounds without one.
var unspaced = sync.OnceValue(func() *unicode.RangeTable {
	return rangetable.Merge(
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo,
		unicode.Hangul, unicode.Yi, unicode.Nushu, unicode.Tangut,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
		unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet,
		unicode.Javanese, unicode.Balinese,
	)
})

// classOf returns the class of a character outside ASCII.
func classOf(r rune) class {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA, r == 'ー':
		return cluster
	case r >= 0x2000 && r <= 0x206F:
		return punctuation(r)
	case r == unicode.ReplacementChar:
		return separator
	}
	if c, ok := special(r); ok {
		return c
	}
	switch {
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
		return ignorable
	case unicode.IsMark(r):
		return mark
	case unicode.IsDigit(r):
		return decimal
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return pictograph(r)
	case r >= 0x0E00 && unicode.Is(unspaced(), r):
		return cluster
	}
	return letter
}

// punctuation returns the class of a character of the block General
// Punctuation: quotes, hyphens and invisible controls.
func punctuation(r rune) class {
	switch {
	case r == '’', r == '‘':
		return apostrophe
	case r == '‐':
		return hyphen
	case unicode.Is(unicode.Cf, r):
		return ignorable
	}
	return separator
}

// special returns the class of characters that Unicode's categories do not
// tell apart for this purpose.
func special(r rune) (class, bool) {
	switch r {
	case 'ʼ', 'ʻ', '׳', '״':
		return apostrophe, true
	case '\u034F', '\u115F', '\u1160', 'ـ': // grapheme joiner, Hangul fillers, Arabic tatweel
		return ignorable, true
	case '՛', '՜', '՞': // Armenian signs written inside the word
		return ignorable, true
	case '\u0F0B', '\u0F0C':
		return tsheg, true
	case '〆', '〼':
		return cluster, true
	}
	return separator, false
}

// pictograph tells the emoji and the signs that people search for from other
// signs, such as those that draw boxes and arrows.
func pictograph(r rune) class {
	switch {
	case !unicode.Is(unicode.So, r):
		return separator
	case r >= 0x2300 && r <= 0x23FF, r >= 0x2600 && r <= 0x27BF, r >= 0x2B00 && r <= 0x2BFF, r >= 0x1F000 && r <= 0x1FBFF:
		return symbol
	}
	return separator
}

// digitOf returns the ASCII digit for a decimal digit of any script. Unicode
// gives each script its ten digits in one row, zero first.
func digitOf(r rune) byte {
	for _, t := range unicode.Nd.R16 {
		if r <= rune(t.Hi) {
			return '0' + byte((r-rune(t.Lo))%10)
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r <= rune(t.Hi) {
			return '0' + byte((r-rune(t.Lo))%10)
		}
	}
	return '0'
}
