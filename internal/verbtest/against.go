package verbtest

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// Side is a service with the store below it.
type Side struct {
	Service *memory.Service
	Store   memory.Store
}

// Against makes the same random calls of every verb to a service on the model and
// to another one, and compares what each call answers, then what both stores
// hold. open makes a service on an empty store, wired with what c holds already;
// reopen closes it and opens it again; the end of a run closes it. There are
// 2,000 calls or some more in runs of about 250, with COMBRAY_SLOW=1 100,000, with
// -short fewer. A failure prints the seed and the shortest run that still fails.
func Against(t *testing.T, open func(t *testing.T, c memory.Config) Side, reopen func(t *testing.T, c memory.Config, s Side) Side) {
	memtest.SetRapid(t, 5, 50, 250) // of which rapid makes a fifth with -short
	wanted := 2_000
	switch {
	case os.Getenv("COMBRAY_SLOW") == "1":
		wanted = 100_000
	case testing.Short():
		wanted = 400
	}
	calls := 0
	for calls < wanted && !t.Failed() {
		before := calls
		if rapid.Check(t, func(r *rapid.T) { calls += against(t, r, open, reopen) }); calls == before {
			t.Fatal("no calls were made: give -rapid.checks and -rapid.steps more")
		}
	}
	t.Logf("%d calls", calls)
}

// against is one run; it says how many calls it made.
func against(t *testing.T, r *rapid.T, open func(*testing.T, memory.Config) Side, reopen func(*testing.T, memory.Config, Side) Side) (calls int) {
	p := pair{T: r, hand: &Hand{}}
	p.clock.Tick = -1
	p.model = p.plain()
	mine := p.config(&memtest.IDs{})
	p.other = open(t, mine)
	defer func() { _ = p.other.Store.Close() }()
	r.Repeat(map[string]func(*rapid.T){"step": func(r *rapid.T) {
		p.T, p.hand.Chance = r, drawn{r}
		switch memtest.Evenly(r, "step", 50) {
		case 48:
			p.other = reopen(t, mine, p.other)
		case 49:
			p.compare()
		default:
			p.wait()
			p.call()
			calls++
		}
	}})
	p.T = r
	p.compare()
	return calls
}

// pair is a model and what is held against it.
type pair struct {
	*rapid.T
	clock        memtest.Clock
	hand         *Hand
	model, other Side
}

func (p *pair) config(ids *memtest.IDs) memory.Config {
	return memory.Config{Now: p.clock.Now, Random: ids, Zone: time.UTC}
}

func (p *pair) plain() Side {
	c := p.config(&memtest.IDs{})
	c.Store = memtest.NewStore(memtest.StoreOptions{})
	c.Index = memtest.NewIndex(c.Store, "")
	return Side{memory.New(c), c.Store}
}

// wait lets time pass: mostly none or a second, seldom until a review is overdue.
func (p *pair) wait() {
	switch memtest.Evenly(p.T, "wait", 40) {
	case 0:
		p.clock.Advance(memory.ReviewAge + time.Hour)
	case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13:
	default:
		p.clock.Advance(time.Second)
	}
}

func (p *pair) call() {
	ctx := memory.WithActor(context.Background(), memory.Actor{Client: one(p.hand, "client", "", "claude"), Door: memory.DoorMCP})
	call, err := p.hand.Next(ctx, p.model.Store)
	if err != nil {
		p.Fatalf("the model: %v", err)
	}
	p.Log(call.Verb)
	want, wantErr := call.Run(ctx, p.model.Service)
	got, gotErr := call.Run(ctx, p.other.Service)
	if d := memtest.Diff(told(wantErr), told(gotErr)); d != "" {
		p.Fatalf("%s fails otherwise (-model +other): %s", call.Verb, d)
	}
	if wantErr == nil {
		if d := memtest.Diff(want, got); d != "" {
			p.Fatalf("%s answers otherwise (-model +other): %s", call.Verb, d)
		}
	}
}

// told is what a caller hears of an error.
func told(err error) any {
	var e *memory.Error
	var batch *memory.BatchError
	switch {
	case errors.As(err, &e):
		return []string{string(e.Code), e.Message, e.Hint, e.Field}
	case errors.As(err, &batch):
		var all []any
		for _, item := range batch.Items {
			all = append(all, item.Index, told(item.Err))
		}
		return all
	case err != nil:
		return err.Error()
	}
	return nil
}

func (p *pair) compare() {
	memtest.Compare(p.T, p.model.Store, p.other.Store)
	faults, err := p.other.Store.Check(context.Background())
	if err != nil || len(faults) > 0 {
		p.Fatalf("Check: %v, %v", faults, err)
	}
	halves, err := Half(context.Background(), p.other.Store)
	if err != nil || len(halves) > 0 {
		p.Fatalf("half done: %q, %v", halves, err)
	}
}
