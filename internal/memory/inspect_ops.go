package memory

import (
	"context"
	"slices"
	"time"
)

// Inspection is everything on record about one memory.
type Inspection struct {
	Memory      Memory
	Provenance  ProvenanceView
	Links       []Link     // at it, retired ones too
	Evidence    []Evidence // it gives, retracted too
	Claims      []ClaimView
	Narratives  []NarrativeView
	Audit       []AuditRow     // captures too, newest first
	Versions    []Memory       // those it corrects or that correct it, oldest first, itself left out
	Surfaced    []Recollection // when it came back unasked, newest first, at most MaxList
	SilentUntil *time.Time     // on the event clock; nil while it may come back
}

// InspectMemory gives everything about one memory, a forgotten one too. It
// writes nothing.
func (s *Service) InspectMemory(ctx context.Context, id ID) (out Inspection, err error) {
	now := s.now()
	err = s.store.View(ctx, func(r Reader) error {
		m, err := r.Memory(ctx, id)
		if err != nil {
			return err
		}
		if m == nil {
			return NotFound("memory", id)
		}
		labels, err := r.Labels(ctx, []ID{id})
		if err != nil {
			return err
		}
		out.Memory, out.Provenance = AsOf(*m, now), Provenance(*m, labels[id])
		if out.Links, err = r.LinksOf(ctx, []ID{id}, true); err != nil {
			return err
		}
		if out.Audit, err = r.Audit(ctx, AuditQuery{Subject: &id, Captures: true, Limit: MaxList}); err != nil {
			return err
		}
		if out.Evidence, err = r.EvidenceFrom(ctx, id); err != nil {
			return err
		}
		if out.Claims, err = citingClaims(ctx, r, out.Evidence, now); err != nil {
			return err
		}
		narratives, err := r.NarrativesCiting(ctx, SourceMemory, id)
		if err != nil {
			return err
		}
		if out.Narratives, err = viewNarratives(ctx, r, narratives, now); err != nil {
			return err
		}
		if out.Versions, err = versionsOf(ctx, r, *m); err != nil {
			return err
		}
		return out.surfaced(ctx, r, now)
	})
	return out, err
}

// surfaced loads how a memory came back unasked.
func (i *Inspection) surfaced(ctx context.Context, r Reader, now time.Time) error {
	firings, err := r.Firings(ctx, []ID{i.Memory.ID})
	if err != nil {
		return err
	}
	if until, silent := silence(firings, now); silent {
		i.SilentUntil = &until
	}
	slices.Reverse(firings)
	i.Surfaced = firings[:min(len(firings), MaxList)]
	return nil
}

// citingClaims gives the views of the claims that evidence belongs to.
func citingClaims(ctx context.Context, r Reader, evidence []Evidence, now time.Time) ([]ClaimView, error) {
	var ids []ID
	for _, e := range evidence {
		if !slices.Contains(ids, e.ClaimID) {
			ids = append(ids, e.ClaimID)
		}
	}
	claims, err := r.Claims(ctx, ids)
	if err != nil {
		return nil, err
	}
	facts, err := loadClaimFacts(ctx, r, claims)
	if err != nil {
		return nil, err
	}
	views := make([]ClaimView, len(facts))
	for i, f := range facts {
		views[i] = *viewClaim(f, nil, now)
	}
	return views, nil
}

// versionsOf follows active `updates` links from a memory to what it corrects
// and what corrects it, oldest captured first.
func versionsOf(ctx context.Context, r Reader, m Memory) ([]Memory, error) {
	seen, next := []ID{m.ID}, []ID{m.ID}
	for len(next) > 0 && len(seen) <= MaxList {
		links, err := r.LinksOf(ctx, next, false)
		if err != nil {
			return nil, err
		}
		next = nil
		for _, l := range links {
			if l.Relation != "updates" {
				continue
			}
			for _, end := range []ID{l.From, l.To} {
				if !slices.Contains(seen, end) {
					seen, next = append(seen, end), append(next, end)
				}
			}
		}
	}
	versions, err := r.Memories(ctx, seen[1:])
	slices.SortFunc(versions, func(a, b Memory) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return versions, err
}
