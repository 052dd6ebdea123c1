package memtest

import (
	"time"

	"combray/internal/memory"
)

var accountPromises = []promise{
	{"narrative-fields", narrativeFields},
	{"narrative-current", narrativeCurrent},
	{"narrative-history", narrativeHistory},
	{"narratives-citing", narrativesCiting},
	{"claims", claims},
	{"claim-events", claimEvents},
	{"claim-last-event", claimLastEvent},
	{"evidence", evidence},
}

func (x *subject) narrative(id memory.ID) *memory.Narrative {
	x.Helper()
	return ask(x, func(r memory.Reader) (*memory.Narrative, error) { return r.Narrative(x.ctx, id) })
}

// supersede ends one version for the next.
func (x *subject) supersede(old *memory.Narrative, next memory.Narrative) {
	old.SupersededAt, old.SupersededBy = Of(next.CreatedAt), Of(next.ID)
}

func narrativeFields(x *subject) {
	m, other := x.putOne("m"), x.putOne("other")
	claim, link := x.Claim("global"), x.Link(m, other, "related")
	full := x.Narrative("work: Söhne", other, m)
	full.ClaimIDs, full.LinkIDs = []memory.ID{claim.ID}, []memory.ID{link.ID}
	full.SecuritySensitive = true
	full.ReviewRequiredAt, full.ReviewReason = Of(x.Clock.Now()), Of("a source changed")
	full.LastReviewedAt, full.ReviewNote = Of(x.Clock.Now()), Of("looked at")
	full.Perspective, full.Coverage = Of("mine"), Of("")
	full.Unreadable = []string{"link_ids", "claim_ids"}
	plain := x.Narrative("")
	missing := x.Narrative("cites what is not there")
	missing.MemoryIDs = []memory.ID{x.IDs.Next(), m.ID}
	x.write(memory.PutClaim{Claim: claim}, memory.PutLink{Link: link})
	for _, n := range []memory.Narrative{full, plain, missing} {
		x.write(memory.PutNarrative{Narrative: n})
		x.same("narrative", x.narrative(n.ID), &n)
	}
	full.ReviewRequiredAt, full.ReviewReason = nil, nil
	x.write(memory.PutNarrative{Narrative: full})
	x.same("overwritten", x.narrative(full.ID), &full)
	x.same("unknown", x.narrative(x.IDs.Next()), (*memory.Narrative)(nil))
}

// A scope's current version is the one that is not superseded; the old one may
// name its successor before that is written.
func narrativeCurrent(x *subject) {
	first, other := x.Narrative("b"), x.Narrative("a")
	x.write(memory.PutNarrative{Narrative: first}, memory.PutNarrative{Narrative: other})
	second := x.Narrative("b")
	x.supersede(&first, second)
	x.write(memory.PutNarrative{Narrative: first}, memory.PutNarrative{Narrative: second})
	blank := x.Narrative("")
	x.write(memory.PutNarrative{Narrative: blank})
	current := func(scope string) *memory.Narrative {
		return ask(x, func(r memory.Reader) (*memory.Narrative, error) { return r.CurrentNarrative(x.ctx, scope) })
	}
	x.same("b", current("b"), &second)
	x.same("blank", current(""), &blank)
	x.same("unknown", current("c"), (*memory.Narrative)(nil))
	x.same("superseded", x.narrative(first.ID), &first)
	want := []memory.Narrative{blank, other, second}
	for limit := 1; limit <= 4; limit++ {
		got := ask(x, func(r memory.Reader) ([]memory.Narrative, error) { return r.CurrentNarratives(x.ctx, limit) })
		x.same("current versions", got, want[:min(limit, len(want))])
	}
}

// History is newest first, then by ID descending.
func narrativeHistory(x *subject) {
	version := func(id memory.ID, scope string, second int) memory.Narrative {
		n := x.Narrative(scope)
		n.ID, n.CreatedAt = id, Start.Add(time.Duration(second)*time.Second)
		return n
	}
	low, high := version(lowID, "b", 1), version(highID, "b", 1)
	old, other := version(midID, "b", 0), version(x.IDs.Next(), "a", 2)
	x.supersede(&old, low)
	x.supersede(&low, high)
	x.write(memory.PutNarrative{Narrative: low}, memory.PutNarrative{Narrative: high},
		memory.PutNarrative{Narrative: old}, memory.PutNarrative{Narrative: other})
	get := func(scope *string, limit int) []memory.Narrative {
		return ask(x, func(r memory.Reader) ([]memory.Narrative, error) { return r.NarrativeHistory(x.ctx, scope, limit) })
	}
	x.same("all", get(nil, 100), []memory.Narrative{other, high, low, old})
	x.same("scope", get(Of("b"), 100), []memory.Narrative{high, low, old})
	x.same("cut", get(Of("b"), 2), []memory.Narrative{high, low})
	x.same("unknown", get(Of("B"), 100), []memory.Narrative(nil))
}

