package memory_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// propose writes a claim that nobody has adopted yet, with a memory for each
// support.
func (d *desk) propose(content string, supports ...memory.ID) memory.ID {
	d.Helper()
	d.Clock.Advance(time.Second)
	v := ok[memory.ClaimView](d)(d.CreateClaim(d.ctx, memory.CreateClaimInput{Content: content, Kind: "assertion", Reason: "because", Scope: memory.GlobalScope}))
	for _, m := range supports {
		d.support(v.Claim.ID, m, "supports")
	}
	return v.Claim.ID
}

func (d *desk) claim(content string, supports ...memory.ID) memory.ID {
	d.Helper()
	id := d.propose(content, supports...)
	d.Clock.Advance(time.Second)
	ok[memory.ClaimView](d)(d.AdoptClaim(d.ctx, id, "agreed"))
	return id
}

func (d *desk) support(claim, m memory.ID, stance string) memory.Evidence {
	d.Helper()
	d.Clock.Advance(time.Second)
	return ok[memory.Evidence](d)(d.AddEvidence(d.ctx, memory.AddEvidenceInput{ClaimID: claim, MemoryID: m, Stance: stance, Reason: "it says so"}))
}

func (d *desk) inspect(id memory.ID) memory.ClaimView {
	d.Helper()
	return *ok[*memory.ClaimView](d)(d.InspectClaim(d.ctx, id, nil))
}

// steps shows the events of a claim.
func steps(v memory.ClaimView) string {
	var out []string
	for _, e := range v.Events {
		out = append(out, string(e.Action))
	}
	return strings.Join(out, " ")
}

// TestLifeOfAClaim follows a claim from its proposal to its replacement.
func TestLifeOfAClaim(t *testing.T) {
	d := newDesk(t)
	mill, ferry := d.keep("the mill grinds on Tuesdays", func(in *memory.RememberInput) { in.OriginID = memtest.Of("letter") }), d.keep("the ferry")
	d.audit()
	id := d.propose("it grinds once a week")
	if by := d.inspect(id).Claim.RecordedBy; by != memory.ActorOf(d.ctx) {
		t.Errorf("recorded by %+v", by)
	}
	d.denied(failure(d.AdoptClaim(d.ctx, id, "r")), memory.CodeConflict, "supporting evidence")
	e := d.support(id, mill.ID, "supports")
	if *e.OriginID != "letter" {
		t.Errorf("the origin of the memory is not kept: %+v", e)
	}
	if again := d.support(id, mill.ID, "supports"); again.ID != e.ID {
		t.Errorf("the same tie twice: %s and %s", e.ID, again.ID)
	}
	d.Clock.Advance(time.Second)
	ok[memory.ClaimView](d)(d.AdoptClaim(d.ctx, id, "agreed"))
	if v := d.inspect(id); v.Status != memory.ClaimAdopted || !v.EligibleForRecall || steps(v) != "proposed evidence_added adopted" {
		t.Errorf("adopted %+v", v)
	}
	names := []any{"C", id, "E", e.ID, "M", mill.ID}
	d.wrote(d.audit(names...), "create_claim C: because", "add_evidence C: evidence=E memory=M stance=supports: it says so", "adopt_claim C: agreed")

	d.support(id, ferry.ID, "challenges")
	if v := d.inspect(id); !v.ReviewRequired || v.EligibleForRecall {
		t.Errorf("late evidence asks for no review: %+v", v)
	}
	ok[memory.ClaimView](d)(d.AdoptClaim(d.ctx, id, "still so"))
	next := d.propose("it grinds twice a week", ferry.ID)
	d.audit()
	v := ok[memory.ClaimView](d)(d.ReviseClaim(d.ctx, id, next, "seen again"))
	if v.Claim.ID != next || v.Status != memory.ClaimAdopted {
		t.Errorf("the revision gave %+v", v)
	}
	if old := d.inspect(id); old.Status != memory.ClaimSuperseded || *old.ReplacementID != next {
		t.Errorf("the old claim is %s, replaced by %v", old.Status, old.ReplacementID)
	}
	d.wrote(d.audit("C", id, "D", next), "revise_claim C: replacement=D: seen again")
	d.denied(failure(d.AddEvidence(d.ctx, memory.AddEvidenceInput{ClaimID: id, MemoryID: mill.ID, Stance: "supports", Reason: "r"})), memory.CodeConflict, "superseded")
	ok[memory.ClaimView](d)(d.WithdrawClaim(d.ctx, next, "nonsense"))
	d.denied(failure(d.ReviseClaim(d.ctx, next, d.propose("third", mill.ID), "r")), memory.CodeConflict, "only an adopted claim")
}

