package memtest

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"combray/internal/memory"
)

// mutant is a store that breaks one promise, with the hooks that break it.
type mutant struct {
	promise, fault string
	hooks          func(memory.Store) []any
}

// one is a mutant with a single hook that needs to know nothing.
func one(promise, fault string, hook any) mutant {
	return mutant{promise, fault, func(memory.Store) []any { return []any{hook} }}
}

// changing breaks what is written: f changes each change on its way in.
func changing(promise, fault string, f func(memory.Change) memory.Change) mutant {
	return one(promise, fault, func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		changes := make([]memory.Change, len(p.Changes))
		for i, c := range p.Changes {
			changes[i] = f(c)
		}
		p.Changes = changes
		return tx.Apply(ctx, p)
	})
}

// listing breaks List: f changes the query on its way in.
func listing(promise, fault string, f func(*memory.ListQuery)) mutant {
	return one(promise, fault, func(r memory.Reader, ctx context.Context, q memory.ListQuery) ([]memory.Memory, error) {
		f(&q)
		return r.List(ctx, q)
	})
}

// showing breaks what Memory gives.
func showing(promise, fault string, f func(*memory.Memory)) mutant {
	return one(promise, fault, func(r memory.Reader, ctx context.Context, id memory.ID) (*memory.Memory, error) {
		m, err := r.Memory(ctx, id)
		if m != nil {
			f(m)
		}
		return m, err
	})
}

// auditing breaks what Audit gives, and may break the query before.
func auditing(promise, fault string, before func(*memory.AuditQuery), after func([]memory.AuditRow) []memory.AuditRow) mutant {
	return one(promise, fault, func(r memory.Reader, ctx context.Context, q memory.AuditQuery) ([]memory.AuditRow, error) {
		if before != nil {
			before(&q)
		}
		rows, err := r.Audit(ctx, q)
		if after != nil {
			rows = after(rows)
		}
		return rows, err
	})
}

