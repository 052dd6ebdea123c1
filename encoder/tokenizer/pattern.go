package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A pattern finds the parts of a text that Split and Replace work on.
type pattern interface {
	// find returns the first match in text at or after from, start -1 for none.
	// A match is never empty.
	find(text []byte, from int) (start, end int)
}

// loadPattern reads {"String": s} or {"Regex": s}.
func loadPattern(raw json.RawMessage) (pattern, error) {
	var v struct{ String, Regex *string }
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("pattern: %w", err)
	}
	switch {
	case v.String != nil && *v.String != "":
		return literal(*v.String), nil
	case v.Regex != nil:
		return compileRegex(*v.Regex)
	}
	return nil, errors.New(`a pattern must be {"String": text} or {"Regex": expression} and not empty`)
}

// literal matches itself.
type literal []byte

func (l literal) find(text []byte, from int) (start, end int) {
	i := bytes.Index(text[from:], l)
	if i < 0 {
		return -1, -1
	}
	return from + i, from + i + len(l)
}

// regex is an expression of the reference's dialect (Oniguruma, Ruby syntax)
// in Go's. Both take the leftmost match and the first alternative that leads
// to one.
type regex struct {
	re *regexp.Regexp
	// spaces is the group that took the place of spaceRuns, 0 for none.
	spaces int
}

// spaceRuns ends the expressions of GPT-2 and of the tokenizers after it: a run
// of white space leaves its last character to the word that follows. Go has no
// lookahead, so the run is matched whole and cut in find.
const spaceRuns = `\s+(?!\S)|\s+`

func (r regex) find(text []byte, from int) (start, end int) {
	if r.spaces == 0 {
		loc := r.re.FindIndex(text[from:])
		if loc == nil {
			return -1, -1
		}
		return from + loc[0], from + loc[1]
	}
	loc := r.re.FindSubmatchIndex(text[from:])
	if loc == nil {
		return -1, -1
	}
	start, end = from+loc[0], from+loc[1]
	if loc[2*r.spaces] >= 0 && end < len(text) {
		if last := lastRune(text[start:end]); end-start > last {
			end -= last
		}
	}
	return start, end
}

// compileRegex translates an expression. What Go cannot express with the same
// meaning is an error that names it.
func compileRegex(expr string) (pattern, error) {
	head, runs := strings.CutSuffix(expr, spaceRuns)
	t := regexTranslator{in: head}
	if err := t.translate(); err != nil {
		return nil, fmt.Errorf("expression %q: %w", expr, err)
	}
	out := t.out.String()
	if runs {
		if t.depth != 0 || head != "" && !strings.HasSuffix(head, "|") {
			return nil, fmt.Errorf("expression %q: %q must be its last alternatives", expr, spaceRuns)
		}
		out += "([" + spaceClass + "]+)"
	}
	re, err := regexp.Compile(out)
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", expr, err)
	}
	if re.MatchString("") {
		return nil, fmt.Errorf("expression %q matches the empty text, which is not supported", expr)
	}
	r := regex{re: re}
	if runs {
		r.spaces = re.NumSubexp()
	}
	return r, nil
}

// spaceClass is \s of Oniguruma on Unicode text: the property White_Space.
const spaceClass = `\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}`

// regexTranslator rewrites an expression of Oniguruma for package regexp.
type regexTranslator struct {
	in    string
	at    int
	out   strings.Builder
	depth int  // open groups
	class bool // inside brackets
}

func (t *regexTranslator) translate() error {
	for t.at < len(t.in) {
		if err := t.one(); err != nil {
			return err
		}
	}
	return nil
}

// one translates one element.
func (t *regexTranslator) one() error {
	c := t.in[t.at]
	switch {
	case c == '\\':
		return t.escape()
	case t.class:
		return t.inClass(c)
	case c == '[':
		t.class = true
		t.copy(1)
		if strings.HasPrefix(t.in[t.at:], "^") {
			t.copy(1)
		}
		return nil
	case c == '(':
		return t.group()
	case c == ')':
		t.depth--
	case c == '^' || c == '$' || c == '.':
		return fmt.Errorf("%q is not supported", string(c))
	}
	t.copy(1)
	return nil
}

// inClass copies one byte of a bracketed class.
func (t *regexTranslator) inClass(c byte) error {
	if c == '[' || strings.HasPrefix(t.in[t.at:], "&&") {
		return errors.New("classes inside classes are not supported")
	}
	if c == ']' {
		t.class = false
	}
	t.copy(1)
	return nil
}

// group copies the opening of a group.
func (t *regexTranslator) group() error {
	t.depth++
	rest := t.in[t.at:]
	for _, opening := range []string{"(?:", "(?i:"} {
		if strings.HasPrefix(rest, opening) {
			t.copy(len(opening))
			return nil
		}
	}
	if strings.HasPrefix(rest, "(?") {
		return fmt.Errorf("the group %.4q is not supported", rest)
	}
	t.copy(1)
	return nil
}

// escape translates a backslash and what belongs to it.
func (t *regexTranslator) escape() error {
	if t.at+1 == len(t.in) {
		return errors.New("ends in a backslash")
	}
	switch c := t.in[t.at+1]; {
	case c == 's' && t.class:
		t.put(spaceClass)
	case c == 's':
		t.put("[" + spaceClass + "]")
	case c == 'S' && !t.class:
		t.put("[^" + spaceClass + "]")
	case c == 'd':
		t.put(`\p{Nd}`)
	case strings.IndexByte("pPrntfv", c) >= 0 || c < 0x80 && isPunctuation(rune(c)):
		t.copy(2)
	default:
		return fmt.Errorf(`\%c is not supported`, c)
	}
	return nil
}

// copy takes n bytes over as they are.
func (t *regexTranslator) copy(n int) {
	t.out.WriteString(t.in[t.at : t.at+n])
	t.at += n
}

// put writes s in place of an escape of two bytes.
func (t *regexTranslator) put(s string) {
	t.out.WriteString(s)
	t.at += 2
}
