package store

import "strings"

// where collects the conditions of a query with what they bind.
type where struct {
	sql  string // conditions joined by AND
	args []any
}

func (w *where) and(condition string, args ...any) {
	if w.sql != "" {
		w.sql += " AND "
	}
	w.sql += condition
	w.args = append(w.args, args...)
}

// clause is " WHERE …", or nothing where there is no condition.
func (w *where) clause() string {
	if w.sql == "" {
		return ""
	}
	return " WHERE " + w.sql
}

// equal asks for a value where there is one to ask for.
func (w *where) equal(column string, value *string) {
	if value != nil {
		w.and(column+" = ?", *value)
	}
}

// named asks for a value of a closed set of plain words, where there is one to ask
// for, and writes it into the statement (TestNamesAreWrittenOut). A bound value
// that decides whether a partial index serves makes SQLite prepare the
// statement anew at every run, which took two fifths of a recall by words.
func (w *where) named(column string, value *string) {
	if value == nil || !plain(*value) {
		w.equal(column, value)
		return
	}
	w.and(column + " = '" + *value + "'")
}

// plain reports whether a value has small letters alone.
func plain(value string) bool {
	return value != "" && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz") == ""
}

// join adds the conditions of another.
func (w *where) join(other where) {
	if other.sql != "" {
		w.and(other.sql, other.args...)
	}
}
