package memory

import (
	"context"
	"slices"
	"time"
)

// Adopt takes over what another system kept, in one transaction: all of it or
// nothing. Ids, times and the audit log stay as they were; the caller is noted as
// who brought it. Vectors are made behind. The same inheritance again adds nothing:
// what is here already stays as it is. progress, if given, is told now and then
// how many of the rows that come have been written.
func (s *Service) Adopt(ctx context.Context, in Inheritance, progress func(written int)) (out Adopted, err error) {
	err = s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		facts, err := loadAdoptFacts(ctx, tx, in)
		if err != nil {
			return Plan{}, err
		}
		parts, adopted := Adopt(in, facts, ActorOf(ctx), now)
		written := 0
		for part := range parts {
			if _, err := s.apply(ctx, tx, part); err != nil {
				return Plan{}, err
			}
			if written += len(part.Changes) + len(part.Audit); progress != nil {
				progress(written)
			}
		}
		out = *adopted
		return Plan{}, nil
	}, nil)
	if err != nil {
		return Adopted{}, err
	}
	s.behind()
	return out, nil
}

func loadAdoptFacts(ctx context.Context, r Reader, in Inheritance) (f AdoptFacts, err error) {
	f = AdoptFacts{Positions: map[SessionPlace]ID{}, Current: map[string]ID{}, Open: map[Opponents]ID{}, Active: map[Edge]ID{}}
	if f.Memories, err = knownAmong(ctx, idsOf(in.Memories, func(m Memory) ID { return m.ID }), r.Memories, func(m Memory) ID { return m.ID }); err != nil {
		return f, err
	}
	if f.Claims, err = knownAmong(ctx, idsOf(in.Claims, func(c Claim) ID { return c.ID }), r.Claims, func(c Claim) ID { return c.ID }); err != nil {
		return f, err
	}
	if f.Links, err = knownAmong(ctx, idsOf(in.Links, func(l Link) ID { return l.ID }), r.Links, func(l Link) ID { return l.ID }); err != nil {
		return f, err
	}
	for _, load := range []func(context.Context, Reader, Inheritance) error{
		f.loadErased, f.loadPositions, f.loadConflicts, f.loadActiveLinks, f.loadNarratives, f.loadAudit,
	} {
		if err := load(ctx, r, in); err != nil {
			return f, err
		}
	}
	return f, nil
}

// adoptBatch is how many ids are looked up at once: a query costs more than its
// rows do, and the rows of a batch are held together.
const adoptBatch = 1000

func idsOf[R any](rows []R, id func(R) ID) []ID {
	out := make([]ID, len(rows))
	for i, row := range rows {
		out[i] = id(row)
	}
	return out
}

// knownAmong says which ids the store has.
func knownAmong[R any](ctx context.Context, ids []ID, find func(context.Context, []ID) ([]R, error), id func(R) ID) (map[ID]bool, error) {
	known := map[ID]bool{}
	for batch := range slices.Chunk(ids, adoptBatch) {
		rows, err := find(ctx, batch)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			known[id(row)] = true
		}
	}
	return known, nil
}

func (f *AdoptFacts) loadErased(ctx context.Context, r Reader, _ Inheritance) error {
	action := ActErase
	rows, err := r.Audit(ctx, AuditQuery{Action: &action})
	f.Erased = make(map[ID]bool, len(rows))
	for _, row := range rows {
		f.Erased[row.Subject] = true
	}
	return err
}

// loadPositions looks up the positions of new memories in sessions that the
// store knows.
func (f *AdoptFacts) loadPositions(ctx context.Context, r Reader, in Inheritance) error {
	sessions := map[string]bool{}
	for _, m := range in.Memories {
		if f.Memories[m.ID] || m.SessionID == nil || m.SessionPosition == nil {
			continue
		}
		known, asked := sessions[*m.SessionID]
		if !asked {
			n, err := r.Count(ctx, ListFilter{SessionID: m.SessionID, Forgotten: ActiveAndForgotten})
			if err != nil {
				return err
			}
			known = n > 0
			sessions[*m.SessionID] = known
		}
		if !known {
			continue
		}
		holder, err := r.AtPosition(ctx, *m.SessionID, *m.SessionPosition)
		if err != nil {
			return err
		}
		if holder != nil {
			f.Positions[SessionPlace{*m.SessionID, *m.SessionPosition}] = holder.ID
		}
	}
	return nil
}

func (f *AdoptFacts) loadConflicts(ctx context.Context, r Reader, _ Inheritance) error {
	conflicts, err := r.Conflicts(ctx, nil)
	f.Conflicts = make(map[ID]bool, len(conflicts))
	for _, c := range conflicts {
		f.Conflicts[c.ID] = true
		if c.ResolvedAt == nil {
			f.Open[OpponentsOf(c.A, c.B)] = c.ID
		}
	}
	return err
}

// loadActiveLinks looks for links that stand where a new one would: only between
// two memories that are here already.
func (f *AdoptFacts) loadActiveLinks(ctx context.Context, r Reader, in Inheritance) error {
	for _, l := range in.Links {
		if f.Links[l.ID] || l.RetiredAt != nil || !f.Memories[l.From] || !f.Memories[l.To] {
			continue
		}
		active, err := r.ActiveLink(ctx, l.From, l.To, l.Relation)
		if err != nil {
			return err
		}
		if active != nil {
			f.Active[Edge{l.From, l.To, l.Relation}] = active.ID
		}
	}
	return nil
}

func (f *AdoptFacts) loadNarratives(ctx context.Context, r Reader, in Inheritance) error {
	f.Narratives = map[ID]bool{}
	for _, n := range in.Narratives {
		known, err := r.Narrative(ctx, n.ID)
		if err != nil {
			return err
		}
		if known != nil {
			f.Narratives[n.ID] = true
		}
	}
	current, err := r.CurrentNarratives(ctx, 0)
	for _, n := range current {
		f.Current[n.Scope] = n.ID
	}
	return err
}

// auditPage is how many audit rows are held at once while their ids are read.
const auditPage = 10_000

func (f *AdoptFacts) loadAudit(ctx context.Context, r Reader, _ Inheritance) error {
	f.Audit = map[ID]bool{}
	q := AuditQuery{Limit: auditPage}
	for {
		rows, err := r.Audit(ctx, q)
		if err != nil {
			return err
		}
		for _, row := range rows {
			f.Audit[row.ID] = true
		}
		if len(rows) < auditPage {
			return nil
		}
		last := rows[len(rows)-1]
		q.Before = &AuditCursor{At: last.At, Sequence: last.Sequence}
	}
}
