package memory_test

import (
	"context"
	"testing"

	"combray/internal/memory"
)

// leaving is a store on which the caller goes away once the plan is written.
type leaving struct {
	memory.Store
	leave context.CancelFunc
}

type leavingTx struct {
	memory.Tx
	leave context.CancelFunc
}

func (l *leaving) Update(ctx context.Context, f func(memory.Tx) error) error {
	return l.Store.Update(ctx, func(tx memory.Tx) error { return f(leavingTx{tx, l.leave}) })
}

func (l leavingTx) Apply(ctx context.Context, p memory.Plan) error {
	defer l.leave()
	return l.Tx.Apply(ctx, p)
}

// Memory fails as a store does whose caller has gone.
func (l leavingTx) Memory(ctx context.Context, id memory.ID) (*memory.Memory, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return l.Tx.Memory(ctx, id)
}

// TestACallerWhoLeavesAmidAWrite gets an error, and nothing is stored.
func TestACallerWhoLeavesAmidAWrite(t *testing.T) {
	l := &leaving{}
	d := newDesk(t, func(c *memory.Config) { l.Store, c.Store = c.Store, l })
	old := func() memory.Memory {
		l.leave = func() {}
		return d.keep("plain")
	}()
	for name, call := range map[string]func(context.Context) error{
		"remember":      func(ctx context.Context) error { return failure(d.Remember(ctx, memory.RememberInput{Content: "c"})) },
		"promote":       func(ctx context.Context) error { return failure(d.Promote(ctx, old.ID, "r")) },
		"update_memory": func(ctx context.Context) error { return failure(d.UpdateMemory(ctx, old.ID, "c", "r")) },
		"narrate": func(ctx context.Context) error {
			return failure(d.Narrate(ctx, memory.NarrateInput{Content: "c", Reason: "r", Scope: "s", MemoryIDs: ids(old.ID)}))
		},
	} {
		before := d.everything()
		ctx, cancel := context.WithCancel(d.ctx)
		l.leave = cancel
		if err := call(ctx); err == nil {
			t.Errorf("%s: the caller had gone and heard of no error", name)
		}
		cancel()
		if after := d.everything(); after != before {
			t.Errorf("%s: the store went from\n%s\nto\n%s", name, before, after)
		}
	}
}
