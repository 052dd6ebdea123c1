package local

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"combray/internal/memory"
)

// Every claim and account of these stores rests on as many memories, and every
// scope of claims holds as many claims, so that only the store grows.
const (
	eachRestsOn   = 4
	claimsInScope = 10
)

// BenchmarkReads reads in three stores, of which each has ten times the memories,
// claims and accounts of the one before. A read of a claim or an account must
// cost the same in all; what ranks or lists may grow with what it ranks.
func BenchmarkReads(b *testing.B) {
	for _, size := range []struct{ memories, claims, narratives int }{{1_000, 20, 5}, {10_000, 200, 50}, {100_000, 2_000, 500}} {
		b.Run(fmt.Sprintf("memories=%d", size.memories), func(b *testing.B) {
			l, err := Open(b.Context(), Config{Path: filepath.Join(b.TempDir(), "memory.db"), Model: ModelNone})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			rows := fillForReads(b, l, size.memories)
			claims, scopes := fillAccounts(b, l, rows, size.claims, size.narratives)
			if err := l.Settle(b.Context()); err != nil {
				b.Fatal(err)
			}
			query, scope := "lamp 17", "tour 1"
			for _, read := range []struct {
				name string
				do   func(ctx context.Context, i int) error
			}{
				{"recall with a query", func(ctx context.Context, _ int) error {
					return failed(l.Recall(ctx, memory.RecallInput{Query: &query, Limit: 10}))
				}},
				{"recall without", func(ctx context.Context, _ int) error { return failed(l.Recall(ctx, memory.RecallInput{Limit: 10})) }},
				{"inspect_claim", func(ctx context.Context, i int) error { return failed(l.InspectClaim(ctx, claims[i%len(claims)], nil)) }},
				{"current_narrative", func(ctx context.Context, i int) error { return failed(l.CurrentNarrative(ctx, scopes[i%len(scopes)])) }},
				{"inspect_memory", func(ctx context.Context, i int) error { return failed(l.InspectMemory(ctx, rows[i%eachRestsOn].ID)) }},
				{"recall_claims of a scope", func(ctx context.Context, _ int) error {
					return failed(l.RecallClaims(ctx, memory.RecallClaimsInput{Limit: 10, Scope: &scope}))
				}},
				{"recall_claims of a scope with a query", func(ctx context.Context, _ int) error {
					return failed(l.RecallClaims(ctx, memory.RecallClaimsInput{Limit: 10, Scope: &scope, Query: &query}))
				}},
				{"recall_claims of all scopes", func(ctx context.Context, _ int) error {
					return failed(l.RecallClaims(ctx, memory.RecallClaimsInput{Limit: 10}))
				}},
				{"list_narratives", func(ctx context.Context, _ int) error { return failed(l.ListNarratives(ctx, 10)) }},
			} {
				b.Run(read.name, func(b *testing.B) {
					least := time.Hour
					for i := 0; b.Loop(); i++ {
						start := time.Now()
						if err := read.do(b.Context(), i); err != nil {
							b.Fatal(err)
						}
						least = min(least, time.Since(start))
					}
					b.ReportMetric(float64(least.Microseconds()), "least-µs")
				})
			}
		})
	}
}

func failed[V any](_ V, err error) error { return err }

// fillForReads keeps memories, one in fifty of them a reading that is not overdue,
// and gives them.
func fillForReads(b *testing.B, l *Local, n int) (rows []memory.Memory) {
	b.Helper()
	for len(rows) < n {
		var items []memory.RememberInput
		for range min(memory.MaxBatch, n-len(rows)) {
			i := len(rows) + len(items)
			in := memory.RememberInput{Content: fmt.Sprintf("note %d: the lamp %d stood beside the mill %d", i, i%97, i%1013)}
			if i%50 == 0 {
				in.Tier = "interpretation"
			}
			items = append(items, in)
		}
		stored, refused, err := l.Import(b.Context(), items)
		if err != nil || len(refused) > 0 {
			b.Fatal(err, refused)
		}
		for _, r := range stored {
			rows = append(rows, r.Memory)
		}
	}
	return rows
}

// fillAccounts adopts claims and tells accounts, each of other memories. It goes
// to the store at once: a call a row would take minutes.
func fillAccounts(b *testing.B, l *Local, rows []memory.Memory, claims, narratives int) (ids []memory.ID, scopes []string) {
	b.Helper()
	now := memory.Micro(time.Now())
	var plan memory.Plan
	name := func(kind, i int) memory.ID { return memory.ID(fmt.Sprintf("%02x%010x", kind, i)) }
	for i := range claims {
		c := memory.Claim{ID: name(1, i), Content: memory.Text(fmt.Sprintf("the lamp %d shines", i)), Kind: "assertion",
			Scope: fmt.Sprintf("tour %d", i/claimsInScope), RecordedAt: now}
		ids = append(ids, c.ID)
		plan.Write(memory.PutClaim{Claim: c}, memory.PutClaimEvent{Event: memory.ClaimEvent{ClaimID: c.ID, Action: memory.ClaimProposed, Reason: "r", RecordedAt: now}})
		for j := range eachRestsOn {
			plan.Write(memory.PutEvidence{Evidence: memory.Evidence{ID: name(2, i*eachRestsOn+j), ClaimID: c.ID, MemoryID: rows[(i*eachRestsOn+j)%len(rows)].ID,
				Stance: "supports", Reason: "r", RecordedAt: now}})
		}
		plan.Write(memory.PutClaimEvent{Event: memory.ClaimEvent{ClaimID: c.ID, Action: memory.ClaimAdopted, Reason: "r", RecordedAt: now}})
	}
	for i := range narratives {
		n := memory.Narrative{ID: name(3, i), Content: "an account", Reason: "r", CreatedAt: now, Scope: fmt.Sprintf("scope %d", i), ClaimIDs: ids[i*len(ids)/narratives:][:1]}
		if i == 0 {
			n.Scope = memory.GlobalScope
		}
		scopes = append(scopes, n.Scope)
		for j := range eachRestsOn {
			n.MemoryIDs = append(n.MemoryIDs, rows[(i*eachRestsOn+j)%len(rows)].ID)
		}
		plan.Write(memory.PutNarrative{Narrative: n})
	}
	err := l.Store.Update(b.Context(), func(tx memory.Tx) error { return tx.Apply(b.Context(), plan) })
	if err != nil {
		b.Fatal(err)
	}
	return ids, scopes
}
