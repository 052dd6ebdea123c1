package memory

import "context"

// AuditPage is a part of the audit log. NextCursor is "" at the end.
type AuditPage struct {
	Rows       []AuditRow
	NextCursor string
}

// AuditLog gives audit rows newest first, a page at a time.
func (s *Service) AuditLog(ctx context.Context, in AuditInput) (AuditPage, error) {
	q, err := checkAudit(in)
	if err != nil {
		return AuditPage{}, err
	}
	var page AuditPage
	err = s.store.View(ctx, func(r Reader) error {
		rows, err := r.Audit(ctx, q)
		page.Rows, page.NextCursor = paged(rows, q.Limit-1, in.query(), func(row AuditRow) place {
			return place{at: row.At, sequence: row.Sequence}
		})
		return err
	})
	return page, err
}
