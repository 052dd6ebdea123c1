package encoder

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrClosed is returned by every method after Close.
var ErrClosed = errors.New("the encoder is closed; open it again")

// class is how urgent a run is.
type class int

const (
	passages  class = iota // can wait: stored texts, back-fill
	questions              // someone waits for the answer
)

// gate lets a bounded number of runs in. Questions have one place more than
// passages and are let in first, so that a question never waits for a passage of
// 512 tokens to end (TestQuestionDoesNotWaitForPassages).
type gate struct {
	mu      sync.Mutex
	places  [2]int // how many may run, all classes together, when one of this class enters
	running int
	waiting [2][]chan struct{} // a closed channel lets its owner in; first come, first in
	closed  bool
	empty   chan struct{} // closed when the gate is closed and nothing runs
}

func newGate(workers int) *gate {
	return &gate{places: [2]int{passages: workers, questions: workers + 1}, empty: make(chan struct{})}
}

// enter waits for a place. After nil, leave must be called.
func (g *gate) enter(ctx context.Context, c class) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return ErrClosed
	}
	if g.running < g.places[c] && len(g.waiting[questions]) == 0 && len(g.waiting[c]) == 0 {
		g.running++
		g.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	g.waiting[c] = append(g.waiting[c], turn)
	g.mu.Unlock()
	select {
	case <-turn:
		return g.afterTurn()
	case <-ctx.Done():
		g.giveUp(c, turn)
		return ctx.Err()
	}
}

// afterTurn tells a place from the closing of the gate.
func (g *gate) afterTurn() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		g.running--
		g.letIn()
		return ErrClosed
	}
	return nil
}

// giveUp takes a waiting run out of the queue, or gives back the place it was just given.
func (g *gate) giveUp(c class, turn chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.waiting[c], turn); i >= 0 {
		g.waiting[c] = slices.Delete(g.waiting[c], i, i+1)
		return
	}
	g.running--
	g.letIn()
}

// leave gives a place back.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.letIn()
}

// letIn hands free places to those who wait. It is called with the lock held.
func (g *gate) letIn() {
	for _, c := range []class{questions, passages} {
		for len(g.waiting[c]) > 0 && (g.closed || g.running < g.places[c]) {
			g.running++
			close(g.waiting[c][0])
			g.waiting[c] = slices.Delete(g.waiting[c], 0, 1)
		}
	}
	if g.closed && g.running == 0 {
		select {
		case <-g.empty:
		default:
			close(g.empty)
		}
	}
}

// close refuses new runs, sends those who wait away, and waits for those that run.
func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	g.letIn()
	g.mu.Unlock()
	<-g.empty
}
