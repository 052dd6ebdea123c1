package memtest

import (
	"context"
	"errors"
	"fmt"

	"pgregory.net/rapid"

	"combray/internal/memory"
)

// draw chooses among what the model holds.
type draw struct {
	*rapid.T
	ctx context.Context
	memory.Reader
}

func (d *draw) one(name string, choices ...string) string {
	return rapid.SampledFrom(choices).Draw(d.T, name)
}

func (d *draw) maybe(name string, choices ...string) *string {
	if s := d.one(name, append(choices, "null")...); s != "null" {
		return &s
	}
	return nil
}

func (d *draw) flip(name string) bool { return rapid.Bool().Draw(d.T, name) }

// pick chooses a row; without any the plan is impossible.
func pick[V any](d *draw, name string, rows []V, err error) V {
	if err != nil {
		d.Fatalf("the model: %v", err)
	}
	if len(rows) == 0 {
		panic(impossible{})
	}
	return rows[Evenly(d.T, name, len(rows))]
}

func (d *draw) memory(name string) memory.Memory {
	all, err := d.List(d.ctx, memory.ListQuery{Filter: allMemories, Order: memory.OldestCaptured})
	return pick(d, name, all, err)
}

// pair chooses two different memories.
func (d *draw) pair() (a, b memory.Memory) {
	a, b = d.memory("one memory"), d.memory("another memory")
	if a.ID == b.ID {
		panic(impossible{})
	}
	return a, b
}

// mayHaveRole chooses a memory that can be pinned and canonized.
func (d *draw) mayHaveRole() memory.Memory {
	all, err := d.List(d.ctx, memory.ListQuery{Order: memory.OldestCaptured, Filter: memory.ListFilter{Status: Of(memory.Consolidated)}})
	return pick(d, "memory", all, err)
}

// hasRole says whether a memory is an anchor or in an active canon.
func (d *draw) hasRole(id memory.ID) bool {
	anchor, err := d.Anchor(d.ctx, id)
	if err != nil {
		d.Fatalf("the model: %v", err)
	}
	canon, err := d.Canon(d.ctx, nil, &id)
	if err != nil {
		d.Fatalf("the model: %v", err)
	}
	return anchor != nil || len(canon) > 0
}

// plan makes a plan of changes with one audit row.
func (m *machine) plan(d *draw, subject memory.ID, action memory.Action, reason string, changes ...memory.Change) memory.Plan {
	plan := memory.Plan{Changes: changes}
	plan.Record(subject, action, reason+d.one("reason", "because", "", "weil — 因为"), m.Clock.Now())
	return plan
}

func (m *machine) remember(d *draw) memory.Plan {
	row := m.Memory(d.one("content", "madeleine", "hawthorn", "", "steeple 鐘"))
	if d.flip("full") {
		row = m.FullMemory("full")
		row.ForgottenAt, row.ForgottenReason = nil, nil
	}
	row.Source, row.Frame = d.maybe("source", "Ada", "Ben", ""), d.maybe("frame", "home", "work", "")
	row.SessionID, row.SessionPosition = d.maybe("session", "s1", "s2"), nil
	if row.SessionID != nil && d.flip("with position") {
		row.SessionPosition = Of(rapid.Int64Range(0, 4).Draw(d.T, "position"))
	}
	row.IdempotencyKey = d.maybe("key", "k1", "k2", "k3")
	m.vary(d, &row)
	return m.plan(d, row.ID, memory.ActRemember, "", memory.PutMemory{Memory: row})
}

// vary gives new values to what several filters look at.
func (m *machine) vary(d *draw, row *memory.Memory) {
	row.EventAt, row.EventPrecision, row.EventOffset = nil, nil, nil
	if d.flip("with event") {
		day := rapid.IntRange(0, 3).Draw(d.T, "event day")
		row.EventAt, row.EventPrecision, row.EventOffset = Of(Start.AddDate(0, 0, day)), Of(memory.PreciseInstant), Of(60*day)
	}
	row.Tags = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y", "z"}), 0, 3, rapid.ID[string]).Draw(d.T, "tags")
	row.Place = nil
	if d.flip("with place") {
		row.Place = Here(52.5+0.01*float64(rapid.IntRange(0, 3).Draw(d.T, "place")), 13.4)
	}
}

