package store

import (
	"context"
	"time"

	"combray/internal/memory"
)

var claims = newTable("claims", "id", func(c *memory.Claim) []column {
	return []column{
		{"id", &c.ID, fixed},
		{"scope", &c.Scope, fixed},
		{"kind", &c.Kind, fixed},
		{"recorded_at", instant{&c.RecordedAt}, fixed},
		{"security_sensitive", &c.SecuritySensitive, fixed},
		{"statement_at", maybeInstant{&c.StatementAt}, fixed},
		{"valid_from", maybeInstant{&c.ValidFrom}, fixed},
		{"valid_until", maybeInstant{&c.ValidUntil}, fixed},
		{"recorded_client", &c.RecordedBy.Client, fixed},
		{"recorded_version", &c.RecordedBy.Version, fixed},
		{"recorded_door", &c.RecordedBy.Door, fixed},
		{"asserted_by", &c.AssertedBy, fixed},
		{"content", &c.Content, fixed},
	}
})

// The sequence of a claim event is its row number: events are only appended.
var claimEvents = newTable("claim_events", "sequence", func(e *memory.ClaimEvent) []column {
	return []column{
		{"claim_events.sequence", &e.Sequence, computed},
		{"claim_id", &e.ClaimID, fixed},
		{"action", &e.Action, fixed},
		{"recorded_at", instant{&e.RecordedAt}, fixed},
		{"replacement_id", &e.ReplacementID, fixed},
		{"reason", &e.Reason, fixed},
	}
})

var evidence = newTable("evidence", "id", func(e *memory.Evidence) []column {
	return []column{
		{"id", &e.ID, fixed},
		{"claim_id", &e.ClaimID, mutable},
		{"memory_id", &e.MemoryID, mutable},
		{"stance", &e.Stance, mutable},
		{"recorded_at", instant{&e.RecordedAt}, mutable},
		{"retracted_at", maybeInstant{&e.RetractedAt}, mutable},
		{"origin_id", &e.OriginID, mutable},
		{"locator", &e.Locator, mutable},
		{"retraction_reason", &e.RetractionReason, mutable},
		{"reason", &e.Reason, mutable},
		{"quote", &e.Quote, mutable},
	}
})

// Claim implements memory.ClaimReader.
func (r *reader) Claim(ctx context.Context, id memory.ID) (*memory.Claim, error) {
	return claims.one(ctx, r.conn(), "WHERE id = ?", id)
}

// Claims implements memory.ClaimReader.
func (r *reader) Claims(ctx context.Context, ids []memory.ID) ([]memory.Claim, error) {
	rows, err := claims.find(ctx, r.conn(), "WHERE id IN "+anyOf, keys[memory.ID](ids))
	return inOrder(rows, ids, func(c memory.Claim) memory.ID { return c.ID }), err
}

// ClaimsIn implements memory.ClaimReader.
func (r *reader) ClaimsIn(ctx context.Context, scope *string) ([]memory.Claim, error) {
	const order = "ORDER BY recorded_at DESC, id"
	if scope == nil {
		return claims.find(ctx, r.conn(), order)
	}
	return claims.find(ctx, r.conn(), "WHERE scope = ? "+order, *scope)
}

// ClaimEvents implements memory.ClaimReader.
func (r *reader) ClaimEvents(ctx context.Context, ids []memory.ID) ([]memory.ClaimEvent, error) {
	return claimEvents.find(ctx, r.conn(), "WHERE claim_id IN "+anyOf+" ORDER BY sequence", keys[memory.ID](ids))
}

// EvidenceFor implements memory.ClaimReader.
func (r *reader) EvidenceFor(ctx context.Context, ids []memory.ID) ([]memory.Evidence, error) {
	return evidence.find(ctx, r.conn(), "WHERE claim_id IN "+anyOf+" ORDER BY recorded_at, id", keys[memory.ID](ids))
}

// EvidenceFrom implements memory.ClaimReader.
func (r *reader) EvidenceFrom(ctx context.Context, id memory.ID) ([]memory.Evidence, error) {
	return evidence.find(ctx, r.conn(), "WHERE memory_id = ? ORDER BY recorded_at, id", id)
}

// Evidence implements memory.ClaimReader.
func (r *reader) Evidence(ctx context.Context, id memory.ID) (*memory.Evidence, error) {
	return evidence.one(ctx, r.conn(), "WHERE id = ?", id)
}

// LastClaimEventAt implements memory.ClaimReader. It is the latest time of all
// events, also when an import brought older ones in later.
func (r *reader) LastClaimEventAt(ctx context.Context) (time.Time, error) {
	var last *time.Time
	_, err := r.conn().scan(ctx, []any{maybeInstant{&last}}, "SELECT max(recorded_at) FROM claim_events")
	if last == nil {
		return time.Time{}, err
	}
	return *last, err
}
