package verbtest

import (
	"context"

	"combray/internal/memory"
)

// look makes a verb that takes nothing but what draw gives it.
func look[A, V any](name string, weight int, draw func(*Hand) A, call func(*memory.Service, context.Context, A) (V, error)) verb {
	return verb{name, weight, func(h *Hand) run {
		in := draw(h)
		return func(ctx context.Context, s *memory.Service) (any, error) { return answer(call(s, ctx, in)) }
	}}
}

func (h *Hand) limit() int { return one(h, "limit", 10, 3, 1, 0, 50, -1) }

func (h *Hand) question() memory.RecallInput {
	in := memory.RecallInput{Limit: h.limit(), Mode: memory.Mode(h.seldom("mode", "guess", "auto", "lexical")),
		Frame: maybe(h, "frame", "home", "work"), Explain: h.rarely("explain", 3), IgnoreTimeWords: true}
	if h.Below("with query", 4) > 0 {
		query := h.words()
		in.Query = &query
	}
	if h.rarely("with span", 3) {
		in.Since, in.Until = h.perhaps("since"), h.perhaps("until")
	}
	if h.rarely("with filter", 3) {
		tier := h.seldom("tier", "gold", "archive", "interpretation")
		in.Tags, in.SessionID, in.Source, in.Tier = []string{"x"}[:h.Below("tag", 2)], maybe(h, "session", "s1"), maybe(h, "source", "Ada"), &tier
	}
	if h.rarely("with budget", 6) {
		in.MaxBytes = maybe(h, "bytes", 0, 40, 200)
	}
	return in
}

var readings = []verb{
	look("recall", 5, (*Hand).question, (*memory.Service).Recall),
	look("search", 1, (*Hand).question, (*memory.Service).Search),
	look("search_history", 3, func(h *Hand) memory.SearchHistoryInput {
		return memory.SearchHistoryInput{Query: h.words(), Limit: h.limit(), Mode: memory.ModeLexical, Frame: maybe(h, "frame", "home"),
			Expand: one(h, "expand", "both", "links", "session", "none"), Since: h.perhaps("since")}
	}, (*memory.Service).SearchHistory),
	look("search_archive", 2, func(h *Hand) memory.SearchArchiveInput {
		return memory.SearchArchiveInput{Query: h.words(), Limit: h.limit(), SessionID: maybe(h, "session", "s1"), Until: h.perhaps("until")}
	}, (*memory.Service).SearchArchive),
	look("timeline", 2, func(h *Hand) memory.TimelineInput {
		return memory.TimelineInput{Limit: h.limit(), Frame: maybe(h, "frame", "home"), Since: h.perhaps("since"), Until: h.perhaps("until")}
	}, (*memory.Service).Timeline),
	look("list_memories", 2, func(h *Hand) memory.ListInput {
		return memory.ListInput{Limit: h.limit(), Frame: maybe(h, "frame", "home"), IncludeForgotten: h.rarely("forgotten", 2)}
	}, (*memory.Service).ListMemories),
	look("audit_log", 2, func(h *Hand) memory.AuditInput {
		return memory.AuditInput{Limit: h.limit(), Captures: h.rarely("captures", 2), Action: maybe(h, "action", "promote", "narrate", "pin")}
	}, func(s *memory.Service, ctx context.Context, in memory.AuditInput) ([]memory.AuditRow, error) {
		page, err := s.AuditLog(ctx, in) // its cursor holds the store's own number of the last row
		return page.Rows, err
	}),
	look("inspect_memory", 2, someMemory, (*memory.Service).InspectMemory),
	look("provenance", 1, someMemory, (*memory.Service).Provenance),
	look("memory_links", 1, someMemory, func(s *memory.Service, ctx context.Context, id memory.ID) ([]memory.Link, error) {
		return s.MemoryLinks(ctx, id, true)
	}),
	look("current_narrative", 2, (*Hand).scope, (*memory.Service).CurrentNarrative),
	look("list_narratives", 1, (*Hand).limit, (*memory.Service).ListNarratives),
	look("narrative_history", 1, (*Hand).limit, func(s *memory.Service, ctx context.Context, limit int) ([]memory.NarrativeView, error) {
		return s.NarrativeHistory(ctx, limit, nil)
	}),
	look("recall_claims", 2, func(h *Hand) memory.RecallClaimsInput {
		query := h.words()
		return memory.RecallClaimsInput{Limit: h.limit(), Query: maybe(h, "asked", query), Scope: maybe(h, "scope", "global"),
			ValidAt: h.perhaps("valid"), IncludeInactive: h.rarely("inactive", 2)}
	}, (*memory.Service).RecallClaims),
	look("inspect_claim", 2, func(h *Hand) memory.ID { return h.claim("claim") },
		func(s *memory.Service, ctx context.Context, id memory.ID) (*memory.ClaimView, error) {
			return s.InspectClaim(ctx, id, nil)
		}),
	look("list_canon", 1, func(h *Hand) *string { return maybe(h, "task", "thesis") }, (*memory.Service).ListCanon),
	look("list_conflicts", 1, func(h *Hand) *bool { return maybe(h, "resolved", true, false) }, (*memory.Service).ListConflicts),
	look("list_forgotten", 1, (*Hand).limit, (*memory.Service).ListForgotten),
	look("list_anchors", 1, (*Hand).limit, func(s *memory.Service, ctx context.Context, limit int) (memory.AnchorPage, error) {
		return s.ListAnchors(ctx, limit, "")
	}),
	look("due_for_consolidation", 1, (*Hand).limit, func(s *memory.Service, ctx context.Context, limit int) ([]memory.Memory, error) {
		return s.DueForConsolidation(ctx, 0, limit)
	}),
	look("active_scopes", 1, func(*Hand) struct{} { return struct{}{} }, func(s *memory.Service, ctx context.Context, _ struct{}) ([]string, error) {
		return s.ActiveScopes(ctx)
	}),
	look("list_frames", 1, func(*Hand) struct{} { return struct{}{} }, func(s *memory.Service, ctx context.Context, _ struct{}) ([]string, error) {
		return s.ListFrames(ctx)
	}),
}
