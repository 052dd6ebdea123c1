package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"slices"
	"strings"
)

// column is a column of a table and the field of one row that holds it. The cell
// is a pointer to the field or a wrapper of one (cells.go): database/sql reads
// it to bind a value and fills it to scan one.
type column struct {
	name string
	cell any
	kind columnKind
}

// columnKind says who writes a column.
type columnKind int

const (
	mutable  columnKind = iota // written on insert and on overwrite
	fixed                      // written on insert only
	computed                   // an expression, never written
)

// table is a table with the SQL made from its columns once.
type table[T any] struct {
	name    string
	columns func(*T) []column // of a row, in the order of the table

	selection string // "table.a, table.b, (expression)"
	insert    string
	upsert    string // inserts, or overwrites the row of the same key
	update    string // "UPDATE table SET …", without WHERE
}

func newTable[T any](name, key string, columns func(*T) []column) *table[T] {
	var selected, names, marks, excluded, assigned []string
	for _, c := range columns(new(T)) {
		if c.kind == computed {
			selected = append(selected, c.name)
			continue
		}
		selected = append(selected, name+"."+c.name)
		names, marks = append(names, c.name), append(marks, "?")
		if c.kind == mutable && c.name != key {
			excluded = append(excluded, c.name+" = excluded."+c.name)
			assigned = append(assigned, c.name+" = ?")
		}
	}
	overwrite := " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(excluded, ", ")
	insert := "INSERT INTO " + name + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(marks, ", ") + ")"
	return &table[T]{
		name: name, columns: columns,
		selection: strings.Join(selected, ", "),
		insert:    insert,
		upsert:    insert + overwrite,
		update:    "UPDATE " + name + " SET " + strings.Join(assigned, ", "),
	}
}

// cells gives the cells of a row's columns, in order.
func (t *table[T]) cells(row *T) []any {
	columns := t.columns(row)
	cells := make([]any, len(columns))
	for i, c := range columns {
		cells[i] = c.cell
	}
	return cells
}

// values gives what an insert binds; with only mutable true, what an update binds.
func (t *table[T]) values(row *T, mutableOnly bool) []any {
	columns := t.columns(row)
	out := make([]any, 0, len(columns)+2)
	for _, c := range columns {
		if c.kind == mutable || c.kind == fixed && !mutableOnly {
			out = append(out, c.cell)
		}
	}
	return out
}

// put inserts a row, or overwrites the one of the same key.
func (t *table[T]) put(ctx context.Context, c *conn, row T) error {
	_, err := c.exec(ctx, t.upsert, t.values(&row, false)...)
	return err
}

// add inserts a row whose key must be new.
func (t *table[T]) add(ctx context.Context, c *conn, row T) error {
	_, err := c.exec(ctx, t.insert, t.values(&row, false)...)
	return err
}

// find gives the rows that a query's tail, from WHERE on, leaves.
func (t *table[T]) find(ctx context.Context, c *conn, tail string, args ...any) ([]T, error) {
	return t.from(ctx, c, t.name+" "+tail, args...)
}

// from gives the rows of a query from behind its FROM on.
func (t *table[T]) from(ctx context.Context, c *conn, from string, args ...any) ([]T, error) {
	var out []T
	var row, empty T
	cells := t.cells(&row)
	err := c.each(ctx, func(rows *sql.Rows) error {
		row = empty
		if err := rows.Scan(cells...); err != nil {
			return err
		}
		if out == nil {
			out = make([]T, 0, asked(args))
		}
		out = append(out, row)
		return nil
	}, "SELECT "+t.selection+" FROM "+from, args...)
	return out, err
}

// one gives the only row that a query's tail leaves, nil when there is none.
func (t *table[T]) one(ctx context.Context, c *conn, tail string, args ...any) (*T, error) {
	rows, err := t.find(ctx, c, tail, args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// anyOf stands behind IN for a list of any length, which keys binds to one
// parameter: a statement is prepared once for all lengths.
const anyOf = "(SELECT value FROM json_each(?))"

// keys is a list of ids or numbers for anyOf. A query that one without any is bound
// to is not run: it asks for rows of them.
type keys[K any] []K

func (k keys[K]) count() int { return len(k) }

// asked is how many keys the first list of keys has that a query binds; 1 without one.
func asked(args []any) int {
	for _, arg := range args {
		if k, isKeys := arg.(interface{ count() int }); isKeys {
			return k.count()
		}
	}
	return 1
}

// asksForNone says whether a list of no keys is among what a query binds.
func asksForNone(args []any) bool {
	return slices.ContainsFunc(args, func(arg any) bool {
		k, isKeys := arg.(interface{ count() int })
		return isKeys && k.count() == 0
	})
}

// Value implements driver.Valuer.
func (k keys[K]) Value() (driver.Value, error) { return marshalled([]K(k)) }

// inOrder gives the rows in the order of their keys; an unknown key gives none.
func inOrder[T any, K comparable](rows []T, wanted []K, key func(T) K) []T {
	place := make(map[K]int, len(rows))
	for i, row := range rows {
		place[key(row)] = i
	}
	if len(rows) == 0 {
		return nil
	}
	out := make([]T, 0, len(rows))
	for _, k := range wanted {
		if i, known := place[k]; known {
			out = append(out, rows[i])
		}
	}
	return out
}
