package memory

import (
	"context"
	"time"
)

// Corroborate records that another source confirms a memory.
func (s *Service) Corroborate(ctx context.Context, id ID, source string) (Memory, error) {
	hit, err := s.hear(Spoken{"source", &source})
	if err != nil {
		return Memory{}, err
	}
	return s.act(ctx, act{id: id, hit: hit, aspects: aspectLabels | aspectDependents | aspectTrouble, settles: true,
		rule: func(x Subject, now time.Time) (Plan, error) { return Corroborate(x, source, s.newID(), now) }})
}

// Provenance tells where a memory comes from, forgotten or not. It writes
// nothing.
func (s *Service) Provenance(ctx context.Context, id ID) (out ProvenanceView, err error) {
	err = s.store.View(ctx, func(r Reader) error {
		x, err := loadSubject(ctx, r, id, aspectLabels)
		if err != nil {
			return err
		}
		if err := x.known(); err != nil {
			return err
		}
		out = Provenance(*x.Memory, x.Labels)
		return nil
	})
	return out, err
}
