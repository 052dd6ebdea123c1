package memtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"combray/internal/memory"
)

var updatePromises = []promise{
	{"update-sees-its-own-writes", updateSeesOwnWrites},
	{"update-rolls-back-an-error", updateRollsBackError},
	{"update-rolls-back-a-panic", updateRollsBackPanic},
	{"update-rolls-back-when-cancelled", updateRollsBackCancelled},
	{"update-rolls-back-a-refused-plan", updateRollsBackRefusedPlan},
	{"update-gives-its-error-through", updateGivesError},
	{"update-is-the-only-writer", updateIsTheOnlyWriter},
	{"update-waits-as-long-as-its-context", updateWaits},
}

// update runs f as a writer that must succeed.
func (x *subject) update(f func(memory.Tx)) {
	x.Helper()
	err := x.store.Update(x.ctx, func(tx memory.Tx) error {
		f(tx)
		return nil
	})
	if err != nil {
		x.Fatalf("Update: %v", err)
	}
}

// everyChange is a plan that writes to every table.
func (x *subject) everyChange() memory.Plan {
	a, b := x.FullMemory("a"), x.Memory("b")
	claim := x.Claim("global")
	var plan memory.Plan
	plan.Write(memory.PutMemory{Memory: a}, memory.PutMemory{Memory: b},
		memory.PutAnchor{Anchor: x.Anchor(b)}, memory.PutCorroboration{Corroboration: x.Corroboration(a, "Ada")},
		memory.PutCanon{Entry: x.Canon(b, "move")}, memory.PutConflict{Conflict: x.Conflict(a, b)},
		memory.PutLink{Link: x.Link(a, b, "related")}, memory.PutNarrative{Narrative: x.Narrative("move", a)},
		memory.PutClaim{Claim: claim}, memory.PutClaimEvent{Event: x.Event(claim, memory.ClaimProposed)},
		memory.PutEvidence{Evidence: x.Evidence(claim, a)},
		memory.PutRecollection{Recollection: x.Recollection(b)},
		memory.PutFingerprints{MemoryID: a.ID, Fingerprints: x.Fingerprints("bells")},
		memory.PutMedia{MemoryID: a.ID, Media: []memory.Medium{{Channel: memory.ChannelAudio, Mime: "audio/wav", Data: []byte("RIFF")}}},
		memory.PutHeard{Rows: []memory.Heard{{Kind: memory.HeardWord, Key: x.Clock.Now().UnixNano(), Day: 3, Half: -1}}},
		memory.PutVisit{Visit: memory.Visit{Source: "watch", At: x.Clock.Now()}})
	plan.Record(a.ID, memory.ActRemember, "captured", x.Clock.Now())
	plan.Record(b.ID, memory.ActPin, "pinned", x.Clock.Now())
	return plan
}

// A transaction reads what it has written, and the next one too.
func updateSeesOwnWrites(x *subject) {
	plan := x.everyChange()
	var inside, after string
	x.update(func(tx memory.Tx) {
		if err := tx.Apply(x.ctx, plan); err != nil {
			x.Fatalf("Apply: %v", err)
		}
		all := must[[]memory.Memory](x)(tx.List(x.ctx, memory.ListQuery{Filter: allMemories}))
		if len(all) != 2 || all[0].Number == 0 || all[1].Number == 0 {
			x.Fatalf("the transaction reads %d of its 2 memories, or they have no number", len(all))
		}
		for _, m := range all {
			vectors := memory.PutVectors{Number: m.Number, Identity: suiteIdentity, Windows: windows(1)}
			if err := tx.Apply(x.ctx, memory.Plan{Changes: []memory.Change{vectors}}); err != nil {
				x.Fatalf("Apply: %v", err)
			}
		}
		inside = x.tables(tx)
	})
	x.view(func(r memory.Reader) { after = x.tables(r) })
	want := "memories 2 anchors 1 labels 1 canon 1 conflicts 1 links 1 narratives 1 claims 1 events 1 evidence 1 audit 2 " +
		"queue 1 fingerprints 1 heard 1"
	if inside != want || after != want {
		x.Errorf("inside: %s\nafter:  %s\nwant:   %s", inside, after, want)
	}
}

// tables counts the rows that can be read.
func (x *subject) tables(r memory.Reader) string {
	x.Helper()
	memories := must[[]memory.Memory](x)(r.List(x.ctx, memory.ListQuery{Filter: allMemories}))
	claims := must[[]memory.Claim](x)(r.ClaimsIn(x.ctx, nil))
	var claimIDs []memory.ID
	for _, c := range claims {
		claimIDs = append(claimIDs, c.ID)
	}
	heard, _, err := r.Heard(x.ctx, 0, 0, "")
	if err != nil {
		x.Fatalf("Heard: %v", err)
	}
	return fmt.Sprintf("memories %d anchors %d labels %d canon %d conflicts %d links %d narratives %d claims %d events %d evidence %d audit %d "+
		"queue %d fingerprints %d heard %d",
		len(memories), len(must[[]memory.Anchor](x)(r.Anchors(x.ctx))),
		len(must[map[memory.ID][]string](x)(r.Labels(x.ctx, idsOf(memories)))),
		len(must[[]memory.CanonEntry](x)(r.Canon(x.ctx, nil, nil))),
		len(must[[]memory.Conflict](x)(r.Conflicts(x.ctx, nil))),
		len(must[[]memory.Link](x)(r.LinksOf(x.ctx, idsOf(memories), true))),
		len(must[[]memory.Narrative](x)(r.NarrativeHistory(x.ctx, nil, 100))), len(claims),
		len(must[[]memory.ClaimEvent](x)(r.ClaimEvents(x.ctx, claimIDs))),
		len(must[[]memory.Evidence](x)(r.EvidenceFor(x.ctx, claimIDs))),
		len(must[[]memory.AuditRow](x)(r.Audit(x.ctx, memory.AuditQuery{Captures: true}))),
		len(must[[]memory.Recollection](x)(r.Pending(x.ctx, 0))),
		len(must[map[memory.ID][]memory.Fingerprint](x)(r.Fingerprints(x.ctx, idsOf(memories)))), len(heard))
}

