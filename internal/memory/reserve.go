package memory

import (
	"fmt"
	"time"
)

// GlobalScope is the scope of a narrative or claim that names none.
const GlobalScope = "global"

// reserve gives each memory one section: anchors beat canon. Anchors are shown
// in full whatever the limit; canon, one row a memory by its oldest membership,
// is cut to what they leave.
func reserve(anchors []AnchorRow, canon []CanonRow, limit int) reserved {
	out := reserved{anchors: anchors}
	for _, a := range anchors {
		out.numbers = append(out.numbers, a.Memory.Number)
	}
	out.room = max(limit-len(anchors), 0)
	for _, c := range canon {
		if !c.Eligible || out.holds(c.Memory.Number) {
			continue
		}
		out.numbers = append(out.numbers, c.Memory.Number)
		if out.room > 0 {
			out.canon = append(out.canon, c)
			out.room--
		}
	}
	return out
}

// newCanonRow says whether a membership may be shown in a recall.
func newCanonRow(e CanonEntry, m Memory, labels []string) CanonRow {
	row := CanonRow{Entry: e, Memory: m, Eligible: MayRank(m, labels)}
	if !row.Eligible {
		row.Warning = fmt.Sprintf("memory %s is security-sensitive without independent corroboration: it stays an ordinary memory in recall", m.ID)
	}
	return row
}

// AsOf gives a memory as it stands at a moment: an interpretation whose review
// is overdue is stale although nothing was written.
func AsOf(m Memory, now time.Time) Memory {
	if m.Tier == Interpretation && Overdue(m, now, ReviewAge) {
		stale := ReviewStale
		m.ReviewStatus = &stale
	}
	return m
}

// Overdue says whether an interpretation was last reviewed longer ago than age,
// or never.
func Overdue(m Memory, now time.Time, age time.Duration) bool {
	return m.LastReviewedAt == nil || m.LastReviewedAt.Before(now.Add(-age))
}
