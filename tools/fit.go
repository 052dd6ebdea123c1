package tools

import (
	"encoding/json"
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
	// texts is how many bytes of text it holds, false when it cannot tell.
	texts() (bytes int, known bool)
}

// envelopeBytes are set aside for the JSON-RPC message around a result: id,
// resultType, serverInfo and the keys of _meta.
const envelopeBytes = 2 << 10

// countedTwice is the most that the parts of a reply cost above the whole, a section: the
// quotes of a text, which is counted empty and full, where a row has but a comma more.
const countedTwice = 6

// fit cuts the outcome's sections so that the reply stays within its limit, encodes
// its body, shown, and says what was left out. A reply that is well within its limit
// is encoded once; else each row is, and then what was kept.
func (o outcome) fit() (body json.RawMessage, notes []string, err error) {
	budget := o.budget
	if budget == 0 {
		budget = memory.MaxReplyBytes
	}
	budget -= envelopeBytes
	if o.mayFit(budget) {
		body = shown(encode(o.body))
		if len(o.sections) == 0 || costOf(body)+countedTwice*len(o.sections) <= budget {
			return body, nil, nil
		}
	}
	notes, err = o.cut(budget)
	return shown(encode(o.body)), notes, err
}

// mayFit says whether a body is worth encoding whole: texts stand twice in a reply, and
// a store may hold far more of them than one.
func (o outcome) mayFit(budget int) bool {
	for _, s := range o.sections {
		n, known := s.texts()
		if budget -= 2 * n; !known || budget < 0 {
			return false
		}
	}
	return true
}

// cut fills the sections one by one within a budget.
func (o outcome) cut(budget int) (notes []string, err error) {
	for _, s := range o.sections {
		s.empty()
	}
	budget -= cost(o.body)
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
func cost(v any) int { return costOf(shown(encode(v))) }

func costOf(encoded []byte) int {
	n := 2 * len(encoded)
	for _, c := range encoded {
		n += int(escapeCost[c])
	}
	return n
}

// escapeCost is what a byte costs beside its two copies.
var escapeCost = [256]uint8{
	'"': 1, '\\': 1, // escaped in the text block
	'<': 10, '>': 10, '&': 10, // \u003c in both copies, as encoding/json writes it
	0xE2: 6, // may begin U+2028 or U+2029, which become escapes too
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

func (r *rows[T]) texts() (bytes int, known bool) {
	if r.text == nil {
		return 0, len(r.all) == 0
	}
	for i := range r.all {
		bytes += len(*r.text(&r.all[i]))
	}
	return bytes, true
}

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

func (t *longText) texts() (bytes int, known bool) { return len(t.all), true }

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
