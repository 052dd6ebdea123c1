package timewords

import (
	"math/bits"
	"strings"
	"sync"
)

// pattern is a sequence of word classes that says a moment.
type pattern struct {
	steps []step
	need  needRule
	say   func(m *moment, h *hit) bool // false: the words are no moment after all
}

// maxSteps is the length of the longest pattern, maxNumbers the most digits in
// one; TestPatterns holds them.
const maxSteps, maxNumbers = 7, 3

// step is one word. Before it, words of class of may stand when fill says so.
type step struct {
	class class
	fill  bool
}

// needRule says when a phrase alone is not enough.
type needRule int

const (
	firm   needRule = iota // always enough
	byWord                 // when a word is weak, it needs a marker
	loose                  // always needs a marker
)

// hit is a pattern that matched tokens [from, to).
type hit struct {
	pattern    *pattern
	from, to   int
	values     [maxSteps]int
	numbers    [maxNumbers]*numeral // of the steps that are digits, counted of them
	counted    int
	langs      langs
	flags      flag
	capital    bool // the words that are weak or verbs begin with a capital
	ordinal    bool
	monthFirst bool // numeric dates among these words put the month first
}

// phrases are the patterns of all languages. "~" lets articles and "of" stand
// before the next word. The longest match wins, then the first.
var phrases = []struct {
	words string
	need  needRule
	say   func(*moment, *hit) bool
}{
	{"day", firm, sayDay},
	{"dayPart", firm, sayDayPart},
	{"rel part", firm, sayPartOfDay},
	{"part ~ day", firm, sayPartOfDay},

	{"number unit ago>", firm, sayAgo},
	{"ago< ~ number unit", firm, sayAgo},
	{"span ago>", firm, sayAgo},
	{"ago< ~ span", firm, sayAgo},
	{"number season ago>", firm, saySeasonsAgo},
	{"ago< ~ number season", firm, saySeasonsAgo},

	{"rel ~ number unit", firm, sayRolling},
	{"number rel unit", firm, sayRolling},
	{"number unit ~ post", firm, sayRolling},
	{"past ~ number unit", firm, sayRolling},
	{"past ~ unit", firm, sayRolling},
	{"past ~ span", firm, sayRolling},
	{"since ~ number unit", firm, sayRolling},
	{"since ~ span", firm, sayRolling},
	{"in ~ rel unit", firm, sayInRelative},

	{"rel ~ unit", firm, sayRelative},
	{"unit ~ post", firm, sayRelative},
	{"rel ~ span", firm, sayRolling}, // behind "rel ~ unit": a word for a week is both
	{"span ~ post", firm, sayRolling},
	{"relUnit", firm, sayRelative},
	{"relSeason", firm, saySeason},
	{"rel ~ weekday", firm, sayWeekday},
	{"weekday ~ post", firm, sayWeekday},
	{"rel ~ month", firm, sayMonth},
	{"month ~ post", firm, sayMonth},
	{"rel ~ season", firm, saySeason},
	{"season ~ post", firm, saySeason},
	{"rel ~ holiday", firm, sayHoliday},
	{"holiday ~ post", firm, sayHoliday},

	{"weekday", byWord, sayWeekday},
	{"month", byWord, sayMonth},
	{"season", byWord, saySeason},
	{"holiday", byWord, sayHoliday},
	{"digits month>", firm, sayMonth},
	{"month< number", firm, sayMonth},

	{"digits ~ month", byWord, sayDate},
	{"month ~ digits", byWord, sayDate},
	{"first ~ month", firm, sayFirstOfMonth},
	{"digits month> digits", firm, sayDate},
	{"digits month> digits day>", firm, sayDate},
	{"month digits day>", firm, sayDate},
	{"digits ~ month< number", firm, sayDate},
	{"digits dash month dash digits", byWord, sayDayMonthYear},
	{"digitPair ~ month", byWord, sayDate},
	{"month ~ digitPair", byWord, sayDate},
	{"digits to ~ digits ~ month", byWord, sayDate},
	{"digits and ~ digits ~ month", byWord, sayDate},
	{"digits dash digits ~ month", byWord, sayDate},
	{"month ~ digits to ~ digits", byWord, sayDate},
	{"month ~ digits and ~ digits", byWord, sayDate},
	{"month ~ digits dash digits", byWord, sayDate},
	{"digits month> digits day> to digits day>", firm, sayDate},
	{"digits day>", loose, sayDayNumber},
	{"digitDate", loose, sayNumeric},

	{"digits", loose, sayYear},
	{"year< ~ digits", firm, sayMarkedYear},
	{"digits year>", firm, sayMarkedYear},
	{"era digits year>", firm, sayEra},
	{"decade< ~ digits", firm, sayDecade},
	{"digits decade>", firm, sayDecade},
	{"decade< digits decade>", firm, sayDecade},
	{"part", loose, sayPart},
}

// classNames are the classes as phrases spells them.
var classNames = map[string]class{
	"day": day, "dayPart": dayPart, "rel": rel, "post": post, "relUnit": relUnit, "relSeason": relSeason, "past": past,
	"month": month, "weekday": weekday, "unit": unitWord, "season": season, "part": part, "holiday": holiday,
	"number": number, "span": span, "first": first, "ago<": agoBefore, "ago>": agoAfter, "in": in,
	"since": sinceBefore, "since>": sinceAfter, "to": to, "and": and, "year<": yearBefore, "year>": yearAfter, "month<": monthBefore,
	"month>": monthAfter, "day>": dayAfter, "decade<": decadeBefore, "decade>": decadeAfter, "era": era,
	"digits": digits, "digitPair": digitPair, "digitDate": digitDate, "dash": dash,
}

