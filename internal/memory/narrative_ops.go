package memory

import (
	"context"
	"time"
)

// Narrate writes a new version of the account of a scope.
func (s *Service) Narrate(ctx context.Context, in NarrateInput) (out NarrativeView, err error) {
	spoken := []Spoken{{"content", &in.Content}, {"reason", &in.Reason}}
	for _, t := range []Spoken{{"perspective", in.Perspective}, {"coverage", in.Coverage}} {
		if t.Text != nil {
			spoken = append(spoken, t)
		}
	}
	hit, err := s.hear(spoken...)
	if err != nil {
		return out, err
	}
	id := s.newID()
	return s.changeNarrative(ctx, id, func(tx Tx, now time.Time) (Plan, error) {
		facts, settled, err := loadNarrateFacts(ctx, tx, in, now)
		if err != nil {
			return Plan{}, err
		}
		facts.Hit, facts.By = hit, ActorOf(ctx)
		plan, err := Narrate(in, facts, id, now)
		return keepSettled(settled, plan, err)
	})
}

// changeNarrative runs a verb and gives the narrative it was about.
func (s *Service) changeNarrative(ctx context.Context, id ID, rule func(Tx, time.Time) (Plan, error)) (out NarrativeView, err error) {
	var at time.Time
	err = s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		at = now
		return rule(tx, now)
	}, func(tx Tx) error {
		n, err := tx.Narrative(ctx, id)
		if err != nil {
			return err
		}
		out, err = viewNarrative(ctx, tx, *n, at)
		return err
	})
	return out, err
}

// loadNarrateFacts loads what a new account cites. Overdue interpretations among
// its sources are recorded first; it says which.
func loadNarrateFacts(ctx context.Context, tx Tx, in NarrateInput, now time.Time) (f NarrateFacts, settled []ID, err error) {
	if checkNarrate(in) != nil {
		return f, nil, nil // the rule refuses it before it looks at facts
	}
	memories, claims, links := in.sources()
	if f.Sources, err = loadSources(ctx, tx, memories, claims, links); err != nil {
		return f, nil, err
	}
	if settled, err = settleOverdue(ctx, tx, now, f.Sources.effective(memories, claims, links)...); err != nil {
		return f, nil, err
	}
	if settled != nil {
		if f.Sources, err = loadSources(ctx, tx, memories, claims, links); err != nil {
			return f, nil, err
		}
	}
	f.Current, err = tx.CurrentNarrative(ctx, in.Scope)
	return f, settled, err
}

// loadSources loads what an account names and all memories that it rests on.
func loadSources(ctx context.Context, r Reader, memories, claims, links []ID) (s NarrativeSources, err error) {
	known, err := r.Claims(ctx, claims)
	if err != nil {
		return s, err
	}
	facts, err := loadClaimFacts(ctx, r, known)
	if err != nil {
		return s, err
	}
	s.Claims = make(map[ID]ClaimFacts, len(facts))
	for _, f := range facts {
		s.Claims[f.Claim.ID] = f
	}
	found, err := r.Links(ctx, links)
	if err != nil {
		return s, err
	}
	s.Links = make(map[ID]Link, len(found))
	for _, l := range found {
		s.Links[l.ID] = l
	}
	if s.Memories, err = memoriesByID(ctx, r, s.effective(memories, claims, links)); err != nil {
		return s, err
	}
	s.Labels, err = r.Labels(ctx, keysOf(s.Memories))
	return s, err
}

// viewNarrative loads what a narrative cites and computes its state.
func viewNarrative(ctx context.Context, r Reader, n Narrative, now time.Time) (NarrativeView, error) {
	sources, err := loadSources(ctx, r, n.MemoryIDs, n.ClaimIDs, n.LinkIDs)
	return ViewNarrative(n, sources, now), err
}

func viewNarratives(ctx context.Context, r Reader, narratives []Narrative, now time.Time) ([]NarrativeView, error) {
	out := make([]NarrativeView, len(narratives))
	for i, n := range narratives {
		var err error
		if out[i], err = viewNarrative(ctx, r, n, now); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ReviewNarrative confirms a stale account whose sources hold again.
func (s *Service) ReviewNarrative(ctx context.Context, id ID, note string) (NarrativeView, error) {
	if _, err := s.hear(Spoken{"note", &note}); err != nil {
		return NarrativeView{}, err
	}
	return s.changeNarrative(ctx, id, func(tx Tx, now time.Time) (Plan, error) {
		n, err := tx.Narrative(ctx, id)
		if err != nil || n == nil {
			return plannedReview(id, nil, note, now, err)
		}
		sources, err := loadSources(ctx, tx, n.MemoryIDs, n.ClaimIDs, n.LinkIDs)
		if err != nil {
			return Plan{}, err
		}
		settled, err := settleOverdue(ctx, tx, now, sources.effective(n.MemoryIDs, n.ClaimIDs, n.LinkIDs)...)
		if err != nil {
			return Plan{}, err
		}
		if n, err = tx.Narrative(ctx, id); err != nil {
			return Plan{}, err
		}
		v, err := viewNarrative(ctx, tx, *n, now)
		plan, err := plannedReview(id, &v, note, now, err)
		return keepSettled(settled, plan, err)
	})
}

func plannedReview(id ID, v *NarrativeView, note string, now time.Time, err error) (Plan, error) {
	if err != nil {
		return Plan{}, err
	}
	return ReviewNarrative(id, v, note, now)
}

// CurrentNarrative gives the current account of a scope, a stale one too; nil
// when there is none.
func (s *Service) CurrentNarrative(ctx context.Context, scope string) (out *NarrativeView, err error) {
	if err := need(given{"scope", scope}); err != nil {
		return nil, err
	}
	now := s.now()
	err = s.store.View(ctx, func(r Reader) error {
		n, err := r.CurrentNarrative(ctx, scope)
		if err != nil || n == nil {
			return err
		}
		v, err := viewNarrative(ctx, r, *n, now)
		out = &v
		return err
	})
	return out, err
}

// NarrativeHistory gives the versions of a scope, or of all, newest first.
func (s *Service) NarrativeHistory(ctx context.Context, limit int, scope *string) ([]NarrativeView, error) {
	return s.listNarratives(ctx, limit, scope, func(r Reader, limit int) ([]Narrative, error) {
		return r.NarrativeHistory(ctx, scope, limit)
	})
}

// ListNarratives gives the current version of every scope.
func (s *Service) ListNarratives(ctx context.Context, limit int) ([]NarrativeView, error) {
	return s.listNarratives(ctx, limit, nil, func(r Reader, limit int) ([]Narrative, error) {
		return r.CurrentNarratives(ctx, limit)
	})
}

func (s *Service) listNarratives(ctx context.Context, limit int, scope *string, read func(Reader, int) ([]Narrative, error)) (out []NarrativeView, err error) {
	if limit, err = checkNarrativeList(limit, scope); err != nil || limit == 0 {
		return nil, err
	}
	now := s.now()
	err = s.store.View(ctx, func(r Reader) error {
		narratives, err := read(r, limit)
		if err != nil {
			return err
		}
		out, err = viewNarratives(ctx, r, narratives, now)
		return err
	})
	return out, err
}
