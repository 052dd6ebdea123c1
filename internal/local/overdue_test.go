package local

import (
	"context"
	"errors"
	"slices"
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
	"combray/internal/verbtest"
)

// TestRefusalsKeepWhatTheyFoundOverdue: a call that an overdue interpretation
// makes impossible is refused, and the record that it is overdue commits all the
// same, once and before anything else (contract/surface.md 10).
func TestRefusalsKeepWhatTheyFoundOverdue(t *testing.T) {
	type refused func(ctx context.Context, s *memory.Service, c overdueCase) error
	for name, call := range map[string]refused{
		"narrate": func(ctx context.Context, s *memory.Service, c overdueCase) error {
			_, err := s.Narrate(ctx, memory.NarrateInput{Content: "c", Reason: "r", Scope: "tour", MemoryIDs: []string{string(c.reading)}})
			return err
		},
		"narrate over a claim": func(ctx context.Context, s *memory.Service, c overdueCase) error {
			_, err := s.Narrate(ctx, memory.NarrateInput{Content: "c", Reason: "r", Scope: "tour", ClaimIDs: []string{string(c.adopted)}})
			return err
		},
		"review_narrative": func(ctx context.Context, s *memory.Service, c overdueCase) error {
			_, err := s.ReviewNarrative(ctx, c.narrative, "checked")
			return err
		},
		"adopt_claim": func(ctx context.Context, s *memory.Service, c overdueCase) error {
			_, err := s.AdoptClaim(ctx, c.proposed, "r")
			return err
		},
		"revise_claim": func(ctx context.Context, s *memory.Service, c overdueCase) error {
			_, err := s.ReviseClaim(ctx, c.adopted, c.proposed, "r")
			return err
		},
		"add_evidence": func(ctx context.Context, s *memory.Service, c overdueCase) error {
			_, err := s.AddEvidence(ctx, memory.AddEvidenceInput{ClaimID: c.withdrawn, MemoryID: c.reading, Stance: "supports", Reason: "r"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			bothStores(t, func(t *testing.T, side verbtest.Side, clock *memtest.Clock) {
				c := stageOverdue(t, side)
				clock.Advance(2 * memory.ReviewAge)
				before := actions(t, side.Store)
				if err := call(t.Context(), side.Service, c); memory.CodeOf(err) != memory.CodeConflict {
					t.Fatalf("error %v, want a conflict", err)
				}
				rows := actions(t, side.Store)[len(before):]
				if want := []memory.Action{memory.ActClaimSourceChanged, memory.ActClaimSourceChanged, memory.ActNarrativeInvalidated}; !slices.Equal(rows, want) {
					t.Errorf("the refusal left %q, want %q", rows, want)
				}
				if m := stored(t, side.Store, c.reading); m.ReviewStatus == nil || *m.ReviewStatus != memory.ReviewStale {
					t.Errorf("the reading is stored as %v", m.ReviewStatus)
				}
				if err := call(t.Context(), side.Service, c); memory.CodeOf(err) != memory.CodeConflict {
					t.Fatalf("the second time: %v", err)
				}
				if again := actions(t, side.Store)[len(before):]; !slices.Equal(again, rows) {
					t.Errorf("the second refusal left %q more", again[len(rows):])
				}
			})
		})
	}
}

// TestWrongCallsRecordNothing: what is wrong with the arguments alone writes
// nothing, whatever is overdue.
func TestWrongCallsRecordNothing(t *testing.T) {
	bothStores(t, func(t *testing.T, side verbtest.Side, clock *memtest.Clock) {
		c := stageOverdue(t, side)
		clock.Advance(2 * memory.ReviewAge)
		before := actions(t, side.Store)
		ctx, s := t.Context(), side.Service
		_, narrated := s.Narrate(ctx, memory.NarrateInput{Content: "c", Scope: "tour", MemoryIDs: []string{string(c.reading)}})
		_, reviewed := s.ReviewNarrative(ctx, c.narrative, " ")
		_, adopted := s.AdoptClaim(ctx, c.proposed, "")
		_, revised := s.ReviseClaim(ctx, c.adopted, c.proposed, " ")
		_, added := s.AddEvidence(ctx, memory.AddEvidenceInput{ClaimID: c.proposed, MemoryID: c.reading, Stance: "likes", Reason: "r"})
		for _, err := range []error{narrated, reviewed, adopted, revised, added} {
			if memory.CodeOf(err) != memory.CodeInvalid {
				t.Errorf("error %v, want invalid", err)
			}
		}
		if rows := actions(t, side.Store)[len(before):]; len(rows) > 0 {
			t.Errorf("wrong calls left %q", rows)
		}
	})
}

// overdueCase is a reading with what rests on it.
type overdueCase struct{ reading, adopted, proposed, withdrawn, narrative memory.ID }

func stageOverdue(t *testing.T, side verbtest.Side) (c overdueCase) {
	t.Helper()
	ctx, s := t.Context(), side.Service
	m, err := s.Remember(ctx, memory.RememberInput{Content: "she likes mornings", Tier: "interpretation"})
	c.reading = m.Memory.ID
	claim := func() memory.ID {
		v, e := s.CreateClaim(ctx, memory.CreateClaimInput{Content: "an early bird", Kind: "assertion", Reason: "r", Scope: "global"})
		_, e2 := s.AddEvidence(ctx, memory.AddEvidenceInput{ClaimID: v.Claim.ID, MemoryID: c.reading, Stance: "supports", Reason: "r"})
		err = errors.Join(err, e, e2)
		return v.Claim.ID
	}
	c.adopted, c.proposed, c.withdrawn = claim(), claim(), claim()
	_, adopted := s.AdoptClaim(ctx, c.adopted, "r")
	_, withdrawn := s.WithdrawClaim(ctx, c.withdrawn, "r")
	n, narrated := s.Narrate(ctx, memory.NarrateInput{Content: "c", Reason: "r", Scope: "global", MemoryIDs: []string{string(c.reading)}})
	c.narrative = n.Narrative.ID
	if err := errors.Join(err, adopted, withdrawn, narrated); err != nil {
		t.Fatal(err)
	}
	return c
}

// actions are those of the audit log, oldest first, captures too.
func actions(t *testing.T, s memory.Store) (out []memory.Action) {
	t.Helper()
	err := s.View(t.Context(), func(r memory.Reader) error {
		rows, err := r.Audit(t.Context(), memory.AuditQuery{Captures: true, Limit: 1 << 20})
		slices.SortFunc(rows, func(a, b memory.AuditRow) int { return int(a.Sequence - b.Sequence) })
		for _, row := range rows {
			out = append(out, row.Action)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func stored(t *testing.T, s memory.Store, id memory.ID) (m *memory.Memory) {
	t.Helper()
	err := s.View(t.Context(), func(r memory.Reader) (err error) {
		m, err = r.Memory(t.Context(), id)
		return err
	})
	if err != nil || m == nil {
		t.Fatalf("memory %s: %v, %v", id, m, err)
	}
	return m
}
