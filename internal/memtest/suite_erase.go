package memtest

import (
	"encoding/json"
	"fmt"
	"strings"

	"combray/internal/memory"
)

var erasePromises = []promise{
	{"erase-leaves-nothing-readable", eraseLeavesNothing},
	{"erase-spares-the-rest", eraseSparesTheRest},
	{"erase-keeps-the-chain", eraseKeepsTheChain},
	{"erase-frees-what-was-unique", eraseFrees},
}

// secret stands in every free text that must go with an erased memory, public in
// every one that must stay.
const secret, public = "madeleine-in-lime-tea", "hawthorn-by-the-fence"

// scene is a memory with all that can hang on one.
type scene struct {
	doomed, other memory.Memory
	claim         memory.Claim
	narrative     memory.Narrative
	evidence      memory.Evidence
	recollection  memory.Recollection
}

// stage stores a memory that has every role, beside another that has too.
func (x *subject) stage() scene {
	x.Helper()
	doomed := x.FullMemory(secret)
	doomed.ForgottenAt, doomed.ForgottenReason = nil, nil
	for _, text := range []*string{doomed.Source, doomed.Frame, doomed.ConsolidationReason, doomed.SessionID,
		doomed.OriginID, doomed.CaptureContext, doomed.IdempotencyKey} {
		*text = secret
	}
	doomed.Tags, doomed.MediaRefs, doomed.Metadata = []string{secret}, []string{secret}, `{"k":"`+secret+`"}`
	doomed.Biometric = map[string]float64{secret: 1}
	doomed.RecordedBy.Client = secret
	s := scene{doomed: x.put(doomed)[0], other: x.consolidated(public), claim: x.Claim("global")}
	s.claim.Content = public
	x.embed(s.doomed, suiteIdentity, 1)
	x.embed(s.other, suiteIdentity, 2)
	s.doomed, s.other = *x.memory(s.doomed.ID), *x.memory(s.other.ID)
	x.write(memory.PutClaim{Claim: s.claim})
	s.narrative = x.Narrative("global", s.doomed, s.other)
	s.narrative.Content = public
	x.write(memory.PutNarrative{Narrative: s.narrative})
	x.stageRows(&s)
	return s
}