var brokenMemories = []mutant{
	showing("memory-fields", "the offset of the event is lost", func(m *memory.Memory) { m.EventOffset = nil }),
	showing("memory-fields", "times lose their fraction", func(m *memory.Memory) { m.CreatedAt = m.CreatedAt.Truncate(time.Second) }),
	showing("memory-null-and-blank", "a blank source becomes null", func(m *memory.Memory) {
		if m.Source != nil && *m.Source == "" {
			m.Source = nil
		}
	}),
	changing("memory-text-bytes", "text is made valid UTF-8", func(c memory.Change) memory.Change {
		if put, is := c.(memory.PutMemory); is {
			put.Memory.Content = memory.Text(strings.ToValidUTF8(string(put.Memory.Content), "?"))
			return put
		}
		return c
	}),
	one("memory-by-ids", "memories come by id", func(r memory.Reader, ctx context.Context, ids []memory.ID) ([]memory.Memory, error) {
		return r.Memories(ctx, slices.Sorted(slices.Values(ids)))
	}),
	one("memory-by-numbers", "memories come by number", func(r memory.Reader, ctx context.Context, numbers []int64) ([]memory.Memory, error) {
		return r.Numbered(ctx, slices.Sorted(slices.Values(numbers)))
	}),
	changing("memory-overwrite", "an overwrite leaves the salience", func(c memory.Change) memory.Change {
		if put, is := c.(memory.PutMemory); is && put.Memory.Number != 0 {
			put.Memory.Salience = 0.5
			return put
		}
		return c
	}),
	one("memory-position", "forgotten memories hold no position",
		func(r memory.Reader, ctx context.Context, session string, position int64) (*memory.Memory, error) {
			m, err := r.AtPosition(ctx, session, position)
			if m != nil && m.Forgotten() {
				m = nil
			}
			return m, err
		}),
	one("memory-beside", "forgotten memories are passed over", func(r memory.Reader, ctx context.Context, m memory.Memory) (beside [2]*memory.Memory, err error) {
		beside, err = besideOf(r, ctx, m)
		for err == nil && beside[0] != nil && beside[0].Forgotten() {
			beside[0], _, err = r.Beside(ctx, *beside[0])
		}
		return beside, err
	}),
	one("memory-beside", "what has a position stands before what has none", func(r memory.Reader, ctx context.Context, m memory.Memory) (beside [2]*memory.Memory, err error) {
		beside, err = besideOf(r, ctx, m)
		if err == nil && beside[0] == nil && m.SessionID != nil && m.SessionPosition == nil {
			m.SessionPosition = Of[int64](math.MaxInt64)
			beside[0], _, err = r.Beside(ctx, m)
		}
		return beside, err
	}),
	one("memory-idempotency-key", "keys are found in another case", func(r memory.Reader, ctx context.Context, key string) (*memory.Memory, error) {
		return r.ByIdempotencyKey(ctx, strings.Replace(key, "k", "K", 1))
	}),
	one("memory-labels", "a label counts once", func(r memory.Reader, ctx context.Context, ids []memory.ID) (map[memory.ID][]string, error) {
		labels, err := r.Labels(ctx, ids)
		for id, given := range labels {
			slices.Sort(given)
			labels[id] = slices.Compact(given)
		}
		return labels, err
	}),
	one("memory-frames", "frames are folded", func(r memory.Reader, ctx context.Context) ([]string, error) {
		frames, err := r.Frames(ctx)
		slices.SortFunc(frames, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
		return frames, err
	}),
}

var brokenLists = []mutant{
	one("list-order", "equal times go by number", func(r memory.Reader, ctx context.Context, q memory.ListQuery) ([]memory.Memory, error) {
		rows, err := r.List(ctx, q)
		if q.Order == memory.NewestCaptured {
			slices.SortFunc(rows, func(a, b memory.Memory) int {
				return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.Number, a.Number))
			})
		}
		return rows, err
	}),
	listing("list-order", "unknown events come by capture alone", func(q *memory.ListQuery) {
		if q.Order == memory.ByEvent {
			q.Order = memory.OldestCaptured
		}
	}),
	listing("list-limit", "no limit means no rows", func(q *memory.ListQuery) {
		if q.Limit <= 0 {
			q.After = &memory.Cursor{}
		}
	}),
	listing("list-limit", "one row too many", func(q *memory.ListQuery) { q.Limit++ }),
	one("list-cursor", "a cursor skips rows of its time", func(r memory.Reader, ctx context.Context, q memory.ListQuery) ([]memory.Memory, error) {
		rows, err := r.List(ctx, q)
		return slices.DeleteFunc(rows, func(m memory.Memory) bool { return q.After != nil && m.CreatedAt.Equal(q.After.At) }), err
	}),
	listing("list-cursor", "a cursor repeats its row", func(q *memory.ListQuery) {
		if q.After != nil && q.After.ID > "" {
			q.After.ID = q.After.ID[:len(q.After.ID)-1]
		}
	}),
	one("list-cursor-outlives-its-row", "a cursor is looked up", func(r memory.Reader, ctx context.Context, q memory.ListQuery) ([]memory.Memory, error) {
		if q.After != nil {
			if m, err := r.Memory(ctx, q.After.ID); m == nil {
				return nil, err
			}
		}
		return r.List(ctx, q)
	}),
	listing("list-filters", "since is left out by a microsecond", func(q *memory.ListQuery) {
		if q.Filter.Since != nil {
			q.Filter.Since = Of(q.Filter.Since.Add(time.Microsecond))
		}
	}),
	one("view-is-one-snapshot", "the sequence is one behind", func(r memory.Reader, ctx context.Context) (int64, error) {
		n, err := r.Sequence(ctx)
		return n - 1, err
	}),
	one("list-filters", "count shows forgotten memories", func(r memory.Reader, ctx context.Context, f memory.ListFilter) (int, error) {
		if f.Forgotten == memory.ActiveOnly {
			f.Forgotten = memory.ActiveAndForgotten
		}
		return r.Count(ctx, f)
	}),
	listing("list-filter-pairs", "tags count only without a frame", func(q *memory.ListQuery) {
		if q.Filter.Frame != nil {
			q.Filter.Tags = nil
		}
	}),
	one("list-near", "the date line is a wall", func(r memory.Reader, ctx context.Context, q memory.ListQuery) ([]memory.Memory, error) {
		rows, err := r.List(ctx, q)
		return slices.DeleteFunc(rows, func(m memory.Memory) bool {
			return q.Filter.Near != nil && q.Filter.Near.RadiusM < 1000 && m.Place.Lon*q.Filter.Near.Lon < 0
		}), err
	}),
}