// change overwrites a memory with other values in what the verbs may change.
func (m *machine) change(d *draw) memory.Plan {
	row := d.memory("memory")
	row.Frame = d.maybe("frame", "home", "work", "")
	row.SecuritySensitive = d.flip("sensitive")
	m.vary(d, &row)
	switch d.one("verb", "promote", "review", "earn", "move") {
	case "promote":
		row.Status, row.ConsolidatedAt, row.ConsolidationReason = memory.Consolidated, Of(m.Clock.Now()), Of("keep")
	case "review":
		row.Tier, row.ReviewStatus, row.LastReviewedAt = memory.Interpretation, Of(memory.ReviewCurrent), Of(m.Clock.Now())
	case "earn":
		row.Tier, row.ReviewStatus, row.LastReviewedAt = memory.Testimony, nil, nil
	case "move":
		row.SessionID, row.SessionPosition = Of("s1"), Of(rapid.Int64Range(0, 4).Draw(d.T, "position"))
	}
	return m.plan(d, row.ID, memory.ActSetFrame, "", memory.PutMemory{Memory: row})
}

func (m *machine) forget(d *draw) memory.Plan {
	row := d.memory("memory")
	if d.hasRole(row.ID) {
		panic(impossible{})
	}
	if row.Forgotten() {
		row.ForgottenAt, row.ForgottenReason = nil, nil
		return m.plan(d, row.ID, memory.ActRestore, "", memory.PutMemory{Memory: row})
	}
	row.ForgottenAt, row.ForgottenReason = Of(m.Clock.Now()), Of("over")
	return m.plan(d, row.ID, memory.ActForget, "", memory.PutMemory{Memory: row})
}

func (m *machine) embed(d *draw) memory.Plan {
	return memory.Plan{Changes: []memory.Change{memory.PutVectors{Number: d.memory("memory").Number, Identity: d.one("encoder", suiteIdentity, otherIdentity),
		Windows: d.windows(), Next: d.flip("next"), Reworded: d.flip("reworded")}}}
}

func (d *draw) windows() (made [][]float32) {
	for i := range rapid.IntRange(1, 3).Draw(d.T, "windows") {
		made = append(made, Vector(rapid.IntRange(0, 9).Draw(d.T, fmt.Sprint("seed ", i)), encoderDims))
	}
	return made
}

func (m *machine) pin(d *draw) memory.Plan {
	row := d.mayHaveRole()
	return m.plan(d, row.ID, memory.ActPin, "", memory.PutAnchor{Anchor: m.Anchor(row)})
}

func (m *machine) unpin(d *draw) memory.Plan {
	row := d.memory("memory") // most are no anchors, which is fine
	return m.plan(d, row.ID, memory.ActUnpin, "", memory.RemoveAnchor{MemoryID: row.ID})
}

func (m *machine) corroborate(d *draw) memory.Plan {
	row := d.memory("memory")
	label := m.Corroboration(row, d.one("label", "Ada", " Ada ", "Cy", ""))
	return m.plan(d, row.ID, memory.ActCorroborate, "", memory.PutCorroboration{Corroboration: label})
}

func (m *machine) canonize(d *draw) memory.Plan {
	row := d.mayHaveRole()
	entry := m.Canon(row, d.one("scope", "thesis", "move"))
	return m.plan(d, row.ID, memory.ActCanonize, "scope="+entry.Scope+": ", memory.PutCanon{Entry: entry})
}

func (m *machine) decanonize(d *draw) memory.Plan {
	all, err := d.Canon(d.ctx, nil, nil)
	entry := pick(d, "membership", all, err)
	entry.DecommissionedAt = Of(m.Clock.Now())
	return m.plan(d, entry.MemoryID, memory.ActDecanonize, "all scopes: ", memory.PutCanon{Entry: entry})
}

func (m *machine) markConflict(d *draw) memory.Plan {
	a, b := d.pair()
	return m.plan(d, a.ID, memory.ActMarkConflict, fmt.Sprintf("with=%s: ", b.ID), memory.PutConflict{Conflict: m.Conflict(a, b)})
}

func (m *machine) resolveConflict(d *draw) memory.Plan {
	all, err := d.Conflicts(d.ctx, Of(false))
	c := pick(d, "conflict", all, err)
	c.ResolvedAt, c.ResolutionReason = Of(m.Clock.Now()), Of("settled")
	if d.flip("adopt") {
		c.AdoptedMemoryID = &c.B
	}
	return m.plan(d, c.A, memory.ActResolveConflict, fmt.Sprintf("conflict=%s adopted=None: ", c.ID), memory.PutConflict{Conflict: c})
}

func (m *machine) link(d *draw) memory.Plan {
	a, b := d.pair()
	l := m.Link(a, b, rapid.SampledFrom(memory.Relations).Draw(d.T, "relation"))
	return m.plan(d, a.ID, memory.ActLinkMemories, fmt.Sprintf("link=%s to=%s relation=%s: ", l.ID, b.ID, l.Relation), memory.PutLink{Link: l})
}