func TestRetractingEvidence(t *testing.T) {
	d := newDesk(t)
	m := d.keep("the mill")
	id := d.propose("it grinds")
	e := d.support(id, m.ID, "supports")
	ok[memory.ClaimView](d)(d.AdoptClaim(d.ctx, id, "agreed"))
	d.audit()
	d.denied(failure(d.RetractEvidence(d.ctx, e.ID, " ")), memory.CodeInvalid, "reason is required and cannot be empty")
	d.denied(failure(d.RetractEvidence(d.ctx, "nobody", "r")), memory.CodeNotFound, "no such evidence: nobody")
	d.Clock.Advance(time.Second)
	got := ok[memory.RetractedEvidence](d)(d.RetractEvidence(d.ctx, e.ID, "wrong mill"))
	again := ok[memory.RetractedEvidence](d)(d.RetractEvidence(d.ctx, e.ID, "again"))
	d.same(again, got)
	d.wrote(d.audit("C", id, "E", e.ID), "retract_evidence C: evidence=E: wrong mill")
	if v := d.inspect(id); !v.ReviewRequired || v.Support.Supporting != 0 || len(v.Evidence) != 1 || v.Evidence[0].Active {
		t.Errorf("after the retraction %+v", v)
	}
}

// TestClaimsOfForgottenMemoriesAreRedacted: while any memory that a claim ever
// cited is forgotten, its text is withheld from every reader, and it can still be
// ended. Restoring shows it again and does not adopt it.
func TestClaimsOfForgottenMemoriesAreRedacted(t *testing.T) {
	d := newDesk(t)
	mill, ferry := d.keep("the mill"), d.keep("the ferry")
	id := d.propose("it grinds", mill.ID)
	e := d.support(id, ferry.ID, "context")
	ok[memory.RetractedEvidence](d)(d.RetractEvidence(d.ctx, e.ID, "beside the point"))
	ok[memory.ClaimView](d)(d.AdoptClaim(d.ctx, id, "agreed"))
	late := memory.FormatInstant(d.Clock.Now())
	ok[memory.Memory](d)(d.Forget(d.ctx, ferry.ID, "r")) // its evidence is retracted: no event, and redacted all the same
	if v := d.inspect(id); !v.Redacted || !v.ReviewRequired || v.EligibleForRecall {
		t.Errorf("the claim is shown: %+v", v)
	}
	if v := ok[*memory.ClaimView](d)(d.InspectClaim(d.ctx, id, &late)); !v.Redacted {
		t.Error("the claim of yesterday is shown: the access policy is today's")
	}
	if got := ok[memory.RecallClaimsResult](d)(d.RecallClaims(d.ctx, memory.RecallClaimsInput{Limit: 9, IncludeInactive: true})); len(got.Claims) != 0 || got.Eligible != 0 {
		t.Errorf("a redacted claim is recalled: %+v", got)
	}
	d.denied(failure(d.AdoptClaim(d.ctx, id, "r")), memory.CodeConflict, "forgotten")
	if got := ok[memory.RetractedEvidence](d)(d.RetractEvidence(d.ctx, e.ID, "r")); !got.Redacted {
		t.Error("evidence of a redacted claim is shown")
	}
	next := d.propose("it grinds no more", mill.ID)
	ok[memory.ClaimView](d)(d.ReviseClaim(d.ctx, id, next, "new facts"))
	ok[memory.Memory](d)(d.Restore(d.ctx, ferry.ID, "r"))
	if v := d.inspect(id); v.Redacted || v.Status != memory.ClaimSuperseded {
		t.Errorf("after the restoration %+v", v)
	}
	third := d.claim("the ferry runs", ferry.ID)
	ok[memory.Memory](d)(d.Forget(d.ctx, ferry.ID, "r"))
	ok[memory.Memory](d)(d.Restore(d.ctx, ferry.ID, "r"))
	if v := d.inspect(third); v.Redacted || !v.ReviewRequired || steps(v) != "proposed evidence_added adopted source_changed source_changed" {
		t.Errorf("the restoration adopted the claim again: %+v", v)
	}
}

// TestInspectClaimInThePast: as_of selects by recording time, up to and with the
// instant asked for.
func TestInspectClaimInThePast(t *testing.T) {
	d := newDesk(t)
	m := d.keep("the mill")
	id := d.claim("it grinds", m.ID)
	events := d.inspect(id).Events
	at := func(t time.Time) *string { return memtest.Of(memory.FormatInstant(t)) }
	if v := ok[*memory.ClaimView](d)(d.InspectClaim(d.ctx, id, at(events[0].RecordedAt.Add(-time.Microsecond)))); v != nil {
		t.Errorf("before its recording: %+v", v)
	}
	for i, e := range events {
		v := ok[*memory.ClaimView](d)(d.InspectClaim(d.ctx, id, at(e.RecordedAt)))
		if len(v.Events) != i+1 || !v.AsOf.Equal(e.RecordedAt) {
			t.Errorf("at event %d: %d events", i, len(v.Events))
		}
	}
	d.denied(failure(d.InspectClaim(d.ctx, "nobody", memtest.Of("yesterday"))), memory.CodeInvalid, "timestamp")
	d.denied(failure(d.InspectClaim(d.ctx, "nobody", nil)), memory.CodeNotFound, "no such claim: nobody")
}

