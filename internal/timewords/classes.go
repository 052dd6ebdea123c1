package timewords

// class is what a word can be in a phrase.
type class uint8

// The classes. A class with a direction has it from the side on which its word
// stands: agoBefore is "vor" of "vor drei Tagen", agoAfter is "ago".
const (
	unknown      class = iota
	day                // yesterday; value: days from today
	dayPart            // tonight; value: pair of days from today and part
	rel                // last, before its noun; value: -2 to 1
	post               // last, behind its noun
	relUnit            // 去年; value: pair of rel and unit
	relSeason          // "i somras"; value: pair of rel and season
	past               // "the past", before a unit: up to now
	month              // value: 1–12
	weekday            // value: 1–7, Monday first
	unitWord           // value: unit
	season             // value: season
	part               // value: part
	holiday            // value: holiday
	number             // value: 1–12, or few
	span               // weeks in one word with their number; value: pair of number and unit
	first              // "1er", "first": an ordinal before a month
	agoBefore          //
	agoAfter           //
	in                 // before a month, season or year
	inAfter            // behind one
	on                 // before a day
	of                 // articles, "of", commas: may stand between words of a phrase
	partOf             // "of" that makes "the last week of" a part of something
	from               //
	between            //
	betweenAfter       //
	and                //
	to                 //
	sinceBefore        //
	sinceAfter         //
	beforeBefore       //
	beforeAfter        //
	afterBefore        //
	afterAfter         //
	untilBefore        //
	untilAfter         //
	yearBefore         // "year" before its number
	yearAfter          //
	monthBefore        // tháng
	monthAfter         // 月
	dayAfter           // 日
	decadeBefore       // "les années" 90
	decadeAfter        // the "s" of 90s
	era                // 令和; value: the year before its first
	each               // makes what follows a habit
	measure            // behind a number: an amount, not a year
	cue                // a frequent word that tells the language
	glued              // endings that add nothing, as the 's of yesterday's
	ordinal            // endings of ordinals
	digits             // a plain number in digits; the lexer's, as all below
	digitPair          // 4-23
	digitDate          // 2023-05-08
	dash               // -
	classCount
)

// classes is a set of classes.
type classes uint64

func (c class) set() classes { return 1 << c }

// flag narrows when a word counts.
type flag uint8

const (
	weak    flag = 1 << iota // "?": only with a marker or in company
	capital                  // "^": only with a capital initial
	verb                     // "!": a verb too: beside a number only with a capital, marker or ordinal
	bare                     // "~": not behind an article, preposition or greeting
)

// langs is a set of languages.
type langs uint32

const anyLanguage langs = 1<<32 - 1

// few is the number in "a few": two to six.
const few = -1

const fewMin, fewMax = 2, 6

// unit is a unit of time.
type unit int

// The units, in the order of the row "units".
const (
	minute unit = iota
	hour
	dayUnit
	week
	monthUnit
	year
	decade
	weekend
	night
	quarter
	unitCount
)

// Parts of a day, in the order of the row "parts".
const (
	morning = iota
	noon
	afternoon
	evening
	nightPart
)

// Holidays, in the order of the row "holidays".
const (
	christmas = iota
	newYear
	halloween
)

// pair packs a signed number (rel, days or a count) and a code of 0–15 into the
// value of a word.
func pair(n, code int) int16 { return int16(n*16 + code) }

func unpair(v int) (n, code int) {
	code = v & 15
	return (v - code) / 16, code
}
