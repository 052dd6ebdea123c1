package store

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// pool lends connections of one kind. They are opened when they are first
// needed and kept until the pool is closed. Waiting for one ends with the context.
// The connection that came back last goes first, so that one question at a time
// fills the cache of one (TestTheLastConnectionGoesFirst).
type pool struct {
	free chan struct{} // one for each of idle
	open func(context.Context) (*conn, error)

	mu   sync.Mutex
	idle []*conn // a nil stands for a connection that is not open; the last goes first
}

func newPool(size int, open func(context.Context) (*conn, error)) *pool {
	p := &pool{free: make(chan struct{}, size), open: open}
	for range size {
		p.give(nil)
	}
	return p
}

// get lends a connection; put takes it back.
func (p *pool) get(ctx context.Context) (*conn, error) {
	c, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	if c != nil && c.still.broken() {
		_ = c.close()
		c = nil
	}
	if c != nil {
		return c, nil
	}
	if c, err = p.open(ctx); err != nil {
		p.give(nil)
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
	p.give(c)
}

// take waits for a place of the pool and returns what is in it.
func (p *pool) take(ctx context.Context) (*conn, error) {
	select {
	case <-p.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	c := p.idle[last]
	p.idle = p.idle[:last]
	return c, nil
}

// give gives a place back. One without a connection goes last.
func (p *pool) give(c *conn) {
	p.mu.Lock()
	if c == nil {
		p.idle = slices.Insert(p.idle, 0, nil)
	} else {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	p.free <- struct{}{}
}

// fill opens every connection of the pool.
func (p *pool) fill(ctx context.Context) error {
	var held []*conn
	defer func() {
		for _, c := range held {
			p.put(c)
		}
	}()
	for range cap(p.free) {
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
	for range len(p.free) {
		if c, err := p.take(context.Background()); err == nil && c != nil {
			errs = append(errs, c.close())
		}
	}
	return errors.Join(errs...)
}
