package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// TestReadsLeaveEveryTableAsItIs recalls a thousand times over an overdue
// interpretation on which a claim and an account rest. The predecessor wrote two
// rows at each (contract/history.md 7, number 2).
func TestReadsLeaveEveryTableAsItIs(t *testing.T) {
	ctx, path := context.Background(), newPath(t)
	s := openStore(t, Options{Path: path})
	clock := &memtest.Clock{}
	service := memory.New(memory.Config{Store: s, Index: memtest.NewIndex(s, ""), Now: clock.Now, Random: &memtest.IDs{}, Zone: time.UTC})
	m, err := service.Remember(ctx, memory.RememberInput{Content: "she likes mornings", Tier: "interpretation"})
	claim, err2 := service.CreateClaim(ctx, memory.CreateClaimInput{Content: "an early bird", Kind: "assertion", Reason: "r", Scope: "global"})
	_, err3 := service.AddEvidence(ctx, memory.AddEvidenceInput{ClaimID: claim.Claim.ID, MemoryID: m.Memory.ID, Stance: "supports", Reason: "r"})
	_, err4 := service.AdoptClaim(ctx, claim.Claim.ID, "r")
	_, err5 := service.Narrate(ctx, memory.NarrateInput{Content: "c", Reason: "r", Scope: "global", ClaimIDs: []string{string(claim.Claim.ID)}})
	if err := errors.Join(err, err2, err3, err4, err5); err != nil {
		t.Fatal(err)
	}
	clock.Advance(2 * memory.ReviewAge)
	before, query := dump(t, path), "mornings"
	for range 1000 {
		out, err := service.Recall(ctx, memory.RecallInput{Query: &query, Limit: 3})
		if err != nil || len(out.StaleInterpretations) != 1 || out.Narrative != nil || out.NarrativeReview == nil {
			t.Fatalf("recalled %+v, %v", out, err)
		}
	}
	for range 10 {
		_, err := service.InspectClaim(ctx, claim.Claim.ID, nil)
		_, err2 := service.RecallClaims(ctx, memory.RecallClaimsInput{Limit: 3})
		_, err3 := service.CurrentNarrative(ctx, "global")
		_, err4 := service.InspectMemory(ctx, m.Memory.ID)
		if err := errors.Join(err, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
	}
	if after := dump(t, path); after != before {
		t.Errorf("reading changed the store:\n%s\nwas\n%s", after, before)
	}
}
