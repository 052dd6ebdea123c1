package store

import (
	"context"
	"database/sql"
	"fmt"

	"combray/internal/memory"
)

var auditRows = newTable("audit_log", "sequence", func(a *memory.AuditRow) []column {
	return []column{
		{"sequence", &a.Sequence, fixed},
		{"id", &a.ID, fixed},
		{"subject", &a.Subject, fixed},
		{"action", &a.Action, fixed},
		{"at", instant{&a.At}, fixed},
		{"by_client", &a.By.Client, fixed},
		{"by_version", &a.By.Version, fixed},
		{"by_door", &a.By.Door, fixed},
		{"salt", &a.Salt, fixed},
		{"reason_hash", digest{&a.ReasonHash}, fixed},
		{"chain", digest{&a.Chain}, fixed},
		{"reason", &a.Reason, fixed},
	}
})

// auditTail is where the chain of the audit log ends.
type auditTail struct {
	sequence int64
	chain    memory.AuditHash
}

// readAuditTail gives the last number that was ever given to an audit row, and
// the hash of the last row that is there; zeros for an empty log. When the two
// do not belong together, VerifyAudit tells.
func readAuditTail(ctx context.Context, c *conn) (tail auditTail, err error) {
	if _, err = c.scan(ctx, []any{&tail.sequence}, "SELECT seq FROM sqlite_sequence WHERE name = 'audit_log'"); err != nil {
		return tail, err
	}
	_, err = c.scan(ctx, []any{digest{&tail.chain}}, "SELECT chain FROM audit_log ORDER BY sequence DESC LIMIT 1")
	return tail, err
}

// Lengths of what is made at random for an audit row: an ID of 12 hexadecimal
// digits (contract/history.md 1.1) and the salt (memory.AuditRow).
const (
	auditIDBytes = 6
	saltBytes    = 16
)

// record numbers, salts and chains an audit row and writes it. An ID that the
// row brings along from an import is kept.
func (t *tx) record(ctx context.Context, row memory.AuditRow) error {
	if t.audit == nil {
		tail, err := readAuditTail(ctx, t.conn())
		if err != nil {
			return err
		}
		t.audit = &tail
	}
	random, err := randomBytes(t.random, auditIDBytes+saltBytes)
	if err != nil {
		return err
	}
	if row.ID == "" {
		row.ID = memory.ID(fmt.Sprintf("%x", random[:auditIDBytes]))
	}
	row.Sequence = t.audit.sequence + 1
	if row.Reason != "" {
		row.Salt = random[auditIDBytes:]
		row.ReasonHash = memory.DigestReason(row.Salt, row.Reason)
	}
	row.Chain = memory.ChainHash(t.audit.chain, row)
	if err := auditRows.add(ctx, t.c, row); err != nil {
		return err
	}
	*t.audit = auditTail{row.Sequence, row.Chain}
	return nil
}

// Audit implements memory.Reader. Both ends of the span are included.
func (r *reader) Audit(ctx context.Context, q memory.AuditQuery) ([]memory.AuditRow, error) {
	var w where
	index := "audit_log_at"
	// The partial indexes leave captures out; SQLite sees that only from the
	// very words of their condition.
	if !q.Captures || q.Action != nil && *q.Action != memory.ActRemember {
		w.and("action <> 'remember'")
		index = "audit_log_listed"
		if q.Action != nil {
			index = "audit_log_action"
		}
	}
	if q.Action != nil {
		w.and("action = ?", *q.Action)
	}
	if q.Subject != nil {
		w.and("subject = ?", *q.Subject)
		index = "audit_log_subject"
	}
	if q.Since != nil {
		w.and("at >= ?", q.Since.UnixMicro())
	}
	if q.Until != nil {
		w.and("at <= ?", q.Until.UnixMicro())
	}
	if q.Before != nil {
		at := q.Before.At.UnixMicro()
		w.and("at <= ? AND (at < ? OR sequence < ?)", at, at, q.Before.Sequence)
	}
	args := append(w.args, atMost(q.Limit))
	return auditRows.find(ctx, r.conn(), "INDEXED BY "+index+w.clause()+" ORDER BY at DESC, sequence DESC LIMIT ?", args...)
}

// VerifyAudit reads the audit log from its beginning and names the first row
// that is not the one that was written: changed, missing, or put in. Rows that an
// erasure silenced keep the digest of their reason, and so the chain.
func (s *Store) VerifyAudit(ctx context.Context) (faults []memory.Fault, err error) {
	err = s.view(ctx, func(r *reader) error {
		faults, err = r.verifyAudit(ctx)
		return err
	})
	return faults, err
}

func (r *reader) verifyAudit(ctx context.Context) ([]memory.Fault, error) {
	var previous, row, empty memory.AuditRow
	var wrong string
	cells := auditRows.cells(&row)
	err := r.c.each(ctx, func(rows *sql.Rows) error {
		if wrong != "" {
			return nil
		}
		row = empty
		if err := rows.Scan(cells...); err != nil {
			return err
		}
		if fault := brokenLink(previous, row); fault != "" {
			wrong = fmt.Sprintf("the chain breaks at sequence %d, id %s: %s", row.Sequence, row.ID, fault)
		}
		previous = row
		return nil
	}, "SELECT "+auditRows.selection+" FROM audit_log ORDER BY sequence")
	if err != nil {
		return nil, err
	}
	if wrong == "" {
		tail, err := readAuditTail(ctx, r.c)
		if err != nil {
			return nil, err
		}
		if tail.sequence != previous.Sequence {
			wrong = fmt.Sprintf("rows are missing at the end: the last is sequence %d, id %s, and rows up to sequence %d were written",
				previous.Sequence, previous.ID, tail.sequence)
		}
	}
	if wrong == "" {
		return nil, nil
	}
	return []memory.Fault{{Where: "audit_log", What: wrong}}, nil
}

// brokenLink says how a row does not follow the one before it, "" when it does.
func brokenLink(previous, row memory.AuditRow) string {
	switch {
	case row.Sequence != previous.Sequence+1:
		return fmt.Sprintf("rows are missing between it and sequence %d", previous.Sequence)
	case row.Salt == nil && row.Reason != "":
		return "it was erased, and has a reason again"
	case row.Salt != nil && memory.DigestReason(row.Salt, row.Reason) != row.ReasonHash:
		return "its reason is not the one that was written"
	case memory.ChainHash(previous.Chain, row) != row.Chain:
		return "it is not the row that was written, or does not follow the row before it"
	}
	return ""
}
