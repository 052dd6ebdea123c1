package memtest

import "combray/internal/memory"

var constraintPromises = []promise{
	{"constraints-refuse", constraintsRefuse},
	{"constraints-let-ended-rows-be", constraintsLetEndedRowsBe},
}

// clash is a row that may stand once, and another that may not stand beside it.
type clash struct {
	name        string
	row, second memory.Change
}

func (x *subject) clashes() []clash {
	x.Helper()
	a, b := x.consolidated("a"), x.consolidated("b")
	claim := x.Claim("global")
	x.write(memory.PutClaim{Claim: claim})
	placed := func() memory.Memory {
		m := x.Memory("m")
		m.SessionID, m.SessionPosition = Of("s"), Of(int64(1))
		return m
	}
	keyed := func() memory.Memory {
		m := x.Memory("m")
		m.IdempotencyKey = Of("key")
		return m
	}
	forgotten, named := placed(), x.Memory("m")
	forgotten.ForgottenAt, forgotten.ForgottenReason = Of(x.Clock.Now()), Of("over")
	label := x.Corroboration(a, "Ada")
	return []clash{
		{"a session position, even of a forgotten memory", memory.PutMemory{Memory: forgotten}, memory.PutMemory{Memory: placed()}},
		{"an idempotency key", memory.PutMemory{Memory: keyed()}, memory.PutMemory{Memory: keyed()}},
		{"a memory's id", memory.PutMemory{Memory: named}, memory.PutMemory{Memory: named}},
		{"an open conflict of a pair", memory.PutConflict{Conflict: x.Conflict(a, b)}, memory.PutConflict{Conflict: x.Conflict(b, a)}},
		{"an active link", memory.PutLink{Link: x.Link(a, b, "related")}, memory.PutLink{Link: x.Link(a, b, "related")}},
		{"an active membership", memory.PutCanon{Entry: x.Canon(a, "s")}, memory.PutCanon{Entry: x.Canon(a, "s")}},
		{"active evidence", memory.PutEvidence{Evidence: x.Evidence(claim, a)}, memory.PutEvidence{Evidence: x.Evidence(claim, a)}},
		{"a scope's current narrative", memory.PutNarrative{Narrative: x.Narrative("s")}, memory.PutNarrative{Narrative: x.Narrative("s")}},
		{"a claim", memory.PutClaim{Claim: claim}, memory.PutClaim{Claim: claim}},
		{"a corroboration", memory.PutCorroboration{Corroboration: label}, memory.PutCorroboration{Corroboration: label}},
	}
}

// What may stand once is refused the second time, as a conflict, in the same
// plan and later; the store then goes on.
func constraintsRefuse(x *subject) {
	for _, c := range x.clashes() {
		if _, isClaim := c.row.(memory.PutClaim); !isClaim { // the claim is there already
			x.refused(c.name+" twice in a plan", x.try(memory.Plan{Changes: []memory.Change{c.row, c.second}}), memory.CodeConflict)
			x.write(c.row)
		}
		x.refused(c.name+" twice", x.try(memory.Plan{Changes: []memory.Change{c.second}}), memory.CodeConflict)
	}
	x.moveOnto()
	x.putOne("still usable")
}

// moveOnto overwrites a memory so that it would take another's position.
func (x *subject) moveOnto() {
	x.Helper()
	rows := []memory.Memory{x.Memory("m"), x.Memory("m")}
	for i := range rows {
		rows[i].SessionID, rows[i].SessionPosition = Of("moved"), Of(int64(i))
	}
	stored := x.put(rows...)
	stored[1].SessionPosition = Of(int64(0))
	x.refused("moving onto a position", x.try(memory.Plan{Changes: []memory.Change{memory.PutMemory{Memory: stored[1]}}}), memory.CodeConflict)
}

// A row that has ended leaves its place to the next, as often as it takes, and
// what differs in one part of its key is no duplicate.
func constraintsLetEndedRowsBe(x *subject) {
	a, b := x.consolidated("a"), x.consolidated("b")
	claim, second := x.Claim("global"), x.Claim("global")
	x.write(memory.PutClaim{Claim: claim}, memory.PutClaim{Claim: second})
	for range 3 {
		entry, conflict, link, proof := x.Canon(a, "s"), x.Conflict(a, b), x.Link(a, b, "related"), x.Evidence(claim, a)
		version := x.Narrative("s")
		x.write(memory.PutCanon{Entry: entry}, memory.PutConflict{Conflict: conflict}, memory.PutLink{Link: link},
			memory.PutEvidence{Evidence: proof}, memory.PutNarrative{Narrative: version})
		end := x.Clock.Now()
		entry.DecommissionedAt, proof.RetractedAt, proof.RetractionReason = &end, &end, Of("over")
		conflict.ResolvedAt, conflict.ResolutionReason = &end, Of("over")
		link.RetiredAt, link.RetirementReason = &end, Of("over")
		version.SupersededAt = &end
		x.write(memory.PutCanon{Entry: entry}, memory.PutConflict{Conflict: conflict}, memory.PutLink{Link: link},
			memory.PutEvidence{Evidence: proof}, memory.PutNarrative{Narrative: version})
	}
	challenge := x.Evidence(claim, a)
	challenge.Stance = "challenges"
	x.write(memory.PutCanon{Entry: x.Canon(a, "s")}, memory.PutCanon{Entry: x.Canon(b, "s")}, memory.PutCanon{Entry: x.Canon(a, "t")},
		memory.PutLink{Link: x.Link(a, b, "related")}, memory.PutLink{Link: x.Link(b, a, "related")}, memory.PutLink{Link: x.Link(a, b, "updates")},
		memory.PutEvidence{Evidence: x.Evidence(claim, a)}, memory.PutEvidence{Evidence: x.Evidence(second, a)},
		memory.PutEvidence{Evidence: x.Evidence(claim, b)}, memory.PutEvidence{Evidence: challenge},
		memory.PutNarrative{Narrative: x.Narrative("s")}, memory.PutNarrative{Narrative: x.Narrative("t")})
	same, other, bare := x.Memory("m"), x.Memory("m"), x.Memory("m")
	same.SessionID, same.SessionPosition = Of("s"), Of(int64(1))
	other.SessionID, other.SessionPosition = Of("t"), Of(int64(1))
	bare.SessionID = Of("s")
	x.put(same, other, bare, x.Memory("m"))
}
