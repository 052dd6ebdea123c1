package verbtest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// staged is a store that the verbs have written, with a row of every kind.
type staged struct {
	memtest.Sample
	store                                         memory.Store
	plain, firm, gone                             memory.Memory
	link, conflict, claim, old, evidence, account memory.ID
}

func stage(t *testing.T) *staged {
	t.Helper()
	x := &staged{store: memtest.NewStore(memtest.StoreOptions{})}
	s := memory.New(memory.Config{Store: x.store, Index: memtest.NewIndex(x.store, ""), Now: x.Clock.Now, Random: &x.IDs})
	ctx := context.Background()
	var errs []error
	keep := func(v any, err error) any {
		errs = append(errs, err)
		return v
	}
	remember := func(text string) memory.Memory {
		return keep(s.Remember(ctx, memory.RememberInput{Content: text})).(memory.Remembered).Memory
	}
	x.plain, x.firm, x.gone = remember("plain"), remember("firm"), remember("gone")
	keep(s.Promote(ctx, x.firm.ID, "r"))
	keep(s.Pin(ctx, x.firm.ID, "r"))
	keep(s.Canonize(ctx, x.firm.ID, "thesis", "r"))
	keep(s.Corroborate(ctx, x.plain.ID, "Ada"))
	x.link = keep(s.LinkMemories(ctx, x.plain.ID, x.firm.ID, "updates", "r")).(memory.Link).ID
	x.conflict = keep(s.MarkConflict(ctx, x.plain.ID, x.firm.ID, "r")).(memory.ConflictRow).Conflict.ID
	claim := func() memory.ID {
		id := keep(s.CreateClaim(ctx, memory.CreateClaimInput{Content: "c", Kind: "plan", Reason: "r", Scope: "global"})).(memory.ClaimView).Claim.ID
		x.evidence = keep(s.AddEvidence(ctx, memory.AddEvidenceInput{ClaimID: id, MemoryID: x.plain.ID, Stance: "supports", Reason: "r"})).(memory.Evidence).ID
		return id
	}
	x.old, x.claim = claim(), claim()
	keep(s.AdoptClaim(ctx, x.old, "r"))
	keep(s.ReviseClaim(ctx, x.old, x.claim, "r"))
	for range 2 {
		x.account = keep(s.Narrate(ctx, memory.NarrateInput{Content: "c", Reason: "r", Scope: "global", ClaimIDs: []string{string(x.claim)}})).(memory.NarrativeView).Narrative.ID
	}
	keep(s.UpdateMemory(ctx, x.gone.ID, "gone over", "r"))
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *staged) read(f func(memory.Reader) error) error {
	return x.store.View(context.Background(), f)
}

