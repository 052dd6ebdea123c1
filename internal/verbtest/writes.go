package verbtest

import (
	"context"

	"combray/internal/memory"
)

type run = func(context.Context, *memory.Service) (any, error)

func (h *Hand) text() string {
	if h.rarely("odd content", 12) {
		return one(h, "content", order, "", " ")
	}
	return one(h, "content", "madeleine and tea", "the hawthorn path", "the steeples 鐘 of Martinville", "tea at four in the garden",
		"la petite phrase", "a lamp, a key and a lamp", "the garden gate 庭の門")
}

// words are what a query may hold; the last ones match nothing.
func (h *Hand) words() string {
	return one(h, "query", "tea", "the lamp", "hawthorn path", "鐘", "garden tea", "phrase", "門", "nothing of it", "2023 may", "the")
}

func (h *Hand) capture() memory.RememberInput {
	in := memory.RememberInput{Content: h.text(), Source: maybe(h, "source", "Ada", "Ben", "", " Ada "),
		Tier:              h.seldom("tier", one(h, "bad tier", "testimony", "gold"), "archive", "", "interpretation"),
		SecuritySensitive: h.rarely("sensitive", 8), Frame: maybe(h, "frame", "home", "work"), EventAt: h.perhaps("event"),
		OriginID: maybe(h, "origin", "letter", "diary"), IdempotencyKey: nil}
	if h.rarely("with session", 3) {
		in.SessionID, in.SessionPosition = maybe(h, "session", "s1", "s2"), maybe(h, "position", int64(0), 1, 2, 3, 4, 5)
	}
	if h.rarely("with key", 6) {
		in.IdempotencyKey = maybe(h, "key", "k1", "k2", "k3")
	}
	if h.rarely("with place", 4) {
		in.Lat, in.Lon = maybe(h, "lat", 52.5, 48.4), maybe(h, "lon", 13.4, 1.5)
	}
	if h.rarely("with tags", 4) {
		in.Tags = []string{one(h, "tag", "x", "y")}
	}
	return in
}

var captures = []verb{
	{"remember", 12, func(h *Hand) run {
		in := h.capture()
		return func(ctx context.Context, s *memory.Service) (any, error) { return answer(s.Remember(ctx, in)) }
	}},
	{"remember_many", 2, func(h *Hand) run {
		items := []memory.RememberInput{h.capture(), h.capture()}
		return func(ctx context.Context, s *memory.Service) (any, error) { return answer(s.RememberMany(ctx, items)) }
	}},
	{"update_memory", 2, func(h *Hand) run {
		id, content, reason := h.memory("memory"), h.text(), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.UpdateMemory(ctx, id, content, reason))
		}
	}},
	{"set_frame", 1, func(h *Hand) run {
		id, frame, reason := h.memory("memory"), one(h, "frame", "home", "work", ""), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.SetFrame(ctx, id, frame, reason))
		}
	}},
	{"set_history_context", 3, func(h *Hand) run {
		in := memory.HistoryContextInput{MemoryID: h.memory("memory"), Reason: h.reason(), EventAt: h.perhaps("event"),
			SessionID: maybe(h, "session", "s1", "s2", "s1", "s2", " "), SessionPosition: maybe(h, "position", int64(0), 1, 2, 3, 4, 5)}
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.SetHistoryContext(ctx, in))
		}
	}},
	{"link_memories", 4, func(h *Hand) run {
		from, to, relation, reason := h.memory("from"), h.memory("to"), h.seldom("relation", "near", "related", "updates", "explains"), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.LinkMemories(ctx, from, to, relation, reason))
		}
	}},
	{"unlink_memories", 2, func(h *Hand) run {
		id, reason := h.link(), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.UnlinkMemories(ctx, id, reason))
		}
	}},
}

// on makes a verb that takes a memory and a reason.
func on[V any](name string, weight int, choose func(*Hand) memory.ID, call func(*memory.Service, context.Context, memory.ID, string) (V, error)) verb {
	return verb{name, weight, func(h *Hand) run {
		id, reason := choose(h), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) { return answer(call(s, ctx, id, reason)) }
	}}
}

func someMemory(h *Hand) memory.ID  { return h.memory("memory") }
func someFirm(h *Hand) memory.ID    { return h.firm("memory") }
func someReading(h *Hand) memory.ID { return h.reading("memory") }
func someForgotten(h *Hand) memory.ID {
	return h.like("memory", memory.ListFilter{Forgotten: memory.ForgottenOnly})
}

var lifecycle = []verb{
	on("promote", 8, someMemory, (*memory.Service).Promote),
	on("review", 3, someReading, (*memory.Service).Review),
	on("forget", 4, someMemory, (*memory.Service).Forget),
	on("restore", 3, someForgotten, (*memory.Service).Restore),
	on("flag_sensitive", 2, someMemory, (*memory.Service).FlagSensitive),
	on("clear_sensitive", 2, someMemory, (*memory.Service).ClearSensitive),
	{"corroborate", 5, func(h *Hand) run {
		id, source := h.memory("memory"), h.seldom("source", " ", "Ada", "Ben", "Cy", " Cy ")
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.Corroborate(ctx, id, source))
		}
	}},
	{"erase", 1, func(h *Hand) run {
		id, reason, confirm := h.memory("memory"), h.reason(), !h.rarely("unconfirmed", 5)
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.Erase(ctx, id, reason, confirm))
		}
	}},
	{"due_for_review", 1, func(h *Hand) run {
		days := maybe(h, "days", 0, 30, 1000)
		return func(ctx context.Context, s *memory.Service) (any, error) { return answer(s.DueForReview(ctx, days)) }
	}},
}

