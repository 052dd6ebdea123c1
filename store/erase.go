package store

import (
	"context"
	"database/sql"

	"combray/internal/memory"
)

// erase removes a memory for good. What hangs on it goes with its row
// (ON DELETE CASCADE in schema/*.sql); evidence stays without its text, so
// that the claim says that the memory is missing; audit rows and claim events
// that speak of it lose their text. They speak of it when the memory is their
// subject, or when their reason names the memory or one of its conflicts, links
// and evidence: reasons begin with the ids they are about
// (contract/history.md 2.6).
func (t *tx) erase(ctx context.Context, id memory.ID) error {
	var number, createdAt int64
	var perceived, queued bool
	found, err := t.c.scan(ctx, []any{&number, &createdAt, &perceived, &queued}, `SELECT number, created_at,
			EXISTS (SELECT 1 FROM fingerprints WHERE fingerprints.number = memories.number),
			EXISTS (SELECT 1 FROM recollections WHERE memory_id = memories.id AND queued = 1)
		FROM memories WHERE id = ?`, id)
	if err != nil || !found {
		return orNotFound(err, id)
	}
	if perceived {
		t.grow(&t.versions.perceived)
	}
	if queued {
		t.grow(&t.versions.queue)
	}
	named, err := t.namesOf(ctx, id)
	if err != nil {
		return err
	}
	if err := t.removeTags(ctx, number); err != nil {
		return err
	}
	const namesIt = "reason <> '' AND EXISTS (SELECT 1 FROM json_each(?) AS named WHERE instr(reason, named.value) > 0)"
	for _, step := range []struct {
		sql  string
		args []any
	}{
		{"UPDATE audit_log SET reason = '', salt = NULL WHERE subject = ?", []any{id}},
		{"UPDATE audit_log INDEXED BY audit_log_reasons SET reason = '', salt = NULL WHERE " + namesIt, []any{named}},
		{"UPDATE claim_events SET reason = '' WHERE " + namesIt, []any{named}},
		{"DELETE FROM unembedded WHERE created_at = ? AND id = ? AND identity IN (SELECT identity FROM identities)", []any{createdAt, id}},
		{"UPDATE evidence SET reason = '', quote = NULL, locator = NULL, origin_id = NULL, retraction_reason = NULL WHERE memory_id = ?", []any{id}},
		{"DELETE FROM memories WHERE number = ?", []any{number}},
		{"INSERT INTO erased (number, seq) VALUES (?, ?)", []any{number, t.nextSequence()}},
	} {
		if _, err := t.c.exec(ctx, step.sql, step.args...); err != nil {
			return err
		}
	}
	return nil
}

// namesOf gives the ids by which reasons speak of a memory.
func (t *tx) namesOf(ctx context.Context, id memory.ID) (keys[memory.ID], error) {
	var named keys[memory.ID]
	err := t.c.each(ctx, func(rows *sql.Rows) error {
		var name memory.ID
		err := rows.Scan(&name)
		named = append(named, name)
		return err
	}, `SELECT ?1
		UNION SELECT id FROM conflicts WHERE memory_id_a = ?1
		UNION SELECT id FROM conflicts WHERE memory_id_b = ?1
		UNION SELECT id FROM links WHERE from_id = ?1
		UNION SELECT id FROM links WHERE to_id = ?1
		UNION SELECT id FROM evidence WHERE memory_id = ?1`, id)
	return named, err
}
