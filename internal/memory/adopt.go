package memory

import (
	"fmt"
	"iter"
	"time"
)

// Inheritance is everything that another system kept, each list in the order in
// which that system wrote it. Ids, times and texts are that system's; numbers and
// sequences are the store's to give.
type Inheritance struct {
	Memories       []Memory // Number and Seq 0
	Corroborations []Corroboration
	Anchors        []Anchor
	Canon          []CanonEntry
	Conflicts      []Conflict
	Links          []Link
	Narratives     []Narrative
	Claims         []Claim
	Events         []ClaimEvent
	Evidence       []Evidence
	Audit          []AuditRow
}

// Rows says how many audit rows and other rows an inheritance makes at most: each
// of its own and one more for each memory.
func (in Inheritance) Rows() int {
	return 2*len(in.Memories) + len(in.Corroborations) + len(in.Anchors) + len(in.Canon) + len(in.Conflicts) + len(in.Links) +
		len(in.Narratives) + len(in.Claims) + len(in.Events) + len(in.Evidence) + len(in.Audit)
}

// RecordKind names a list of an Inheritance.
type RecordKind string

// The lists, in the order in which they are told.
const (
	KindMemory        RecordKind = "memories"
	KindCorroboration RecordKind = "corroborations"
	KindAnchor        RecordKind = "anchors"
	KindCanon         RecordKind = "canon"
	KindConflict      RecordKind = "conflicts"
	KindLink          RecordKind = "links"
	KindNarrative     RecordKind = "narratives"
	KindClaim         RecordKind = "claims"
	KindEvent         RecordKind = "claim_events"
	KindEvidence      RecordKind = "evidence"
	KindAudit         RecordKind = "audit_log"
)

// Adopted says what became of an inheritance.
type Adopted struct {
	Counts  []AdoptedCount  // one for each kind, in the order of the kinds
	Notices []AdoptedNotice // what came in otherwise than it was, or did not
}

// AdoptedCount is what became of the rows of a kind.
type AdoptedCount struct {
	Kind    RecordKind
	Added   int
	Present int // were here already and stay as they are
	LeftOut int // cannot stand here; a notice says why
}

// AdoptedNotice is what a person should know about one row.
type AdoptedNotice struct {
	Kind RecordKind
	ID   ID
	What string // sentence
}

// AdoptFacts is what the store holds that an inheritance can meet.
type AdoptFacts struct {
	Memories, Narratives, Claims map[ID]bool // known ids among those of the inheritance
	Conflicts, Links, Audit      map[ID]bool
	Erased                       map[ID]bool // memories that were erased here
	Positions                    map[SessionPlace]ID
	Current                      map[string]ID    // current narrative of a scope
	Open                         map[Opponents]ID // open conflict of a pair
	Active                       map[Edge]ID      // active link
}

// SessionPlace is a position in a session.
type SessionPlace struct {
	Session  string
	Position int64
}

// Opponents are two memories, whichever comes first.
type Opponents [2]ID

// OpponentsOf names two memories as a pair.
func OpponentsOf(a, b ID) Opponents { return Opponents{min(a, b), max(a, b)} }

// Edge is a relation from one memory to another.
type Edge struct {
	From, To ID
	Relation Relation
}

// Adopt decides row by row what of an inheritance comes in. What is here already
// stays as it is, so that the same inheritance again adds nothing. A memory comes
// with its corroborations, anchor and canon, a claim with its events and
// evidence; the rest comes by its own id. What was erased here does not come
// back, nor what hangs on it. Where a row wants a place that is taken, the one
// that was here first keeps it and a notice tells.
//
// The plan comes in parts, to be applied one after the other in one transaction,
// so that what was decided need not be held all at once. What became of the rows
// is known when the parts are at their end.
func Adopt(in Inheritance, f AdoptFacts, by Actor, now time.Time) (iter.Seq[Plan], *Adopted) {
	a := &adoption{facts: f, by: by, now: now, memories: map[ID]bool{}, claims: map[ID]bool{}, canon: map[canonPlace]bool{}}
	return func(yield func(Plan) bool) {
		a.emit = yield
		a.run(in)
		a.flush()
	}, &a.out
}

// adoptPart is about how many rows a part of the plan has.
const adoptPart = 1000

