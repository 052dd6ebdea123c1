package timewords

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// numeral is a number, or several joined by signs as in a date.
type numeral struct {
	parts   [3]int
	lengths [3]int // digits of each part; 0 for a Han number such as 二十三
	count   int    // parts; 0 when it is no number of ours
	sep     byte   // between the parts
	ordinal bool   // 12th
}

// classes is what a numeral can be.
func (n numeral) classes() classes {
	switch n.count {
	case 1:
		return digits.set() | number.set()
	case 2:
		if n.sep == '-' && n.lengths[0] <= 2 && n.lengths[1] <= 2 {
			return digitPair.set()
		}
		return digitDate.set()
	case 3:
		return digitDate.set()
	}
	return 0
}

// dotted are the languages that write ordinals with a dot.
var dotted = codes("de") | codes("da") | codes("fi") | codes("pl") | codes("tr")

// numeral reads digits and the numbers that signs join to them. What hangs on a
// letter, a sign or too many numbers is no number of ours: 1.2.3.4, OC-41252, 12px.
func (l *lexer) numeral(at int) int {
	n, end := joined(l.text, at)
	t := token{langs: anyLanguage}
	if l.stuckBefore(at) || n.count == 0 {
		return l.emit(at, l.nameEnd(end), t)
	}
	ending, after := l.ending(end, n)
	if ending&ordinal.set() != 0 {
		n.ordinal, end = true, after
	} else if ending&decadeAfter.set() != 0 {
		return l.decade(at, end, after, n)
	} else if n.count == 3 && n.lengths[0] == 4 && runeAt(l.text, end) == 't' {
		end = l.nameEnd(end)
	} else if r := runeAt(l.text, end); r == '_' || r == '%' || r == '°' || r == '€' || r == '$' ||
		unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		return l.emit(at, l.nameEnd(end), t)
	}
	if n.count == 1 && n.lengths[0] <= 2 || n.count == 2 && n.sep == '.' {
		if end < len(l.text) && l.text[end] == '.' && !unicode.IsDigit(runeAt(l.text, end+1)) {
			t.langs, n.ordinal = dotted, true
			end++
		}
	}
	t.classes, t.number = n.classes(), n
	return l.emit(at, end, t)
}

// nameEnd is where a name that holds a number ends: at a space or at a script
// without spaces.
func (l *lexer) nameEnd(at int) int {
	for at < len(l.text) {
		r, size := utf8.DecodeRune(l.text[at:])
		if r == ' ' || runsOn(r) || unicode.Is(unicode.Hangul, r) {
			break
		}
		at += size
	}
	return at
}

// stuckBefore says whether something stands directly before a number that makes
// it a part of a name.
func (l *lexer) stuckBefore(at int) bool {
	if at == 0 {
		return false
	}
	r, size := utf8.DecodeLastRune(l.text[:at])
	switch r {
	case '#', '$', '€', '£', '¥', '@', '_', '\\', '+', '№', '.':
		return true
	case '-', '/':
		before, _ := utf8.DecodeLastRune(l.text[:at-size])
		return joins(before) && !unicode.Is(unicode.Hebrew, before) && !l.afterDate()
	}
	return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

// afterDate says whether the dash before stands behind a date or a word of the
// table, as in 10/1-11/2 or Nov-5.
func (l *lexer) afterDate() bool {
	n := len(l.tokens)
	return n >= 2 && l.tokens[n-1].classes == dash.set() && l.tokens[n-2].classes != 0
}

// ending finds an ending of an ordinal or a decade behind a number.
func (l *lexer) ending(end int, n numeral) (classes, int) {
	if end >= len(l.text) || l.text[end] == ' ' || n.count != 1 {
		return 0, end
	}
	g, after := l.table.longest(l.text, end, l.wordEnds)
	if after == end {
		return 0, end
	}
	return l.table.classesOf(g), after
}

// decade adds a number and its ending, such as 90s.
func (l *lexer) decade(at, end, after int, n numeral) int {
	l.emit(at, end, token{classes: digits.set(), number: n, langs: anyLanguage})
	g, _ := l.table.longest(l.text, end, l.wordEnds)
	return l.emit(end, after, token{classes: decadeAfter.set(), readings: g})
}

// joined reads numbers joined by one kind of sign. A dash behind numbers that
// another sign joins ends them: it makes a range.
func joined(text []byte, at int) (numeral, int) {
	var n numeral
	for {
		end := at
		value := 0
		for end < len(text) && '0' <= text[end] && text[end] <= '9' {
			value = min(value*10+int(text[end]-'0'), 99999)
			end++
		}
		if n.count == len(n.parts) {
			return numeral{}, end
		}
		n.parts[n.count], n.lengths[n.count] = value, end-at
		n.count++
		sep, more := joint(text, end)
		if !more {
			return n.valid(), end
		}
		if n.count > 1 && sep != n.sep {
			if sep == '-' {
				return n.valid(), end
			}
			n.sep = '?'
		} else {
			n.sep = sep
		}
		at = end + 1
	}
}

// joint gives the sign that joins a number to the next one. A comma joins groups
// of three digits only.
func joint(text []byte, at int) (byte, bool) {
	next := 0
	for at+1+next < len(text) && '0' <= text[at+1+next] && text[at+1+next] <= '9' {
		next++
	}
	if next == 0 || !strings.ContainsRune("-/.:,", rune(text[at])) || text[at] == ',' && next != 3 {
		return 0, false
	}
	return text[at], true
}

// valid is n, or nothing when its signs and lengths are those of no date.
func (n numeral) valid() numeral {
	switch {
	case n.count == 1 && n.lengths[0] > 4, n.count > 1 && n.sep != '-' && n.sep != '/' && n.sep != '.':
		return numeral{}
	}
	return n
}

// hanDigits are the digits of Han numbers; 〇 and 零 are zero.
const hanDigits = "〇一二三四五六七八九"

// hanNumeral reads a number in Han digits, by place (二〇二三) or by multiples up
// to thousands (二十三). The end is at when there is none.
func hanNumeral(text []byte, at int) (numeral, int) {
	total, current, count, byPlace := 0, 0, 0, true
	end := at
	for end < len(text) && count < 8 {
		r, size := utf8.DecodeRune(text[end:])
		d, multiple := hanValue(r)
		switch {
		case d < 0 && multiple == 0:
			return hanResult(total+current, count, byPlace), end
		case multiple > 0:
			total, current, byPlace = total+max(current, 1)*multiple, 0, false
		case byPlace:
			current = current*10 + d
		default:
			current = d
		}
		end += size
		count++
	}
	return hanResult(total+current, count, byPlace), end
}

func hanResult(value, count int, byPlace bool) numeral {
	if count == 0 || value > 9999 {
		return numeral{}
	}
	if !byPlace {
		count = 0
	}
	return numeral{parts: [3]int{value}, lengths: [3]int{count}, count: 1}
}

// hanValue is the value of a Han digit, or -1 and its multiple.
func hanValue(r rune) (digit, multiple int) {
	switch r {
	case '十':
		return -1, 10
	case '百':
		return -1, 100
	case '千':
		return -1, 1000
	case '零':
		return 0, 0
	case '两':
		return 2, 0
	}
	if i := strings.IndexRune(hanDigits, r); i >= 0 {
		return i / utf8.RuneLen('一'), 0
	}
	return -1, 0
}
