package memory

import (
	"context"
	"time"
)

func loadPair(ctx context.Context, r Reader, a, b ID) (Pair, error) {
	var p Pair
	var err error
	if p.A, err = loadSubject(ctx, r, a, 0); err != nil {
		return p, err
	}
	p.B, err = loadSubject(ctx, r, b, 0)
	return p, err
}

// MarkConflict says that two memories contradict each other.
func (s *Service) MarkConflict(ctx context.Context, a, b ID, reason string) (out ConflictRow, err error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return ConflictRow{}, err
	}
	err = s.decide(ctx, func(tx Tx, now time.Time) (plan Plan, err error) {
		pair, err := loadPair(ctx, tx, a, b)
		if err != nil {
			return Plan{}, err
		}
		open, err := tx.OpenConflict(ctx, a, b)
		if err != nil {
			return Plan{}, err
		}
		out.Conflict, plan, err = MarkConflict(pair, open, reason, s.newID(), now)
		return plan, err
	}, func(tx Tx) error {
		rows, err := conflictRows(ctx, tx, []Conflict{out.Conflict})
		if err == nil {
			out = rows[0]
		}
		return err
	})
	return out, err
}

// ResolveConflict closes a conflict.
func (s *Service) ResolveConflict(ctx context.Context, id ID, reason string, adopted *ID) (out Conflict, err error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return Conflict{}, err
	}
	err = s.decide(ctx, func(tx Tx, now time.Time) (plan Plan, err error) {
		c, err := tx.Conflict(ctx, id)
		if err != nil {
			return Plan{}, err
		}
		out, plan, err = ResolveConflict(id, c, reason, adopted, now)
		return plan, err
	}, nil)
	return out, err
}

// ListConflicts gives all conflicts, or the resolved or open ones, newest first,
// those of forgotten memories too.
func (s *Service) ListConflicts(ctx context.Context, resolved *bool) (out []ConflictRow, err error) {
	err = s.store.View(ctx, func(r Reader) error {
		conflicts, err := r.Conflicts(ctx, resolved)
		if err != nil {
			return err
		}
		out, err = conflictRows(ctx, r, conflicts)
		return err
	})
	return out, err
}