func (a *adoption) run(in Inheritance) {
	take(a, KindMemory, in.Memories, a.memory, func(m Memory) Change { return PutMemory{m} })
	take(a, KindCorroboration, in.Corroborations, a.corroboration, func(c Corroboration) Change { return PutCorroboration{c} })
	take(a, KindAnchor, in.Anchors, a.anchor, func(x Anchor) Change { return PutAnchor{x} })
	take(a, KindCanon, in.Canon, a.entry, func(e CanonEntry) Change { return PutCanon{e} })
	take(a, KindConflict, in.Conflicts, a.conflict, func(c Conflict) Change { return PutConflict{c} })
	take(a, KindLink, in.Links, a.link, func(l Link) Change { return PutLink{l} })
	a.settleScopes(in.Narratives)
	take(a, KindNarrative, in.Narratives, a.narrative, func(n Narrative) Change { return PutNarrative{n} })
	take(a, KindClaim, in.Claims, a.claim, func(c Claim) Change { return PutClaim{c} })
	take(a, KindEvent, in.Events, a.event, func(e ClaimEvent) Change { return PutClaimEvent{e} })
	take(a, KindEvidence, in.Evidence, a.evidence, func(e Evidence) Change { return PutEvidence{e} })
	a.audit(in.Audit)
	for _, m := range in.Memories {
		if a.memories[m.ID] {
			a.plan.Record(m.ID, ActRemember, "", a.now)
			a.spill()
		}
	}
}

// spill gives away what was decided, once it is enough for a part.
func (a *adoption) spill() {
	if len(a.plan.Changes)+len(a.plan.Audit) >= adoptPart {
		a.flush()
	}
}

// flush gives away what was decided. After somebody wanted no more it is dropped.
func (a *adoption) flush() {
	if !a.plan.Empty() && !a.stopped {
		a.stopped = !a.emit(a.plan)
	}
	a.plan = Plan{}
}

// adoption is an inheritance on its way in.
type adoption struct {
	facts    AdoptFacts
	by       Actor
	now      time.Time
	memories map[ID]bool // that come in
	claims   map[ID]bool // that come in
	canon    map[canonPlace]bool
	plan     Plan // decided and not given away yet
	out      Adopted
	emit     func(Plan) bool
	stopped  bool
}

type canonPlace struct {
	scope  string
	memory ID
}

// fate is what becomes of a row.
type fate int

const (
	comes  fate = iota // comes in
	stands             // is here already
	stays              // stays outside
)

// take asks the fate of each row and writes those that come in, as decide left
// them.
func take[R any](a *adoption, kind RecordKind, rows []R, decide func(*R) fate, change func(R) Change) {
	count := AdoptedCount{Kind: kind}
	for _, row := range rows {
		switch decide(&row) {
		case comes:
			a.plan.Write(change(row))
			a.spill()
			count.Added++
		case stands:
			count.Present++
		case stays:
			count.LeftOut++
		}
	}
	a.out.Counts = append(a.out.Counts, count)
}

func (a *adoption) tell(kind RecordKind, id ID, format string, args ...any) {
	a.out.Notices = append(a.out.Notices, AdoptedNotice{kind, id, fmt.Sprintf(format, args...)})
}

// present says whether all these memories are here or come in.
func (a *adoption) present(ids ...ID) bool {
	for _, id := range ids {
		if !a.facts.Memories[id] && !a.memories[id] {
			return false
		}
	}
	return true
}

// owned is the fate of what comes with its memory.
func (a *adoption) owned(id ID) fate {
	switch {
	case a.memories[id]:
		return comes
	case a.facts.Memories[id]:
		return stands
	}
	return stays
}

func (a *adoption) memory(m *Memory) fate {
	switch {
	case a.facts.Memories[m.ID]:
		return stands
	case a.facts.Erased[m.ID]:
		a.tell(KindMemory, m.ID, "it was erased here and does not come back, nor what hangs on it")
		return stays
	}
	if m.SessionID != nil && m.SessionPosition != nil {
		place := SessionPlace{*m.SessionID, *m.SessionPosition}
		if holder, taken := a.facts.Positions[place]; taken {
			a.tell(KindMemory, m.ID, "session_position %d of session %q is already used by memory %s: it came in without its position, and set_history_context can give it another",
				place.Position, place.Session, holder)
			m.SessionPosition = nil
		} else {
			a.facts.Positions[place] = m.ID
		}
	}
	m.RecordedBy = a.by
	a.memories[m.ID] = true
	return comes
}

