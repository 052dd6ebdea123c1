package lexical

import (
	"strings"
	"unicode/utf8"
)

// stemArabic takes the article and common endings off, in the manner of the
// light stemmers of Larkey, Ballesteros and Connell (2002): conjunction,
// article, then endings, each only where two letters or more are left.
func stemArabic(word string) string {
	if utf8.RuneCountInString(word) > 3 {
		word = strings.TrimPrefix(word, "و")
	}
	word = withoutArticle(word)
	for _, e := range arabicEndings {
		word = cutSuffix(word, e, 2)
	}
	return word
}

var (
	arabicArticles = []string{"وال", "بال", "كال", "فال", "لل", "ال"}
	arabicEndings  = []string{"ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"}
)

// withoutArticle takes the Arabic article, with a particle written to it, off.
func withoutArticle(word string) string {
	for _, a := range arabicArticles {
		if rest, ok := strings.CutPrefix(word, a); ok && utf8.RuneCountInString(rest) >= 2 {
			return rest
		}
	}
	return word
}

// stemGreek takes the final sigma and then the longest ending off that leaves
// three letters.
func stemGreek(word string) string {
	return cutLongest(strings.TrimSuffix(word, "σ"), greekEndings, 3)
}

// greekEndings are the endings of nouns, adjectives and common verb forms
// without accents and final sigma, longest first.
var greekEndings = strings.Fields(`
	ομενων ματων ομενο ομενη ομενα ομενοι ονται ματο ματα εται ηκαν ησαν ηκε ησε
	ειων εων ουν ιων ιου εω ιο ια ιε ου ον οι ων ην ει α ε η ι ο υ ω`)

// stemDevanagari takes the longest plural or case ending off that leaves two
// letters: the endings that Hindi nouns and adjectives share.
func stemDevanagari(word string) string {
	return cutLongest(word, devanagariEndings, 2)
}

var devanagariEndings = strings.Fields("ियों ियां ाओं ाएं ों ें ां ीं ो े ू ु ी ि ा")

// cutLongest takes the first of the endings off that leaves at least the
// given number of letters and marks. Longer endings stand first.
func cutLongest(word string, endings []string, least int) string {
	for _, e := range endings {
		if cut := cutSuffix(word, e, least); len(cut) < len(word) {
			return cut
		}
	}
	return word
}

// cutSuffix takes a suffix off if at least the given number of letters is left.
func cutSuffix(word, suffix string, least int) string {
	if rest, ok := strings.CutSuffix(word, suffix); ok && utf8.RuneCountInString(rest) >= least {
		return rest
	}
	return word
}