// stageRows gives both memories every row that hangs on a memory, with the audit
// reasons of contract/history.md 2.6.
func (x *subject) stageRows(s *scene) {
	plan := memory.Plan{}
	record := func(subject memory.ID, action memory.Action, format string, args ...any) {
		plan.Record(subject, action, fmt.Sprintf(format, args...), x.Clock.Now())
	}
	third := x.consolidated(public)
	for _, own := range []struct {
		m    memory.Memory
		text string
	}{{s.doomed, secret}, {s.other, public}} {
		anchor, canon := x.Anchor(own.m), x.Canon(own.m, own.text)
		conflict, link := x.Conflict(third, own.m), x.Link(third, own.m, "related")
		resolved, retired := x.Conflict(own.m, third), x.Link(own.m, third, "related")
		proof := x.Evidence(s.claim, own.m)
		anchor.Reason, canon.Reason, conflict.Reason, link.Reason, proof.Reason = own.text, own.text, own.text, own.text, own.text
		resolved.ResolvedAt, resolved.ResolutionReason, resolved.AdoptedMemoryID = Of(x.Clock.Now()), &own.text, &own.m.ID
		retired.RetiredAt, retired.RetirementReason = Of(x.Clock.Now()), &own.text
		proof.Quote, proof.Locator, proof.OriginID = &own.text, &own.text, &own.text
		added := x.Event(s.claim, memory.ClaimEvidenceAdded)
		added.Reason = fmt.Sprintf("evidence=%s: %s", proof.ID, own.text)
		plan.Write(memory.PutAnchor{Anchor: anchor}, memory.PutCanon{Entry: canon},
			memory.PutCorroboration{Corroboration: x.Corroboration(own.m, own.text)},
			memory.PutConflict{Conflict: conflict}, memory.PutConflict{Conflict: resolved},
			memory.PutLink{Link: link}, memory.PutLink{Link: retired},
			memory.PutEvidence{Evidence: proof}, memory.PutClaimEvent{Event: added})
		fired, delivered := x.Recollection(own.m), x.Recollection(own.m)
		fired.Source, delivered.Source, delivered.Queued = own.text, own.text, false
		plan.Write(memory.PutRecollection{Recollection: fired}, memory.PutRecollection{Recollection: delivered},
			memory.PutFingerprints{MemoryID: own.m.ID, Fingerprints: x.Fingerprints(own.text)},
			memory.PutMedia{MemoryID: own.m.ID, Media: []memory.Medium{{Channel: memory.ChannelImage, Mime: "image/png", Data: []byte(own.text)}}},
			memory.PutVectors{Number: own.m.Number, Identity: cueIdentity, Windows: windows(7), Cue: true})
		record(own.m.ID, memory.ActRemember, "%s", own.text)
		record(own.m.ID, memory.ActCanonize, "scope=%s: %s", own.text, own.text)
		record(third.ID, memory.ActMarkConflict, "with=%s: %s", own.m.ID, own.text)
		record(third.ID, memory.ActResolveConflict, "conflict=%s adopted=%s: %s", resolved.ID, own.m.ID, own.text)
		record(third.ID, memory.ActLinkMemories, "link=%s to=%s relation=related: %s", link.ID, own.m.ID, own.text)
		record(third.ID, memory.ActUnlinkMemories, "link=%s: %s", link.ID, own.text)
		record(s.claim.ID, memory.ActAddEvidence, "evidence=%s memory=%s stance=supports: %s", proof.ID, own.m.ID, own.text)
		record(s.claim.ID, memory.ActRetractEvidence, "evidence=%s: %s", proof.ID, own.text)
		record(s.claim.ID, memory.ActClaimSourceChanged, "memory=%s: %s", own.m.ID, own.text)
		if own.text == public {
			s.evidence, s.recollection = proof, fired
		}
	}
	plan.Write(memory.PutVisit{Visit: memory.Visit{Source: "phone", At: x.Clock.Now()}}, memory.PutHeard{Rows: []memory.Heard{
		{Kind: memory.HeardPlace, Key: 1, Day: 5, Half: 0}, {Kind: memory.HeardPlace, Key: 2, Day: 5, Half: 0}}})
	x.apply(plan)
	s.doomed.Perceived, s.other.Perceived = []memory.Channel{memory.ChannelImage}, []memory.Channel{memory.ChannelImage}
}

// readable is what any read method gives for a world, a text a question.
func (x *subject) readable(names world) map[string]string {
	x.Helper()
	seen, err := observe(x.ctx, x.store, names)
	if err != nil {
		x.Fatalf("read: %v", err)
	}
	texts := map[string]string{}
	for _, o := range seen {
		b, err := json.Marshal(o.answer)
		if err != nil {
			x.Fatalf("%s: %v", o.question, err)
		}
		texts[o.question] = string(b)
	}
	return texts
}

func eraseLeavesNothing(x *subject) {
	s := x.stage()
	names := must[world](x)(survey(x.ctx, x.store))
	found := 0
	for _, text := range x.readable(names) {
		found += strings.Count(text, secret)
	}
	if found < 50 { // 12 fields of the memory, 10 rows and 10 audit rows, in several answers
		x.Fatalf("the scene shows its text %d times before the erasure", found)
	}
	x.write(memory.EraseMemory{MemoryID: s.doomed.ID})
	for question, text := range x.readable(names) {
		if strings.Contains(text, secret) {
			x.Errorf("readable after the erasure: %s: %s", question, text)
		}
	}
	if stored := x.narrative(s.narrative.ID); len(stored.MemoryIDs) != 2 || stored.MemoryIDs[0] != s.doomed.ID {
		x.Errorf("the narrative cites %v, want it to keep the id of what was erased", stored.MemoryIDs)
	}
}

