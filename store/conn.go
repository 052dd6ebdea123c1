package store

import (
	"context"
	"database/sql"
	"errors"
)

// maxStatements bounds the statements kept on a connection. The fixed ones are
// about 100; lists add a few for each combination of filters.
const maxStatements = 256

// conn is one SQLite connection with the statements prepared on it. One
// goroutine has it at a time. Every error it gives is explained.
type conn struct {
	db         *sql.DB // holds this one connection
	raw        *sql.Conn
	statements map[string]*sql.Stmt
	still      *stillness // set when the connection believes that the file never changes
	broken     bool       // a transaction may be open that cannot be ended
}

func (c *conn) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := c.statements[query]; ok {
		return s, nil
	}
	s, err := c.raw.PrepareContext(ctx, query)
	if err != nil {
		return nil, explained(err)
	}
	if len(c.statements) >= maxStatements {
		c.forgetStatements()
	}
	c.statements[query] = s
	return s, nil
}

func (c *conn) forgetStatements() {
	for query, s := range c.statements {
		_ = s.Close()
		delete(c.statements, query)
	}
}

func (c *conn) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(ctx, args...)
	return result, explained(err)
}

// script runs SQL of several statements, which cannot be prepared.
func (c *conn) script(ctx context.Context, text string) error {
	_, err := c.raw.ExecContext(ctx, text)
	return explained(err)
}

// each runs a query and gives every row to f, which scans it. A query for no keys
// (keys) has no rows.
func (c *conn) each(ctx context.Context, f func(*sql.Rows) error, query string, args ...any) error {
	if asksForNone(args) {
		return ctx.Err()
	}
	s, err := c.statement(ctx, query)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(ctx, args...)
	if err != nil {
		return explained(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return explained(err)
		}
	}
	return explained(rows.Err())
}

// brief is a context for a statement that soon ends by itself: one that can end
// costs as much again as such a read, two goroutines that wait for it. The error is
// that of a context that has ended already.
func brief(ctx context.Context) (context.Context, error) {
	return context.WithoutCancel(ctx), ctx.Err()
}

// scan reads the first row of a query into dest and says whether there was one.
func (c *conn) scan(ctx context.Context, dest []any, query string, args ...any) (found bool, err error) {
	err = c.each(ctx, func(rows *sql.Rows) error {
		if found {
			return nil
		}
		found = true
		return rows.Scan(dest...)
	}, query, args...)
	return found, err
}

// begin starts a transaction. A reader's first SELECT fixes its snapshot; a
// writer has the store for itself from here on.
func (c *conn) begin(ctx context.Context, writer bool) error {
	statement := "BEGIN"
	if writer {
		statement = "BEGIN IMMEDIATE"
	}
	_, err := c.exec(ctx, statement)
	return err
}

// commit makes the transaction durable. It cannot be cancelled: what it did
// would not be known.
func (c *conn) commit() error {
	_, err := c.exec(context.Background(), "COMMIT")
	return err
}

// rollback ends the transaction if there is still one. SQLite may have rolled
// back by itself (full disk, cancelled BEGIN); then a fresh transaction proves
// that none is open, or the connection is not used again.
func (c *conn) rollback() {
	if _, err := c.exec(context.Background(), "ROLLBACK"); err == nil {
		return
	}
	if c.begin(context.Background(), false) != nil {
		c.broken = true
		return
	}
	_, err := c.exec(context.Background(), "ROLLBACK")
	c.broken = err != nil
}

// transact runs f in a transaction that writes. An error or a panic of f takes
// back what it did.
func (c *conn) transact(ctx context.Context, f func() error) error {
	committed := false
	defer func() {
		if !committed {
			c.rollback()
		}
	}()
	if err := c.begin(ctx, true); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	err := c.commit()
	committed = err == nil
	return err
}

func (c *conn) close() error {
	c.forgetStatements()
	return errors.Join(c.raw.Close(), c.db.Close())
}