// What cites a memory, claim or link is found, superseded versions too, oldest
// first, then by ID.
func narrativesCiting(x *subject) {
	m, other := x.putOne("m"), x.putOne("other")
	claim, link := x.Claim("global"), x.Link(m, other, "related")
	x.write(memory.PutClaim{Claim: claim}, memory.PutLink{Link: link})
	low, high, old := x.Narrative("low", m), x.Narrative("high", other, m), x.Narrative("old", m)
	low.ID, high.ID = lowID, highID
	old.CreatedAt, low.CreatedAt, high.CreatedAt = Start, at(1), at(1)
	low.ClaimIDs, high.LinkIDs = []memory.ID{claim.ID}, []memory.ID{x.IDs.Next(), link.ID}
	x.supersede(&old, low)
	x.write(memory.PutNarrative{Narrative: high}, memory.PutNarrative{Narrative: low}, memory.PutNarrative{Narrative: old})
	citing := func(kind memory.SourceKind, id memory.ID) []memory.Narrative {
		return ask(x, func(r memory.Reader) ([]memory.Narrative, error) { return r.NarrativesCiting(x.ctx, kind, id) })
	}
	x.same("memory", citing(memory.SourceMemory, m.ID), []memory.Narrative{old, low, high})
	x.same("other memory", citing(memory.SourceMemory, other.ID), []memory.Narrative{high})
	x.same("claim", citing(memory.SourceClaim, claim.ID), []memory.Narrative{low})
	x.same("link", citing(memory.SourceLink, link.ID), []memory.Narrative{high})
	x.same("memory that is no claim", citing(memory.SourceClaim, m.ID), []memory.Narrative(nil))
	high.MemoryIDs = []memory.ID{other.ID}
	x.write(memory.PutNarrative{Narrative: high})
	x.same("no longer", citing(memory.SourceMemory, m.ID), []memory.Narrative{old, low})
}

// Claims come back whole; a scope's are newest recorded first, then by ID.
func claims(x *subject) {
	full, low, high := x.Claim("work"), x.Claim("work"), x.Claim("work")
	other := x.Claim("")
	low.ID, high.ID, high.RecordedAt = lowID, highID, low.RecordedAt
	full.AssertedBy, full.StatementAt = Of(""), Of(Start.AddDate(-3, 0, 0))
	full.ValidFrom, full.ValidUntil = Of(Start.AddDate(-2, 0, 0)), Of(Start.AddDate(9, 0, 0))
	full.SecuritySensitive, full.Kind = true, "self_report"
	for _, c := range []memory.Claim{high, full, low, other} {
		x.write(memory.PutClaim{Claim: c})
		x.same("claim", ask(x, func(r memory.Reader) (*memory.Claim, error) { return r.Claim(x.ctx, c.ID) }), &c)
	}
	in := func(scope *string) []memory.Claim {
		return ask(x, func(r memory.Reader) ([]memory.Claim, error) { return r.ClaimsIn(x.ctx, scope) })
	}
	x.same("scope", in(Of("work")), []memory.Claim{low, high, full})
	x.same("blank scope", in(Of("")), []memory.Claim{other})
	x.same("all", in(nil), []memory.Claim{other, low, high, full})
	x.same("unknown scope", in(Of("Work")), []memory.Claim(nil))
	got := ask(x, func(r memory.Reader) ([]memory.Claim, error) {
		return r.Claims(x.ctx, []memory.ID{low.ID, x.IDs.Next(), other.ID, full.ID})
	})
	x.same("by ids", got, []memory.Claim{low, other, full})
	none := ask(x, func(r memory.Reader) (*memory.Claim, error) { return r.Claim(x.ctx, x.IDs.Next()) })
	x.same("unknown", none, (*memory.Claim)(nil))
}

