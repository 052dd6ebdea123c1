package memtest

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"combray/internal/memory"
)

// Suite holds every promise that ports.go and plan.go make for a memory.Store
// against the stores that open makes, an empty one a subtest. open registers
// its own cleanup; a store may be closed before that runs. Every subtest ends
// with a Check that must find nothing.
func Suite(t *testing.T, open func(t *testing.T) memory.Store) {
	for _, p := range promises() {
		t.Run(p.name, func(t *testing.T) { p.examine(t, open(t)) })
	}
}

// promise is one thing that a store must do.
type promise struct {
	name  string
	check func(*subject)
}

func (p promise) examine(t *testing.T, s memory.Store) {
	x := &subject{T: t, store: s, Sample: &Sample{}, ctx: context.Background()}
	p.check(x)
	if !x.closed {
		x.checkClean()
	}
}

func promises() []promise {
	var all []promise
	for _, family := range [][]promise{memoryPromises, listPromises, vectorPromises, changePromises, priorityPromises,
		sensePromises, queuePromises, accountPromises, auditPromises, erasePromises, updatePromises, constraintPromises, snapshotPromises, callPromises} {
		all = append(all, family...)
	}
	return all
}

// subject is a store under test with what a promise needs to examine it.
type subject struct {
	*testing.T
	*Sample
	store  memory.Store
	ctx    context.Context
	closed bool // the promise closed the store
}

// try applies a plan in an Update of its own.
func (x *subject) try(p memory.Plan) error {
	return x.store.Update(x.ctx, func(tx memory.Tx) error { return tx.Apply(x.ctx, p) })
}

// apply is try for a plan that must be accepted.
func (x *subject) apply(p memory.Plan) {
	x.Helper()
	if err := x.try(p); err != nil {
		x.Fatalf("the store refused a plan: %v", err)
	}
}

// write applies changes.
func (x *subject) write(changes ...memory.Change) {
	x.Helper()
	x.apply(memory.Plan{Changes: changes})
}

// put stores memories and gives them as they are then read.
func (x *subject) put(memories ...memory.Memory) []memory.Memory {
	x.Helper()
	var plan memory.Plan
	var ids []memory.ID
	for _, m := range memories {
		plan.Write(memory.PutMemory{Memory: m})
		ids = append(ids, m.ID)
	}
	x.apply(plan)
	stored := ask(x, func(r memory.Reader) ([]memory.Memory, error) { return r.Memories(x.ctx, ids) })
	if len(stored) != len(ids) {
		x.Fatalf("stored %d memories and read %d back", len(ids), len(stored))
	}
	return stored
}

// putOne stores one plain memory.
func (x *subject) putOne(content string) memory.Memory {
	x.Helper()
	return x.put(x.Memory(content))[0]
}

// view reads one snapshot.
func (x *subject) view(f func(memory.Reader)) {
	x.Helper()
	err := x.store.View(x.ctx, func(r memory.Reader) error {
		f(r)
		return nil
	})
	if err != nil {
		x.Fatalf("View: %v", err)
	}
}

// ask reads one thing from a snapshot of its own.
func ask[V any](x *subject, f func(memory.Reader) (V, error)) V {
	x.Helper()
	var out V
	err := x.store.View(x.ctx, func(r memory.Reader) (err error) {
		out, err = f(r)
		return err
	})
	if err != nil {
		x.Fatalf("read: %v", err)
	}
	return out
}

// must gives a value that had to come without an error.
func must[V any](x *subject) func(V, error) V {
	return func(v V, err error) V {
		x.Helper()
		if err != nil {
			x.Fatalf("call: %v", err)
		}
		return v
	}
}

// same compares rows; what the store itself fills in is left out.
func (x *subject) same(what string, got, want any) {
	x.Helper()
	if d := cmp.Diff(want, got, rowOptions); d != "" {
		x.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// refused wants a failure of the given code.
func (x *subject) refused(what string, err error, code memory.Code) {
	x.Helper()
	if err == nil {
		x.Errorf("%s: accepted", what)
	} else if got := memory.CodeOf(err); got != code {
		x.Errorf("%s: code %s (%v), want %s", what, got, err, code)
	}
}

func (x *subject) checkClean() {
	x.Helper()
	faults, err := x.store.Check(x.ctx)
	if err != nil {
		x.Fatalf("Check: %v", err)
	}
	for _, f := range faults {
		x.Errorf("Check: %s: %s", f.Where, f.What)
	}
}

// vectorTolerance is how far a component may be off after a round trip: a store keeps
// 11 bits of it at least, and half a step is then 0.0005.
const vectorTolerance = 1e-3

// rowOptions compare rows of two stores: empty and nil lists are the same, and
// numbers, rows, sequences, salts, hashes and audit ids are each store's own.
var rowOptions = cmp.Options{
	cmpopts.EquateEmpty(),
	cmpopts.IgnoreFields(memory.Memory{}, "Number", "Seq"),
	cmpopts.IgnoreFields(memory.ClaimEvent{}, "Sequence"),
	cmpopts.IgnoreFields(memory.Recollection{}, "Sequence"),
	cmpopts.IgnoreFields(memory.Heard{}, "Row"),
	cmpopts.IgnoreFields(memory.Perceived{}, "Number"),
	cmpopts.IgnoreFields(memory.AuditRow{}, "ID", "Sequence", "Salt", "ReasonHash", "Chain"),
	cmp.FilterValues(func(a, b []float32) bool { return len(a)+len(b) > 0 }, cmp.Comparer(alike)),
}

// alike compares vectors within what a store keeps.
func alike(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Abs(float64(x)-float64(y)) <= vectorTolerance })
}

// idsOf gives the ids of memories in their order.
func idsOf(memories []memory.Memory) []memory.ID {
	out := make([]memory.ID, len(memories))
	for i, m := range memories {
		out[i] = m.ID
	}
	return out
}