// unchanged runs an Update that must fail, with a plan that writes to every table
// and erases, and wants every answer to be as before, the sequence too, and the
// store to be usable.
func (x *subject) unchanged(f func(memory.Plan)) {
	x.Helper()
	s := x.stage()
	changed := s.other
	changed.Frame = Of("changed")
	plan := memory.Plan{Changes: []memory.Change{memory.PutMemory{Memory: changed}, memory.EraseMemory{MemoryID: s.doomed.ID},
		memory.PutVectors{Number: s.other.Number, Identity: suiteIdentity, Windows: windows(9)}}}
	plan.Join(x.everyChange())
	names := must[world](x)(survey(x.ctx, x.store))
	before, sequence := x.readable(names), x.sequence()
	f(plan)
	for question, after := range x.readable(must[world](x)(survey(x.ctx, x.store))) {
		if after != before[question] {
			x.Errorf("a transaction that failed left something behind: %s", question)
		}
	}
	if now := x.sequence(); now != sequence {
		x.Errorf("the sequence went from %d to %d", sequence, now)
	}
	if err := x.try(x.everyChange()); err != nil {
		x.Errorf("the next transaction: %v", err)
	}
}

func updateRollsBackError(x *subject) {
	x.unchanged(func(plan memory.Plan) {
		err := x.store.Update(x.ctx, func(tx memory.Tx) error {
			if err := tx.Apply(x.ctx, plan); err != nil {
				x.Fatalf("Apply: %v", err)
			}
			return errors.New("changed my mind")
		})
		if err == nil {
			x.Error("Update gives no error where its function gave one")
		}
	})
}

func updateRollsBackPanic(x *subject) {
	x.unchanged(func(plan memory.Plan) {
		defer func() {
			if recover() == nil {
				x.Error("the panic did not reach the caller")
			}
		}()
		_ = x.store.Update(x.ctx, func(tx memory.Tx) error {
			if err := tx.Apply(x.ctx, plan); err != nil {
				x.Fatalf("Apply: %v", err)
			}
			panic("a broken invariant")
		})
	})
}

func updateRollsBackCancelled(x *subject) {
	x.unchanged(func(plan memory.Plan) {
		ctx, cancel := context.WithCancel(x.ctx)
		err := x.store.Update(ctx, func(tx memory.Tx) error {
			if err := tx.Apply(ctx, plan); err != nil {
				x.Fatalf("Apply: %v", err)
			}
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			x.Errorf("an Update cancelled before its commit gives %v", err)
		}
	})
}

// A plan whose last change is refused leaves nothing of the others.
func updateRollsBackRefusedPlan(x *subject) {
	x.unchanged(func(plan memory.Plan) {
		plan.Write(memory.PutNarrative{Narrative: x.Narrative("global")})
		x.refused("a second current narrative", x.try(plan), memory.CodeConflict)
	})
}

func updateGivesError(x *subject) {
	mine := memory.Invalid("content", "Pass content.", "content is required and cannot be empty")
	for name, err := range map[string]error{
		"Update": x.store.Update(x.ctx, func(memory.Tx) error { return mine }),
		"View":   x.store.View(x.ctx, func(memory.Reader) error { return mine }),
	} {
		if !errors.Is(err, mine) {
			x.Errorf("%s gives %v where its function gave an error of its own", name, err)
		}
	}
}

// Between the look and the deed of one writer no other writes.
func updateIsTheOnlyWriter(x *subject) {
	const writers, rounds = 6, 8
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range rounds {
				err := x.store.Update(x.ctx, func(tx memory.Tx) error {
					n, err := tx.Count(x.ctx, memory.ListFilter{SessionID: Of("counter")})
					if err != nil {
						return err
					}
					m := x.Memory("m")
					m.SessionID, m.SessionPosition = Of("counter"), Of(int64(n))
					var plan memory.Plan
					plan.Write(memory.PutMemory{Memory: m})
					plan.Record(m.ID, memory.ActRemember, "", m.CreatedAt)
					return tx.Apply(x.ctx, plan)
				})
				if err != nil {
					x.Errorf("a writer among others: %v", err)
				}
			}
		})
	}
	all.Wait()
	for i := range int64(writers * rounds) {
		m := ask(x, func(r memory.Reader) (*memory.Memory, error) { return r.AtPosition(x.ctx, "counter", i) })
		if m == nil {
			x.Errorf("position %d is empty", i)
		}
	}
	for _, wrong := range verifyChain(x.ledger()) {
		x.Error(wrong)
	}
}

// A writer that waits for another gives up when its context ends.
func updateWaits(x *subject) {
	x.update(func(memory.Tx) {
		ctx, cancel := context.WithCancel(x.ctx)
		ended := make(chan error, 1)
		go func() {
			ended <- x.store.Update(ctx, func(memory.Tx) error { return errors.New("it was let in") })
		}()
		happens(func() bool { return len(ended) > 0 }) // let it begin to wait
		cancel()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				x.Errorf("a writer that gave up waiting: %v", err)
			}
		case <-time.After(patience):
			x.Fatal("a writer waits though its context has ended")
		}
	})
}
