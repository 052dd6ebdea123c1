package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldText gives a text as screening compares it, so that a disguise does not
// help: compatible characters as one (NFKC), lower case, without accents, Arabic
// vowel signs and Indic dots, runs of white space as one space. Invisible
// characters (Default_Ignorable_Code_Point) become the given string; hidden says
// whether there were any.
func foldText(text, invisible string) (folded string, hidden bool) {
	if needsNorm(text) {
		text = norm.NFKC.String(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range text {
		if r < utf8.RuneSelf && !isSpace(byte(r)) {
			if space {
				b.WriteByte(' ')
				space = false
			}
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			b.WriteByte(byte(r))
			continue
		}
		if r = foldOf(r); r == foldHidden {
			hidden = true
			space = space || invisible != ""
			continue
		}
		if r == foldSpace {
			space = true
			continue
		}
		if space && r != foldGone {
			b.WriteByte(' ')
			space = false
		}
		switch r {
		case foldGone:
		case foldSharpS:
			b.WriteString("ss")
		default:
			b.WriteRune(r)
		}
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String(), hidden
}

// What foldOf says of a rune that does not become another rune.
const (
	foldGone   rune = -1 // a mark that a reader does without
	foldHidden rune = -2 // nobody sees it
	foldSpace  rune = -3
	foldSharpS rune = -4 // ss
)

// foldOf gives what a rune becomes.
func foldOf(r rune) rune {
	switch {
	case int(r) < len(foldTable):
		return foldTable[r]
	case ownForm(r):
		return r
	case r >= 0xFF01 && r <= 0xFF5E: // ASCII at full width
		return foldTable[r-0xFEE0]
	}
	return foldSlow(r)
}

// ownForm says whether a rune of the scripts with many signs stays as it is:
// kana, Han, Hangul.
func ownForm(r rune) bool {
	return r >= 0x3041 && r <= 0x30FF && r != 0x3099 && r != 0x309A || r >= 0x4E00 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3
}

// needsNorm says whether a text may hold characters whose compatible form foldOf
// does not know by itself.
func needsNorm(text string) bool {
	for _, r := range text {
		if int(r) >= len(foldTable) && !ownForm(r) && !oneByOne(r) {
			return true
		}
	}
	return strings.Contains(text, "\u09C7\u09BE") // a Bengali vowel in two parts
}

// oneByOne says whether a rune has a form of its own without its neighbours:
// dashes and quotes, signs of Han texts, ASCII at full width.
func oneByOne(r rune) bool {
	return r >= 0x2010 && r <= 0x2023 || r >= 0x3000 && r <= 0x3020 || r >= 0xFF01 && r <= 0xFF5E
}

// foldTable is foldSlow of the scripts from Latin to Bengali.
var foldTable = func() (table [0x0A00]rune) {
	for r := range table {
		table[r] = foldSlow(rune(r))
	}
	return table
}()

func foldSlow(r rune) rune {
	switch {
	case unicode.Is(ignorable, r):
		return foldHidden
	case unicode.IsSpace(r):
		return foldSpace
	case unicode.Is(dropped, r):
		return foldGone
	case r == 'ß' || r == 'ẞ':
		return foldSharpS
	}
	if one, known := oneWriting[r]; known {
		return one
	}
	r = unicode.ToLower(r)
	for i, part := range norm.NFKD.String(string(r)) { // the first part of a sign with marks is its base
		if i == 0 && !unicode.Is(dropped, part) {
			return part
		}
	}
	return r
}

// oneWriting maps signs that are written in several ways to one of them.
var oneWriting = map[rune]rune{
	'‘': '\'', '’': '\'', 'ʼ': '\'', '′': '\'', '“': '"', '”': '"', '„': '"',
	'ی': 'ي', 'ى': 'ي', 'ک': 'ك', 'ة': 'ه', 'ı': 'i',
}

// dropped are marks that a reader does without: combining accents, Arabic vowel
// signs and the stretching line, the dots below Indic letters.
var dropped = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0300, Hi: 0x036F, Stride: 1},
	{Lo: 0x0640, Hi: 0x0640, Stride: 1},
	{Lo: 0x064B, Hi: 0x065F, Stride: 1},
	{Lo: 0x0670, Hi: 0x0670, Stride: 1},
	{Lo: 0x093C, Hi: 0x093C, Stride: 1},
	{Lo: 0x09BC, Hi: 0x09BC, Stride: 1},
}}

// ignorable is Default_Ignorable_Code_Point of Unicode 16,
// DerivedCoreProperties.txt.
var ignorable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00AD, Hi: 0x00AD, Stride: 1},
		{Lo: 0x034F, Hi: 0x034F, Stride: 1},
		{Lo: 0x061C, Hi: 0x061C, Stride: 1},
		{Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1},
		{Lo: 0x180B, Hi: 0x180F, Stride: 1},
		{Lo: 0x200B, Hi: 0x200F, Stride: 1},
		{Lo: 0x202A, Hi: 0x202E, Stride: 1},
		{Lo: 0x2060, Hi: 0x206F, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xFE00, Hi: 0xFE0F, Stride: 1},
		{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1},
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
		{Lo: 0xFFF0, Hi: 0xFFF8, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1BCA0, Hi: 0x1BCA3, Stride: 1},
		{Lo: 0x1D173, Hi: 0x1D17A, Stride: 1},
		{Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1},
	},
	LatinOffset: 1,
}
