package memory

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// tongue holds, for one language, the words of the shapes that screening looks
// for. A word may be cut short by a * at its end, or at its beginning where words
// are put together. Words are folded like the text that they are looked for in.
type tongue struct {
	code string
	gap  int // most characters between two words of a shape

	ignore, prior, orders []string // "ignore" "your previous" "instructions"
	except                []string // what may not stand before ignore: "do not" forget
	actor, notice         []string // "administrator" "message"
	colon                 bool     // a notice needs a colon
	per                   []string // "by order of" and an actor
	waive                 []string // "pre-approved", "no review is required"; regular expressions
	waiveCues             []string
	skip, checks          []string // "skip" "the reviews"
	henceforth, requests  []string // "from now on" "all requests"
	you, now, granted     []string // "you are" "now" "authorised"
	secret                []string // "password" and a colon
}

// tonguePatterns makes the patterns of all languages.
func tonguePatterns(all []tongue) []screenPattern {
	var out []screenPattern
	for _, t := range all {
		add := func(name string, cues []string, form shape) {
			out = append(out, screenPattern{name: name + "." + t.code, cues: cuesOf(cues), form: form})
		}
		words := func(groups ...[]string) *wordShape {
			w := &wordShape{gap: t.gap}
			for _, g := range groups {
				w.groups = append(w.groups, screenWords(g))
			}
			return w
		}
		ignore := words(t.ignore, t.prior, t.orders)
		ignore.except = screenWords(t.except)
		add("ignore_prior", t.ignore, ignore)
		notice := words(t.actor, t.notice)
		notice.gap = min(t.gap, 8)
		if t.colon {
			notice.tail = ":"
		}
		add("authority_notice", t.actor, notice)
		add("authority_origin", t.per, words(t.per, t.actor))
		add("preauthorized", t.waiveCues, expression{form: regexp.MustCompile(foldWord(strings.Join(t.waive, "|")))})
		bypass := words(t.skip, t.checks)
		bypass.gap = min(t.gap, 12)
		add("bypass_checks", t.skip, bypass)
		add("standing_order", t.henceforth, words(t.henceforth, t.requests))
		add("you_are_authorized", t.granted, words(t.granted, t.now, t.you))
		secret := words(t.secret)
		secret.tail = ":="
		add("credential", t.secret, secret)
	}
	return out
}

// wordShape matches one word of each group near each other in one sentence, in
// whatever order a language puts them.
type wordShape struct {
	groups [][]screenWord
	except []screenWord // what may not stand right before a word of the first group
	gap    int          // most characters between two words
	tail   string       // one of these characters must stand behind; "": nothing must
}

// screenWord is a word to look for. Words in Latin letters stand alone unless
// they are cut short; of other scripts, words run together with neighbours.
type screenWord struct {
	text       string
	start, end bool // a word begins or ends here
}

func screenWords(words []string) []screenWord {
	out := make([]screenWord, len(words))
	for i, w := range words {
		text := foldWord(strings.Trim(w, "*"))
		latin := isASCII(text)
		out[i] = screenWord{text: text, start: latin && !strings.HasPrefix(w, "*"), end: latin && !strings.HasSuffix(w, "*")}
	}
	return out
}

func foldWord(word string) string {
	folded, _ := foldText(word, "")
	return folded
}

// standsAt says whether the word stands alone where it was found.
func (w screenWord) standsAt(text string, at int) bool {
	if w.start && at > 0 && isWordByte(text[at-1]) {
		return false
	}
	end := at + len(w.text)
	return !w.end || end == len(text) || !isWordByte(text[end])
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c >= utf8.RuneSelf
}

// span is a part of a text, in bytes.
type span struct{ from, to int }

// find implements shape.
func (w *wordShape) find(text string) (span, bool) {
	found := make([][]span, len(w.groups))
	for i, group := range w.groups {
		found[i] = spots(text, group)
		if i == 0 {
			found[i] = slices.DeleteFunc(found[i], func(s span) bool { return w.excepted(text[:s.from]) })
		}
		if len(found[i]) == 0 {
			return span{}, false
		}
	}
	for i, first := range found {
		for _, s := range first {
			if to, ok := w.chain(text, found, 1<<i, s.to); ok {
				return span{s.from, to}, true
			}
		}
	}
	return span{}, false
}

// spots gives where words of a group stand, in order.
func spots(text string, group []screenWord) []span {
	var out []span
	for _, w := range group {
		for at := 0; ; at++ {
			next := strings.Index(text[at:], w.text)
			if next < 0 {
				break
			}
			at += next
			if w.standsAt(text, at) {
				out = append(out, span{at, at + len(w.text)})
			}
		}
	}
	slices.SortFunc(out, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return out
}

func (w *wordShape) excepted(before string) bool {
	before = strings.TrimRight(before, " ")
	return slices.ContainsFunc(w.except, func(e screenWord) bool {
		return strings.HasSuffix(before, e.text) && e.standsAt(before, len(before)-len(e.text))
	})
}

// chain looks for the groups that are not used yet behind a place, and gives
// where the last one ends.
func (w *wordShape) chain(text string, found [][]span, used, end int) (int, bool) {
	if used == 1<<len(found)-1 {
		rest := strings.TrimPrefix(text[end:], " ")
		return end, w.tail == "" || rest != "" && strings.Contains(w.tail, rest[:1])
	}
	for i, group := range found {
		if used&(1<<i) != 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(group, end, func(s span, end int) int { return cmp.Compare(s.from, end) })
		for ; at < len(group) && w.near(text[end:group[at].from]); at++ {
			if to, ok := w.chain(text, found, used|1<<i, group[at].to); ok {
				return to, true
			}
		}
	}
	return 0, false
}

// near says whether two words with this between them belong together.
func (w *wordShape) near(between string) bool {
	return len(between) <= utf8.UTFMax*w.gap && utf8.RuneCountInString(between) <= w.gap && !strings.ContainsAny(between, ".!?;。।۔؛")
}

// cuesOf takes the longest part of each word that no space divides, or the whole
// where the parts are too short for a seeker.
func cuesOf(words []string) []string {
	cues := make([]string, len(words))
	for i, w := range words {
		folded := foldWord(strings.Trim(w, "*"))
		for _, part := range strings.Fields(folded) {
			if len(part) > len(cues[i]) {
				cues[i] = part
			}
		}
		if len(cues[i]) < seekLength {
			cues[i] = folded
		}
	}
	return cues
}
