package predecessor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"combray/internal/memory"
)

// row is a row of a table. Its methods read cells and keep the first one that
// holds what memory-as-history never writes.
type row struct {
	table  table
	place  int64
	values map[string]any
	fault  error
}

func (r *row) fail(column, format string, args ...any) {
	if r.fault == nil {
		r.fault = fmt.Errorf("row %d of %s: %s %s", r.place, r.table.name, column, fmt.Sprintf(format, args...))
	}
}

// maybeText reads a text or null.
func (r *row) maybeText(column string) *string {
	switch v := r.values[column].(type) {
	case nil:
		return nil
	case string:
		if !utf8.ValidString(v) {
			r.fail(column, "holds bytes that are no text")
		}
		return &v
	}
	r.fail(column, "holds no text")
	return nil
}

func (r *row) text(column string) string {
	if v := r.maybeText(column); v != nil {
		return *v
	}
	r.fail(column, "is missing")
	return ""
}

func (r *row) maybeID(column string) *memory.ID {
	v := r.maybeText(column)
	if v != nil && strings.TrimSpace(*v) == "" {
		r.fail(column, "is blank")
	}
	return (*memory.ID)(v)
}

func (r *row) id(column string) memory.ID {
	if v := r.maybeID(column); v != nil {
		return *v
	}
	r.fail(column, "is missing")
	return ""
}

func (r *row) maybeWhen(column string) *time.Time {
	v := r.maybeText(column)
	if v == nil {
		return nil
	}
	t, _, err := memory.ParseInstant(column, *v)
	if err != nil {
		r.fail(column, "is no time: %q", *v)
	}
	return &t
}

func (r *row) when(column string) time.Time {
	if t := r.maybeWhen(column); t != nil {
		return *t
	}
	r.fail(column, "is missing")
	return time.Time{}
}

func (r *row) maybeNumber(column string) *int64 {
	switch v := r.values[column].(type) {
	case nil:
		return nil
	case int64:
		return &v
	}
	r.fail(column, "holds no whole number")
	return nil
}

func (r *row) flag(column string) bool {
	v := r.maybeNumber(column)
	if v == nil || *v != 0 && *v != 1 {
		r.fail(column, "is neither 0 nor 1")
		return false
	}
	return *v == 1
}

// oneOf reads one of the words that the system writes; another is a damage, or
// was written by a version that has more.
func oneOf[T ~string](r *row, column string, words ...T) T {
	v := T(r.text(column))
	if at := slices.Index(words, v); at >= 0 {
		return words[at] // which keeps one text for all rows
	}
	r.fail(column, "is %q, which no version up to 1.3.1 writes", string(v))
	return v
}

// ids reads a list of ids kept as JSON text, each once. The system reads null
// and blank as an empty list; what else is no list of ids it shows as an issue of
// the narrative, and so does ok false.
func (r *row) ids(column string) (ids []memory.ID, ok bool) {
	text := r.maybeText(column)
	if text == nil || *text == "" {
		return nil, true
	}
	var given []string
	if err := json.Unmarshal([]byte(*text), &given); err != nil {
		return nil, false
	}
	for _, id := range given {
		if strings.TrimSpace(id) == "" {
			return nil, false
		}
		if !slices.Contains(ids, memory.ID(id)) {
			ids = append(ids, memory.ID(id))
		}
	}
	return ids, true
}
