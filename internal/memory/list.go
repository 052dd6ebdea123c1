package memory

import (
	"slices"
	"time"
)

// ListInput chooses memories as the caller gave it; nil and empty fields do not
// filter.
type ListInput struct {
	Frame, Tier, Status, Source, SessionID *string
	Since, Until                           *string
	Tags                                   []string
	Near                                   *Near
	IncludeForgotten                       bool
	Limit                                  int // less than 0: as many as a list holds
	Cursor                                 string
}

// checkList reads a ListInput into a filter.
func checkList(in ListInput) (ListFilter, error) {
	f := ListFilter{Frame: in.Frame, Source: in.Source, SessionID: in.SessionID, Tags: in.Tags, Near: in.Near}
	if in.IncludeForgotten {
		f.Forgotten = ActiveAndForgotten
	}
	var err error
	if f.Tier, err = parseChoice("tier", in.Tier, Archive, Testimony, Interpretation); err != nil {
		return f, err
	}
	if f.Status, err = parseChoice("status", in.Status, Working, Consolidated); err != nil {
		return f, err
	}
	if err := checkNear(in.Near); err != nil {
		return f, err
	}
	f.Since, f.Until, err = ParseSpan(in.Since, in.Until)
	return f, err
}

// parseChoice reads a filter that takes one of a few words; nil stays nil.
func parseChoice[W ~string](field string, s *string, words ...W) (*W, error) {
	if s == nil {
		return nil, nil
	}
	if w := W(*s); slices.Contains(words, w) {
		return &w, nil
	}
	return nil, Invalid(field, "Leave "+field+" out to see all.", "%s must be one of %s, not %q", field, joinWords(words), *s)
}

func joinWords[W ~string](words []W) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out += ", "
		}
		out += string(w)
	}
	return out
}

func (in ListInput) query() string {
	near := ""
	if in.Near != nil {
		near = queryText("near", *in.Near)
	}
	return queryText("list_memories", in.Frame, in.Tier, in.Status, in.Source, in.SessionID, in.Since, in.Until, in.Tags, near, in.IncludeForgotten)
}

// TimelineInput chooses memories by time as the caller gave it.
type TimelineInput struct {
	Frame, SessionID, Since, Until *string
	Limit                          int
}

// TimelineResult is memories by when they happened. The time basis is the event
// time that was given, never the time of capture.
type TimelineResult struct {
	Memories          []Memory
	UnknownEventTimes int // in frame and session, before the time filter
	Eligible          int // before the limit
	Since, Until      *time.Time
	Warnings          []string
}

// checkTimeline reads a TimelineInput: the limit, then the times.
func checkTimeline(in TimelineInput) (TimelineResult, ListFilter, error) {
	f := ListFilter{Frame: in.Frame, SessionID: in.SessionID}
	var out TimelineResult
	if in.Limit < 0 {
		return out, f, Invalid("limit", "Pass a limit of 0 or more.", "limit must be a whole number of 0 or more")
	}
	if in.Limit > MaxList {
		out.Warnings = append(out.Warnings, "limit was cut to 1000, the most that one answer holds.")
	}
	var err error
	f.Since, f.Until, err = ParseSpan(in.Since, in.Until)
	out.Since, out.Until = f.Since, f.Until
	return out, f, err
}

// AuditInput chooses audit rows as the caller gave it; nil fields do not filter.
type AuditInput struct {
	MemoryID, Action, Since, Until *string
	Captures                       bool // show captures too
	Limit                          int  // less than 0: as many as a list holds
	Cursor                         string
}

// checkAudit reads an AuditInput into a query for one row more than a page.
func checkAudit(in AuditInput) (AuditQuery, error) {
	q := AuditQuery{Captures: in.Captures, Limit: pageSize(in.Limit) + 1}
	if in.MemoryID != nil {
		id := ID(*in.MemoryID)
		q.Subject = &id
	}
	if in.Action != nil {
		action := Action(*in.Action)
		q.Action = &action
		q.Captures = q.Captures || action == ActRemember
	}
	var err error
	if q.Since, q.Until, err = ParseSpan(in.Since, in.Until); err != nil {
		return q, err
	}
	before, err := readCursor(in.query(), in.Cursor)
	if before != nil {
		q.Before = &AuditCursor{At: before.at, Sequence: before.sequence}
	}
	return q, err
}

func (in AuditInput) query() string {
	return queryText("audit_log", in.MemoryID, in.Action, in.Since, in.Until, in.Captures)
}
