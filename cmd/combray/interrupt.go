package main

import (
	"context"
	"io"
)

// interruptible reads from a person or a pipe, who may never come to an end: a Read
// ends with the context. What the reader gives afterwards is lost.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	own, came := make([]byte, len(p)), make(chan result, 1)
	go func() {
		n, err := i.r.Read(own)
		came <- result{n, err}
	}()
	select {
	case r := <-came:
		return copy(p, own[:r.n]), r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
