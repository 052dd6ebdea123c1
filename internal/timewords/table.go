package timewords

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// word is one reading of a phrase of the table.
type word struct {
	text  string // folded
	class class
	flags flag
	value int16
	langs langs
}

// table is the words of all languages, sorted by text, so that a text can be
// walked byte by byte.
type table struct {
	words []word
	start [257]uint16 // words that begin with byte b are words[start[b]:start[b+1]]
}

// lexicon is built at the first question; TestTableIsSmall measures it.
var lexicon = sync.OnceValue(func() *table { return newTable(languages) })

// language is the words of one language, in rows: a key, blanks, and words
// separated by commas; variants in a row with one place for each value stand
// between bars. Flags may follow a word.
type language struct {
	code string
	rows string
}

// codes gives the bit of a language.
func codes(code string) langs {
	for i, l := range languages {
		if l.code == code {
			return 1 << i
		}
	}
	panic(fmt.Sprintf("timewords: no language %q", code))
}

func newTable(languages []language) *table {
	b := builder{}
	for i, l := range languages {
		b.langs = 1 << i
		for row := range strings.Lines(l.rows) {
			key, rest, _ := strings.Cut(strings.TrimSpace(row), " ")
			if key != "" {
				b.row(key, rest)
			}
		}
	}
	return b.table()
}

// builder collects words. A row that it cannot read is a fault in the data and
// panics; TestTable reads every row.
type builder struct {
	words []word
	langs langs
}

func (b *builder) row(key, rest string) {
	if list, ok := lists[key]; ok {
		for i, place := range strings.Split(rest, ",") {
			for w := range strings.SplitSeq(place, "|") {
				b.add(w, list.class, int16(i+list.from))
			}
		}
		return
	}
	class, value := readKey(key)
	for w := range strings.SplitSeq(rest, ",") {
		b.add(w, class, value)
	}
}

// marks are the flags as the rows have them.
var marks = map[byte]flag{'?': weak, '^': capital, '!': verb, '~': bare}

func (b *builder) add(w string, c class, value int16) {
	w = strings.TrimSpace(w)
	var flags flag
	for len(w) > 0 && marks[w[len(w)-1]] != 0 {
		flags |= marks[w[len(w)-1]]
		w = w[:len(w)-1]
	}
	if w != "" {
		b.words = append(b.words, word{text: string(fold(w).text), class: c, flags: flags, value: value, langs: b.langs})
	}
}

// table sorts the words, joins those that differ in the language alone, and puts
// all texts into one string.
func (b *builder) table() *table {
	slices.SortFunc(b.words, func(x, y word) int {
		return cmp.Or(cmp.Compare(x.text, y.text), cmp.Compare(x.class, y.class), cmp.Compare(x.value, y.value), cmp.Compare(x.flags, y.flags))
	})
	var kept int
	var texts strings.Builder
	for _, w := range b.words {
		if kept > 0 && same(b.words[kept-1], w) {
			b.words[kept-1].langs |= w.langs
			continue
		}
		b.words[kept] = w
		kept++
		texts.WriteString(w.text)
	}
	t := &table{words: slices.Clone(b.words[:kept])}
	rest := texts.String()
	for i := range t.words {
		w := &t.words[i]
		w.text, rest = rest[:len(w.text)], rest[len(w.text):]
		t.start[int(w.text[0])+1] = uint16(i + 1)
	}
	for i := 1; i < len(t.start); i++ {
		t.start[i] = max(t.start[i], t.start[i-1])
	}
	return t
}

func same(x, y word) bool {
	return x.text == y.text && x.class == y.class && x.value == y.value && x.flags == y.flags
}

// lists are the rows with one place for each value.
var lists = map[string]struct {
	class class
	from  int
}{
	"months": {month, 1}, "weekdays": {weekday, 1}, "numbers": {number, 1},
	"units": {unitWord, 0}, "seasons": {season, 0}, "parts": {part, 0}, "holidays": {holiday, 0},
}