// TestHalfFindsWhatIsHalfDone writes past the verbs what a call cut in two, or two
// calls that did not see each other, would leave.
func TestHalfFindsWhatIsHalfDone(t *testing.T) {
	change := func(m memory.Memory, f func(*memory.Memory)) memory.Change {
		f(&m)
		return memory.PutMemory{Memory: m}
	}
	event := func(id memory.ID, a memory.ClaimAction, replacement *memory.ID) memory.Change {
		return memory.PutClaimEvent{Event: memory.ClaimEvent{ClaimID: id, Action: a, Reason: "r", RecordedAt: memtest.Start.AddDate(1, 0, 0), ReplacementID: replacement}}
	}
	now := memtest.Of(memtest.Start)
	for name, c := range map[string]struct {
		spoil func(x *staged) memory.Plan
		want  string
	}{
		"nothing":                 {func(*staged) memory.Plan { return memory.Plan{} }, ""},
		"a capture without audit": {func(x *staged) memory.Plan { return changes(memory.PutMemory{Memory: x.Memory("new")}) }, "captures is 1 by its rows and 0"},
		"promoted without audit": {func(x *staged) memory.Plan {
			return changes(change(x.plain, func(m *memory.Memory) { m.Status = memory.Consolidated }))
		}, "consolidated is true by its rows and false"},
		"audit without promotion": {func(x *staged) memory.Plan { return said(x.plain.ID, memory.ActPromote, "r") }, "consolidated is false by its rows and true"},
		"forgotten without audit": {func(x *staged) memory.Plan {
			return changes(change(x.plain, func(m *memory.Memory) { m.ForgottenAt = now }))
		}, "forgotten is true by its rows and false"},
		"anchored and forgotten": {func(x *staged) memory.Plan {
			return changes(change(x.firm, func(m *memory.Memory) { m.Status, m.ForgottenAt = memory.Consolidated, now }))
		}, "is an anchor although"},
		"an anchor lost": {func(x *staged) memory.Plan { return changes(memory.RemoveAnchor{MemoryID: x.firm.ID}) }, "anchored is false by its rows and true"},
		"a label without audit": {func(x *staged) memory.Plan {
			return changes(memory.PutCorroboration{Corroboration: x.Corroboration(x.plain, "Ben")})
		}, "labels is 2 by its rows and 1"},
		"an earned tier without audit": {func(x *staged) memory.Plan {
			return changes(change(x.firm, func(m *memory.Memory) { m.Status, m.Tier = memory.Consolidated, memory.Testimony }))
		}, "testimony is true by its rows and false"},
		"canon without audit": {func(x *staged) memory.Plan { return changes(memory.PutCanon{Entry: x.Canon(x.firm, "move")}) }, "number of its scopes is 2 by its rows and 1"},
		"audit of an end of canon without it": {func(x *staged) memory.Plan { return said(x.firm.ID, memory.ActEndScope, "scope=thesis: r") },
			"membership in thesis is true by its rows and false"},
		"a flag lifted in the log alone": {func(x *staged) memory.Plan { return said(x.firm.ID, memory.ActFlagSensitive, "r") }, "sensitive is false by its rows and true"},
		"a conflict without audit":       {func(x *staged) memory.Plan { return changes(memory.PutConflict{Conflict: x.Conflict(x.plain, x.gone)}) }, "conflicts with"},
		"a conflict resolved in the log alone": {func(x *staged) memory.Plan {
			return said(x.plain.ID, memory.ActResolveConflict, "conflict="+string(x.conflict)+" adopted=None: r")
		}, "resolved is false by its rows and true"},
		"a link without audit":   {func(x *staged) memory.Plan { return changes(memory.PutLink{Link: x.Link(x.firm, x.plain, "related")}) }, "link is 1 by its rows and 0"},
		"a correction in halves": {func(x *staged) memory.Plan { return changes(memory.PutLink{Link: x.Link(x.firm, x.gone, "updates")}) }, "link is 1 by its rows and 0"},
		"a correction without its text": {func(x *staged) memory.Plan { return said(x.gone.ID, memory.ActUpdateMemory, "by=00000000beef: r") },
			"the memory 00000000beef that corrects it is not there"},
		"a link retired in words": {func(x *staged) memory.Plan {
			return said(x.plain.ID, memory.ActUnlinkMemories, "link="+string(x.link)+": r")
		}, "retired is false by its rows and true"},
		"an account without audit": {func(x *staged) memory.Plan { return changes(memory.PutNarrative{Narrative: x.Narrative("work")}) },
			"account is 1 by its rows and 0"},
		"audit of an account alone": {func(*staged) memory.Plan { return said("00000000beef", memory.ActNarrate, "r") }, "the account that the audit log tells of is not there"},
		"a review mark in the log alone": {func(x *staged) memory.Plan { return said(x.account, memory.ActNarrativeInvalidated, "r") },
			"marked for review is false by its rows and true"},
		"a scope without a current account": {func(x *staged) memory.Plan {
			n := x.Narrative("work")
			n.SupersededAt, n.SupersededBy = now, &x.account
			return changes(memory.PutNarrative{Narrative: n})
		}, `the chain of scope "work" is broken`},
		"a claim without audit":  {func(x *staged) memory.Plan { return changes(memory.PutClaim{Claim: x.Claim("global")}) }, "proposals is 0"},
		"audit of a claim alone": {func(*staged) memory.Plan { return said("00000000beef", memory.ActCreateClaim, "r") }, "the claim that the audit log tells of is not there"},
		"adopted without audit":  {func(x *staged) memory.Plan { return changes(event(x.claim, memory.ClaimAdopted, nil)) }, "adopted is 2 by its rows and 1"},
		"ended twice":            {func(x *staged) memory.Plan { return changes(event(x.old, memory.ClaimWithdrawn, nil)) }, "ended twice"},
		"two revisions that won": {func(x *staged) memory.Plan { return changes(event(x.old, memory.ClaimSuperseded, &x.claim)) }, "its replacement was not adopted with it"},
		"evidence without events": {func(x *staged) memory.Plan {
			return changes(memory.PutEvidence{Evidence: x.Evidence(memory.Claim{ID: x.claim}, x.firm)})
		}, "pieces of evidence is 2"},
	} {
		t.Run(name, func(t *testing.T) {
			x := stage(t)
			ctx := context.Background()
			if err := x.read(func(r memory.Reader) error { return x.reload(ctx, r) }); err != nil {
				t.Fatal(err)
			}
			plan := c.spoil(x)
			if err := x.store.Update(ctx, func(tx memory.Tx) error { return tx.Apply(ctx, plan) }); err != nil {
				t.Fatal(err)
			}
			wrong, err := Half(ctx, x.store)
			if err != nil {
				t.Fatal(err)
			}
			all := strings.Join(wrong, "\n")
			if (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
				t.Errorf("found %q, want %q", all, c.want)
			}
		})
	}
}

// reload takes the memories as they are now, so that they can be written again.
func (x *staged) reload(ctx context.Context, r memory.Reader) error {
	for _, m := range []*memory.Memory{&x.plain, &x.firm, &x.gone} {
		now, err := r.Memory(ctx, m.ID)
		if err != nil {
			return err
		}
		*m = *now
	}
	return nil
}

func changes(c ...memory.Change) memory.Plan { return memory.Plan{Changes: c} }

func said(subject memory.ID, action memory.Action, reason string) (p memory.Plan) {
	p.Record(subject, action, reason, memtest.Start)
	return p
}
