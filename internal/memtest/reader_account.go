package memtest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"combray/internal/memory"
)

// Narrative implements memory.NarrativeReader, and so on to NarrativesCiting.
func (r reader) Narrative(_ context.Context, id memory.ID) (*memory.Narrative, error) {
	return found(r.narratives, id), nil
}

func (r reader) CurrentNarrative(_ context.Context, scope string) (*memory.Narrative, error) {
	return first(maps.Values(r.narratives), func(n memory.Narrative) bool {
		return n.SupersededAt == nil && n.Scope == scope
	}), nil
}

func (r reader) CurrentNarratives(_ context.Context, limit int) ([]memory.Narrative, error) {
	return cut(choose(maps.Values(r.narratives), func(n memory.Narrative) bool { return n.SupersededAt == nil },
		func(a, b memory.Narrative) int { return cmp.Compare(a.Scope, b.Scope) }), limit), nil
}

func (r reader) NarrativeHistory(_ context.Context, scope *string, limit int) ([]memory.Narrative, error) {
	return cut(choose(maps.Values(r.narratives), func(n memory.Narrative) bool { return matches(scope, &n.Scope) },
		func(a, b memory.Narrative) int { return -oldest(a.CreatedAt, b.CreatedAt, a.ID, b.ID) }), limit), nil
}

func (r reader) NarrativesCiting(_ context.Context, kind memory.SourceKind, id memory.ID) ([]memory.Narrative, error) {
	return choose(maps.Values(r.narratives), func(n memory.Narrative) bool {
		cited := map[memory.SourceKind][]memory.ID{
			memory.SourceMemory: n.MemoryIDs, memory.SourceClaim: n.ClaimIDs, memory.SourceLink: n.LinkIDs}
		return slices.Contains(cited[kind], id)
	}, func(a, b memory.Narrative) int { return oldest(a.CreatedAt, b.CreatedAt, a.ID, b.ID) }), nil
}

// Claim implements memory.ClaimReader, and so on to LastClaimEventAt.
func (r reader) Claim(_ context.Context, id memory.ID) (*memory.Claim, error) {
	return found(r.claims, id), nil
}

func (r reader) Claims(_ context.Context, ids []memory.ID) ([]memory.Claim, error) {
	return known(r.claims, ids), nil
}

func (r reader) ClaimsIn(_ context.Context, scope *string) ([]memory.Claim, error) {
	return choose(maps.Values(r.claims), func(c memory.Claim) bool { return matches(scope, &c.Scope) },
		func(a, b memory.Claim) int {
			return cmp.Or(b.RecordedAt.Compare(a.RecordedAt), cmp.Compare(a.ID, b.ID))
		}), nil
}

func (r reader) ClaimEvents(_ context.Context, claims []memory.ID) ([]memory.ClaimEvent, error) {
	return choose(slices.Values(r.events), func(e memory.ClaimEvent) bool { return slices.Contains(claims, e.ClaimID) },
		func(a, b memory.ClaimEvent) int { return cmp.Compare(a.Sequence, b.Sequence) }), nil
}

func (r reader) EvidenceFor(_ context.Context, claims []memory.ID) ([]memory.Evidence, error) {
	return r.evidenceWhere(func(e memory.Evidence) bool { return slices.Contains(claims, e.ClaimID) }), nil
}

func (r reader) EvidenceFrom(_ context.Context, id memory.ID) ([]memory.Evidence, error) {
	return r.evidenceWhere(func(e memory.Evidence) bool { return e.MemoryID == id }), nil
}

func (r reader) evidenceWhere(keep func(memory.Evidence) bool) []memory.Evidence {
	return choose(maps.Values(r.evidence), keep,
		func(a, b memory.Evidence) int { return oldest(a.RecordedAt, b.RecordedAt, a.ID, b.ID) })
}

func (r reader) Evidence(_ context.Context, id memory.ID) (*memory.Evidence, error) {
	return found(r.evidence, id), nil
}

func (r reader) LastClaimEventAt(context.Context) (last time.Time, err error) {
	for _, e := range r.events {
		if e.RecordedAt.After(last) {
			last = e.RecordedAt
		}
	}
	return last, nil
}
