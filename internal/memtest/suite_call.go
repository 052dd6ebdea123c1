package memtest

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"time"

	"combray/internal/memory"
)

var callPromises = []promise{
	{"empty-store-answers", emptyStoreAnswers},
	{"many-ids-at-once", manyIDs},
	{"cancelled-calls-fail", cancelledCallsFail},
	{"stats-count", statsCount},
	{"stats-store-id", statsStoreID},
	{"close-ends-calls", closeEndsCalls},
	{"close-waits-for-running-calls", closeWaits},
}

// Every read method answers on an empty store, with nothing and no error.
func emptyStoreAnswers(x *subject) {
	names := world{memories: []memory.ID{x.IDs.Next()}, narratives: []memory.ID{x.IDs.Next()}, claims: []memory.ID{x.IDs.Next()},
		conflicts: []memory.Conflict{x.Conflict(x.Memory("a"), x.Memory("b"))}, evidence: []memory.ID{x.IDs.Next()},
		links: []memory.Link{x.Link(x.Memory("a"), x.Memory("b"), "related")}, scopes: []string{"s"}}
	seen, err := observe(x.ctx, x.store, names)
	if err != nil {
		x.Fatalf("read: %v", err)
	}
	for _, o := range seen {
		if !nothing(reflect.ValueOf(o.answer)) {
			x.Errorf("%s: %+v on an empty store", o.question, o.answer)
		}
	}
	if n := x.sequence(); n != 0 {
		x.Errorf("the sequence of an empty store is %d", n)
	}
}

// nothing says whether an answer is null, zero, or a list of nothing.
func nothing(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

// asked is how many names a call must take: more than the 32,766 variables that
// a statement of SQLite may have (sqlite.org/limits.html).
const asked = 40_000

// A call takes any number of names.
func manyIDs(x *subject) {
	s := x.stage()
	ids, numbers := []memory.ID{s.claim.ID, s.doomed.ID}, []int64{s.doomed.Number}
	for i := range int64(asked) {
		ids, numbers = append(ids, x.IDs.Next()), append(numbers, 1<<40+i)
	}
	ids, numbers = append(ids, s.other.ID), append(numbers, s.other.Number)
	both := []memory.Memory{s.doomed, s.other}
	x.view(func(r memory.Reader) {
		x.same("Memories", must[[]memory.Memory](x)(r.Memories(x.ctx, ids)), both)
		x.same("Numbered", must[[]memory.Memory](x)(r.Numbered(x.ctx, numbers)), both)
		x.same("Claims", must[[]memory.Claim](x)(r.Claims(x.ctx, ids)), []memory.Claim{s.claim})
		for what, n := range map[string]int{
			"Labels":       len(must[map[memory.ID][]string](x)(r.Labels(x.ctx, ids))),
			"LinksOf":      len(must[[]memory.Link](x)(r.LinksOf(x.ctx, ids, false))),
			"ClaimEvents":  len(must[[]memory.ClaimEvent](x)(r.ClaimEvents(x.ctx, ids))),
			"EvidenceFor":  len(must[[]memory.Evidence](x)(r.EvidenceFor(x.ctx, ids))),
			"Firings":      len(must[[]memory.Recollection](x)(r.Firings(x.ctx, ids))) - 2,
			"Fingerprints": len(must[map[memory.ID][]memory.Fingerprint](x)(r.Fingerprints(x.ctx, ids))),
			"Links":        len(must[[]memory.Link](x)(r.Links(x.ctx, ids))) + 2,
		} {
			if n != 2 {
				x.Errorf("%s gives %d rows for %d names, want those of two memories", what, n, len(ids))
			}
		}
	})
	vectors := x.vectors(suiteIdentity, numbers...)
	if len(vectors) != len(numbers) || vectors[0] == nil || vectors[asked+1] == nil {
		x.Errorf("%d vectors for %d numbers", len(vectors), len(numbers))
	}
}

// With a context that has ended every call fails, says why, and runs nothing.
func cancelledCallsFail(x *subject) {
	m := x.putOne("m")
	ctx, cancel := context.WithCancel(x.ctx)
	cancel()
	ran := false
	for name, call := range map[string]func() error{
		"View":   func() error { return x.store.View(ctx, func(memory.Reader) error { ran = true; return nil }) },
		"Update": func() error { return x.store.Update(ctx, func(memory.Tx) error { ran = true; return nil }) },
		"Sequence": func() error {
			_, err := x.store.Sequence(ctx)
			return err
		},
		"Changes": func() error {
			_, err := x.store.Changes(ctx, 0, 10, suiteIdentity)
			return err
		},
		"Vectors": func() error {
			_, err := x.store.Vectors(ctx, []int64{m.Number}, suiteIdentity)
			return err
		},
		"Unembedded": func() error {
			_, err := x.store.Unembedded(ctx, suiteIdentity, 10)
			return err
		},
		"Stats": func() error {
			_, err := x.store.Stats(ctx, suiteIdentity)
			return err
		},
		"Check": func() error {
			_, err := x.store.Check(ctx)
			return err
		},
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			x.Errorf("%s: %v, want one that is context.Canceled", name, err)
		}
	}
	if ran {
		x.Error("a transaction ran with a context that had ended")
	}
}

