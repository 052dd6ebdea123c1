package local

import (
	"context"
	"errors"
	"sync"
	"time"

	"combray/internal/memory"
	"combray/store"
)

// followEvery is how often a server looks whether another encoder was chosen or has
// become the one that answers. The look reads one row.
const followEvery = time.Second

// Serving is a memory that is served for a long time: it follows a change of the
// encoder. Each call is answered from beginning to end by one Local, so that
// vectors of two encoders never meet in it; a call that begins after the change is
// answered by the next Local, and the one before is closed when its last call has
// ended (TestNothingIsMixedWhileTheEncoderChanges).
type Serving struct {
	config  Config
	stop    context.CancelFunc
	work    sync.WaitGroup
	serving func() // gives servingLock back

	mu  sync.Mutex
	now *tenure

	failed store.Choice // that could not be taken; used by one goroutine
	again  time.Time    // when to try it again
}

// tenure is a Local with the calls that it answers. Its fields are guarded by
// Serving.mu.
type tenure struct {
	*Local
	calls int
	over  bool
	idle  chan struct{} // closed when over and without calls
}

// Serve opens a memory and follows what is chosen for its store. A model named in
// the Config wins, and then nothing is followed; nor is it with Memory.
func Serve(ctx context.Context, c Config) (*Serving, error) {
	opened, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	s := &Serving{config: c, now: newTenure(opened), serving: func() {}}
	follows := c.Fill && s.follows()
	if follows && !c.ReadOnly {
		if s.serving, err = shareLock(opened.folder, servingLock); err != nil {
			return nil, errors.Join(err, opened.Close())
		}
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if follows {
		s.work.Go(func() { s.follow(ctx) })
	}
	return s, nil
}

func newTenure(l *Local) *tenure { return &tenure{Local: l, idle: make(chan struct{})} }

// follows says whether another encoder may be chosen for this process.
func (s *Serving) follows() bool {
	return s.config.Model == "" && s.config.Encoder == nil && s.config.Path != Memory
}

// Served says whether a process serves the store that makes the vectors of a chosen
// encoder, on systems that have locks.
func Served(path string) bool { return lockedElsewhere(indexFolder(path), servingLock) }

// Lease is the memory for one call. Release it when the call has ended.
type Lease struct {
	*memory.Service
	release func()
}

// Release gives the memory back.
func (l Lease) Release() { l.release() }

// Take gives the memory for one call.
func (s *Serving) Take() Lease {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.now
	t.calls++
	return Lease{t.Service, sync.OnceFunc(func() { s.release(t) })}
}

func (s *Serving) release(t *tenure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.calls--
	t.end()
}

// end closes idle when nothing uses the Local any more.
func (t *tenure) end() {
	if t.over && t.calls == 0 {
		close(t.idle)
	}
}

func (s *Serving) current() *tenure {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// follow looks again and again until ctx ends.
func (s *Serving) follow(ctx context.Context) {
	every(ctx, followEvery, func() {
		if err := s.look(ctx); err != nil && ctx.Err() == nil {
			s.current().log.Warn("the encoder cannot be changed yet", "reason", err)
		}
	})
}

// look takes the encoder that answers by now, or makes the vectors of the one that
// is to answer. What could not be done is tried again after a while, or when
// something else is chosen.
func (s *Serving) look(ctx context.Context) error {
	t := s.current()
	choice, err := t.Store.Choice(ctx)
	if err != nil || choice == s.failed && time.Now().Before(s.again) {
		return err
	}
	switch {
	case answering(choice) != t.model:
		err = s.take(ctx, answering(choice))
	case chosen(choice) != t.model && !s.config.ReadOnly:
		if err = Change(ctx, s.config, chosen(choice), s.config.Changing); err == nil {
			err = s.take(ctx, chosen(choice))
		}
	default:
		t.trouble.Store(nil)
		return nil
	}
	if errors.Is(err, ErrChangedElsewhere) || errors.Is(err, errOverruled) {
		return nil
	}
	if err != nil {
		said := err.Error()
		s.current().trouble.Store(&said)
		s.failed, s.again = choice, time.Now().Add(fillAgain)
	}
	return err
}

// take lets a model answer here. It is loaded and its index is up to date before
// the first call sees it, so that none waits; until then, and if it cannot be used,
// the one before goes on.
func (s *Serving) take(ctx context.Context, model string) error {
	if _, err := modelFiles(ctx, s.config.with(model)); err != nil {
		return err
	}
	before := s.current()
	if !s.config.ReadOnly {
		if err := before.FlushHeard(ctx); err != nil {
			return err
		}
	}
	next, err := Open(ctx, s.config)
	if err != nil {
		return err
	}
	if err := next.warm(ctx); err != nil {
		return errors.Join(err, next.Close())
	}
	s.mu.Lock()
	s.now = newTenure(next)
	before.over = true
	before.end()
	s.mu.Unlock()
	if s.config.Changing != nil {
		s.config.Changing(ChangeProgress{Model: next.model, Answers: true})
	}
	s.work.Go(func() { s.retire(before) })
	return nil
}

// warm loads the encoder and brings the index up to date.
func (l *Local) warm(ctx context.Context) error {
	if l.encoder != nil {
		if state := l.encoder.Wait(ctx); !state.Ready {
			return errors.New(state.Reason)
		}
	}
	return l.Index.CatchUp(ctx)
}

// retire closes a Local when its last call has ended.
func (s *Serving) retire(t *tenure) {
	<-t.idle
	if err := t.Close(); err != nil {
		t.log.Warn("a memory was not closed cleanly", "err", err)
	}
}

// QueueVersion grows with every change to what waits to be recollected.
func (s *Serving) QueueVersion(ctx context.Context) (int64, error) {
	l := s.Take()
	defer l.Release()
	return l.Service.QueueVersion(ctx)
}

// Close ends the work behind and closes the memory. It waits for calls of a Local
// that was left, which must have been released.
func (s *Serving) Close() error {
	s.stop()
	s.work.Wait()
	s.serving()
	return s.current().Close()
}
