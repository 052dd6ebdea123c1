package tools

import (
	"context"

	"combray/internal/memory"
)

type linking interface {
	LinkMemories(ctx context.Context, from, to memory.ID, relation, reason string) (memory.Link, error)
	UnlinkMemories(ctx context.Context, id memory.ID, reason string) (memory.Link, error)
	MemoryLinks(ctx context.Context, id memory.ID, includeRetired bool) ([]memory.Link, error)
}

// link says how one memory relates to another.
type link struct {
	ID               memory.ID `json:"id"`
	FromID           memory.ID `json:"from_id"`
	ToID             memory.ID `json:"to_id"`
	Relation         string    `json:"relation"`
	Reason           string    `json:"reason"`
	CreatedAt        string    `json:"created_at"`
	RetiredAt        *string   `json:"retired_at"`
	RetirementReason *string   `json:"retirement_reason"`
}

func newLink(l memory.Link) link {
	return link{l.ID, l.From, l.To, string(l.Relation), l.Reason, memory.FormatInstant(l.CreatedAt), instant(l.RetiredAt), l.RetirementReason}
}

func shownLink(l memory.Link, err error) (outcome, error) {
	if err != nil {
		return outcome{}, err
	}
	return object(newLink(l), nil), nil
}

var linkShape = keys(field{"id", aString, "the link"}, field{"from_id", aString, "memory it starts at"}, field{"to_id", aString, "memory it leads to"},
	field{"relation", aString, "`related`, `updates` or `explains`"}, field{"reason", aString, "why"}, field{"created_at", aString, "when it was made"},
	field{"retired_at", anything, "when it was retired"}, field{"retirement_reason", anything, "why it was retired"})

var linkMemoriesTool = &tool{
	name: "link_memories", title: "Link memories", profiles: full, hints: settles,
	params: []param{need("from_id", asText, "Id of the memory the link starts at."), need("to_id", asText, "Id of the memory it leads to."),
		need("relation", asText, "What the first is to the second.").of("related", "updates", "explains"), reason},
	about: "Connect two memories: the first is related to, updates or explains the second. Use it where one is easier to understand with the other; search_history then brings both. " +
		"Use mark_conflict for contradictions and update_memory to replace a text. A link grants no trust and changes neither memory. " +
		"The same active link is returned as it is. Refused for the same id twice and for forgotten memories. unlink_memories retires it.",
	returns:  linkShape,
	examples: []string{`{"from_id":"$id","to_id":"$other","relation":"explains","reason":"why she changed trains"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownLink(v.LinkMemories(ctx, a.id("from_id"), a.id("to_id"), a.text("relation"), a.text("reason")))
	},
}

var unlinkMemoriesTool = &tool{
	name: "unlink_memories", title: "Retire a link", profiles: full, hints: takesAway,
	params: []param{need("link_id", asText, "Id of the link, from memory_links."), reason},
	about: "Retire a link between two memories; it stays on record with the reason. Use it when the connection was wrong or no longer holds; the memories themselves do not change. " +
		"Narratives that named the link need a new version afterwards. A link that is retired already is returned as it is. " +
		"It cannot be revived, but link_memories can make the same one again.",
	returns:  linkShape,
	examples: []string{`{"link_id":"$link","reason":"another trip"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownLink(v.UnlinkMemories(ctx, a.id("link_id"), a.text("reason")))
	},
}

var memoryLinksTool = &tool{
	name: "memory_links", title: "Links of a memory", profiles: full, hints: reads,
	params: []param{memoryID, may("include_retired", asBool, "Show retired links too.").or(false)},
	about: "List the links at a memory in either direction, oldest first. Use it to follow a memory to what explains or updates it, and to find a link's id for unlink_memories; " +
		"use inspect_memory for everything else that hangs on a memory. An end of a link may be forgotten. An unknown id gives an empty list. Changes nothing.",
	returns:  listOf("links", someObjects),
	examples: []string{`{"memory_id":"$id"}`, `{"memory_id":"$id","include_retired":"yes"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		links, err := v.MemoryLinks(ctx, a.id("memory_id"), a.bool("include_retired"))
		if err != nil {
			return outcome{}, err
		}
		rows := mapped(links, newLink)
		return list(rowsOf("result", &rows), &rows), nil
	},
}