// Events come by Sequence, which ascends over the whole store, whatever their
// times.
func claimEvents(x *subject) {
	a, b := x.Claim("global"), x.Claim("global")
	x.write(memory.PutClaim{Claim: a}, memory.PutClaim{Claim: b})
	event := func(c memory.Claim, action memory.ClaimAction, second int) memory.ClaimEvent {
		e := x.Event(c, action)
		e.RecordedAt = at(second)
		return e
	}
	steps := []memory.ClaimEvent{event(a, memory.ClaimProposed, 5), event(b, memory.ClaimProposed, 4),
		event(b, memory.ClaimAdopted, 4), event(a, memory.ClaimSuperseded, 4)}
	steps[1].Reason, steps[3].ReplacementID = "", &b.ID
	x.write(memory.PutClaimEvent{Event: steps[0]}, memory.PutClaimEvent{Event: steps[1]})
	x.write(memory.PutClaimEvent{Event: steps[2]}, memory.PutClaimEvent{Event: steps[3]})
	get := func(ids ...memory.ID) []memory.ClaimEvent {
		return ask(x, func(r memory.Reader) ([]memory.ClaimEvent, error) { return r.ClaimEvents(x.ctx, ids) })
	}
	all := get(b.ID, a.ID, x.IDs.Next())
	x.same("all", all, steps)
	x.same("one claim", get(a.ID), []memory.ClaimEvent{steps[0], steps[3]})
	x.same("of nothing", get(), []memory.ClaimEvent(nil))
	var last int64
	for _, e := range all {
		if e.Sequence <= last {
			x.Errorf("event sequence %d after %d", e.Sequence, last)
		}
		last = e.Sequence
	}
}

func claimLastEvent(x *subject) {
	last := func() time.Time {
		return ask(x, func(r memory.Reader) (time.Time, error) { return r.LastClaimEventAt(x.ctx) })
	}
	if got := last(); !got.IsZero() {
		x.Errorf("the last claim event of an empty store is at %v", got)
	}
	a, b := x.Claim("a"), x.Claim("b")
	x.write(memory.PutClaim{Claim: a}, memory.PutClaim{Claim: b})
	for _, c := range []memory.Claim{a, b, a} {
		e := x.Event(c, memory.ClaimProposed)
		x.write(memory.PutClaimEvent{Event: e})
		if got := last(); !got.Equal(e.RecordedAt) {
			x.Errorf("the last claim event is at %v, want %v", got, e.RecordedAt)
		}
	}
}

// Evidence comes by time, then ID, retracted rows too.
func evidence(x *subject) {
	m, other := x.put(x.FullMemory("m"))[0], x.putOne("other")
	a, b := x.Claim("global"), x.Claim("global")
	x.write(memory.PutClaim{Claim: a}, memory.PutClaim{Claim: b})
	row := func(id memory.ID, c memory.Claim, m memory.Memory, second int) memory.Evidence {
		e := x.Evidence(c, m)
		e.ID, e.RecordedAt = id, Start.Add(time.Duration(second)*time.Second)
		return e
	}
	high, low, old := row(highID, a, m, 1), row(lowID, b, m, 1), row(midID, a, other, 0)
	high.Quote, high.Locator = Of("m"), Of("")
	low.Stance = "challenges"
	x.write(memory.PutEvidence{Evidence: high}, memory.PutEvidence{Evidence: low}, memory.PutEvidence{Evidence: old})
	high.RetractedAt, high.RetractionReason = Of(Start.Add(time.Hour)), Of("misread")
	x.write(memory.PutEvidence{Evidence: high})
	of := func(claims ...memory.ID) []memory.Evidence {
		return ask(x, func(r memory.Reader) ([]memory.Evidence, error) { return r.EvidenceFor(x.ctx, claims) })
	}
	from := func(id memory.ID) []memory.Evidence {
		return ask(x, func(r memory.Reader) ([]memory.Evidence, error) { return r.EvidenceFrom(x.ctx, id) })
	}
	x.same("for both", of(b.ID, a.ID), []memory.Evidence{old, low, high})
	x.same("for one", of(a.ID), []memory.Evidence{old, high})
	x.same("for none", of(), []memory.Evidence(nil))
	x.same("from a memory", from(m.ID), []memory.Evidence{low, high})
	x.same("from the other", from(other.ID), []memory.Evidence{old})
	for _, e := range []memory.Evidence{high, low} {
		x.same("one", ask(x, func(r memory.Reader) (*memory.Evidence, error) { return r.Evidence(x.ctx, e.ID) }), &e)
	}
	again := row(x.IDs.Next(), a, m, 2)
	x.write(memory.PutEvidence{Evidence: again})
	x.same("given again", of(a.ID), []memory.Evidence{old, high, again})
}
