package predecessor

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// column is a column of memory-as-history 1.3.1. Absent is what a version that
// did not have it yet counts as having there, in words of SQL: what the system's
// own migration writes (contract/history.md 5). A column without it is as old as
// the system.
type column struct{ name, absent string }

// table is a table of memory-as-history 1.3.1, with the order in which its rows
// were written.
type table struct {
	name    string
	since10 bool // as old as the system
	order   string
	columns []column
}

const null = "NULL"

// tables is the schema of version 1.3.1, as files that it made show it.
var tables = []table{
	{"memories", true, "rowid", []column{{"id", ""}, {"content", ""}, {"source", null}, {"status", "'working'"}, {"tier", "'archive'"},
		{"created_at", ""}, {"consolidated_at", null}, {"consolidation_reason", null}, {"last_reviewed_at", null}, {"review_status", null},
		{"forgotten_at", null}, {"forgotten_reason", null}, {"security_sensitive", "0"}, {"frame", null}, {"event_at", null},
		{"session_id", null}, {"session_position", null}, {"material_type", "'unspecified'"}, {"origin_id", null}, {"capture_context", null},
		{"content_tokens", null}}},
	{"corroborations", false, "rowid", []column{{"id", ""}, {"memory_id", ""}, {"source", ""}, {"at", ""}}},
	{"anchors", false, "rowid", []column{{"memory_id", ""}, {"reason", ""}, {"pinned_at", ""}}},
	{"canon_entries", false, "rowid", []column{{"id", ""}, {"memory_id", ""}, {"scope", ""}, {"reason", ""}, {"canonized_at", ""}, {"decommissioned_at", null}}},
	{"conflicts", false, "rowid", []column{{"id", ""}, {"memory_id_a", ""}, {"memory_id_b", ""}, {"reason", ""}, {"created_at", ""},
		{"resolved_at", null}, {"resolution_reason", null}, {"adopted_memory_id", null}}},
	{"memory_links", false, "rowid", []column{{"id", ""}, {"from_id", ""}, {"to_id", ""}, {"relation", ""}, {"reason", ""}, {"created_at", ""},
		{"retired_at", null}, {"retirement_reason", null}}},
	{"narratives", false, "rowid", []column{{"id", ""}, {"content", ""}, {"reason", ""}, {"memory_ids", null}, {"created_at", ""},
		{"superseded_at", null}, {"superseded_by", null}, {"security_sensitive", "0"}, {"review_required_at", null}, {"review_reason", null},
		{"last_reviewed_at", null}, {"review_note", null}, {"scope", "'global'"}, {"perspective", null}, {"coverage", null},
		{"claim_ids", null}, {"link_ids", null}}},
	{"claims", false, "rowid", []column{{"id", ""}, {"content", ""}, {"kind", ""}, {"scope", ""}, {"asserted_by", null}, {"statement_at", null},
		{"valid_from", null}, {"valid_until", null}, {"recorded_at", ""}, {"security_sensitive", "0"}}},
	{"claim_events", false, "sequence", []column{{"sequence", ""}, {"claim_id", ""}, {"action", ""}, {"reason", ""}, {"recorded_at", ""}, {"replacement_id", null}}},
	{"claim_evidence", false, "rowid", []column{{"id", ""}, {"claim_id", ""}, {"memory_id", ""}, {"stance", ""}, {"reason", ""}, {"quote", null},
		{"locator", null}, {"origin_id", null}, {"recorded_at", ""}, {"retracted_at", null}, {"retraction_reason", null}}},
	{"audit_log", true, "rowid", []column{{"id", ""}, {"memory_id", ""}, {"action", ""}, {"reason", ""}, {"at", ""}}},
}

// snapshot is an examined file, open for reading.
type snapshot struct {
	file  File
	tx    *sql.Tx
	found map[string][]string // columns of each table
	rows  map[string]int      // in each table

	read, total int // rows of all tables
}

// examine makes sure that the file is whole and one of versions 1.0 to 1.3.1.
func (f File) examine(ctx context.Context, tx *sql.Tx) (*snapshot, error) {
	s := &snapshot{file: f, tx: tx, found: map[string][]string{}}
	for _, look := range []func(context.Context) error{s.checkMark, s.readTables, s.checkTables, s.checkPages, s.checkReferences} {
		if err := look(ctx); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// combrayMark is the application_id of Combray's own files (store/schema.go).
const combrayMark = 0x436f6d62

// checkMark looks at the two numbers of a file's header that programs may use;
// memory-as-history leaves both at 0.
func (s *snapshot) checkMark(ctx context.Context) error {
	var application, version int64
	err := s.tx.QueryRowContext(ctx, "SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version)").
		Scan(&application, &version)
	switch {
	case err != nil:
		return err
	case application == combrayMark:
		return s.file.refused("it is a store of Combray, which needs no import")
	case application != 0:
		return s.file.refused("it is a database of another program")
	case version != 0:
		return s.file.newer("its schema has the number %d, and no version up to 1.3.1 numbers it", version)
	}
	return nil
}

func (s *snapshot) readTables(ctx context.Context) error {
	rows, err := s.tx.QueryContext(ctx, `SELECT lower(t.name), lower(c.name) FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY t.name, c.cid`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return err
		}
		s.found[table] = append(s.found[table], column)
	}
	return rows.Err()
}

// checkTables compares what the file has with what 1.3.1 knows: too little is
// another program's, too much a newer version's.
func (s *snapshot) checkTables(context.Context) error {
	for _, t := range tables {
		columns, there := s.found[t.name]
		if !there && t.since10 {
			return s.file.refused("it has no table %s", t.name)
		}
		for _, c := range t.columns {
			if there && c.absent == "" && !slices.Contains(columns, c.name) {
				return s.file.refused("its table %s has no column %s", t.name, c.name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.found)) {
		at := slices.IndexFunc(tables, func(t table) bool { return t.name == name })
		if at < 0 {
			return s.file.newer("it has a table %s", name)
		}
		for _, given := range s.found[name] {
			if !slices.ContainsFunc(tables[at].columns, func(c column) bool { return c.name == given }) {
				return s.file.newer("its table %s has a column %s", name, given)
			}
		}
	}
	return nil
}

// checkPages asks SQLite whether pages, rows and indexes agree.
func (s *snapshot) checkPages(ctx context.Context) error {
	var said string
	if err := s.tx.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return s.file.damaged(nil, "%s", strings.TrimSpace(said))
	}
	return nil
}

// checkReferences asks SQLite for rows that hang on a row that is not there.
func (s *snapshot) checkReferences(ctx context.Context) error {
	rows, err := s.tx.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		var table, parent string
		var row sql.NullInt64
		var key int
		if err := rows.Scan(&table, &row, &parent, &key); err != nil {
			return err
		}
		return s.file.damaged(nil, "row %d of %s speaks of a row of %s that is not there", row.Int64, table, parent)
	}
	return rows.Err()
}

// selection is the query for all rows of a table in the order in which they were
// written; "" when the file has no such table.
func (s *snapshot) selection(t table) string {
	columns, there := s.found[t.name]
	if !there {
		return ""
	}
	wanted := make([]string, len(t.columns))
	for i, c := range t.columns {
		wanted[i] = c.name
		if !slices.Contains(columns, c.name) {
			wanted[i] = c.absent + " AS " + c.name
		}
	}
	return fmt.Sprintf("SELECT %s, %s AS place FROM %s ORDER BY place", strings.Join(wanted, ", "), t.order, t.name)
}