// keys are the rows with one value, after their name.
var keys = map[string]class{
	"day": day, "rel": rel, "post": post, "past": past, "one": number, "few": number,
	"span": span, "first": first, "ago<": agoBefore, "ago>": agoAfter, "in": in, "in>": inAfter,
	"on": on, "of": of, "partof": partOf, "from": from, "between": between, "between>": betweenAfter, "and": and, "to": to,
	"since": sinceBefore, "since>": sinceAfter, "before": beforeBefore, "before>": beforeAfter,
	"after": afterBefore, "after>": afterAfter, "until": untilBefore, "until>": untilAfter,
	"year<": yearBefore, "year>": yearAfter, "month<": monthBefore, "month>": monthAfter, "day>": dayAfter,
	"decade<": decadeBefore, "decade>": decadeAfter, "era": era, "each": each, "measure": measure,
	"cues": cue, "glued": glued, "ordinal": ordinal, "none": unknown,
}

// unitNames are the codes behind the dot of a key.
var unitNames = []string{"minute", "hour", "day", "week", "month", "year", "decade", "weekend", "night", "quarter"}

// seasonNames and partNames are codes behind the dot of a key, too.
var (
	seasonNames = []string{"spring", "summer", "autumn", "winter"}
	partNames   = []string{"morning", "noon", "afternoon", "evening", "night"}
)

// readKey reads a key such as day-1, rel-1.week, span2.day or since>.
func readKey(key string) (class, int16) {
	name, code, dotted := strings.Cut(key, ".")
	at := strings.IndexAny(name, "-+0123456789")
	n := 0
	if at > 0 {
		var err error
		if n, err = strconv.Atoi(name[at:]); err != nil {
			panic(fmt.Sprintf("timewords: number in key %q", key))
		}
		name = name[:at]
	}
	c, ok := keys[name]
	switch {
	case !ok:
		panic(fmt.Sprintf("timewords: key %q", key))
	case dotted:
		return pairKey(c, n, code)
	case name == "one":
		return c, 1
	case name == "few":
		return c, few
	}
	return c, int16(n)
}

func pairKey(c class, n int, code string) (class, int16) {
	if i := slices.Index(partNames, code); c == day && i >= 0 {
		return dayPart, pair(n, i)
	}
	if i := slices.Index(seasonNames, code); c == rel && i >= 0 {
		return relSeason, pair(n, i)
	}
	i := slices.Index(unitNames, code)
	switch {
	case c == rel && i >= 0:
		return relUnit, pair(n, i)
	case c == span && i >= 0:
		return span, pair(n, i)
	}
	panic(fmt.Sprintf("timewords: code %q in key", code))
}

// group is the readings of one phrase: words[first:last].
type group struct{ first, last uint16 }

// longest finds the longest phrase that begins at text[from] and whose end
// passes ends; an empty group when there is none.
func (t *table) longest(text []byte, from int, ends func(end int) bool) (group, int) {
	var found group
	end := from
	lo, hi := int(t.start[text[from]]), int(t.start[int(text[from])+1])
	for depth := 1; lo < hi; depth++ {
		if len(t.words[lo].text) == depth {
			after := lo
			for after < hi && len(t.words[after].text) == depth {
				after++
			}
			if ends(from + depth) {
				found, end = group{uint16(lo), uint16(after)}, from+depth
			}
			lo = after
		}
		if from+depth == len(text) {
			break
		}
		lo, hi = t.narrow(lo, hi, depth, text[from+depth])
	}
	return found, end
}

// narrow keeps the words of [lo, hi) that have byte b at a depth.
func (t *table) narrow(lo, hi, depth int, b byte) (int, int) {
	for size := hi - lo; size > 0; {
		if half := size / 2; t.words[lo+half].text[depth] < b {
			lo += half + 1
			size -= half + 1
		} else {
			size = half
		}
	}
	top := lo
	for size := hi - lo; size > 0; {
		if half := size / 2; t.words[top+half].text[depth] <= b {
			top += half + 1
			size -= half + 1
		} else {
			size = half
		}
	}
	return lo, top
}

// classesOf is what the readings of a phrase can be.
func (t *table) classesOf(g group) classes {
	var set classes
	for _, w := range t.words[g.first:g.last] {
		set |= w.class.set()
	}
	return set
}

// runsOn says whether a rune belongs to a script that is written without spaces
// between words: Thai, Han and the Japanese syllabaries.
func runsOn(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0E7F, r >= 0x3005 && r <= 0x3007, r >= 0x3040 && r <= 0x30FF,
		r >= 0x3400 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF:
		return true
	}
	return false
}

func runeAt(text []byte, at int) rune {
	if at >= len(text) {
		return ' '
	}
	r, _ := utf8.DecodeRune(text[at:])
	return r
}
