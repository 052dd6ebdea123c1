package memory

import (
	"context"
	"time"
)

// CreateClaim proposes a judgement that must be accountable.
func (s *Service) CreateClaim(ctx context.Context, in CreateClaimInput) (ClaimView, error) {
	spoken := []Spoken{{"content", &in.Content}, {"reason", &in.Reason}}
	if in.AssertedBy != nil {
		spoken = append(spoken, Spoken{"asserted_by", in.AssertedBy})
	}
	hit, err := s.hear(spoken...)
	if err != nil {
		return ClaimView{}, err
	}
	id := s.newID()
	return s.changeClaim(ctx, id, func(tx Tx, now time.Time) (Plan, error) {
		last, err := tx.LastClaimEventAt(ctx)
		if err != nil {
			return Plan{}, err
		}
		return CreateClaim(in, CreateClaimFacts{Hit: hit, LastEvent: last, By: ActorOf(ctx)}, id, now)
	})
}

// changeClaim runs a verb and gives the view of the claim it was about.
func (s *Service) changeClaim(ctx context.Context, id ID, rule func(Tx, time.Time) (Plan, error)) (out ClaimView, err error) {
	var at time.Time
	err = s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		at = now
		return rule(tx, now)
	}, func(tx Tx) error {
		f, err := loadClaim(ctx, tx, id)
		if err != nil {
			return err
		}
		out = *viewClaim(*f, nil, at)
		return nil
	})
	return out, err
}

// AddEvidence ties a memory to a claim.
func (s *Service) AddEvidence(ctx context.Context, in AddEvidenceInput) (out Evidence, err error) {
	if _, err := s.hear(Spoken{"reason", &in.Reason}); err != nil {
		return Evidence{}, err
	}
	err = s.decide(ctx, func(tx Tx, now time.Time) (plan Plan, err error) {
		settled, err := settleOverdue(ctx, tx, now, in.MemoryID)
		if err != nil {
			return Plan{}, err
		}
		x, err := loadClaimSubject(ctx, tx, in.ClaimID)
		if err != nil {
			return Plan{}, err
		}
		m, err := tx.Memory(ctx, in.MemoryID)
		if err != nil {
			return Plan{}, err
		}
		out, plan, err = AddEvidence(x, m, in, s.newID(), now)
		return keepSettled(settled, plan, err)
	}, nil)
	return out, err
}

// RetractEvidence withdraws evidence from its claim.
func (s *Service) RetractEvidence(ctx context.Context, id ID, reason string) (out RetractedEvidence, err error) {
	if err := need(given{"reason", reason}); err != nil {
		return out, err
	}
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return out, err
	}
	err = s.decide(ctx, func(tx Tx, now time.Time) (plan Plan, err error) {
		e, err := tx.Evidence(ctx, id)
		if err != nil {
			return Plan{}, err
		}
		if e == nil {
			return Plan{}, NotFound("evidence", id)
		}
		x, err := loadClaimSubject(ctx, tx, e.ClaimID)
		if err != nil {
			return Plan{}, err
		}
		out, plan, err = RetractEvidence(x, *e, reason, now)
		return plan, err
	}, nil)
	return out, err
}

// AdoptClaim accepts a claim as what counts now.
func (s *Service) AdoptClaim(ctx context.Context, id ID, reason string) (ClaimView, error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return ClaimView{}, err
	}
	return s.changeClaim(ctx, id, func(tx Tx, now time.Time) (Plan, error) {
		x, settled, err := loadSettledClaim(ctx, tx, id, now)
		if err != nil {
			return Plan{}, err
		}
		plan, err := AdoptClaim(x, reason, now)
		return keepSettled(settled, plan, err)
	})
}

// WithdrawClaim takes a claim back for good.
func (s *Service) WithdrawClaim(ctx context.Context, id ID, reason string) (ClaimView, error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return ClaimView{}, err
	}
	return s.changeClaim(ctx, id, func(tx Tx, now time.Time) (Plan, error) {
		x, err := loadClaimSubject(ctx, tx, id)
		if err != nil {
			return Plan{}, err
		}
		return WithdrawClaim(x, reason, now)
	})
}

