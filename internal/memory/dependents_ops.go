package memory

import (
	"context"
	"errors"
	"slices"
	"time"
)

// loadDependents finds what rests on a source. Only a memory has claims.
func loadDependents(ctx context.Context, r Reader, kind SourceKind, id ID) (Dependents, error) {
	var d Dependents
	var err error
	if d.Narratives, err = r.NarrativesCiting(ctx, kind, id); err != nil || kind != SourceMemory {
		return d, err
	}
	if d.Claims, err = liveClaims(ctx, r, id); err != nil || len(d.Claims) == 0 {
		return d, err
	}
	d.OfClaims = make(map[ID][]Narrative, len(d.Claims))
	for _, c := range d.Claims {
		if d.OfClaims[c.ID], err = r.NarrativesCiting(ctx, SourceClaim, c.ID); err != nil {
			return d, err
		}
	}
	d.LastEvent, err = r.LastClaimEventAt(ctx)
	return d, err
}

// liveClaims gives the claims with active evidence from a memory that can still
// change, by their first evidence.
func liveClaims(ctx context.Context, r Reader, id ID) ([]Claim, error) {
	evidence, err := r.EvidenceFrom(ctx, id)
	if err != nil {
		return nil, err
	}
	var ids []ID
	for _, e := range evidence {
		if e.RetractedAt == nil && !slices.Contains(ids, e.ClaimID) {
			ids = append(ids, e.ClaimID)
		}
	}
	if ids == nil {
		return nil, nil
	}
	claims, err := r.Claims(ctx, ids)
	if err != nil {
		return nil, err
	}
	events, err := r.ClaimEvents(ctx, ids)
	if err != nil {
		return nil, err
	}
	byClaim := make(map[ID][]ClaimEvent, len(ids))
	for _, e := range events {
		byClaim[e.ClaimID] = append(byClaim[e.ClaimID], e)
	}
	return slices.DeleteFunc(claims, func(c Claim) bool { return terminal(byClaim[c.ID]) }), nil
}

// troubledClaims says which claims have a source that they cannot use now, or
// ever had one that is forgotten now.
func troubledClaims(ctx context.Context, r Reader, claims []Claim, now time.Time) (map[ID]bool, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	facts, err := loadClaimFacts(ctx, r, claims)
	if err != nil {
		return nil, err
	}
	troubled := map[ID]bool{}
	for _, f := range facts {
		v := viewClaim(f, nil, now)
		troubled[f.Claim.ID] = v.Redacted || len(v.Issues) > 0
	}
	return troubled, nil
}

// settleOverdue records which of the memories that a write touches are overdue
// interpretations, before the write's own rows (contract/surface.md 10), and
// says which it recorded. What the write then is goes through keepSettled.
func settleOverdue(ctx context.Context, tx Tx, now time.Time, ids ...ID) ([]ID, error) {
	touched, err := memoriesByID(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	var due []Memory
	for _, id := range ids {
		if m, known := touched[id]; known && unrecorded(m, now, ReviewAge) {
			due = append(due, m)
			delete(touched, id)
		}
	}
	return recordOverdue(ctx, tx, now, due)
}

// keepSettled makes a denial of a refusal that the state of things forces, where
// the call has recorded overdue interpretations: the record commits before the
// refusal reaches the caller (TestRefusalsKeepWhatTheyFoundOverdue). A call that
// is wrong in itself writes nothing.
func keepSettled(settled []ID, plan Plan, err error) (Plan, error) {
	var refusal *Error
	if len(settled) > 0 && errors.As(err, &refusal) && (refusal.Code == CodeConflict || refusal.Code == CodeDenied) {
		return Plan{Denial: refusal}, nil
	}
	return plan, err
}

func recordOverdue(ctx context.Context, tx Tx, now time.Time, due []Memory) ([]ID, error) {
	if len(due) == 0 {
		return nil, nil
	}
	var (
		ids     []ID
		overdue []Sourced
	)
	for _, m := range due {
		d, err := loadDependents(ctx, tx, SourceMemory, m.ID)
		if err != nil {
			return nil, err
		}
		ids, overdue = append(ids, m.ID), append(overdue, Sourced{m, d})
	}
	return ids, tx.Apply(ctx, RecordOverdue(now, overdue))
}