// ignoring makes, for each filter, a mutant that does not apply it.
func ignoring() []mutant {
	var out []mutant
	for name, clear := range map[string]func(*memory.ListFilter){
		"frame":           func(f *memory.ListFilter) { f.Frame = nil },
		"source":          func(f *memory.ListFilter) { f.Source = nil },
		"session":         func(f *memory.ListFilter) { f.SessionID = nil },
		"tier":            func(f *memory.ListFilter) { f.Tier = nil },
		"status":          func(f *memory.ListFilter) { f.Status = nil },
		"tags":            func(f *memory.ListFilter) { f.Tags = nil },
		"all tags":        func(f *memory.ListFilter) { f.Tags = f.Tags[:min(1, len(f.Tags))] },
		"until":           func(f *memory.ListFilter) { f.Until = nil },
		"near":            func(f *memory.ListFilter) { f.Near = nil },
		"forgotten":       func(f *memory.ListFilter) { f.Forgotten = memory.ActiveOnly },
		"unknown event":   func(f *memory.ListFilter) { f.UnknownEvent = false },
		"captured until":  func(f *memory.ListFilter) { f.CreatedUntil = nil },
		"reviewed before": func(f *memory.ListFilter) { f.ReviewedBefore = nil },
	} {
		out = append(out, listing("list-filters", "no filter by "+name, func(q *memory.ListQuery) { clear(&q.Filter) }))
	}
	return out
}