// Stats count what is there. (Whether ended rows count is not promised.)
func statsCount(x *subject) {
	stats := func() memory.StoreStats {
		x.Helper()
		s := must[memory.StoreStats](x)(x.store.Stats(x.ctx, suiteIdentity))
		s.Bytes, s.Schema, s.StoreID = 0, 0, ""
		return s
	}
	x.same("empty", stats(), memory.StoreStats{})
	a, b := x.consolidated("a"), x.consolidated("b")
	x.embed(a, suiteIdentity, 1, 2)
	x.embed(b, otherIdentity, 3)
	claim := x.Claim("global")
	plan := memory.Plan{}
	plan.Write(memory.PutAnchor{Anchor: x.Anchor(a)}, memory.PutCanon{Entry: x.Canon(b, "s")}, memory.PutCanon{Entry: x.Canon(b, "t")},
		memory.PutConflict{Conflict: x.Conflict(a, b)}, memory.PutLink{Link: x.Link(a, b, "related")},
		memory.PutLink{Link: x.Link(b, a, "related")}, memory.PutNarrative{Narrative: x.Narrative("s", a)},
		memory.PutClaim{Claim: claim}, memory.PutEvidence{Evidence: x.Evidence(claim, a)})
	delivered := x.Recollection(a)
	delivered.Queued = false
	plan.Write(memory.PutRecollection{Recollection: x.Recollection(b)}, memory.PutRecollection{Recollection: delivered},
		memory.PutFingerprints{MemoryID: a.ID, Fingerprints: x.Fingerprints("bells")},
		memory.PutHeard{Rows: []memory.Heard{{Kind: memory.HeardWord, Key: 1, Half: -1}, {Kind: memory.HeardWord, Key: 2, Half: -1}, {Kind: memory.HeardWord, Key: 3, Half: -1}}})
	plan.Record(a.ID, memory.ActPin, "", x.Clock.Now())
	plan.Record(a.ID, memory.ActRemember, "", x.Clock.Now())
	x.apply(plan)
	want := memory.StoreStats{Memories: 2, Embedded: 1, Anchors: 1, Canon: 2, Conflicts: 1, Links: 2, Narratives: 1,
		Claims: 1, Evidence: 1, Audit: 2, Recollections: 2, Queued: 1, Fingerprints: 2, Heard: 3}
	x.same("filled", stats(), want)
	c := x.Memory("c")
	c.ForgottenAt, c.ForgottenReason = Of(x.Clock.Now()), Of("over")
	x.put(c)
	if got := stats(); got.Forgotten != 1 || got.Embedded != 1 {
		x.Errorf("%d forgotten and %d embedded, want 1 and 1", got.Forgotten, got.Embedded)
	}
	x.write(memory.EraseMemory{MemoryID: c.ID})
	x.same("after an erasure", stats(), want)
}

func statsStoreID(x *subject) {
	id := func() string { return must[memory.StoreStats](x)(x.store.Stats(x.ctx, "")).StoreID }
	first := id()
	x.putOne("m")
	if first == "" || id() != first {
		x.Errorf("the store is called %q and then %q", first, id())
	}
}

// After Close every call fails as unavailable.
func closeEndsCalls(x *subject) {
	x.putOne("m")
	x.checkClean()
	if err := x.store.Close(); err != nil {
		x.Fatalf("Close: %v", err)
	}
	x.refused("View", x.store.View(x.ctx, func(memory.Reader) error { return nil }), memory.CodeUnavailable)
	x.refused("Update", x.try(memory.Plan{Changes: []memory.Change{memory.PutMemory{Memory: x.Memory("m")}}}), memory.CodeUnavailable)
	_, err := x.store.Sequence(x.ctx)
	x.refused("Sequence", err, memory.CodeUnavailable)
	x.closed = true
}

// grace is how long a test lets other goroutines run before it takes for granted
// that a call waits. Too short can only miss a fault, not report one.
const grace = 100 * time.Millisecond

// happens lets other goroutines run until something has happened; false when it
// has not within the grace.
func happens(happened func() bool) bool {
	for end := time.Now().Add(grace); time.Now().Before(end); runtime.Gosched() {
		if happened() {
			return true
		}
	}
	return happened()
}

// Close lets a running call finish.
func closeWaits(x *subject) {
	m := x.putOne("m")
	entered, release := make(chan struct{}), make(chan struct{})
	viewed, closed := make(chan error, 1), make(chan error, 1)
	go func() {
		viewed <- x.store.View(x.ctx, func(r memory.Reader) error {
			close(entered)
			<-release
			got, err := r.Memory(x.ctx, m.ID)
			if err == nil && got == nil {
				err = errors.New("the memory is gone")
			}
			return err
		})
	}()
	<-entered
	go func() { closed <- x.store.Close() }()
	if happens(func() bool { return len(closed) > 0 }) {
		x.Error("Close did not wait for a running call")
	}
	close(release)
	if err := <-viewed; err != nil {
		x.Errorf("the running call: %v", err)
	}
	select {
	case err := <-closed:
		if err != nil {
			x.Errorf("Close: %v", err)
		}
	case <-time.After(patience):
		x.Error("Close does not end though no call runs")
	}
	x.closed = true
}
