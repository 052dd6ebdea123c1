package memtest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"combray/internal/memory"
)

// everything is a limit that cuts nothing.
const everything = math.MaxInt32

// world is what a store holds, by name, so that it can be asked for.
type world struct {
	memories, narratives, claims, evidence []memory.ID
	recollections                          []memory.ID
	conflicts                              []memory.Conflict
	links                                  []memory.Link
	placed                                 []memory.Memory // with a session position or an idempotency key
	scopes                                 []string
}

// survey finds the names of what a store holds.
func survey(ctx context.Context, s memory.Store) (w world, err error) {
	err = s.View(ctx, func(r memory.Reader) error {
		memories, err := r.List(ctx, memory.ListQuery{Filter: allMemories, Order: memory.OldestCaptured})
		if err != nil {
			return err
		}
		w.memories = idsOf(memories)
		for _, m := range memories {
			if m.SessionPosition != nil || m.IdempotencyKey != nil {
				w.placed = append(w.placed, m)
			}
		}
		if w.conflicts, err = r.Conflicts(ctx, nil); err != nil {
			return err
		}
		if w.links, err = r.LinksOf(ctx, w.memories, true); err != nil {
			return err
		}
		fired, err := r.Firings(ctx, w.memories)
		if err != nil {
			return err
		}
		for _, f := range fired {
			w.recollections = append(w.recollections, f.ID)
		}
		return w.surveyAccounts(ctx, r)
	})
	return w, err
}

func (w *world) surveyAccounts(ctx context.Context, r memory.Reader) error {
	narratives, err := r.NarrativeHistory(ctx, nil, everything)
	if err != nil {
		return err
	}
	claims, err := r.ClaimsIn(ctx, nil)
	if err != nil {
		return err
	}
	canon, err := r.Canon(ctx, nil, nil)
	if err != nil {
		return err
	}
	for _, n := range narratives {
		w.narratives, w.scopes = append(w.narratives, n.ID), append(w.scopes, n.Scope)
	}
	for _, c := range claims {
		w.claims, w.scopes = append(w.claims, c.ID), append(w.scopes, c.Scope)
	}
	for _, e := range canon {
		w.scopes = append(w.scopes, e.Scope)
	}
	slices.Sort(w.scopes)
	w.scopes = slices.Compact(w.scopes)
	evidence, err := r.EvidenceFor(ctx, w.claims)
	for _, e := range evidence {
		w.evidence = append(w.evidence, e.ID)
	}
	return err
}

// join adds the names of another world. A name may stand twice.
func (w *world) join(o world) {
	w.memories = append(w.memories, o.memories...)
	w.narratives = append(w.narratives, o.narratives...)
	w.claims = append(w.claims, o.claims...)
	w.evidence = append(w.evidence, o.evidence...)
	w.recollections = append(w.recollections, o.recollections...)
	w.conflicts = append(w.conflicts, o.conflicts...)
	w.links = append(w.links, o.links...)
	w.placed = append(w.placed, o.placed...)
	w.scopes = append(w.scopes, o.scopes...)
}

// observation is one question to a store and its answer.
type observation struct {
	question string
	answer   any
}

// observer collects answers until one fails.
type observer struct {
	ctx  context.Context
	r    memory.Reader
	seen []observation
	err  error
}

// note takes down an answer; the name of the question is made from its parts.
func note[V any](o *observer, answer V, err error, question ...any) {
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("%v: %w", question, err)
	}
	o.seen = append(o.seen, observation{fmt.Sprint(question...), answer})
}

// observe asks a store every question about a world: the same questions in the
// same order for every store.
func observe(ctx context.Context, s memory.Store, w world) ([]observation, error) {
	o := &observer{ctx: ctx}
	err := s.View(ctx, func(r memory.Reader) error {
		o.r = r
		o.memories(w)
		o.lists()
		o.priorities(w)
		o.accounts(w)
		o.recalled(w)
		o.perceived(w)
		o.ledger(w)
		return o.err
	})
	if err != nil {
		return nil, err
	}
	o.store(s)
	return o.seen, o.err
}

func (o *observer) memories(w world) {
	sequence, err := o.r.Sequence(o.ctx)
	note(o, sequence, err, "Sequence")
	for _, id := range w.memories {
		m, err := o.r.Memory(o.ctx, id)
		note(o, m, err, "Memory ", id)
	}
	for _, p := range w.placed {
		if p.SessionID != nil && p.SessionPosition != nil {
			m, err := o.r.AtPosition(o.ctx, *p.SessionID, *p.SessionPosition)
			note(o, m, err, "AtPosition ", *p.SessionID, *p.SessionPosition)
		}
		before, after, err := o.r.Beside(o.ctx, p)
		note(o, []*memory.Memory{before, after}, err, "Beside ", p.ID)
		if p.IdempotencyKey != nil {
			m, err := o.r.ByIdempotencyKey(o.ctx, *p.IdempotencyKey)
			note(o, m, err, "ByIdempotencyKey ", *p.IdempotencyKey)
		}
	}
	backwards := slices.Clone(w.memories)
	slices.Reverse(backwards)
	all, err := o.r.Memories(o.ctx, backwards)
	note(o, all, err, "Memories")
	labels, err := o.r.Labels(o.ctx, w.memories)
	note(o, labels, err, "Labels")
	frames, err := o.r.Frames(o.ctx)
	note(o, frames, err, "Frames")
}

