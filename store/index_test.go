package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"combray/internal/memory"
)

// readAll calls every method of Reader that reads one record or one family.
func readAll(ctx context.Context, r memory.Reader) error {
	id, scope, yes, no := noteID(1), "global", true, false
	ids := []memory.ID{id, noteID(2)}
	var errs []error
	note := func(_ any, err error) { errs = append(errs, err) }
	note(r.Memory(ctx, id))
	note(r.Memories(ctx, ids))
	note(r.Numbered(ctx, []int64{1, 2}))
	note(r.AtPosition(ctx, "s", 1))
	for _, position := range []*int64{nil, new(int64)} {
		before, _, err := r.Beside(ctx, memory.Memory{SessionID: new(string), SessionPosition: position})
		note(before, err)
	}
	note(r.ByIdempotencyKey(ctx, "k"))
	note(r.Labels(ctx, ids))
	note(r.Frames(ctx))
	note(r.Anchor(ctx, id))
	note(r.Canon(ctx, &scope, nil))
	note(r.Canon(ctx, nil, &id))
	note(r.Canon(ctx, nil, nil))
	note(r.Conflict(ctx, id))
	note(r.Conflicts(ctx, &no))
	note(r.OpenConflict(ctx, id, noteID(2)))
	note(r.Link(ctx, id))
	note(r.Links(ctx, ids))
	note(r.LinksOf(ctx, ids, yes))
	note(r.LinksOf(ctx, ids, no))
	note(r.ActiveLink(ctx, id, noteID(2), "updates"))
	note(r.Narrative(ctx, "d01"))
	note(r.CurrentNarrative(ctx, scope))
	note(r.CurrentNarratives(ctx, 5))
	note(r.NarrativeHistory(ctx, &scope, 5))
	note(r.NarrativesCiting(ctx, memory.SourceMemory, id))
	note(r.Claim(ctx, "a01"))
	note(r.Claims(ctx, []memory.ID{"a01"}))
	note(r.ClaimsIn(ctx, &scope))
	note(r.ClaimEvents(ctx, []memory.ID{"a01"}))
	note(r.EvidenceFor(ctx, []memory.ID{"a01"}))
	note(r.EvidenceFrom(ctx, id))
	note(r.Evidence(ctx, "b01"))
	note(r.LastClaimEventAt(ctx))
	note(r.Recollection(ctx, recollection(1, 1).ID))
	note(r.Firings(ctx, ids))
	note(r.FiredBetween(ctx, moment, moment))
	note(r.Pending(ctx, 5))
	note(r.QueueVersion(ctx))
	note(r.Fingerprints(ctx, ids))
	note(r.PerceivedBy(ctx, memory.ChannelImage, "e5"))
	note(r.PerceivedVersion(ctx))
	_, _, err := r.Heard(ctx, 1, 19851, "e5/cue")
	note(nil, err)
	note(r.Visit(ctx, "phone"))
	remember, pin := memory.ActRemember, memory.ActPin
	for _, q := range []memory.AuditQuery{{}, {Captures: true}, {Subject: &id}, {Subject: &id, Captures: true}, {Action: &pin},
		{Action: &pin, Captures: true}, {Action: &remember, Captures: true}, {Since: &moment, Until: &moment},
		{Before: &memory.AuditCursor{At: moment, Sequence: 3}, Limit: 2}} {
		note(r.Audit(ctx, q))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// whole are what may be gone through from end to end: by an index, because that
// is what is asked for (all anchors, all active memberships, all open conflicts,
// all current narratives, the queue, the audit log), or because it is a handful of rows
// (of visits one a source, gone through once a day).
var whole = []string{"anchors USING INDEX anchors_pinned", "canon_entries USING INDEX canon_entries_order",
	"conflicts USING INDEX conflicts_unresolved", "narratives USING INDEX narratives_current", "recollections USING INDEX recollections_queue",
	"audit_log USING INDEX audit_log_at", "audit_log USING INDEX audit_log_listed",
	"store", "identities", "visits", "leap", "json_each", "CONSTANT ROW", "pragma_", "sqlite_sequence", "sqlite_master"}

// TestReadsUseIndexes asks SQLite how it would run every statement that the
// methods above, a whole plan and the store's own reads leave prepared. None may
// go through a table.
func TestReadsUseIndexes(t *testing.T) {
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	apply(t, s, capturePlan(note(1, "tea"), note(2, "cake"), note(3, "bells"), note(4, "garden")))
	apply(t, s, everyChange())
	ctx := context.Background()
	looked := map[string]bool{}
	look := func(c *conn) error { return c.mustSearch(ctx, t, looked) }
	if err := s.view(ctx, func(r *reader) error {
		if err := readAll(ctx, r); err != nil {
			return err
		}
		if _, err := r.changed(ctx, 1, 10, "e5"); err != nil {
			return err
		}
		if _, err := r.erased(ctx, 1, 10); err != nil {
			return err
		}
		return look(r.c)
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Unembedded(ctx, "e5", 10); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Vectors(ctx, []int64{1, 2}, "e5"); err != nil {
		t.Fatal(err)
	}
	if err := s.lend(ctx, s.readers, look); err != nil { // one has served all
		t.Fatal(err)
	}
	if err := s.lend(ctx, s.writer, look); err != nil {
		t.Fatal(err)
	}
	if len(looked) < 60 {
		t.Errorf("only %d statements were looked at", len(looked))
	}
}

func (c *conn) mustSearch(ctx context.Context, t *testing.T, looked map[string]bool) error {
	for query := range c.statements {
		if looked[query] || strings.HasPrefix(query, "PRAGMA") || concernsAll(query) {
			continue
		}
		looked[query] = true
		for _, step := range c.plan(ctx, t, query) {
			scanned, isScan := strings.CutPrefix(step, "SCAN ")
			if isScan && !slices.ContainsFunc(whole, func(w string) bool { return strings.HasPrefix(scanned, w) }) {
				t.Errorf("%s\n\tin: %s", step, query)
			}
		}
	}
	return nil
}

// concernsAll tells the statements that are meant to go through a table: what is
// done once for a new encoder, and the erasure's look at all reasons. The last
// row of the audit log is found from its end.
func concernsAll(query string) bool {
	return strings.HasSuffix(query, "FROM memories") || strings.Contains(query, "AS named") || strings.HasSuffix(query, "DESC LIMIT 1")
}

// plan is what SQLite says it would do, a line a step.
func (c *conn) plan(ctx context.Context, t *testing.T, query string) (steps []string) {
	t.Helper()
	args := make([]any, strings.Count(query, "?"))
	rows, err := c.raw.QueryContext(ctx, "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	return steps
}

// TestOrdersNeedNoSort: a page of a list is read from an index that has its
// order, so that it costs the page and not the list.
func TestOrdersNeedNoSort(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	ctx := context.Background()
	frame, session := "f", "s"
	for what, q := range map[string]memory.ListQuery{
		"newest":            {Limit: 5},
		"newest behind":     {Limit: 5, After: &memory.Cursor{At: moment, ID: "x"}},
		"oldest":            {Limit: 5, Order: memory.OldestCaptured},
		"forgotten":         {Limit: 5, Order: memory.NewestForgotten, Filter: memory.ListFilter{Forgotten: memory.ForgottenOnly}},
		"by event":          {Limit: 5, Order: memory.ByEvent},
		"by event behind":   {Limit: 5, Order: memory.ByEvent, After: &memory.Cursor{At: moment, ID: "x"}},
		"newest of frame":   {Limit: 5, Filter: memory.ListFilter{Frame: &frame}},
		"newest of session": {Limit: 5, Filter: memory.ListFilter{SessionID: &session}},
	} {
		err := s.view(ctx, func(r *reader) error {
			r.c.forgetStatements()
			if _, err := r.List(ctx, q); err != nil {
				return err
			}
			for query := range r.c.statements {
				for _, step := range r.c.plan(ctx, t, query) {
					// Ties of capture are told apart by id within one moment.
					if strings.Contains(step, "TEMP B-TREE") && !strings.Contains(step, "LAST TERM") {
						t.Errorf("%s: %s\n\tin: %s", what, step, query)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkClaimRead reads one claim with three pieces of evidence and one
// narrative with three sources, in stores of three sizes: the cost must not grow.
func BenchmarkClaimRead(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			s := openStore(b, Options{Path: newPath(b)})
			fillClaims(b, s, n)
			ctx := context.Background()
			i := 0
			for b.Loop() {
				i++
				claim := memory.ID(fmt.Sprintf("a%011x", i%n))
				err := s.View(ctx, func(r memory.Reader) error {
					_, err := r.ClaimEvents(ctx, []memory.ID{claim})
					if err == nil {
						_, err = r.EvidenceFor(ctx, []memory.ID{claim})
					}
					if err == nil {
						_, err = r.NarrativesCiting(ctx, memory.SourceClaim, claim)
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func fillClaims(b *testing.B, s *Store, n int) {
	for i := range n {
		p := capturePlan(note(3*i, "tea"), note(3*i+1, "cake"), note(3*i+2, "bells"))
		claim := memory.ID(fmt.Sprintf("a%011x", i))
		p.Write(memory.PutClaim{Claim: memory.Claim{ID: claim, Content: "it was tea", Kind: "assertion", Scope: fmt.Sprint(i), RecordedAt: moment}})
		var cited []memory.ID
		for j := range 3 {
			cited = append(cited, noteID(3*i+j))
			p.Write(memory.PutEvidence{Evidence: memory.Evidence{ID: memory.ID(fmt.Sprintf("b%011x", 3*i+j)), ClaimID: claim, MemoryID: cited[j], Stance: "supports", Reason: "because", RecordedAt: moment}},
				memory.PutClaimEvent{Event: memory.ClaimEvent{ClaimID: claim, Action: memory.ClaimProposed, Reason: "because", RecordedAt: moment}})
		}
		p.Write(memory.PutNarrative{Narrative: memory.Narrative{ID: memory.ID(fmt.Sprintf("d%011x", i)), Content: "once", Scope: fmt.Sprint(i), CreatedAt: moment, MemoryIDs: cited, ClaimIDs: []memory.ID{claim}}})
		if err := try(s, p); err != nil {
			b.Fatal(err)
		}
	}
}