// ReviseClaim replaces an adopted claim by a proposed one; it gives the new one.
func (s *Service) ReviseClaim(ctx context.Context, old, replacement ID, reason string) (ClaimView, error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return ClaimView{}, err
	}
	return s.changeClaim(ctx, replacement, func(tx Tx, now time.Time) (Plan, error) {
		next, settled, err := loadSettledClaim(ctx, tx, replacement, now)
		if err != nil {
			return Plan{}, err
		}
		x, err := loadClaimSubject(ctx, tx, old)
		if err != nil {
			return Plan{}, err
		}
		plan, err := ReviseClaim(x, next, reason, now)
		return keepSettled(settled, plan, err)
	})
}

// InspectClaim shows a claim as it was on record at a time; nil before it was
// recorded.
func (s *Service) InspectClaim(ctx context.Context, id ID, asOf *string) (out *ClaimView, err error) {
	var at *time.Time
	if asOf != nil {
		t, _, err := ParseInstant("as_of", *asOf)
		if err != nil {
			return nil, err
		}
		at = &t
	}
	now := s.now()
	err = s.store.View(ctx, func(r Reader) error {
		f, err := loadClaim(ctx, r, id)
		if err != nil {
			return err
		}
		if f == nil {
			return NotFound("claim", id)
		}
		out = viewClaim(*f, at, now)
		return nil
	})
	return out, err
}

// RecallClaims gives the claims that count, or all of them.
func (s *Service) RecallClaims(ctx context.Context, in RecallClaimsInput) (RecallClaimsResult, error) {
	out, err := checkRecallClaims(in)
	if err != nil {
		return out, err
	}
	now := s.now()
	err = s.store.View(ctx, func(r Reader) error {
		claims, err := r.ClaimsIn(ctx, in.Scope)
		if err != nil {
			return err
		}
		facts, err := loadClaimFacts(ctx, r, claims)
		out = chooseClaims(facts, in, out, now)
		return err
	})
	return out, err
}

// loadClaimSubject loads a claim with the narratives that list it.
func loadClaimSubject(ctx context.Context, r Reader, id ID) (x ClaimSubject, err error) {
	x.ID = id
	if x.Facts, err = loadClaim(ctx, r, id); err != nil {
		return x, err
	}
	if x.Narratives, err = r.NarrativesCiting(ctx, SourceClaim, id); err != nil {
		return x, err
	}
	x.LastEvent, err = r.LastClaimEventAt(ctx)
	return x, err
}

// loadSettledClaim records what is overdue among a claim's sources before it is
// loaded, and says which.
func loadSettledClaim(ctx context.Context, tx Tx, id ID, now time.Time) (ClaimSubject, []ID, error) {
	evidence, err := tx.EvidenceFor(ctx, []ID{id})
	if err != nil {
		return ClaimSubject{}, nil, err
	}
	var sources []ID
	for _, e := range evidence {
		if e.RetractedAt == nil {
			sources = append(sources, e.MemoryID)
		}
	}
	settled, err := settleOverdue(ctx, tx, now, sources...)
	if err != nil {
		return ClaimSubject{}, nil, err
	}
	x, err := loadClaimSubject(ctx, tx, id)
	return x, settled, err
}

// loadClaim gives everything on record about a claim, nil when it is unknown.
func loadClaim(ctx context.Context, r Reader, id ID) (*ClaimFacts, error) {
	c, err := r.Claim(ctx, id)
	if err != nil || c == nil {
		return nil, err
	}
	facts, err := loadClaimFacts(ctx, r, []Claim{*c})
	if err != nil {
		return nil, err
	}
	return &facts[0], nil
}

// loadClaimFacts loads events, evidence and sources of claims in a fixed number
// of queries.
func loadClaimFacts(ctx context.Context, r Reader, claims []Claim) ([]ClaimFacts, error) {
	ids := make([]ID, len(claims))
	at := make(map[ID]int, len(claims))
	out := make([]ClaimFacts, len(claims))
	for i, c := range claims {
		ids[i], at[c.ID], out[i].Claim = c.ID, i, c
	}
	events, err := r.ClaimEvents(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		out[at[e.ClaimID]].Events = append(out[at[e.ClaimID]].Events, e)
	}
	evidence, err := r.EvidenceFor(ctx, ids)
	if err != nil {
		return nil, err
	}
	var sources []ID
	for _, e := range evidence {
		out[at[e.ClaimID]].Evidence = append(out[at[e.ClaimID]].Evidence, e)
		sources = append(sources, e.MemoryID)
	}
	memories, err := memoriesByID(ctx, r, sources)
	if err != nil {
		return nil, err
	}
	labels, err := r.Labels(ctx, keysOf(memories))
	for i := range out {
		out[i].Memories, out[i].Labels = memories, labels
	}
	return out, err
}
