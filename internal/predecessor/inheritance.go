package predecessor

import (
	"context"
	"slices"

	"combray/internal/memory"
)

// inheritance reads every table.
func (s *snapshot) inheritance(ctx context.Context) (in memory.Inheritance, err error) {
	if err := s.count(ctx); err != nil {
		return memory.Inheritance{}, err
	}
	for _, step := range []func() error{
		func() (err error) { in.Memories, err = readRows(ctx, s, "memories", readMemory); return err },
		func() (err error) {
			in.Corroborations, err = readRows(ctx, s, "corroborations", readCorroboration)
			return err
		},
		func() (err error) { in.Anchors, err = readRows(ctx, s, "anchors", readAnchor); return err },
		func() (err error) { in.Canon, err = readRows(ctx, s, "canon_entries", readCanon); return err },
		func() (err error) { in.Conflicts, err = readRows(ctx, s, "conflicts", readConflict); return err },
		func() (err error) { in.Links, err = readRows(ctx, s, "memory_links", readLink); return err },
		func() (err error) { in.Narratives, err = readRows(ctx, s, "narratives", readNarrative); return err },
		func() (err error) { in.Claims, err = readRows(ctx, s, "claims", readClaim); return err },
		func() (err error) { in.Events, err = readRows(ctx, s, "claim_events", readEvent); return err },
		func() (err error) { in.Evidence, err = readRows(ctx, s, "claim_evidence", readEvidence); return err },
		func() (err error) { in.Audit, err = readRows(ctx, s, "audit_log", readAudit); return err },
	} {
		if err := step(); err != nil {
			return memory.Inheritance{}, err
		}
	}
	return in, nil
}

// count counts the rows of every table, so that they are read into lists of the
// right length and the caller hears how far the reading is.
func (s *snapshot) count(ctx context.Context) error {
	s.rows = map[string]int{}
	for _, t := range tables {
		query := s.selection(t)
		if query == "" {
			continue
		}
		var n int
		if err := s.tx.QueryRowContext(ctx, "SELECT count(*) FROM "+t.name).Scan(&n); err != nil {
			return err
		}
		s.rows[t.name] = n
		s.total += n
	}
	return nil
}

// toldEvery is after how many rows the caller hears of them.
const toldEvery = 1000

// readOne counts a row that was read.
func (s *snapshot) readOne() {
	if s.read++; s.file.Progress != nil && (s.read%toldEvery == 0 || s.read == s.total) {
		s.file.Progress(s.read, s.total)
	}
}

// readRows gives the rows of a table in the order in which they were written.
func readRows[R any](ctx context.Context, s *snapshot, name string, of func(*row) R) (out []R, err error) {
	t := tables[slices.IndexFunc(tables, func(t table) bool { return t.name == name })]
	query := s.selection(t)
	if query == "" {
		return nil, nil
	}
	rows, err := s.tx.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := row{table: t, values: map[string]any{}}
	cells := make([]any, len(t.columns)+1)
	for i := range cells {
		cells[i] = new(any)
	}
	cells[len(t.columns)] = &r.place
	out = make([]R, 0, s.rows[name])
	for rows.Next() {
		if err := rows.Scan(cells...); err != nil {
			return nil, err
		}
		for i, c := range t.columns {
			r.values[c.name] = *cells[i].(*any)
		}
		out = append(out, of(&r))
		s.readOne()
		if r.fault != nil {
			return nil, s.file.damaged(nil, "%v", r.fault)
		}
	}
	return out, rows.Err()
}

func readMemory(r *row) memory.Memory {
	m := memory.Memory{ID: r.id("id"), Content: memory.Text(r.text("content")), Source: r.maybeText("source"),
		Status:    oneOf(r, "status", memory.Working, memory.Consolidated),
		Tier:      oneOf(r, "tier", memory.Archive, memory.Testimony, memory.Interpretation),
		CreatedAt: r.when("created_at"), ConsolidatedAt: r.maybeWhen("consolidated_at"), ConsolidationReason: r.maybeText("consolidation_reason"),
		LastReviewedAt: r.maybeWhen("last_reviewed_at"), ForgottenAt: r.maybeWhen("forgotten_at"), ForgottenReason: r.maybeText("forgotten_reason"),
		SecuritySensitive: r.flag("security_sensitive"), Frame: r.maybeText("frame"), EventAt: r.maybeWhen("event_at"),
		SessionID: r.maybeText("session_id"), SessionPosition: r.maybeNumber("session_position"),
		MaterialType: oneOf(r, "material_type", memory.MaterialTypes...), OriginID: r.maybeText("origin_id"),
		CaptureContext: r.maybeText("capture_context"), Salience: memory.DefaultSalience}
	if r.maybeText("review_status") != nil {
		status := oneOf(r, "review_status", memory.ReviewCurrent, memory.ReviewStale)
		m.ReviewStatus = &status
	}
	if m.EventAt != nil { // the system keeps the instant and drops the offset
		precision := memory.PreciseInstant
		m.EventPrecision = &precision
	}
	if m.SessionPosition != nil && (m.SessionID == nil || *m.SessionPosition < 0) {
		r.fail("session_position", "is no place in a session")
	}
	return m
}