var brokenRoles = []mutant{
	one("anchors", "anchors come by memory", func(r memory.Reader, ctx context.Context) ([]memory.Anchor, error) {
		rows, err := r.Anchors(ctx)
		slices.SortFunc(rows, func(a, b memory.Anchor) int { return cmp.Compare(a.MemoryID, b.MemoryID) })
		return rows, err
	}),
	one("canon", "a blank scope is none", func(r memory.Reader, ctx context.Context, scope *string, id *memory.ID) ([]memory.CanonEntry, error) {
		if scope != nil && *scope == "" {
			scope = nil
		}
		return r.Canon(ctx, scope, id)
	}),
	one("conflicts", "equal times go by id ascending", func(r memory.Reader, ctx context.Context, resolved *bool) ([]memory.Conflict, error) {
		rows, err := r.Conflicts(ctx, resolved)
		slices.SortFunc(rows, func(a, b memory.Conflict) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		return rows, err
	}),
	one("conflict-open-in-either-order", "a pair has an order", func(r memory.Reader, ctx context.Context, a, b memory.ID) (*memory.Conflict, error) {
		c, err := r.OpenConflict(ctx, a, b)
		if c != nil && c.A != a {
			c = nil
		}
		return c, err
	}),
	one("links", "retired links come alone", func(r memory.Reader, ctx context.Context, ids []memory.ID, retired bool) ([]memory.Link, error) {
		rows, err := r.LinksOf(ctx, ids, retired)
		return slices.DeleteFunc(rows, func(l memory.Link) bool { return retired && l.RetiredAt == nil }), err
	}),
	one("links", "links come in one direction", func(r memory.Reader, ctx context.Context, ids []memory.ID, retired bool) ([]memory.Link, error) {
		rows, err := r.LinksOf(ctx, ids, retired)
		return slices.DeleteFunc(rows, func(l memory.Link) bool { return !slices.Contains(ids, l.From) }), err
	}),
	one("links-active", "any relation will do", func(r memory.Reader, ctx context.Context, from, to memory.ID, relation memory.Relation) (*memory.Link, error) {
		for _, any := range append([]memory.Relation{relation}, memory.Relations...) {
			if l, err := r.ActiveLink(ctx, from, to, any); l != nil {
				return l, err
			}
		}
		return nil, nil
	}),
}

var brokenAccounts = []mutant{
	one("narrative-fields", "what cannot be read is not told", func(r memory.Reader, ctx context.Context, id memory.ID) (*memory.Narrative, error) {
		n, err := r.Narrative(ctx, id)
		if n != nil {
			n.Unreadable = nil
		}
		return n, err
	}),
	one("narrative-current", "current versions come newest first", func(r memory.Reader, ctx context.Context, limit int) ([]memory.Narrative, error) {
		rows, err := r.CurrentNarratives(ctx, limit)
		slices.SortFunc(rows, func(a, b memory.Narrative) int { return b.CreatedAt.Compare(a.CreatedAt) })
		return rows, err
	}),
	one("narrative-history", "the limit cuts before the scope", func(r memory.Reader, ctx context.Context, scope *string, limit int) ([]memory.Narrative, error) {
		rows, err := r.NarrativeHistory(ctx, nil, limit)
		return slices.DeleteFunc(rows, func(n memory.Narrative) bool { return scope != nil && n.Scope != *scope }), err
	}),
	one("narratives-citing", "superseded versions cite nothing", func(r memory.Reader, ctx context.Context, kind memory.SourceKind, id memory.ID) ([]memory.Narrative, error) {
		rows, err := r.NarrativesCiting(ctx, kind, id)
		return slices.DeleteFunc(rows, func(n memory.Narrative) bool { return n.SupersededAt != nil }), err
	}),
	one("claims", "equal times go by id descending", func(r memory.Reader, ctx context.Context, scope *string) ([]memory.Claim, error) {
		rows, err := r.ClaimsIn(ctx, scope)
		slices.SortFunc(rows, func(a, b memory.Claim) int {
			return cmp.Or(b.RecordedAt.Compare(a.RecordedAt), cmp.Compare(b.ID, a.ID))
		})
		return rows, err
	}),
	one("claim-events", "events come by time", func(r memory.Reader, ctx context.Context, claims []memory.ID) ([]memory.ClaimEvent, error) {
		rows, err := r.ClaimEvents(ctx, claims)
		slices.SortStableFunc(rows, func(a, b memory.ClaimEvent) int { return a.RecordedAt.Compare(b.RecordedAt) })
		return rows, err
	}),
	one("claim-last-event", "the last event is the first", func(r memory.Reader, ctx context.Context) (time.Time, error) {
		last, err := r.LastClaimEventAt(ctx)
		if !last.IsZero() {
			last = at(2)
		}
		return last, err
	}),
	one("evidence", "retracted evidence is gone", func(r memory.Reader, ctx context.Context, claims []memory.ID) ([]memory.Evidence, error) {
		rows, err := r.EvidenceFor(ctx, claims)
		return slices.DeleteFunc(rows, func(e memory.Evidence) bool { return e.RetractedAt != nil }), err
	}),
}

var brokenLedgers = []mutant{
	auditing("audit-newest-first", "equal times go by what was written first", nil, func(rows []memory.AuditRow) []memory.AuditRow {
		slices.SortFunc(rows, func(a, b memory.AuditRow) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Sequence, b.Sequence)) })
		return rows
	}),
	auditing("audit-filters", "until is left out", func(q *memory.AuditQuery) {
		if q.Until != nil {
			q.Until = Of(q.Until.Add(-time.Microsecond))
		}
	}, nil),
	auditing("audit-filters", "no filter by subject beside an action", func(q *memory.AuditQuery) {
		if q.Action != nil {
			q.Subject = nil
		}
	}, nil),
	auditing("audit-captures-on-request", "captures are always shown", func(q *memory.AuditQuery) { q.Captures = true }, nil),
	auditing("audit-cursor", "a cursor is a time", func(q *memory.AuditQuery) {
		if q.Before != nil {
			q.Before.Sequence = 0
		}
	}, nil),
	auditing("audit-chain", "rows are not chained", nil, func(rows []memory.AuditRow) []memory.AuditRow {
		for i := range rows {
			rows[i].Chain = memory.ChainHash(memory.AuditHash{}, rows[i])
		}
		return rows
	}),
	auditing("audit-salts", "one salt for all", nil, func(rows []memory.AuditRow) []memory.AuditRow {
		for i := range rows {
			rows[i].Salt = make([]byte, 16)
			rows[i].ReasonHash = memory.DigestReason(rows[i].Salt, rows[i].Reason)
		}
		return rows
	}),
	auditing("audit-ids", "ids in capitals", nil, func(rows []memory.AuditRow) []memory.AuditRow {
		for i := range rows {
			rows[i].ID = memory.ID(strings.ToUpper(string(rows[i].ID)))
		}
		return rows
	}),
	one("audit-actor", "nobody did it", func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		return tx.Apply(memory.WithActor(ctx, memory.Actor{}), p)
	}),
	one("audit-without-changes", "a denial is an error", func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		if p.Denial != nil {
			return p.Denial
		}
		return tx.Apply(ctx, p)
	}),
	one("audit-without-changes", "no changes, no audit", func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		if len(p.Changes) == 0 {
			return nil
		}
		return tx.Apply(ctx, p)
	}),
}
