package memory

import (
	"slices"
	"time"
)

// Plan is what a rule decided: the changes to write in order, the audit rows
// in order, and the denial if there is one. A plan with a denial is applied
// too: its audit row commits before the denial reaches the caller.
type Plan struct {
	Changes []Change
	Audit   []AuditRow
	Denial  *Error
}

// Write appends changes.
func (p *Plan) Write(c ...Change) { p.Changes = append(p.Changes, c...) }

// Record appends an audit row.
func (p *Plan) Record(subject ID, action Action, reason string, at time.Time) {
	p.Audit = append(p.Audit, AuditRow{Subject: subject, Action: action, Reason: reason, At: at})
}

// Join appends another plan's changes and audit rows. A denial of the other
// plan is taken over.
func (p *Plan) Join(q Plan) {
	p.Changes = append(p.Changes, q.Changes...)
	p.Audit = append(p.Audit, q.Audit...)
	if q.Denial != nil {
		p.Denial = q.Denial
	}
}

// Empty says whether there is nothing to write.
func (p Plan) Empty() bool { return len(p.Changes) == 0 && len(p.Audit) == 0 }

// concernsIndex says whether it changes more than the queue, which no index holds.
func (p Plan) concernsIndex() bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool { _, queue := c.(PutRecollection); return !queue })
}

// Change is one row to write. The set is closed; a Store knows them all.
type Change interface{ change() }

// PutMemory inserts a memory (Number 0) or overwrites every mutable column of
// an existing one. The store gives it a new change sequence.
type PutMemory struct{ Memory Memory }

// PutVectors sets the vectors of a memory for one encoder identity, a vector a
// window, each of length 1. The store gives the memory a new change sequence.
type PutVectors struct {
	Number   int64
	Identity string
	Windows  [][]float32
	Cue      bool // for CueIndex: they do not make Identity the present encoder, nor the memory embedded
	Next     bool // Identity is to answer later: they do not make it the present encoder
	Reworded bool // the line reads otherwise than before: what every other Identity made of it is taken away
}

// PutAnchor inserts or overwrites an anchor.
type PutAnchor struct{ Anchor Anchor }

// RemoveAnchor deletes an anchor.
type RemoveAnchor struct{ MemoryID ID }

// PutCorroboration inserts a corroboration.
type PutCorroboration struct{ Corroboration Corroboration }

// PutCanon inserts or overwrites a canon entry by its ID.
type PutCanon struct{ Entry CanonEntry }

// PutConflict inserts or overwrites a conflict by its ID.
type PutConflict struct{ Conflict Conflict }

// PutLink inserts or overwrites a link by its ID.
type PutLink struct{ Link Link }

// PutNarrative inserts or overwrites a narrative by its ID.
type PutNarrative struct{ Narrative Narrative }

// PutClaim inserts a claim.
type PutClaim struct{ Claim Claim }

// PutClaimEvent appends a claim event.
type PutClaimEvent struct{ Event ClaimEvent }

// PutEvidence inserts or overwrites evidence by its ID.
type PutEvidence struct{ Evidence Evidence }

// EraseMemory removes a memory for good: its row, vectors, fingerprints, media,
// recollections, anchor, canon entries, corroborations, conflicts and links, every text of its evidence, and
// the free text and salt of audit rows and claim events that speak of it.
// Narratives and claims keep its id, so that they report it as missing.
type EraseMemory struct{ MemoryID ID }

func (PutMemory) change()        {}
func (PutVectors) change()       {}
func (PutAnchor) change()        {}
func (RemoveAnchor) change()     {}
func (PutCorroboration) change() {}
func (PutCanon) change()         {}
func (PutConflict) change()      {}
func (PutLink) change()          {}
func (PutNarrative) change()     {}
func (PutClaim) change()         {}
func (PutClaimEvent) change()    {}
func (PutEvidence) change()      {}
func (EraseMemory) change()      {}
