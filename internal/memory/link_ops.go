package memory

import (
	"context"
	"time"
)

// LinkMemories says how one memory relates to another.
func (s *Service) LinkMemories(ctx context.Context, from, to ID, relation, reason string) (out Link, err error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return Link{}, err
	}
	err = s.decide(ctx, func(tx Tx, now time.Time) (plan Plan, err error) {
		pair, err := loadPair(ctx, tx, from, to)
		if err != nil {
			return Plan{}, err
		}
		active, err := tx.ActiveLink(ctx, from, to, Relation(relation))
		if err != nil {
			return Plan{}, err
		}
		out, plan, err = LinkMemories(pair, active, Link{ID: s.newID(), Relation: Relation(relation), Reason: reason}, now)
		return plan, err
	}, nil)
	return out, err
}

// UnlinkMemories retires a link and keeps it on record.
func (s *Service) UnlinkMemories(ctx context.Context, id ID, reason string) (out Link, err error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return Link{}, err
	}
	err = s.decide(ctx, func(tx Tx, now time.Time) (plan Plan, err error) {
		link, err := tx.Link(ctx, id)
		if err != nil {
			return Plan{}, err
		}
		d, err := loadDependents(ctx, tx, SourceLink, id)
		if err != nil {
			return Plan{}, err
		}
		out, plan, err = UnlinkMemories(id, link, d, reason, now)
		return plan, err
	}, nil)
	return out, err
}

// MemoryLinks gives the links at a memory in either direction, oldest first; an
// unknown memory has none.
func (s *Service) MemoryLinks(ctx context.Context, id ID, includeRetired bool) (out []Link, err error) {
	err = s.store.View(ctx, func(r Reader) error {
		out, err = r.LinksOf(ctx, []ID{id}, includeRetired)
		return err
	})
	return out, err
}