func TestRecallingClaims(t *testing.T) {
	d := newDesk(t)
	m := d.keep("the mill")
	first, second := d.claim("the mill grinds", m.ID), d.claim("the ferry runs", m.ID)
	d.propose("the bridge stands", m.ID)
	recall := func(in memory.RecallClaimsInput) (out []memory.ID) {
		t.Helper()
		for _, v := range ok[memory.RecallClaimsResult](d)(d.RecallClaims(d.ctx, in)).Claims {
			out = append(out, v.Claim.ID)
		}
		return out
	}
	d.same(recall(memory.RecallClaimsInput{Limit: 9}), []memory.ID{second, first})
	d.same(recall(memory.RecallClaimsInput{Limit: 9, Query: memtest.Of("mill")}), []memory.ID{first, second})
	d.same(recall(memory.RecallClaimsInput{Limit: 9, Scope: memtest.Of("tour")}), []memory.ID(nil))
	if got := recall(memory.RecallClaimsInput{Limit: 9, IncludeInactive: true}); len(got) != 3 {
		t.Errorf("%d claims with the inactive ones, want 3", len(got))
	}
	d.denied(failure(d.RecallClaims(d.ctx, memory.RecallClaimsInput{Limit: -1})), memory.CodeInvalid, "limit must be")
}

// TestOverdueSourcesOfAClaim: adopt_claim, revise_claim and add_evidence record
// an overdue interpretation among what they touch, once.
func TestOverdueSourcesOfAClaim(t *testing.T) {
	d := newDesk(t)
	m, plain := d.keep("she likes mornings", asReading), d.keep("the mill")
	adopted := d.claim("she is an early bird", m.ID)
	d.Clock.Advance(memory.ReviewAge + time.Hour)
	if v := d.inspect(adopted); !v.ReviewRequired || len(v.Issues) != 1 {
		t.Errorf("the claim does not see its stale source: %+v", v)
	}
	d.audit()
	other := d.propose("she sleeps late", plain.ID)
	d.support(other, m.ID, "context")
	d.wrote(d.audit("M", m.ID, "A", adopted, "B", other, "P", plain.ID), "create_claim B", "add_evidence B", "claim_source_changed A: memory=M: ", "add_evidence B")
	if got := d.stored(m.ID).ReviewStatus; got == nil || *got != memory.ReviewStale {
		t.Errorf("the memory is %v, want stale", got)
	}
	d.support(other, m.ID, "challenges")
	d.wrote(d.audit("B", other), "add_evidence B")
	d.denied(failure(d.AdoptClaim(d.ctx, other, "r")), memory.CodeConflict, "stale interpretation")
}

// TestChangesOfASourceReachItsClaims: each of these gives every live claim with
// active evidence one event; claims that have ended and retracted evidence get
// none (contract/history.md 4.4).
func TestChangesOfASourceReachItsClaims(t *testing.T) {
	for name, change := range map[string]func(*desk, memory.ID) error{
		"forget": func(d *desk, id memory.ID) error { return failure(d.Forget(d.ctx, id, "r")) },
		"flag":   func(d *desk, id memory.ID) error { return failure(d.FlagSensitive(d.ctx, id, "r")) },
		"context": func(d *desk, id memory.ID) error {
			return failure(d.SetHistoryContext(d.ctx, memory.HistoryContextInput{MemoryID: id, Reason: "r", SessionID: memtest.Of("s")}))
		},
	} {
		d := newDesk(t)
		m, other := d.keep("the mill"), d.keep("the ferry")
		live, waiting, over, unrelated := d.claim("a", m.ID), d.propose("b", m.ID), d.claim("c", m.ID), d.claim("d", other.ID)
		gone := d.propose("e", other.ID)
		ok[memory.RetractedEvidence](d)(d.RetractEvidence(d.ctx, d.support(gone, m.ID, "context").ID, "r"))
		ok[memory.ClaimView](d)(d.WithdrawClaim(d.ctx, over, "r"))
		d.audit()
		if err := change(d, m.ID); err != nil {
			t.Fatal(err)
		}
		rows := d.audit("A", live, "B", waiting, "M", m.ID)
		if len(rows) < 2 || !strings.HasPrefix(rows[0], "claim_source_changed A: memory=M: ") || !strings.HasPrefix(rows[1], "claim_source_changed B: memory=M: ") {
			t.Errorf("%s: audit %q", name, rows)
		}
		for id, want := range map[memory.ID]bool{live: true, waiting: true, over: false, unrelated: false, gone: false} {
			if got := slices.ContainsFunc(d.inspect(id).Events, func(e memory.ClaimEvent) bool { return e.Action == memory.ClaimSourceChanged }); got != want {
				t.Errorf("%s: claim %s has the event: %t, want %t", name, id, got, want)
			}
		}
	}
}
