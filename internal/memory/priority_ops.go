package memory

import (
	"context"
	"slices"
	"time"
)

// Pinned is an anchor as pin answers. Warning is "" when there is none.
type Pinned struct {
	MemoryID ID
	Reason   string
	PinnedAt time.Time
	Warning  string
}

// Pin makes a memory an anchor.
func (s *Service) Pin(ctx context.Context, id ID, reason string) (Pinned, error) {
	hit, err := s.hear(Spoken{"reason", &reason})
	if err != nil {
		return Pinned{}, err
	}
	var (
		anchor  Anchor
		warning string
	)
	err = s.decide(ctx, func(tx Tx, now time.Time) (plan Plan, err error) {
		x, err := act{id: id, hit: hit, aspects: aspectLabels | aspectRoles}.load(ctx, tx, now)
		if err != nil {
			return Plan{}, err
		}
		anchors, err := tx.Anchors(ctx)
		if err != nil {
			return Plan{}, err
		}
		anchor, warning, plan, err = Pin(x, reason, len(anchors), now)
		return plan, err
	}, nil)
	if err != nil {
		return Pinned{}, err
	}
	return Pinned{anchor.MemoryID, anchor.Reason, anchor.PinnedAt, warning}, nil
}

// Unpin takes an anchor away, if there is one, and gives the id back.
func (s *Service) Unpin(ctx context.Context, id ID, reason *string) (ID, error) {
	if reason != nil {
		note := *reason
		if _, err := s.hear(Spoken{"reason", &note}); err != nil {
			return "", err
		}
		reason = &note
	}
	err := s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		anchor, err := tx.Anchor(ctx, id)
		if err != nil {
			return Plan{}, err
		}
		return Unpin(id, anchor, reason, now)
	}, nil)
	return id, err
}

// Canonized is a membership as canonize answers. Warning is "" when there is
// none.
type Canonized struct {
	MemoryID    ID
	Scope       string
	Reason      string
	CanonizedAt time.Time
	Warning     string
}

// Canonize makes a memory part of a task's canon.
func (s *Service) Canonize(ctx context.Context, id ID, scope, reason string) (Canonized, error) {
	hit, err := s.hear(Spoken{"scope", &scope}, Spoken{"reason", &reason})
	if err != nil {
		return Canonized{}, err
	}
	var (
		entry   CanonEntry
		warning string
	)
	err = s.decide(ctx, func(tx Tx, now time.Time) (plan Plan, err error) {
		x, err := act{id: id, hit: hit, aspects: aspectLabels | aspectRoles}.load(ctx, tx, now)
		if err != nil {
			return Plan{}, err
		}
		active, err := tx.Canon(ctx, nil, nil)
		if err != nil {
			return Plan{}, err
		}
		entry, warning, plan, err = Canonize(x, CanonAsk{Scope: scope, Reason: reason, ID: s.newID(), Active: len(active)}, now)
		return plan, err
	}, nil)
	if err != nil {
		return Canonized{}, err
	}
	return Canonized{entry.MemoryID, entry.Scope, entry.Reason, entry.CanonizedAt, warning}, nil
}

// Decanonized says how many memberships ended.
type Decanonized struct {
	MemoryID ID
	N        int
	Scope    *string // nil: all
	Reason   string
}

// Decanonize takes a memory out of a task's canon, or out of all.
func (s *Service) Decanonize(ctx context.Context, id ID, scope *string, reason string) (Decanonized, error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return Decanonized{}, err
	}
	out := Decanonized{MemoryID: id, Scope: scope, Reason: reason}
	err := s.decide(ctx, func(tx Tx, now time.Time) (plan Plan, err error) {
		x, err := loadSubject(ctx, tx, id, aspectRoles)
		if err != nil {
			return Plan{}, err
		}
		out.N, plan, err = Decanonize(x, scope, reason, now)
		return plan, err
	}, nil)
	return out, err
}

// EndScope ends a task: every memory in its canon loses that place.
func (s *Service) EndScope(ctx context.Context, scope, reason string) (ended int, err error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return 0, err
	}
	err = s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		entries, err := tx.Canon(ctx, &scope, nil)
		if err != nil {
			return Plan{}, err
		}
		ended = len(entries)
		return EndScope(scope, reason, entries, now)
	}, nil)
	return ended, err
}

// ListCanon gives the active memberships of a scope (nil: all), oldest first,
// without those of forgotten memories.
func (s *Service) ListCanon(ctx context.Context, scope *string) (out []CanonRow, err error) {
	err = s.store.View(ctx, func(r Reader) error {
		out, err = loadCanon(ctx, r, scope)
		return err
	})
	return out, err
}

// ActiveScopes gives the names of the scopes with an active membership, sorted.
func (s *Service) ActiveScopes(ctx context.Context) (out []string, err error) {
	err = s.store.View(ctx, func(r Reader) error {
		entries, err := r.Canon(ctx, nil, nil)
		out = scopesOf(entries)
		return err
	})
	return out, err
}

// AnchorPage is a part of the anchors. NextCursor is "" at the end.
type AnchorPage struct {
	Anchors    []AnchorRow
	NextCursor string
}

// ListAnchors gives the anchors in the order they were pinned, a page at a time.
func (s *Service) ListAnchors(ctx context.Context, limit int, cursor string) (AnchorPage, error) {
	const query = "list_anchors"
	after, err := readCursor(query, cursor)
	if err != nil {
		return AnchorPage{}, err
	}
	var page AnchorPage
	err = s.store.View(ctx, func(r Reader) error {
		rows, err := loadAnchors(ctx, r)
		if after != nil {
			rows = slices.DeleteFunc(rows, func(a AnchorRow) bool { return !a.Anchor.behind(*after) })
		}
		page.Anchors, page.NextCursor = paged(rows, pageSize(limit), query, func(a AnchorRow) place {
			return place{at: a.Anchor.PinnedAt, id: a.Anchor.MemoryID}
		})
		return err
	})
	return page, err
}
