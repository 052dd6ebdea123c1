package memory

import (
	"context"
	"slices"
	"time"
)

// aspect is a part of a Subject that costs a look at the store.
type aspect int

// The aspects; a subject whose texts were found suspicious has them all.
const (
	aspectLabels aspect = 1 << iota
	aspectRoles
	aspectDependents
	aspectTrouble // of its dependents; for verbs that mend a memory

	aspectAll = aspectLabels | aspectRoles | aspectDependents
)

// act is a verb on one memory.
type act struct {
	id      ID
	hit     *Hit
	aspects aspect
	settles bool // its overdue review is recorded first
	rule    func(Subject, time.Time) (Plan, error)
}

// act runs a verb on one memory and gives the memory as it then is.
func (s *Service) act(ctx context.Context, a act) (out Memory, err error) {
	err = s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		x, err := a.load(ctx, tx, now)
		if err != nil {
			return Plan{}, err
		}
		return a.rule(x, now)
	}, func(tx Tx) error {
		m, err := tx.Memory(ctx, a.id)
		if m != nil {
			out = *m
		}
		return err
	})
	return out, err
}

func (a act) load(ctx context.Context, tx Tx, now time.Time) (Subject, error) {
	var recorded []ID
	if a.settles {
		var err error
		if recorded, err = settleOverdue(ctx, tx, now, a.id); err != nil {
			return Subject{}, err
		}
	}
	if a.hit != nil {
		a.aspects |= aspectAll
	}
	x, err := loadSubject(ctx, tx, a.id, a.aspects)
	if err == nil && a.aspects&aspectTrouble != 0 {
		x.Dependents.Troubled, err = troubledClaims(ctx, tx, x.Dependents.Claims, now)
	}
	x.Hit, x.Marked = a.hit, slices.Contains(recorded, a.id)
	return x, err
}

// decide runs a verb as the only writer: the present moment is read once, facts
// are loaded, a rule decides and its plan commits, the audit row of a denial
// too. Then, if given, what the caller gets is read.
func (s *Service) decide(ctx context.Context, rule func(Tx, time.Time) (Plan, error), then func(Tx) error) error {
	var denial *Error
	indexed, retold := false, false
	err := s.store.Update(ctx, func(tx Tx) error {
		plan, err := rule(tx, s.now())
		if err != nil {
			return err
		}
		denial, indexed = plan.Denial, plan.concernsIndex()
		if !plan.Empty() {
			if retold, err = s.apply(ctx, tx, plan); err != nil {
				return err
			}
		}
		if then == nil || denial != nil {
			return nil
		}
		return then(tx)
	})
	if err != nil {
		return err
	}
	if retold {
		s.behind()
	}
	if indexed { // the queue of the hook, which has no time, is not
		s.follow(ctx)
	}
	if denial != nil {
		return denial
	}
	return nil
}

// apply writes a plan and takes the vectors of turns away whose lines it changes.
func (s *Service) apply(ctx context.Context, tx Tx, p Plan) (retold bool, err error) {
	turns, err := toldAfter(ctx, tx, p)
	if err != nil {
		return false, err
	}
	if err := tx.Apply(ctx, p); err != nil {
		return false, err
	}
	return s.retell(ctx, tx, turns)
}

// loadSubject loads a memory with the aspects asked for; of an unknown memory
// there is nothing to load.
func loadSubject(ctx context.Context, r Reader, id ID, what aspect) (Subject, error) {
	x := Subject{ID: id}
	var err error
	if x.Memory, err = r.Memory(ctx, id); err != nil || x.Memory == nil {
		return x, err
	}
	if what&aspectLabels != 0 {
		labels, err := r.Labels(ctx, []ID{id})
		if err != nil {
			return x, err
		}
		x.Labels = labels[id]
	}
	if what&aspectRoles != 0 {
		if x.Anchor, err = r.Anchor(ctx, id); err != nil {
			return x, err
		}
		if x.Canon, err = r.Canon(ctx, nil, &id); err != nil {
			return x, err
		}
		if x.Waiting, err = waitingOf(ctx, r, id); err != nil {
			return x, err
		}
	}
	if what&aspectDependents != 0 {
		x.Dependents, err = loadDependents(ctx, r, SourceMemory, id)
	}
	return x, err
}

// hear takes the texts of a call that will be stored: secrets are treated as the
// policy says, in place, and what screening finds is given.
func (s *Service) hear(texts ...Spoken) (*Hit, error) {
	if _, err := KeepSecrets(s.secrets, texts...); err != nil {
		return nil, err
	}
	return screenSpoken(texts), nil
}
