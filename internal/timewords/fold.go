package timewords

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text as the table knows it: composed (NFC), lower case, one kind of
// digit, apostrophe, dash and space, one variant of letters that are written in
// several ways.
type folded struct {
	text []byte
	at   []int32 // for each byte of text, and its end, the byte of the source
}

// fold brings a text into the form of the table.
func fold(source string) folded {
	f := folded{text: make([]byte, 0, len(source)+1), at: make([]int32, 0, len(source)+2)}
	if norm.NFC.IsNormalString(source) {
		for i, r := range source {
			f.add(r, i)
		}
	} else {
		f.compose(source)
	}
	f.at = append(f.at, int32(len(source)))
	return f
}

func (f *folded) compose(source string) {
	var segments norm.Iter
	segments.InitString(norm.NFC, source)
	for at := 0; !segments.Done(); at = segments.Pos() {
		for segment := segments.Next(); len(segment) > 0; {
			r, n := utf8.DecodeRune(segment)
			f.add(r, at)
			segment = segment[n:]
		}
	}
}

// add appends a rune that stands at a byte of the source.
func (f *folded) add(r rune, at int) {
	r = foldRune(r)
	if r == dropped || r == ' ' && len(f.text) > 0 && f.text[len(f.text)-1] == ' ' {
		return
	}
	f.text = utf8.AppendRune(f.text, r)
	for len(f.at) < len(f.text) {
		f.at = append(f.at, int32(at))
	}
}

// dropped marks runes that carry no meaning here.
const dropped = -1

func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		return foldASCII(r)
	}
	if r >= 0xFF01 && r <= 0xFF5E { // full-width forms of ASCII
		return foldASCII(r - 0xFEE0)
	}
	if v, ok := variants[r]; ok {
		return v
	}
	switch {
	case r >= 0x064B && r <= 0x0652, // Arabic vowel signs
		r == 0x0300 || r == 0x0301,                           // accents that do not compose: stress marks of Cyrillic
		r >= 0x200B && r <= 0x200F, r == 0x2060, r == 0xFEFF: // zero width
		return dropped
	case unicode.Is(unicode.Nd, r):
		return '0' + digit(r)
	case unicode.IsSpace(r):
		return ' '
	}
	r = unicode.ToLower(r)
	if v, ok := variants[r]; ok {
		return v
	}
	return r
}

func foldASCII(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r <= ' ':
		return ' '
	case r == '`':
		return '\''
	case r == '~':
		return '-'
	}
	return r
}

// digit is the value of a decimal digit. Unicode keeps each ten of them together
// and in order (Standard, section 4.6); TestDigits holds it.
func digit(r rune) rune {
	for _, x := range unicode.Nd.R16 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return (r - rune(x.Lo)) % 10
		}
	}
	for _, x := range unicode.Nd.R32 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return (r - rune(x.Lo)) % 10
		}
	}
	return 0
}

// variants are letters and signs written in several ways. Traditional characters
// stand for the simplified ones, which are also what Japanese words fold to.
var variants = map[rune]rune{
	'’': '\'', '‘': '\'', 'ʼ': '\'', '′': '\'', '׳': '\'',
	'‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '−': '-', '〜': '-', '־': '-',
	'、': ',', '，': ',', '،': ',', '。': '.',
	'ϊ': 'ι', 'ΐ': 'ι', 'ϋ': 'υ', 'ΰ': 'υ',
	'ς': 'σ', 'ά': 'α', 'έ': 'ε', 'ή': 'η', 'ί': 'ι', 'ό': 'ο', 'ύ': 'υ', 'ώ': 'ω',
	'ё': 'е',
	'أ': 'ا', 'إ': 'ا', 'آ': 'ا', 'ى': 'ي', 'ة': 'ه', 'ـ': dropped,
	'\u00AD': dropped,
	'週':      '周', '這': '这', '個': '个', '後': '后', '過': '过', '兩': '两', '號': '号', '禮': '礼',
	'間': '间', '聖': '圣', '誕': '诞', '從': '从', '來': '来', '節': '节', '幾': '几', '數': '数',
	'紀': '纪', '與': '与', '為': '为', '麼': '么', '們': '们', '誰': '谁', '應': '应', '現': '现',
}
