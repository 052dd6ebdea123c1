package store

import (
	"context"
	"errors"
)

// pool lends connections of one kind. They are opened when they are first
// needed and kept until the pool is closed. Waiting for one ends with the context.
type pool struct {
	idle chan *conn // a nil stands for a connection that is not open
	open func(context.Context) (*conn, error)
}

func newPool(size int, open func(context.Context) (*conn, error)) *pool {
	p := &pool{idle: make(chan *conn, size), open: open}
	for range size {
		p.idle <- nil
	}
	return p
}

// get lends a connection; put takes it back.
func (p *pool) get(ctx context.Context) (*conn, error) {
	var c *conn
	select {
	case c = <-p.idle:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c != nil && c.still.broken() {
		_ = c.close()
		c = nil
	}
	if c != nil {
		return c, nil
	}
	c, err := p.open(ctx)
	if err != nil {
		p.idle <- nil
		return nil, err
	}
	return c, nil
}

// put takes a connection back; one that cannot be used again is closed.
func (p *pool) put(c *conn) {
	if c.broken {
		_ = c.close()
		c = nil
	}
	p.idle <- c
}

// fill opens every connection of the pool.
func (p *pool) fill(ctx context.Context) error {
	var held []*conn
	defer func() {
		for _, c := range held {
			p.put(c)
		}
	}()
	for range cap(p.idle) {
		c, err := p.get(ctx)
		if err != nil {
			return err
		}
		held = append(held, c)
	}
	return nil
}

// close closes the connections. All have been put back, and none is lent again.
func (p *pool) close() error {
	var errs []error
	for range len(p.idle) {
		if c := <-p.idle; c != nil {
			errs = append(errs, c.close())
		}
	}
	return errors.Join(errs...)
}
