package store

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

// join adds the conditions of another.
func (w *where) join(other where) {
	if other.sql != "" {
		w.and(other.sql, other.args...)
	}
}