// lists asks for every order, whole and behind a row in the middle, and for what
// passes each filter that the rows at hand suggest.
func (o *observer) lists() {
	for _, order := range []memory.ListOrder{memory.NewestCaptured, memory.OldestCaptured, memory.NewestForgotten, memory.ByEvent} {
		q := memory.ListQuery{Order: order, Filter: allMemories}
		if order == memory.NewestForgotten {
			q.Filter.Forgotten = memory.ForgottenOnly
		}
		whole, err := o.r.List(o.ctx, q)
		note(o, whole, err, "List in order ", order)
		if len(whole) > 2 {
			q.After, q.Limit = cursorAt(order, whole[len(whole)/2]), len(whole)/3+1
			page, err := o.r.List(o.ctx, q)
			note(o, page, err, "List in order ", order, " from the middle")
		}
		if order == memory.OldestCaptured {
			o.numbered(whole)
			o.filtered(whole)
		}
	}
}

// numbered asks by the store's own numbers, and for the order they are in.
func (o *observer) numbered(memories []memory.Memory) {
	var numbers []int64
	for _, m := range slices.SortedFunc(slices.Values(memories), func(a, b memory.Memory) int { return int(a.Number - b.Number) }) {
		numbers = append(numbers, m.Number)
	}
	got, err := o.r.Numbered(o.ctx, numbers)
	note(o, got, err, "Numbered")
}

func (o *observer) filtered(memories []memory.Memory) {
	filters := []memory.ListFilter{{}, {Forgotten: memory.ForgottenOnly}, {UnknownEvent: true}}
	for _, m := range memories {
		filters = append(filters,
			memory.ListFilter{Frame: m.Frame, Tier: &m.Tier},
			memory.ListFilter{Source: m.Source, Status: &m.Status, Forgotten: memory.ActiveAndForgotten},
			memory.ListFilter{SessionID: m.SessionID, Tags: m.Tags},
			memory.ListFilter{Since: m.EventAt, CreatedUntil: &m.CreatedAt},
			memory.ListFilter{Until: m.EventAt, ReviewedBefore: m.LastReviewedAt})
		if m.Place != nil {
			filters = append(filters, memory.ListFilter{Near: &memory.Near{Lat: m.Place.Lat, Lon: m.Place.Lon, RadiusM: 1500}})
		}
	}
	for i, f := range filters {
		n, err := o.r.Count(o.ctx, f)
		note(o, n, err, "Count of filter ", i)
		rows, err := o.r.List(o.ctx, memory.ListQuery{Filter: f})
		note(o, idsOf(rows), err, "List of filter ", i)
	}
}

func (o *observer) priorities(w world) {
	anchors, err := o.r.Anchors(o.ctx)
	note(o, anchors, err, "Anchors")
	canon, err := o.r.Canon(o.ctx, nil, nil)
	note(o, canon, err, "Canon")
	for _, scope := range w.scopes {
		canon, err := o.r.Canon(o.ctx, &scope, nil)
		note(o, canon, err, "Canon of scope ", scope)
	}
	for _, id := range w.memories {
		anchor, err := o.r.Anchor(o.ctx, id)
		note(o, anchor, err, "Anchor ", id)
		canon, err := o.r.Canon(o.ctx, nil, &id)
		note(o, canon, err, "Canon of memory ", id)
		links, err := o.r.LinksOf(o.ctx, []memory.ID{id}, false)
		note(o, links, err, "LinksOf ", id)
	}
	for _, resolved := range []*bool{nil, Of(false), Of(true)} {
		conflicts, err := o.r.Conflicts(o.ctx, resolved)
		note(o, conflicts, err, "Conflicts, filter ", resolved != nil, resolved != nil && *resolved)
	}
	for _, c := range w.conflicts {
		one, err := o.r.Conflict(o.ctx, c.ID)
		note(o, one, err, "Conflict ", c.ID)
		open, err := o.r.OpenConflict(o.ctx, c.B, c.A)
		note(o, open, err, "OpenConflict ", c.B, c.A)
	}
	o.links(w)
}

func (o *observer) links(w world) {
	for _, retired := range []bool{false, true} {
		links, err := o.r.LinksOf(o.ctx, w.memories, retired)
		note(o, links, err, "LinksOf all, retired ", retired)
	}
	var ids []memory.ID
	for _, l := range w.links {
		ids = append(ids, l.ID)
		one, err := o.r.Link(o.ctx, l.ID)
		note(o, one, err, "Link ", l.ID)
		active, err := o.r.ActiveLink(o.ctx, l.From, l.To, l.Relation)
		note(o, active, err, "ActiveLink ", l.From, l.To, l.Relation)
		citing, err := o.r.NarrativesCiting(o.ctx, memory.SourceLink, l.ID)
		note(o, citing, err, "NarrativesCiting link ", l.ID)
	}
	links, err := o.r.Links(o.ctx, ids)
	note(o, links, err, "Links")
}

