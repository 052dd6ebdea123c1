package verbtest

import (
	"slices"

	"combray/internal/memory"
)

// recorded are claim events and the audit action that commits with each.
var recorded = []struct {
	event memory.ClaimAction
	audit memory.Action
}{
	{memory.ClaimProposed, memory.ActCreateClaim}, {memory.ClaimWithdrawn, memory.ActWithdrawClaim},
	{memory.ClaimSuperseded, memory.ActReviseClaim}, {memory.ClaimEvidenceAdded, memory.ActAddEvidence},
	{memory.ClaimEvidenceRetracted, memory.ActRetractEvidence}, {memory.ClaimSourceChanged, memory.ActClaimSourceChanged},
}

// claimsMatch also wants no claim to end twice, no two claims to be replaced by
// one, and times that never go backwards.
func (b *books) claimsMatch() {
	steps := map[memory.ID]map[memory.ClaimAction]int{}
	replacements := map[memory.ID]int{}
	for _, c := range b.claims {
		steps[c.ID] = map[memory.ClaimAction]int{}
	}
	for i, e := range b.events {
		steps[e.ClaimID][e.Action]++
		if i > 0 && e.RecordedAt.Before(b.events[i-1].RecordedAt) {
			b.tell("event %d of the claim ledger is older than the one before it", e.Sequence)
		}
		if e.Action == memory.ClaimSuperseded {
			b.replaced(e, replacements)
		}
	}
	for id, did := range steps {
		for _, r := range recorded {
			b.agree(id, string(r.event), did[r.event], b.count(id, r.audit, ""))
		}
		b.agree(id, "proposals", did[memory.ClaimProposed], 1)
		b.agree(id, "adopted", did[memory.ClaimAdopted], b.count(id, memory.ActAdoptClaim, "")+replacements[id])
		if did[memory.ClaimWithdrawn]+did[memory.ClaimSuperseded] > 1 {
			b.tell("claim %s ended twice", id)
		}
	}
	for id := range b.log {
		if _, here := steps[id]; !here && b.count(id, memory.ActCreateClaim, "") > 0 {
			b.tell("%s: the claim that the audit log tells of is not there", id)
		}
	}
	b.evidenceMatches(steps)
}

// replaced wants the replacement to be adopted in the same instant, and by one
// claim alone.
func (b *books) replaced(e memory.ClaimEvent, replacements map[memory.ID]int) {
	won := e.ReplacementID != nil && slices.ContainsFunc(b.events, func(o memory.ClaimEvent) bool {
		return o.ClaimID == *e.ReplacementID && o.Action == memory.ClaimAdopted && o.RecordedAt.Equal(e.RecordedAt)
	})
	if !won {
		b.tell("claim %s is superseded and its replacement was not adopted with it", e.ClaimID)
		return
	}
	if replacements[*e.ReplacementID]++; replacements[*e.ReplacementID] > 1 {
		b.tell("claim %s replaces two", *e.ReplacementID)
	}
}

func (b *books) evidenceMatches(steps map[memory.ID]map[memory.ClaimAction]int) {
	type tie struct {
		claim, memory memory.ID
		stance        memory.Stance
	}
	active := map[tie]bool{}
	given, retracted := map[memory.ID]int{}, map[memory.ID]int{}
	for _, e := range b.evidence {
		given[e.ClaimID]++
		if e.RetractedAt != nil {
			retracted[e.ClaimID]++
			continue
		}
		t := tie{e.ClaimID, e.MemoryID, e.Stance}
		if active[t] {
			b.tell("claim %s has two pieces of evidence %s from %s", e.ClaimID, e.Stance, e.MemoryID)
		}
		active[t] = true
	}
	for id, did := range steps {
		b.agree(id, "pieces of evidence", given[id], did[memory.ClaimEvidenceAdded])
		b.agree(id, "retractions", retracted[id], did[memory.ClaimEvidenceRetracted])
	}
}
