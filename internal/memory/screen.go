package memory

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Hit is a screening pattern that matched.
type Hit struct {
	Pattern string // its name
	Field   string // where it matched: content, source, frame …
	Text    string // what it matched, in lower case, runs of white space as one space; the kind of a secret
}

// Reason is the audit reason of an automatic flag; it quotes the text.
func (h Hit) Reason() string {
	return fmt.Sprintf("screening pattern %s matched in %s: %q", h.Pattern, h.Field, h.Text)
}

// screenPattern is one shape of text that tries to give itself authority or
// carries a credential. It is searched anywhere in the text.
type screenPattern struct {
	name string
	cues []string // lower-case words; every match holds one of them
	with []string // and one of these, when there are any
	form shape
}

// shape finds its first match in a text.
type shape interface {
	find(text string) (span, bool)
}

// expression is a shape that a regular expression describes.
type expression struct {
	form   *regexp.Regexp
	except *regexp.Regexp // what may not stand before a match; nil: anything may
}

// find implements shape.
func (e expression) find(text string) (span, bool) {
	for from := 0; ; {
		at := e.form.FindStringIndex(text[from:])
		if at == nil {
			return span{}, false
		}
		match := span{from + at[0], from + at[1]}
		if e.except == nil || !e.except.MatchString(text[:match.from]) {
			return match, true
		}
		from = match.to
	}
}

// The contract's shapes come first and win; the others close the holes that the
// contract names.
var (
	screenPatterns = slices.Concat(contractPatterns, englishPatterns, tonguePatterns(tongues))
	contractSeeker = newSeeker(contractPatterns)
	screenSeeker   = newSeeker(screenPatterns)
)

// Screen searches one text: the contract's patterns on the text as it is, then
// all patterns on a copy without disguises (foldText), then for secrets, which
// it names and does not quote. The first pattern that matches names the hit.
// Time is linear in the length of the text.
func Screen(field, text string) (Hit, bool) {
	if hit, found := seen(field, lowerASCII(text), contractSeeker); found {
		return hit, true
	}
	folded, hidden := foldText(text, "")
	hit, found := seen(field, folded, screenSeeker)
	if !found && hidden {
		folded, _ = foldText(text, " ")
		hit, found = seen(field, folded, screenSeeker)
	}
	if found {
		return hit, true
	}
	if secrets := FindSecrets(text); len(secrets) > 0 {
		return Hit{"secret", field, secrets[0].Kind}, true
	}
	return Hit{}, false
}

// lowerASCII is a text with its letters from A to Z in lower case, nothing else
// changed.
func lowerASCII(s string) string {
	i := 0
	for i < len(s) && !('A' <= s[i] && s[i] <= 'Z') {
		i++
	}
	if i == len(s) {
		return s
	}
	b := []byte(s)
	for ; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// seen asks the patterns whose cues stand in a lower-case text, in their order.
func seen(field, text string, s *seeker) (Hit, bool) {
	sights := s.sights(text)
	for len(sights) > 0 {
		pattern, n := sights[0].pattern, 1
		for n < len(sights) && sights[n].pattern == pattern {
			n++
		}
		for _, part := range screenPatterns[pattern].stretches(text, sights[:n]) {
			stretch := text[part.from:part.to]
			if match, found := screenPatterns[pattern].form.find(stretch); found {
				return Hit{screenPatterns[pattern].name, field, strings.Join(strings.Fields(stretch[match.from:match.to]), " ")}, true
			}
		}
		sights = sights[n:]
	}
	return Hit{}, false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Spoken is a text that a caller gave under the name of its argument. It is a
// pointer, so that secrets can be taken out of it.
type Spoken struct {
	Field string
	Text  *string
}

// screenSpoken searches texts of one call in their order, then where one ends
// and the next begins, so that an order is not hidden by being cut in two.
func screenSpoken(texts []Spoken) *Hit {
	for _, t := range texts {
		if hit, found := Screen(t.Field, *t.Text); found {
			return &hit
		}
	}
	for i := 1; i < len(texts); i++ {
		a, b := texts[i-1], texts[i]
		if hit, found := Screen(a.Field+" and "+b.Field, lastWords(*a.Text)+" "+firstWords(*b.Text)); found {
			return &hit
		}
	}
	return nil
}

// How much of two neighbouring texts is read together.
const (
	seam      = 6 // words
	seamBytes = 256
)

func lastWords(s string) string {
	words := strings.Fields(s[max(0, len(s)-seamBytes):])
	return strings.Join(words[max(0, len(words)-seam):], " ")
}

func firstWords(s string) string {
	words := strings.Fields(s[:min(len(s), seamBytes)])
	return strings.Join(words[:min(len(words), seam)], " ")
}

// ScreenCapture searches everything free in a capture: content first.
func ScreenCapture(m Memory) (Hit, bool) {
	content := string(m.Content)
	texts := []Spoken{{"content", &content}}
	for _, f := range []Spoken{{"source", m.Source}, {"frame", m.Frame}, {"capture_context", m.CaptureContext}} {
		if f.Text != nil {
			texts = append(texts, f)
		}
	}
	if hit := screenSpoken(texts); hit != nil {
		return *hit, true
	}
	return Hit{}, false
}