func (a *adoption) corroboration(c *Corroboration) fate { return a.owned(c.MemoryID) }

func (a *adoption) anchor(x *Anchor) fate { return a.owned(x.MemoryID) }

func (a *adoption) entry(e *CanonEntry) fate {
	if got := a.owned(e.MemoryID); got != comes || e.DecommissionedAt != nil {
		return got
	}
	place := canonPlace{e.Scope, e.MemoryID}
	if a.canon[place] {
		a.tell(KindCanon, e.ID, "memory %s is already active in scope %q", e.MemoryID, e.Scope)
		return stays
	}
	a.canon[place] = true
	return comes
}

func (a *adoption) conflict(c *Conflict) fate {
	switch {
	case a.facts.Conflicts[c.ID]:
		return stands
	case !a.present(c.A, c.B):
		return stays
	case c.ResolvedAt != nil:
		return comes
	}
	pair := OpponentsOf(c.A, c.B)
	if open, taken := a.facts.Open[pair]; taken {
		a.tell(KindConflict, c.ID, "conflict %s is already open for memories %s and %s", open, c.A, c.B)
		return stays
	}
	a.facts.Open[pair] = c.ID
	return comes
}

func (a *adoption) link(l *Link) fate {
	switch {
	case a.facts.Links[l.ID]:
		return stands
	case !a.present(l.From, l.To):
		return stays
	case l.RetiredAt != nil:
		return comes
	}
	edge := Edge{l.From, l.To, l.Relation}
	if active, taken := a.facts.Active[edge]; taken {
		a.tell(KindLink, l.ID, "link %s is already active from %s to %s", active, l.From, l.To)
		return stays
	}
	a.facts.Active[edge] = l.ID
	return comes
}

// settleScopes chooses the current account of each scope: the one that is here,
// else the newest that comes.
func (a *adoption) settleScopes(narratives []Narrative) {
	newest := map[string]Narrative{}
	for _, n := range narratives {
		if n.SupersededAt != nil || a.facts.Narratives[n.ID] {
			continue
		}
		if other, known := newest[n.Scope]; !known || !n.CreatedAt.Before(other.CreatedAt) {
			newest[n.Scope] = n
		}
	}
	for scope, n := range newest {
		if _, taken := a.facts.Current[scope]; !taken {
			a.facts.Current[scope] = n.ID
		}
	}
}

func (a *adoption) narrative(n *Narrative) fate {
	if a.facts.Narratives[n.ID] {
		return stands
	}
	if current := a.facts.Current[n.Scope]; n.SupersededAt == nil && current != n.ID {
		a.tell(KindNarrative, n.ID, "scope %q already has the current account %s: this one came in superseded by it", n.Scope, current)
		n.SupersededAt, n.SupersededBy = &a.now, &current
	}
	n.RecordedBy = a.by
	return comes
}

func (a *adoption) claim(c *Claim) fate {
	if a.facts.Claims[c.ID] {
		return stands
	}
	c.RecordedBy = a.by
	a.claims[c.ID] = true
	return comes
}

// ofClaim is the fate of what comes with its claim.
func (a *adoption) ofClaim(id ID) fate {
	if a.claims[id] {
		return comes
	}
	return stands
}

func (a *adoption) event(e *ClaimEvent) fate { return a.ofClaim(e.ClaimID) }

func (a *adoption) evidence(e *Evidence) fate {
	if got := a.ofClaim(e.ClaimID); got != comes || a.present(e.MemoryID) {
		return got
	}
	return stays
}

// audit takes the rows that are not here yet, but none that speaks of a memory
// that was erased here: its reason may hold words of the text.
func (a *adoption) audit(rows []AuditRow) {
	count := AdoptedCount{Kind: KindAudit}
	for _, row := range rows {
		switch {
		case a.facts.Audit[row.ID]:
			count.Present++
		case a.facts.Erased[row.Subject]:
			count.LeftOut++
		default:
			a.plan.Audit = append(a.plan.Audit, AuditRow{ID: row.ID, Subject: row.Subject, Action: row.Action, Reason: row.Reason, At: row.At})
			a.spill()
			count.Added++
		}
	}
	a.out.Counts = append(a.out.Counts, count)
}
