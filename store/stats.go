package store

import (
	"context"

	"combray/internal/memory"
)

// Stats implements memory.Store: every stored row counts, retired ones too. The
// sequences of the audit log have no gaps (Check), so its rows are not walked.
func (s *Store) Stats(ctx context.Context, identity string) (out memory.StoreStats, err error) {
	err = s.view(ctx, func(r *reader) error {
		var pages, pageSize int64
		_, err := r.c.scan(ctx, []any{&out.Memories, &out.Forgotten, &out.Embedded, &out.Anchors, &out.Canon,
			&out.Conflicts, &out.Links, &out.Narratives, &out.Claims, &out.Evidence, &out.Audit,
			&out.Recollections, &out.Queued, &out.Fingerprints, &out.Heard,
			&out.StoreID, &out.Schema, &pages, &pageSize},
			`SELECT counted.memories,
				(SELECT count(*) FROM memories WHERE forgotten_at IS NOT NULL),
				coalesce((SELECT counted.memories - (SELECT count(*) FROM unembedded WHERE unembedded.identity = identities.identity)
					FROM identities WHERE name = ?), 0),
				(SELECT count(*) FROM anchors), (SELECT count(*) FROM canon_entries),
				(SELECT count(*) FROM conflicts), (SELECT count(*) FROM links),
				(SELECT count(*) FROM narratives), (SELECT count(*) FROM claims),
				(SELECT count(*) FROM evidence), 
				coalesce((SELECT max(sequence) FROM audit_log) - (SELECT min(sequence) FROM audit_log) + 1, 0),
				(SELECT count(*) FROM recollections), (SELECT count(*) FROM recollections WHERE queued = 1),
				(SELECT count(*) FROM fingerprints), (SELECT count(*) FROM heard),
				store_id, (SELECT user_version FROM pragma_user_version),
				(SELECT page_count FROM pragma_page_count), (SELECT page_size FROM pragma_page_size)
			FROM store, (SELECT count(*) AS memories FROM memories) AS counted`, identity)
		out.Bytes = pages*pageSize + max(0, size(s.at.walPath()))
		return err
	})
	return out, err
}
