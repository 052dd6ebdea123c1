package tools

import (
	"context"

	"combray/internal/memory"
)

type placing interface {
	SetFrame(ctx context.Context, id memory.ID, frame, reason string) (memory.Memory, error)
	ListFrames(ctx context.Context) ([]string, error)
	SetHistoryContext(ctx context.Context, in memory.HistoryContextInput) (memory.Memory, error)
}

var setFrameTool = &tool{
	name: "set_frame", title: "Set frame", profiles: full, hints: takesAway,
	params: []param{memoryID, need("frame", asText, "The new label, e.g. a project."), reason},
	about: "Give a memory another frame, the free label that recall and lists can filter by. Use it when a memory was stored under the wrong project or topic; " +
		"list_frames shows the labels in use. A frame is a filter, not a wall: it hides nothing from a call without one. " +
		"The old label is overwritten and stays only in the audit log. Forgotten memories are accepted, and nothing that cites the memory is invalidated.",
	returns:  memoryShape,
	examples: []string{`{"memory_id":"$id","frame":"travel","reason":"belongs there"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownMemory(v.SetFrame(ctx, a.id("memory_id"), a.text("frame"), a.text("reason")))
	},
}

var listFramesTool = &tool{
	name: "list_frames", title: "List frames", profiles: full, hints: reads,
	about: "List every frame in use, sorted, those of forgotten memories included. Use it before remember or set_frame to reuse an existing label, and to learn what recall can be narrowed to; " +
		"use active_scopes for running tasks, which are something else. Memories without a frame do not count. Takes no arguments and changes nothing.",
	returns:  listOf("frames", someStrings),
	examples: []string{`{}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownNames(v.ListFrames(ctx))
	},
}

var setHistoryContextTool = &tool{
	name: "set_history_context", title: "Set time and session", profiles: full, hints: takesAway,
	params: []param{memoryID, reason,
		may("event_at", asText, "When it happened: ISO 8601 with offset. Left out: cleared."),
		may("session_id", asText, "Conversation it belongs to. Left out: cleared."),
		may("session_position", asStrictInt, "Place in that conversation, from 0. Left out: cleared."),
	},
	about: "Replace when a memory happened and where it stands in a conversation. Use it to correct a wrong or missing event time or session; to correct the text use update_memory. " +
		"All three values are replaced together: what is left out is cleared, so pass what should stay. " +
		"The audit log keeps the values before and after. Narratives and claims that cite the memory need a review, if anything changed. A position that another memory holds, even a forgotten one, is refused.",
	returns:  memoryShape,
	examples: []string{`{"memory_id":"$id","reason":"the letter is dated","event_at":"2024-05-03T09:00:00+02:00"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownMemory(v.SetHistoryContext(ctx, memory.HistoryContextInput{MemoryID: a.id("memory_id"), Reason: a.text("reason"),
			EventAt: a.optText("event_at"), SessionID: a.optText("session_id"), SessionPosition: a.optInt64("session_position")}))
	},
}