var priorities = []verb{
	on("pin", 4, someFirm, (*memory.Service).Pin),
	{"unpin", 3, func(h *Hand) run {
		rows, err := h.r.Anchors(h.ctx)
		id := among(h, "anchor", rows, err, func(a memory.Anchor) memory.ID { return a.MemoryID })
		reason := maybe(h, "why", h.reason())
		return func(ctx context.Context, s *memory.Service) (any, error) { return answer(s.Unpin(ctx, id, reason)) }
	}},
	{"canonize", 4, func(h *Hand) run {
		id, scope, reason := h.firm("memory"), h.task(), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.Canonize(ctx, id, scope, reason))
		}
	}},
	{"decanonize", 2, func(h *Hand) run {
		id, scope, reason := h.firm("memory"), maybe(h, "task", "thesis", "move"), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.Decanonize(ctx, id, scope, reason))
		}
	}},
	{"end_scope", 1, func(h *Hand) run {
		scope, reason := h.task(), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.EndScope(ctx, scope, reason))
		}
	}},
	{"mark_conflict", 3, func(h *Hand) run {
		a, b, reason := h.memory("one"), h.memory("other"), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.MarkConflict(ctx, a, b, reason))
		}
	}},
	{"resolve_conflict", 2, func(h *Hand) run {
		id, reason, adopted := h.conflict(), h.reason(), maybe(h, "adopted", h.memory("adopted"))
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.ResolveConflict(ctx, id, reason, adopted))
		}
	}},
}

// cited chooses ids for a list, seldom more than one.
func cited(h *Hand, name string, choose func() memory.ID) []string {
	var out []string
	for range h.Below("how many "+name, 3) {
		if id := choose(); id != nobody || h.rarely(name+" of nobody", 3) {
			out = append(out, string(id))
		}
	}
	return out
}

var accounts = []verb{
	{"narrate", 7, func(h *Hand) run {
		in := memory.NarrateInput{Content: h.text(), Reason: h.reason(), Scope: h.scope(), SecuritySensitive: h.rarely("sensitive", 10),
			MemoryIDs: cited(h, "memory", func() memory.ID { return h.memory("cited") }), Perspective: maybe(h, "perspective", "hers")}
		if h.rarely("with claims", 2) {
			in.ClaimIDs = cited(h, "claim", func() memory.ID { return h.claim("cited claim") })
		}
		if h.rarely("with links", 3) {
			in.LinkIDs = cited(h, "link", h.link)
		}
		return func(ctx context.Context, s *memory.Service) (any, error) { return answer(s.Narrate(ctx, in)) }
	}},
	on("review_narrative", 4, (*Hand).narrative, (*memory.Service).ReviewNarrative),
}

var claims = []verb{
	{"create_claim", 6, func(h *Hand) run {
		in := memory.CreateClaimInput{Content: h.text(), Kind: h.seldom("kind", "guess", "assertion", "plan"), Reason: h.reason(), Scope: h.scope(),
			AssertedBy: maybe(h, "by", "Ada", "Ben"), ValidFrom: h.perhaps("from"), ValidUntil: h.perhaps("until"), SecuritySensitive: h.rarely("sensitive", 10)}
		return func(ctx context.Context, s *memory.Service) (any, error) { return answer(s.CreateClaim(ctx, in)) }
	}},
	{"add_evidence", 8, func(h *Hand) run {
		in := memory.AddEvidenceInput{ClaimID: h.claim("claim"), MemoryID: h.memory("source"),
			Stance: h.seldom("stance", "likes", "supports", "supports", "challenges", "context"), Reason: h.reason()}
		if h.rarely("with quote", 4) {
			in.Quote = maybe(h, "quote", "tea", "lamp")
		}
		return func(ctx context.Context, s *memory.Service) (any, error) { return answer(s.AddEvidence(ctx, in)) }
	}},
	on("retract_evidence", 2, (*Hand).evidence, (*memory.Service).RetractEvidence),
	on("adopt_claim", 8, func(h *Hand) memory.ID {
		return h.claimAt("claim", one(h, "state", memory.ClaimProposed, memory.ClaimProposed, memory.ClaimAdopted), nil)
	}, (*memory.Service).AdoptClaim),
	{"revise_claim", 5, func(h *Hand) run {
		scope := one(h, "scope", "global", "work")
		old, replacement, reason := h.claimAt("old", memory.ClaimAdopted, &scope), h.claimAt("new", memory.ClaimProposed, &scope), h.reason()
		return func(ctx context.Context, s *memory.Service) (any, error) {
			return answer(s.ReviseClaim(ctx, old, replacement, reason))
		}
	}},
	on("withdraw_claim", 1, func(h *Hand) memory.ID { return h.claim("claim") }, (*memory.Service).WithdrawClaim),
}
