package httpapi

import (
	"context"
	"errors"
	"sync"
)

// What may wait to be done behind.
const (
	maxBehind      = 256
	maxBehindBytes = 32 << 20
)

var (
	errFull    = errors.New("too much is waiting to be done")
	errStopped = errors.New("the server is stopping")
)

// behind works off what was accepted with ?async=1, one after the other and in
// the order of arrival.
type behind struct {
	mu      sync.Mutex
	bytes   int
	waiting int
	stopped bool
	jobs    chan job
	done    chan struct{} // closed when the last job is done
	stop    context.CancelFunc
}

type job struct {
	bytes int
	run   func(context.Context)
}

func newBehind() *behind {
	ctx, stop := context.WithCancel(context.Background())
	b := &behind{jobs: make(chan job, maxBehind), done: make(chan struct{}), stop: stop}
	go b.work(ctx)
	return b
}

// add accepts a job that keeps so many bytes in memory.
func (b *behind) add(bytes int, run func(context.Context)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.stopped:
		return errStopped
	case b.waiting >= maxBehind || b.bytes+bytes > maxBehindBytes:
		return errFull
	}
	b.waiting++
	b.bytes += bytes
	b.jobs <- job{bytes, run} // there is room: no more than maxBehind wait
	return nil
}

func (b *behind) work(ctx context.Context) {
	defer close(b.done)
	for j := range b.jobs {
		j.run(ctx)
		b.mu.Lock()
		b.waiting--
		b.bytes -= j.bytes
		b.mu.Unlock()
	}
}

// drain accepts nothing more and waits for what was accepted. When ctx ends
// first, the jobs that are left are cancelled and waited for.
func (b *behind) drain(ctx context.Context) {
	b.mu.Lock()
	if !b.stopped {
		b.stopped = true
		close(b.jobs)
	}
	b.mu.Unlock()
	select {
	case <-b.done:
	case <-ctx.Done():
		b.stop()
		<-b.done
	}
	b.stop()
}
