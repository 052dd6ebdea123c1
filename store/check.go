package store

import (
	"context"
	"database/sql"
	"fmt"

	"combray/internal/memory"
)

// Check implements memory.Store. It reads everything, in one snapshot: what
// SQLite says of the file, what our own rules say of its rows, and the audit
// chain. Some 2 s for 100 MB.
func (s *Store) Check(ctx context.Context) (faults []memory.Fault, err error) {
	err = s.view(ctx, func(r *reader) error {
		faults = nil
		for _, look := range []func(context.Context) ([]memory.Fault, error){
			r.checkPages, r.checkReferences, r.checkRows, r.verifyAudit,
		} {
			found, err := look(ctx)
			if err != nil {
				return err
			}
			faults = append(faults, found...)
		}
		return nil
	})
	if memory.CodeOf(err) == memory.CodeCorrupt {
		return append(faults, memory.Fault{Where: "file", What: "the file is damaged so that it cannot be read to its end"}), nil
	}
	return faults, err
}

// checkPages asks SQLite whether pages, rows and indexes agree.
func (r *reader) checkPages(ctx context.Context) (faults []memory.Fault, err error) {
	err = r.c.each(ctx, func(rows *sql.Rows) error {
		var what string
		if err := rows.Scan(&what); err != nil {
			return err
		}
		if what != "ok" {
			faults = append(faults, memory.Fault{Where: "file", What: what})
		}
		return nil
	}, "PRAGMA integrity_check")
	return faults, err
}

// checkReferences asks SQLite for rows that hang on a row that is not there.
func (r *reader) checkReferences(ctx context.Context) (faults []memory.Fault, err error) {
	err = r.c.each(ctx, func(rows *sql.Rows) error {
		var table, parent string
		var row sql.NullInt64
		var key int
		if err := rows.Scan(&table, &row, &parent, &key); err != nil {
			return err
		}
		faults = append(faults, memory.Fault{Where: table, What: fmt.Sprintf("row %d speaks of a row of %s that is not there", row.Int64, parent)})
		return nil
	}, "PRAGMA foreign_key_check")
	return faults, err
}

