// Package timewords understands the time words of a question: "last week", 上周,
// «вчера», "two summers ago", "on 8 May 2023". Seen from a moment it gives the
// interval that they name. Precision comes before recall: a word that also means
// something else ("may", "sun", "mar") counts only in the company of a number, a
// preposition or a capital letter that settles it; TestNoTimes holds it.
//
// # How it works
//
// words_*.go hold a table of words for each language, as rows that a speaker can
// read. The lexer (tokens.go, numbers.go) cuts a folded question (fold.go) into
// words of that table, numbers and unknown words; the frequent words among them
// tell the language, and words of other languages do not count. patterns.go lists
// the phrases as sequences of word classes, shared by all languages, phrases.go and
// dates.go what they say; all words of a phrase must belong to one language.
// points.go joins neighbouring phrases ("May" + "last year"), spans.go makes ranges
// and open ends of them, beside.go counts from a named day, resolve.go asks the
// calendar.
//
// # What the readings are
//
// Questions about memory look back. A month, date, season or holiday without a
// year is the newest that has begun; a weekday is the newest before today; a range
// is the newest that has begun; "last" is the newest that is over, "this" the one
// of the current year or week, "next" the first to come. In Chinese a weekday with
// "last" is that of last week. "N weeks ago" is the calendar week that holds that
// day, and so for months, years and weekends; "the last N weeks" ends now. "A few"
// means two to six. "The week before" a day is the seven days that end with the one
// before it.
//
// Weeks begin on Monday. Seasons are those of the northern hemisphere and begin
// with March, June, September and December; a winter has the year it begins in.
// Morning is 5–12 o'clock, noon 11–14, afternoon 12–18, evening 17–24, night 18–6.
// Christmas is 24–26 December, New Year 31 December and 1 January.
//
// Numeric dates put the day first; the month first when only that is valid, and
// when both are valid, with slashes, among English, Chinese, Japanese or Korean
// words. Two-digit years are those from 80 years ago to 19 years ahead. Years from
// 2400 on are Thai (Buddhist) ones. "Since" and "before" reach to the ends of the
// years 1 and 9999. Of several intervals in one question the shortest wins, then
// the first.
//
// Not read: days of the month without a month ("the 8th"), numbers in words above
// twelve, years without a word before or behind them, "the first week of May",
// times of the clock, and most holidays.
package timewords
