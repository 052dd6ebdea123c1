package memtest

import (
	"context"
	"errors"
	"flag"
	"os"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"combray/internal/memory"
)

// Operations does the same random plans to a store and to the model and compares
// both: whether a plan was accepted, and every read method afterwards. open
// makes an empty store; reopen, which may be nil, closes a store and opens it
// again. The count is 40 runs of 100 plans, with COMBRAY_SLOW=1 1,000 runs
// (100,000 plans); -rapid.checks and -rapid.steps set it by hand. A failure
// prints the seed and the shortest run that still fails.
func Operations(t *testing.T, open func(t *testing.T) memory.Store, reopen func(t *testing.T, s memory.Store) memory.Store) {
	SetRapid(t, 40, 1000, 100)
	rapid.Check(t, func(r *rapid.T) {
		m := &machine{ctx: context.Background(), model: NewStore(StoreOptions{}), store: open(t)}
		defer func() { _ = m.store.Close() }()
		steps := m.steps()
		if reopen != nil {
			steps = append(steps, step{"reopen", func(*rapid.T) { m.store = reopen(t, m.store) }})
		}
		r.Repeat(map[string]func(*rapid.T){"step": func(r *rapid.T) {
			next := steps[Evenly(r, "step", len(steps))]
			r.Log(next.name)
			next.do(r)
		}})
		m.compare(r)
	})
}

// SetRapid sets how much is done, where the command line does not say it: so many
// runs, or with COMBRAY_SLOW=1 so many, each of some steps.
func SetRapid(t *testing.T, runs, slowRuns, steps int) {
	if os.Getenv("COMBRAY_SLOW") == "1" {
		runs = slowRuns
	}
	wanted := map[string]string{"rapid.checks": strconv.Itoa(runs), "rapid.steps": strconv.Itoa(steps), "rapid.nofailfile": "true"}
	flag.Visit(func(f *flag.Flag) { delete(wanted, f.Name) })
	for name, value := range wanted {
		f := flag.Lookup(name)
		before := f.Value.String()
		if err := f.Value.Set(value); err != nil {
			t.Fatalf("-%s: %v", name, err)
		}
		t.Cleanup(func() { _ = f.Value.Set(before) })
	}
}

// machine drives a store beside the model. It reads the model to make plans that
// the rules of internal/memory could make: only what is consolidated and not
// forgotten gets a role, and nothing with a role is forgotten.
type machine struct {
	Sample
	ctx          context.Context
	model, store memory.Store
}

// step is one thing that a run does. Steps are drawn evenly.
type step struct {
	name string
	do   func(*rapid.T)
}

func (m *machine) steps() []step {
	var out []step
	for _, plan := range []struct {
		name  string
		build func(*draw) memory.Plan
	}{
		{"remember", m.remember}, {"change", m.change}, {"forget or restore", m.forget}, {"embed", m.embed},
		{"pin", m.pin}, {"unpin", m.unpin}, {"corroborate", m.corroborate}, {"canonize", m.canonize}, {"decanonize", m.decanonize},
		{"mark conflict", m.markConflict}, {"resolve conflict", m.resolveConflict}, {"link", m.link}, {"unlink", m.unlink},
		{"narrate", m.narrate}, {"review narrative", m.reviewNarrative}, {"claim", m.claim}, {"claim event", m.claimEvent},
		{"add evidence", m.addEvidence}, {"retract evidence", m.retractEvidence}, {"erase", m.erase},
		{"fire", m.fire}, {"deliver", m.deliver}, {"judge", m.judge}, {"perceive", m.perceive}, {"keep media", m.keepMedia},
		{"embed for cues", m.embedForCues}, {"hear", m.hear}, {"visit", m.visit}, {"forget heard", m.forgetHeard}, {"wipe heard", m.wipeHeard},
	} {
		out = append(out, step{plan.name, func(r *rapid.T) { m.do(r, plan.build) }})
	}
	return append(out, step{"compare", m.compare})
}

// Evenly draws an index below n, at most 1,024, each about as often: rapid's
// numbers are mostly small, which would be the same few rows and steps all the
// time, but its bits are fair. A run is made shorter towards index 0.
func Evenly(r *rapid.T, name string, n int) int { return fair.Draw(r, name) % n }

// fair is even over 16 bits, of which a remainder below 1,024 is even enough.
var fair = rapid.Custom(func(r *rapid.T) int {
	v := 0
	for range 16 {
		if v *= 2; rapid.Bool().Draw(r, "bit") {
			v++
		}
	}
	return v
})

// do applies one plan to both stores, in one of the ways that a plan can end.
func (m *machine) do(r *rapid.T, build func(*draw) memory.Plan) {
	if m.Clock.Tick = -1; Evenly(r, "tick", 10) == 0 { // most times are equal
		m.Clock.Tick = time.Second
	}
	var plan memory.Plan
	err := m.model.View(m.ctx, func(reader memory.Reader) error {
		plan = m.possible(&draw{r, m.ctx, reader}, build)
		return nil
	})
	if err != nil {
		r.Fatalf("the model: %v", err)
	}
	ending := rapid.SampledFrom(endings(plan)).Draw(r, "ending")
	actor := memory.Actor{Client: rapid.SampledFrom([]string{"", "claude", "codex"}).Draw(r, "client"), Door: memory.DoorCLI}
	of, on := run(memory.WithActor(m.ctx, actor), m.model, plan, ending), run(memory.WithActor(m.ctx, actor), m.store, plan, ending)
	if (of == nil) != (on == nil) || of != nil && memory.CodeOf(of) != memory.CodeOf(on) {
		r.Fatalf("the model says %v, the store %v", of, on)
	}
}

// impossible stops the making of a plan that lacks something to work on.
type impossible struct{}

// possible makes a plan, or captures a memory where that plan is impossible:
// rapid gives up a run in which too many actions are skipped.
func (m *machine) possible(d *draw, build func(*draw) memory.Plan) (plan memory.Plan) {
	defer func() {
		if p := recover(); p == (impossible{}) {
			plan = m.remember(d)
		} else if p != nil {
			panic(p)
		}
	}()
	return build(d)
}

// endings are the ways a plan can end, the usual one more often. Erasing what is
// not there is no promise of ports.go, so an erasure is not applied twice.
func endings(p memory.Plan) []string {
	all := []string{"commit", "commit", "commit", "commit", "commit", "commit", "give up"}
	for _, c := range p.Changes {
		if _, erases := c.(memory.EraseMemory); erases {
			return all
		}
	}
	return append(all, "apply twice")
}

var errGiveUp = errors.New("given up")

func run(ctx context.Context, s memory.Store, p memory.Plan, ending string) error {
	return s.Update(ctx, func(tx memory.Tx) error {
		err := tx.Apply(ctx, p)
		if err == nil && ending == "apply twice" {
			err = tx.Apply(ctx, p)
		}
		if err == nil && ending == "give up" {
			err = errGiveUp
		}
		return err
	})
}

func (m *machine) compare(r *rapid.T) {
	Compare(r, m.model, m.store)
	faults, err := m.store.Check(m.ctx)
	if err != nil || len(faults) > 0 {
		r.Fatalf("Check: %v, %v", faults, err)
	}
}