func (o *observer) accounts(w world) {
	for _, id := range w.narratives {
		n, err := o.r.Narrative(o.ctx, id)
		note(o, n, err, "Narrative ", id)
	}
	current, err := o.r.CurrentNarratives(o.ctx, everything)
	note(o, current, err, "CurrentNarratives")
	history, err := o.r.NarrativeHistory(o.ctx, nil, everything)
	note(o, history, err, "NarrativeHistory")
	for _, scope := range w.scopes {
		n, err := o.r.CurrentNarrative(o.ctx, scope)
		note(o, n, err, "CurrentNarrative ", scope)
		history, err := o.r.NarrativeHistory(o.ctx, &scope, 2)
		note(o, history, err, "NarrativeHistory of ", scope)
		claims, err := o.r.ClaimsIn(o.ctx, &scope)
		note(o, claims, err, "ClaimsIn ", scope)
	}
	for _, id := range w.memories {
		citing, err := o.r.NarrativesCiting(o.ctx, memory.SourceMemory, id)
		note(o, citing, err, "NarrativesCiting memory ", id)
		evidence, err := o.r.EvidenceFrom(o.ctx, id)
		note(o, evidence, err, "EvidenceFrom ", id)
	}
	o.claims(w)
}

func (o *observer) claims(w world) {
	for _, id := range w.claims {
		c, err := o.r.Claim(o.ctx, id)
		note(o, c, err, "Claim ", id)
		citing, err := o.r.NarrativesCiting(o.ctx, memory.SourceClaim, id)
		note(o, citing, err, "NarrativesCiting claim ", id)
		events, err := o.r.ClaimEvents(o.ctx, []memory.ID{id})
		note(o, events, err, "ClaimEvents ", id)
	}
	for _, id := range w.evidence {
		e, err := o.r.Evidence(o.ctx, id)
		note(o, e, err, "Evidence ", id)
	}
	claims, err := o.r.Claims(o.ctx, w.claims)
	note(o, claims, err, "Claims")
	all, err := o.r.ClaimsIn(o.ctx, nil)
	note(o, all, err, "ClaimsIn all")
	events, err := o.r.ClaimEvents(o.ctx, w.claims)
	note(o, events, err, "ClaimEvents of all")
	evidence, err := o.r.EvidenceFor(o.ctx, w.claims)
	note(o, evidence, err, "EvidenceFor all")
	last, err := o.r.LastClaimEventAt(o.ctx)
	note(o, last, err, "LastClaimEventAt")
}

// ledger asks for the audit log whole and by halves, and whether it holds.
func (o *observer) ledger(w world) {
	for _, captures := range []bool{false, true} {
		rows, err := o.r.Audit(o.ctx, memory.AuditQuery{Captures: captures})
		note(o, rows, err, "Audit, captures ", captures)
		if len(rows) < 2 {
			continue
		}
		middle := rows[len(rows)/2]
		for i, q := range []memory.AuditQuery{
			{Before: &memory.AuditCursor{At: middle.At, Sequence: middle.Sequence}, Limit: 3},
			{Since: &middle.At}, {Until: &middle.At, Limit: 3}, {Action: &middle.Action}, {Subject: &middle.Subject},
		} {
			q.Captures = captures
			part, err := o.r.Audit(o.ctx, q)
			note(o, part, err, "Audit, captures ", captures, ", part ", i)
		}
		if captures {
			rows = slices.SortedFunc(slices.Values(rows), func(a, b memory.AuditRow) int { return int(a.Sequence - b.Sequence) })
			note(o, rows, nil, "Audit by Sequence")
			note(o, verifyChain(rows), nil, "faults of the audit chain")
		}
	}
	for _, id := range w.memories {
		rows, err := o.r.Audit(o.ctx, memory.AuditQuery{Subject: &id, Captures: true})
		note(o, rows, err, "Audit of ", id)
	}
}

// store asks what the store answers outside of a snapshot.
func (o *observer) store(s memory.Store) {
	changed, err := s.Changes(o.ctx, 0, everything, suiteIdentity)
	note(o, changed, err, "Changes")
	forCues, err := s.Changes(o.ctx, 0, everything, cueIdentity)
	note(o, forCues, err, "Changes with vectors for cues")
	changed = slices.SortedFunc(slices.Values(changed), func(a, b memory.Changed) int { return int(a.Memory.Number - b.Memory.Number) })
	note(o, changed, nil, "Changes by number")
	var numbers []int64
	for _, c := range changed {
		numbers = append(numbers, c.Memory.Number)
	}
	vectors, err := s.Vectors(o.ctx, numbers, suiteIdentity)
	note(o, vectors, err, "Vectors")
	for _, identity := range []string{suiteIdentity, cueIdentity, "memtest/none"} {
		missing, err := s.Unembedded(o.ctx, identity, everything)
		note(o, missing, err, "Unembedded for ", identity)
	}
	stats, err := s.Stats(o.ctx, suiteIdentity)
	stats.Bytes, stats.Schema, stats.StoreID = 0, 0, ""
	note(o, stats, err, "Stats")
}
