package lexical

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// spelling maps a lower-case letter that Unicode does not decompose to the
// letters people type when they do not have it, and letters that are written
// interchangeably to one of them.
var spelling = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th",
	'ħ': "h", 'ŧ': "t", 'ı': "i", 'ŋ': "n", 'ĸ': "k", 'ƒ': "f", 'ə': "a", 'ɨ': "i", 'ʉ': "u",
	'ɓ': "b", 'ɖ': "d", 'ɗ': "d", 'ƙ': "k", 'ɣ': "g", 'ɲ': "n", 'ƴ': "y", 'ɛ': "e", 'ɔ': "o", 'ʋ': "v",
	'ς': "σ",
	'ё': "е",
	'أ': "ا", 'إ': "ا", 'آ': "ا", 'ٱ': "ا", 'ى': "ي", 'ی': "ي", 'ې': "ي", 'ے': "ي", 'ئ': "ي", 'ؤ': "و",
	'ة': "ه", 'ہ': "ه", 'ھ': "ه", 'ە': "ه", 'ۀ': "ه", 'ۂ': "ه", 'ک': "ك", 'ڪ': "ك",
	'ך': "כ", 'ם': "מ", 'ן': "נ", 'ף': "פ", 'ץ': "צ",
	'ऩ': "न", 'ऱ': "र", 'ऴ': "ळ",
	// Malayalam final consonants have an older spelling with a joiner.
	'ൺ': "ണ്", 'ൻ': "ന്", 'ർ': "ര്", 'ൽ': "ല്", 'ൾ': "ള്", 'ൿ': "ക്",
}

// glyph is what the scanner needs to know of one character.
type glyph struct {
	folded string // of a letter: lower case, without accents; may be empty
	script script // of a letter
	class  class
}

// The blocks whose glyphs are kept in a table: Latin to the scripts of India,
// and the accented Latin and Greek ones.
const (
	lowEnd    = 0x0E00
	highStart = 0x1E00
	highEnd   = 0x2000
)

// glyphs is the table; it is made at the first character outside ASCII.
var glyphs = sync.OnceValue(func() *[lowEnd + highEnd - highStart]glyph {
	var t [lowEnd + highEnd - highStart]glyph
	for i := range t {
		r := rune(i)
		if i >= lowEnd {
			r += highStart - lowEnd
		}
		t[i] = glyph{class: classOf(r)}
		if t[i].class == letter {
			t[i].script = scriptOf(r)
			t[i].folded = fold(r, t[i].script)
		}
	}
	return &t
})

// tabled returns the glyph of a character of the table, or nil.
func tabled(r rune) *glyph {
	switch {
	case r < lowEnd:
		return &glyphs()[r]
	case r >= highStart && r < highEnd:
		return &glyphs()[lowEnd+r-highStart]
	}
	return nil
}

// classAt is classOf with the help of the table.
func classAt(r rune) class {
	if g := tabled(r); g != nil {
		return g.class
	}
	return classOf(r)
}

// foldInto appends a folded letter and returns its script.
func foldInto(dst []byte, r rune) ([]byte, script) {
	if g := tabled(r); g != nil {
		return append(dst, g.folded...), g.script
	}
	s := scriptOf(r)
	return append(dst, fold(r, s)...), s
}

func scriptOf(r rune) script {
	switch {
	case unicode.Is(unicode.Latin, r):
		return latin
	case unicode.Is(unicode.Greek, r):
		return greek
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillic
	case unicode.Is(unicode.Arabic, r):
		return arabic
	case unicode.Is(unicode.Devanagari, r):
		return devanagari
	case unicode.In(r, unicode.Hebrew, unicode.Syriac):
		return pointed
	}
	return others
}

// fold lower-cases a letter and, in Latin and Greek, takes its accents off.
// In Cyrillic й, ї and ў stay letters of their own, since folding й to и gained
// nothing on Russian; ё is written е by most people.
func fold(r rune, s script) string {
	r = unicode.ToLower(r)
	if to, ok := spelling[r]; ok {
		return to
	}
	if s&(latin|greek) == 0 {
		return string(r)
	}
	var out []byte
	for _, d := range norm.NFD.String(string(r)) {
		if to, ok := spelling[d]; ok {
			out = append(out, to...)
		} else if !unicode.IsMark(d) {
			out = utf8.AppendRune(out, unicode.ToLower(d))
		}
	}
	return string(out)
}