func (m *machine) unlink(d *draw) memory.Plan {
	all, err := d.List(d.ctx, memory.ListQuery{Filter: allMemories, Order: memory.OldestCaptured})
	links, linksErr := d.LinksOf(d.ctx, idsOf(all), false)
	l := pick(d, "link", links, errors.Join(err, linksErr))
	l.RetiredAt, l.RetirementReason = Of(m.Clock.Now()), Of("no longer")
	return m.plan(d, l.From, memory.ActUnlinkMemories, fmt.Sprintf("link=%s: ", l.ID), memory.PutLink{Link: l})
}

func (m *machine) narrate(d *draw) memory.Plan {
	n := m.Narrative(d.one("scope", "global", "work"))
	a, b := d.pair()
	n.MemoryIDs = []memory.ID{a.ID, b.ID}
	claims, err := d.ClaimsIn(d.ctx, nil)
	if err == nil && len(claims) > 0 {
		n.ClaimIDs = []memory.ID{pick(d, "claim", claims, nil).ID}
	}
	links, linksErr := d.LinksOf(d.ctx, n.MemoryIDs, false)
	if len(links) > 0 {
		n.LinkIDs = []memory.ID{links[0].ID}
	}
	var changes []memory.Change
	old, oldErr := d.CurrentNarrative(d.ctx, n.Scope)
	if old != nil && !d.flip("forget to supersede") {
		old.SupersededAt, old.SupersededBy = &n.CreatedAt, &n.ID
		changes = append(changes, memory.PutNarrative{Narrative: *old})
	}
	if err := errors.Join(err, linksErr, oldErr); err != nil {
		d.Fatalf("the model: %v", err)
	}
	return m.plan(d, n.ID, memory.ActNarrate, "", append(changes, memory.PutNarrative{Narrative: n})...)
}

func (m *machine) reviewNarrative(d *draw) memory.Plan {
	all, err := d.NarrativeHistory(d.ctx, nil, everything)
	n := pick(d, "narrative", all, err)
	if n.ReviewRequiredAt = nil; d.flip("stale") {
		n.ReviewRequiredAt = Of(m.Clock.Now())
	}
	n.LastReviewedAt, n.ReviewNote = Of(m.Clock.Now()), d.maybe("note", "read it", "")
	return m.plan(d, n.ID, memory.ActReviewNarrative, "", memory.PutNarrative{Narrative: n})
}

func (m *machine) claim(d *draw) memory.Plan {
	c := m.Claim(d.one("scope", "global", "work"))
	c.AssertedBy = d.maybe("asserted by", "Ada", "")
	return m.plan(d, c.ID, memory.ActCreateClaim, "", memory.PutClaim{Claim: c},
		memory.PutClaimEvent{Event: m.Event(c, memory.ClaimProposed)})
}

func (m *machine) claimEvent(d *draw) memory.Plan {
	all, err := d.ClaimsIn(d.ctx, nil)
	c := pick(d, "claim", all, err)
	e := m.Event(c, memory.ClaimAdopted)
	if other := pick(d, "replacement", all, nil); other.ID != c.ID {
		e.Action, e.ReplacementID = memory.ClaimSuperseded, &other.ID
	}
	return m.plan(d, c.ID, memory.ActReviseClaim, "", memory.PutClaimEvent{Event: e})
}

func (m *machine) addEvidence(d *draw) memory.Plan {
	all, err := d.ClaimsIn(d.ctx, nil)
	c, row := pick(d, "claim", all, err), d.memory("memory")
	e := m.Evidence(c, row)
	e.Stance = rapid.SampledFrom(memory.Stances).Draw(d.T, "stance")
	e.Quote = d.maybe("quote", "madeleine")
	step := m.Event(c, memory.ClaimEvidenceAdded)
	step.Reason = fmt.Sprintf("evidence=%s: it says so", e.ID)
	return m.plan(d, c.ID, memory.ActAddEvidence, fmt.Sprintf("evidence=%s memory=%s stance=%s: ", e.ID, row.ID, e.Stance),
		memory.PutEvidence{Evidence: e}, memory.PutClaimEvent{Event: step})
}

func (m *machine) retractEvidence(d *draw) memory.Plan {
	row := d.memory("memory")
	all, err := d.EvidenceFrom(d.ctx, row.ID)
	e := pick(d, "evidence", all, err)
	e.RetractedAt, e.RetractionReason = Of(m.Clock.Now()), Of("misread")
	return m.plan(d, e.ClaimID, memory.ActRetractEvidence, fmt.Sprintf("evidence=%s: ", e.ID), memory.PutEvidence{Evidence: e})
}

func (m *machine) erase(d *draw) memory.Plan {
	row := d.memory("memory")
	plan := memory.Plan{Changes: []memory.Change{memory.EraseMemory{MemoryID: row.ID}}}
	plan.Record(row.ID, memory.ActErase, "", m.Clock.Now())
	return plan
}
