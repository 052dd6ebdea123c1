package tools

import (
	"fmt"
	"unicode/utf8"

	"combray/internal/memory"
)

// section is a part of a result that grows with what is stored. A reply above
// its limit loses whole rows from the end of its last sections first.
type section interface {
	// empty takes everything out, so that the rest can be measured.
	empty()
	// fill puts back what costs at most budget bytes of the reply. It gives
	// what that costs and a sentence when something was left out.
	fill(budget int) (cost int, note string, err error)
}

// envelopeBytes are set aside for the JSON-RPC message around a result: id,
// resultType, serverInfo and the keys of _meta.
const envelopeBytes = 2 << 10

// fit cuts the outcome's sections so that the reply stays within its limit and
// says what was left out.
func (o outcome) fit() (notes []string, err error) {
	if len(o.sections) == 0 {
		return nil, nil
	}
	budget := o.budget
	if budget == 0 {
		budget = memory.MaxReplyBytes
	}
	for _, s := range o.sections {
		s.empty()
	}
	budget -= envelopeBytes + cost(o.body)
	for _, s := range o.sections {
		used, note, err := s.fill(max(budget, 0))
		if err != nil {
			return nil, err
		}
		budget -= used
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes, nil
}

// cost is how many bytes of a reply a value takes: once in structuredContent
// and once more, escaped, in the text block.
func cost(v any) int {
	b := shown(encode(v))
	n := 2 * len(b)
	for _, c := range b {
		switch c {
		case '"', '\\':
			n++ // escaped in the text block
		case '<', '>', '&':
			n += 10 // \u003c in both copies, as encoding/json writes it
		case 0xE2: // may begin U+2028 or U+2029, which become escapes too
			n += 6
		}
	}
	return n
}

// rows is a section of whole rows.
type rows[T any] struct {
	key    string
	target *[]T
	all    []T
	cut    func(shown int) error // nil, or told how many rows were kept when some were cut
	text   func(*T) *string      // nil, or the text of a row, shortened when the first row alone is too long
}

func rowsOf[T any](key string, target *[]T) *rows[T] {
	return &rows[T]{key: key, target: target, all: *target}
}

// onCut tells f how many rows were kept, if some were cut.
func (r *rows[T]) onCut(f func(shown int) error) *rows[T] {
	r.cut = f
	return r
}

// shortening gives the text to shorten when a single row is too long.
func (r *rows[T]) shortening(text func(*T) *string) *rows[T] {
	r.text = text
	return r
}

func (r *rows[T]) empty() { *r.target = r.all[:0:0] }

func (r *rows[T]) fill(budget int) (used int, note string, err error) {
	n := 0
	for n < len(r.all) {
		c := cost(r.all[n]) + 2
		if used+c > budget {
			break
		}
		used += c
		n++
	}
	if n == 0 && len(r.all) > 0 && r.text != nil {
		n = 1
		used, note = r.shortenFirst(budget)
	}
	*r.target = r.all[:n:n]
	if n == len(r.all) {
		return used, note, nil
	}
	note = fmt.Sprintf("%s shows %d of %d: a reply holds at most %d bytes. Ask for less at a time, or narrow the question.",
		r.key, n, len(r.all), memory.MaxReplyBytes)
	if r.cut != nil {
		err = r.cut(n)
	}
	return used, note, err
}

func (r *rows[T]) shortenFirst(budget int) (used int, note string) {
	first := &r.all[0]
	text := textOf(r.key+"[0]", r.text(first))
	text.empty()
	rest := cost(*first)
	used, note, _ = text.fill(max(budget-rest, 0))
	return rest + used, note
}

// longText is a section made of one text.
type longText struct {
	key    string
	target *string
	all    string
}

func textOf(key string, target *string) *longText { return &longText{key, target, *target} }

func (t *longText) empty() { *t.target = "" }

func (t *longText) fill(budget int) (used int, note string, err error) {
	*t.target = t.all
	if used = cost(t.all); used <= budget {
		return used, "", nil
	}
	low, high := 0, len(t.all)
	for low < high {
		middle := (low + high + 1) / 2
		if cost(upTo(t.all, middle)) <= budget {
			low = middle
		} else {
			high = middle - 1
		}
	}
	*t.target = upTo(t.all, low)
	return cost(*t.target), fmt.Sprintf("%s shows the first %d of %d bytes: a reply holds at most %d bytes. combray show, on the command line, gives the whole.",
		t.key, len(*t.target), len(t.all), memory.MaxReplyBytes), nil
}

// upTo gives at most n bytes of s without cutting a character.
func upTo(s string, n int) string {
	for n < len(s) && n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:min(n, len(s))]
}
