package encoder

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
)

// queued waits until n runs of a class wait at the gate.
func queued(g *gate, c class, n int) {
	for {
		g.mu.Lock()
		waiting := len(g.waiting[c])
		g.mu.Unlock()
		if waiting == n {
			return
		}
		runtime.Gosched()
	}
}

// enterLater lets a run enter in a goroutine and sends its name when it is in.
func enterLater(ctx context.Context, g *gate, c class, name string, in chan<- string) {
	go func() {
		if err := g.enter(ctx, c); err != nil {
			in <- name + ": " + err.Error()
			return
		}
		in <- name
	}()
}

func TestGateOrder(t *testing.T) {
	g := newGate(1)
	ctx := t.Context()
	if err := g.enter(ctx, passages); err != nil {
		t.Fatal(err)
	}
	if err := g.enter(ctx, questions); err != nil { // the place passages do not get
		t.Fatal(err)
	}
	in := make(chan string)
	enterLater(ctx, g, passages, "passage 1", in)
	queued(g, passages, 1)
	enterLater(ctx, g, passages, "passage 2", in)
	queued(g, passages, 2)
	enterLater(ctx, g, questions, "question 1", in)
	queued(g, questions, 1)
	enterLater(ctx, g, questions, "question 2", in)
	queued(g, questions, 2)
	want := []string{"question 1", "question 2", "passage 1", "passage 2"}
	for i, name := range want {
		g.leave()
		if i == 2 {
			g.leave() // a passage needs all but one place free
		}
		if got := <-in; got != name {
			t.Fatalf("entry %d is %s, want %s", i, got, name)
		}
	}
	g.leave()
	if g.running != 0 {
		t.Errorf("%d still running", g.running)
	}
}

// A question gets in while passages hold all their places.
func TestQuestionDoesNotWaitForPassages(t *testing.T) {
	g := newGate(2)
	for range 2 {
		if err := g.enter(t.Context(), passages); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	in := make(chan string)
	enterLater(ctx, g, passages, "third", in)
	queued(g, passages, 1)
	if err := g.enter(t.Context(), questions); err != nil {
		t.Fatal(err)
	}
	cancel()
	if got := <-in; got != "third: context canceled" {
		t.Error(got)
	}
	if len(g.waiting[passages]) != 0 || g.running != 3 {
		t.Errorf("%d wait, %d run", len(g.waiting[passages]), g.running)
	}
}

func TestGateClose(t *testing.T) {
	g := newGate(1)
	if err := g.enter(t.Context(), passages); err != nil {
		t.Fatal(err)
	}
	in := make(chan string)
	enterLater(t.Context(), g, passages, "waiting", in)
	queued(g, passages, 1)
	closed := make(chan struct{})
	go func() { g.close(); close(closed) }()
	if got := <-in; got != "waiting: "+ErrClosed.Error() {
		t.Error(got)
	}
	select {
	case <-closed:
		t.Error("close did not wait for the run")
	default:
	}
	g.leave()
	<-closed
	g.close() // again
	if err := g.enter(t.Context(), questions); !errors.Is(err, ErrClosed) {
		t.Errorf("enter after close: %v", err)
	}
}

// A run that gives up just when its turn comes hands the place on.
func TestGateGiveUpAfterTurn(t *testing.T) {
	g := newGate(1)
	if err := g.enter(t.Context(), passages); err != nil {
		t.Fatal(err)
	}
	in := make(chan string)
	enterLater(t.Context(), g, passages, "next", in)
	queued(g, passages, 1)
	turn := make(chan struct{}) // was in the queue and let in
	g.giveUp(passages, turn)
	if got := <-in; got != "next" || g.running != 1 {
		t.Errorf("%s is in, %d run", got, g.running)
	}
}

// Under any mix of waiting, giving up and leaving, no place is lost and the bounds hold.
func TestGateKeepsCount(t *testing.T) {
	g := newGate(2)
	var group sync.WaitGroup
	var mu sync.Mutex
	inside, most := 0, 0
	for i := range 8 {
		group.Go(func() {
			for j := range 500 {
				ctx, cancel := context.WithCancel(t.Context())
				if (i+j)%3 == 0 {
					go cancel()
				}
				if g.enter(ctx, class(i%2)) == nil {
					mu.Lock()
					inside++
					most = max(most, inside)
					mu.Unlock()
					mu.Lock()
					inside--
					mu.Unlock()
					g.leave()
				}
				cancel()
			}
		})
	}
	group.Wait()
	if g.running != 0 || len(g.waiting[0])+len(g.waiting[1]) != 0 || most > 3 {
		t.Errorf("%d run, %d wait, at most %d were inside", g.running, len(g.waiting[0])+len(g.waiting[1]), most)
	}
}