func readCorroboration(r *row) memory.Corroboration {
	return memory.Corroboration{ID: r.id("id"), MemoryID: r.id("memory_id"), Source: r.text("source"), At: r.when("at")}
}

func readAnchor(r *row) memory.Anchor {
	return memory.Anchor{MemoryID: r.id("memory_id"), Reason: r.text("reason"), PinnedAt: r.when("pinned_at")}
}

func readCanon(r *row) memory.CanonEntry {
	return memory.CanonEntry{ID: r.id("id"), MemoryID: r.id("memory_id"), Scope: r.text("scope"), Reason: r.text("reason"),
		CanonizedAt: r.when("canonized_at"), DecommissionedAt: r.maybeWhen("decommissioned_at")}
}

func readConflict(r *row) memory.Conflict {
	return memory.Conflict{ID: r.id("id"), A: r.id("memory_id_a"), B: r.id("memory_id_b"), Reason: r.text("reason"), CreatedAt: r.when("created_at"),
		ResolvedAt: r.maybeWhen("resolved_at"), ResolutionReason: r.maybeText("resolution_reason"), AdoptedMemoryID: r.maybeID("adopted_memory_id")}
}

func readLink(r *row) memory.Link {
	return memory.Link{ID: r.id("id"), From: r.id("from_id"), To: r.id("to_id"), Relation: oneOf(r, "relation", memory.Relations...),
		Reason: r.text("reason"), CreatedAt: r.when("created_at"), RetiredAt: r.maybeWhen("retired_at"), RetirementReason: r.maybeText("retirement_reason")}
}

func readNarrative(r *row) memory.Narrative {
	n := memory.Narrative{ID: r.id("id"), Content: memory.Text(r.text("content")), Reason: r.text("reason"), CreatedAt: r.when("created_at"),
		SupersededAt: r.maybeWhen("superseded_at"), SupersededBy: r.maybeID("superseded_by"), SecuritySensitive: r.flag("security_sensitive"),
		ReviewRequiredAt: r.maybeWhen("review_required_at"), ReviewReason: r.maybeText("review_reason"),
		LastReviewedAt: r.maybeWhen("last_reviewed_at"), ReviewNote: r.maybeText("review_note"),
		Scope: r.text("scope"), Perspective: r.maybeText("perspective"), Coverage: r.maybeText("coverage")}
	for _, list := range []struct {
		column string
		to     *[]memory.ID
	}{{"memory_ids", &n.MemoryIDs}, {"claim_ids", &n.ClaimIDs}, {"link_ids", &n.LinkIDs}} {
		ids, ok := r.ids(list.column)
		if !ok {
			n.Unreadable = append(n.Unreadable, list.column)
		}
		*list.to = ids
	}
	return n
}

func readClaim(r *row) memory.Claim {
	return memory.Claim{ID: r.id("id"), Content: memory.Text(r.text("content")), Kind: oneOf(r, "kind", memory.ClaimKinds...), Scope: r.text("scope"),
		AssertedBy: r.maybeText("asserted_by"), StatementAt: r.maybeWhen("statement_at"), ValidFrom: r.maybeWhen("valid_from"),
		ValidUntil: r.maybeWhen("valid_until"), RecordedAt: r.when("recorded_at"), SecuritySensitive: r.flag("security_sensitive")}
}

func readEvent(r *row) memory.ClaimEvent {
	return memory.ClaimEvent{ClaimID: r.id("claim_id"), Reason: r.text("reason"), RecordedAt: r.when("recorded_at"), ReplacementID: r.maybeID("replacement_id"),
		Action: oneOf(r, "action", memory.ClaimProposed, memory.ClaimAdopted, memory.ClaimWithdrawn, memory.ClaimSuperseded,
			memory.ClaimEvidenceAdded, memory.ClaimEvidenceRetracted, memory.ClaimSourceChanged)}
}

func readEvidence(r *row) memory.Evidence {
	return memory.Evidence{ID: r.id("id"), ClaimID: r.id("claim_id"), MemoryID: r.id("memory_id"), Stance: oneOf(r, "stance", memory.Stances...),
		Reason: r.text("reason"), Quote: r.maybeText("quote"), Locator: r.maybeText("locator"), OriginID: r.maybeText("origin_id"),
		RecordedAt: r.when("recorded_at"), RetractedAt: r.maybeWhen("retracted_at"), RetractionReason: r.maybeText("retraction_reason")}
}

// readAudit keeps actions that the contract does not know: an optional part of
// the system writes some that begin with aml_. A subject may be anything: what
// was taken from its place there need never have existed.
func readAudit(r *row) memory.AuditRow {
	return memory.AuditRow{ID: r.id("id"), Subject: memory.ID(r.text("memory_id")), Action: memory.Action(r.text("action")), Reason: r.text("reason"), At: r.when("at")}
}