// What another memory has, and what says nothing of the erased one, stays.
func eraseSparesTheRest(x *subject) {
	s := x.stage()
	x.write(memory.EraseMemory{MemoryID: s.doomed.ID})
	x.same("memory", x.memory(s.other.ID), &s.other)
	x.same("vectors", x.vectors(suiteIdentity, s.other.Number, s.doomed.Number), [][][]float32{windows(2), nil})
	x.same("vectors for cues", x.vectors(cueIdentity, s.other.Number, s.doomed.Number), [][][]float32{windows(7), nil})
	x.same("narrative", x.narrative(s.narrative.ID), &s.narrative)
	x.same("recollection", x.recollection(s.recollection.ID), &s.recollection)
	x.view(func(r memory.Reader) {
		for _, e := range must[[]memory.Evidence](x)(r.EvidenceFor(x.ctx, []memory.ID{s.claim.ID})) {
			if e.MemoryID == s.other.ID {
				x.same("evidence", e, s.evidence)
			} else if e.MemoryID != s.doomed.ID || e.Reason != "" || e.Quote != nil || e.Locator != nil || e.OriginID != nil {
				x.Errorf("evidence %+v: want it to name the erased memory and nothing of it", e)
			}
		}
		for what, n := range map[string]int{
			"anchors":   len(must[[]memory.Anchor](x)(r.Anchors(x.ctx))),
			"canon":     len(must[[]memory.CanonEntry](x)(r.Canon(x.ctx, nil, nil))),
			"labels":    len(must[map[memory.ID][]string](x)(r.Labels(x.ctx, []memory.ID{s.doomed.ID, s.other.ID}))),
			"conflicts": len(must[[]memory.Conflict](x)(r.Conflicts(x.ctx, nil))) - 1,
			"links":     len(must[[]memory.Link](x)(r.LinksOf(x.ctx, []memory.ID{s.other.ID}, true))) - 1,
			"queue":     len(must[[]memory.Recollection](x)(r.Pending(x.ctx, 0))),
			"firings":   len(must[[]memory.Recollection](x)(r.Firings(x.ctx, []memory.ID{s.doomed.ID, s.other.ID}))) - 1,
			"pictures":  len(must[[]memory.Perceived](x)(r.PerceivedBy(x.ctx, memory.ChannelImage, "sample/picture"))),
			"perceived": len(must[map[memory.ID][]memory.Fingerprint](x)(r.Fingerprints(x.ctx, []memory.ID{s.doomed.ID, s.other.ID}))),
		} {
			if n != 1 {
				x.Errorf("%s: those of the other memory did not stay alone (%d too many)", what, n-1)
			}
		}
		events := must[[]memory.ClaimEvent](x)(r.ClaimEvents(x.ctx, []memory.ID{s.claim.ID}))
		if len(events) != 2 || !strings.Contains(events[1].Reason, public) {
			x.Errorf("claim events %+v: want both, the second with its reason", events)
		}
	})
	kept := 0
	for _, row := range x.ledger() {
		if strings.Contains(row.Reason, public) {
			kept++
		}
	}
	if kept != 9 {
		x.Errorf("%d of 9 audit rows of the other memory kept their reason", kept)
	}
}

// Audit rows of the erased memory stay, without text and salt, and the chain
// still holds.
func eraseKeepsTheChain(x *subject) {
	s := x.stage()
	before := x.ledger()
	plan := memory.Plan{Changes: []memory.Change{memory.EraseMemory{MemoryID: s.doomed.ID}}}
	plan.Record(s.doomed.ID, memory.ActErase, "", x.Clock.Now())
	x.apply(plan)
	after := x.ledger()
	if len(after) != len(before)+1 {
		x.Fatalf("%d audit rows before and %d after", len(before), len(after))
	}
	for i, was := range before {
		now := after[i]
		if now.Subject == s.doomed.ID && (now.Reason != "" || now.Salt != nil) {
			x.Errorf("audit row %s keeps reason %q and %d bytes of salt", now.Action, now.Reason, len(now.Salt))
		}
		now.Reason, now.Salt = was.Reason, was.Salt
		x.same("audit row", now, was)
		if now.Chain != was.Chain || now.ReasonHash != was.ReasonHash || now.ID != was.ID {
			x.Errorf("the erasure changed the hashes of %s", was.Action)
		}
	}
	for _, wrong := range verifyChain(after) {
		x.Error(wrong)
	}
}

// The session position and the idempotency key may be used again.
func eraseFrees(x *subject) {
	m := x.put(x.FullMemory("m"))[0]
	x.write(memory.EraseMemory{MemoryID: m.ID})
	again := x.FullMemory("again")
	again.SessionID, again.SessionPosition, again.IdempotencyKey = m.SessionID, m.SessionPosition, m.IdempotencyKey
	x.put(again)
	x.view(func(r memory.Reader) {
		x.same("position", must[*memory.Memory](x)(r.AtPosition(x.ctx, *m.SessionID, *m.SessionPosition)), &again)
		x.same("key", must[*memory.Memory](x)(r.ByIdempotencyKey(x.ctx, *m.IdempotencyKey)), &again)
	})
}