// patterns are the phrases by the class of their first word.
var patterns = sync.OnceValue(func() *[classCount][]pattern {
	var all [classCount][]pattern
	for _, p := range phrases {
		made := pattern{need: p.need, say: p.say}
		fill := false
		for name := range strings.FieldsSeq(p.words) {
			if name == "~" {
				fill = true
				continue
			}
			made.steps = append(made.steps, step{classNames[name], fill})
			fill = false
		}
		c := made.steps[0].class
		all[c] = append(all[c], made)
	}
	return &all
})

// atom finds the longest pattern that begins at a token and means something.
func (s *scanner) atom(at int) (moment, bool) {
	var best moment
	found := false
	for set := s.tokens[at].classes; set != 0; set &= set - 1 {
		c := class(bits.TrailingZeros64(uint64(set)))
		for i := range s.patterns[c] {
			p := &s.patterns[c][i]
			h, m := &s.hit, &s.moment
			if !s.match(h, p, at) || found && h.to <= best.to {
				continue
			}
			*m = moment{from: h.from, to: h.to, langs: h.langs, firm: p.need == firm || p.need == byWord && h.flags&weak == 0}
			if p.say(m, h) {
				best, found = *m, true
			}
		}
	}
	return best, found
}

// match tries a pattern at a token.
func (s *scanner) match(h *hit, p *pattern, at int) bool {
	if s.tokens[at].classes&p.steps[0].class.set() == 0 || len(p.steps) > 1 && !p.steps[1].fill && !s.may(at+1, p.steps[1].class) {
		return false // most end here, before anything is set up
	}
	*h = hit{pattern: p, from: at, langs: s.spoken, capital: true, monthFirst: s.spoken&monthFirstLanguages != 0 && s.spoken != anyLanguage}
	for i, step := range p.steps {
		if step.fill {
			at = s.skip(at, of.set(), h.langs)
		}
		if !s.may(at, step.class) || !s.take(h, i, at, step.class) {
			return false
		}
		at++
	}
	h.to = at
	return true
}

// may says whether there is a token that can be a class in some language.
func (s *scanner) may(at int, c class) bool {
	return at >= 0 && at < len(s.tokens) && s.tokens[at].classes&c.set() != 0
}

// take reads token at as a class in the languages that are left.
func (s *scanner) take(h *hit, i, at int, c class) bool {
	t := &s.tokens[at]
	if !t.isWord() {
		if t.langs&h.langs == 0 {
			return false
		}
		h.langs &= t.langs
		if h.values[i] = t.number.parts[0]; c == digits || c == digitPair || c == digitDate {
			h.numbers[h.counted] = &t.number
			h.counted++
		}
		h.ordinal = h.ordinal || t.number.ordinal
		return true
	}
	var l langs
	var value int16
	var flags flag
	for _, w := range s.table.words[t.readings.first:t.readings.last] {
		switch {
		case w.class != c || w.langs&h.langs == 0 || l != 0 && w.value != value ||
			w.flags&capital != 0 && !t.capital || w.flags&bare != 0 && s.dressed(at, w.langs):
		case l == 0:
			l, value, flags = w.langs, w.value, w.flags
		default: // another language spells it alike and is as likely
			l |= w.langs
			flags &= w.flags
		}
	}
	h.langs &= l
	h.values[i] = int(value)
	h.flags |= flags
	h.capital = h.capital && (flags&(verb|weak) == 0 || t.capital)
	return l != 0
}

// dressed says whether an article, a preposition or a greeting stands before a
// token: the German and Spanish words for tomorrow are then a morning.
func (s *scanner) dressed(at int, l langs) bool {
	return at > 0 && (s.is(at-1, of, l) || s.is(at-1, in, l) || s.is(at-1, on, l) || s.is(at-1, each, l))
}

// is says whether a token can be a class in one of the languages.
func (s *scanner) is(at int, c class, l langs) bool {
	_, ok := s.read(at, c, l)
	return ok
}

// read gives the languages in which a token can be a class.
func (s *scanner) read(at int, c class, l langs) (langs, bool) {
	if !s.may(at, c) {
		return 0, false
	}
	t := &s.tokens[at]
	if !t.isWord() {
		return l, true
	}
	var found langs
	for _, w := range s.table.words[t.readings.first:t.readings.last] {
		if w.class == c {
			found |= w.langs & l
		}
	}
	return found, found != 0
}

// maxFill is how many words may stand between the words of a phrase, as in "on
// the 8th of the month, in".
const maxFill = 3

// skip passes words of some classes.
func (s *scanner) skip(at int, c classes, l langs) int {
	for range maxFill {
		if at >= len(s.tokens) || s.tokens[at].classes&c == 0 || !s.anyOf(at, c, l) {
			break
		}
		at++
	}
	return at
}

func (s *scanner) anyOf(at int, c classes, l langs) bool {
	for set := c & s.tokens[at].classes; set != 0; set &= set - 1 {
		if s.is(at, class(bits.TrailingZeros64(uint64(set))), l) {
			return true
		}
	}
	return false
}