// rowRules are what must hold beyond the schema: each query gives the rows that
// break a rule, by a name. At most maxBroken of each are told.
var rowRules = []struct{ table, what, broken string }{
	{"store", "there is not exactly one row",
		"SELECT count(*) FROM store HAVING count(*) <> 1"},
	{"store", "the change sequence is behind the newest change",
		"SELECT sequence FROM store WHERE sequence < max(coalesce((SELECT max(seq) FROM memories), 0), coalesce((SELECT max(seq) FROM erased), 0))"},
	{"memories", "the change sequence is given twice",
		"SELECT id FROM memories WHERE seq IN (SELECT seq FROM erased)"},
	{"memories", "a position stands without a session",
		"SELECT id FROM memories WHERE session_position IS NOT NULL AND session_id IS NULL"},
	{"memories", "a flag is neither 0 nor 1",
		"SELECT id FROM memories WHERE security_sensitive NOT IN (0, 1)"},
	{"memories", "the place lies outside the earth or is incomplete",
		`SELECT id FROM memories WHERE (lat IS NULL) <> (geohash IS NULL) OR (lon IS NULL) <> (geohash IS NULL)
			OR accuracy_m IS NOT NULL AND geohash IS NULL OR abs(lat) > 90 OR abs(lon) > 180`},
	{"memories", "a list or map cannot be read",
		`SELECT id FROM memories WHERE tags IS NOT NULL AND NOT json_valid(tags) OR media_refs IS NOT NULL AND NOT json_valid(media_refs)
			OR biometric IS NOT NULL AND NOT json_valid(biometric)`},
	{"memory_tags", "the index of tags lacks a tag",
		`SELECT memories.id FROM memories, json_each(CASE WHEN json_valid(tags) THEN tags END) AS tag
			WHERE NOT EXISTS (SELECT 1 FROM memory_tags WHERE memory_tags.tag = tag.value AND memory_tags.number = memories.number)`},
	{"memory_tags", "the index of tags has a tag that the memory has not",
		`SELECT tag FROM memory_tags LEFT JOIN memories USING (number)
			WHERE NOT EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(tags) THEN tags END) AS own WHERE own.value = memory_tags.tag)`},
	{"erased", "an erased number is there",
		"SELECT number FROM erased WHERE number IN (SELECT number FROM memories)"},
	{"vectors", "the length of the vectors is not what the encoder gives",
		`SELECT number FROM vectors JOIN identities USING (identity) WHERE windows < 1 OR length(data) IS NOT windows *
			CASE bits WHEN 16 THEN 2 * dims WHEN 11 THEN 4 + (11 * dims + 7) / 8 END`},
	{"vectors", "a memory has vectors of one encoder twice",
		"SELECT number FROM vectors GROUP BY number, identity HAVING count(*) > 1"},
	{"unembedded", "a memory has no vectors and is not listed as such",
		`SELECT memories.id FROM identities, memories
			WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.number = memories.number AND vectors.identity = identities.identity)
			AND NOT EXISTS (SELECT 1 FROM unembedded WHERE unembedded.identity = identities.identity
				AND unembedded.created_at = memories.created_at AND unembedded.id = memories.id)`},
	{"unembedded", "a listed memory has vectors, or is not there",
		`SELECT unembedded.id FROM unembedded LEFT JOIN memories ON memories.id = unembedded.id AND memories.created_at = unembedded.created_at
			LEFT JOIN vectors ON vectors.number = memories.number AND vectors.identity = unembedded.identity
			WHERE memories.number IS NULL OR vectors.number IS NOT NULL`},
	{"identities", "a flag is neither 0 nor 1",
		"SELECT name FROM identities WHERE cue NOT IN (0, 1)"},
	{"identities", "the present encoder is one for cues",
		"SELECT name FROM identities WHERE cue = 1 AND identity = (SELECT identity FROM store)"},
	{"recollections", "a place was never given",
		"SELECT id FROM recollections WHERE sequence NOT BETWEEN 1 AND (SELECT queue_version FROM store)"},
	{"recollections", "a flag is neither 0 nor 1",
		"SELECT id FROM recollections WHERE queued NOT IN (0, 1) OR useful NOT IN (0, 1)"},
	{"recollections", "the score is none",
		"SELECT id FROM recollections WHERE score NOT BETWEEN 0 AND 1"},
	{"recollections", "a list or map cannot be read",
		`SELECT id FROM recollections WHERE channels IS NOT NULL AND NOT json_valid(channels) OR via IS NOT NULL AND NOT json_valid(via)`},
	{"fingerprints", "the fingerprints of a memory have gaps",
		"SELECT number FROM fingerprints GROUP BY number HAVING min(position) <> 0 OR max(position) <> count(*) - 1"},
	{"fingerprints", "the channel has no fingerprints, or the chance is none",
		"SELECT number FROM fingerprints WHERE channel NOT IN ('text', 'image', 'audio') OR chance NOT BETWEEN 0 AND 1"},
	{"media", "the media of a memory have gaps",
		"SELECT number FROM media GROUP BY number HAVING min(position) <> 0 OR max(position) <> count(*) - 1"},
	{"heard", "the kind or the half-hour is none",
		`SELECT row FROM heard WHERE NOT CASE WHEN kind IN (0, 3) THEN half BETWEEN 0 AND 47 WHEN kind IN (1, 2) THEN half = -1 ELSE 0 END`},
	{"heard", "a vector has no encoder or an odd length, or an encoder has no vector",
		"SELECT row FROM heard WHERE (identity = '') <> (vector IS NULL) OR length(vector) % 2 <> 0 OR vector IS NOT NULL AND kind <> 2"},
	{"visits", "the place lies outside the earth or is incomplete",
		"SELECT source FROM visits WHERE (lat IS NULL) <> (lon IS NULL) OR abs(lat) > 90 OR abs(lon) > 180"},
	{"narratives", "the names of unreadable lists cannot be read",
		"SELECT id FROM narratives WHERE unreadable IS NOT NULL AND NOT json_valid(unreadable)"},
	{"narrative_sources", "the sources of a narrative have gaps or an unknown kind",
		`SELECT narrative_id FROM narrative_sources GROUP BY narrative_id, kind
			HAVING min(position) <> 0 OR max(position) <> count(*) - 1 OR kind NOT IN ('memory', 'claim', 'link')`},
}

// maxBroken bounds how many rows are named for one rule.
const maxBroken = 20

func (r *reader) checkRows(ctx context.Context) (faults []memory.Fault, err error) {
	for _, rule := range rowRules {
		err := r.c.each(ctx, func(rows *sql.Rows) error {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			faults = append(faults, memory.Fault{Where: rule.table, What: fmt.Sprintf("%s: %s", rule.what, name)})
			return nil
		}, fmt.Sprintf("%s LIMIT %d", rule.broken, maxBroken))
		if err != nil {
			return faults, err
		}
	}
	return faults, nil
}
