package tools

import (
	"context"

	"combray/internal/memory"
)

type lifecycling interface {
	Promote(ctx context.Context, id memory.ID, reason string) (memory.Memory, error)
	Review(ctx context.Context, id memory.ID, note string) (memory.Memory, error)
	DueForReview(ctx context.Context, days *int) ([]memory.Memory, error)
	DueForConsolidation(ctx context.Context, days float64, limit int) ([]memory.Memory, error)
	Forget(ctx context.Context, id memory.ID, reason string) (memory.Memory, error)
	Restore(ctx context.Context, id memory.ID, reason string) (memory.Memory, error)
	ListForgotten(ctx context.Context, limit int) ([]memory.Memory, error)
	UpdateMemory(ctx context.Context, id memory.ID, content, reason string) (memory.Updated, error)
	Erase(ctx context.Context, id memory.ID, reason string, confirm bool) (memory.ID, error)
}

var (
	memoryID = need("memory_id", asText, "Id of the memory.")
	reason   = need("reason", asText, "Why; kept in the audit log.")
)

// shownMemory is the outcome of a tool that answers with one memory.
func shownMemory(m memory.Memory, err error) (outcome, error) {
	if err != nil {
		return outcome{}, err
	}
	body := newMemory(m)
	return object(&body, nil, textOf("content", &body.Content)), nil
}

// shownMemories is the outcome of a tool that answers with a list of memories.
func shownMemories(ms []memory.Memory, err error) (outcome, error) {
	if err != nil {
		return outcome{}, err
	}
	rows := newMemories(ms)
	return list(rowsOf("result", &rows).shortening(memoryText), &rows), nil
}

func memoryText(m *memoryObject) *string { return &m.Content }

var memoryList = listOf("memories", someObjects)

var promoteTool = &tool{
	name: "promote", title: "Promote", profiles: inDaily, hints: settles,
	params: []param{memoryID, reason},
	about: "Mark a memory as consolidated: worth keeping for long, and why. " +
		"Use it in the turn in which the user calls something important or lasting, and at a session's end for what due_for_consolidation lists; add pin for who the user is. " +
		"It raises the memory above working ones in the default order and allows pin. " +
		"It never goes back to working. A repeat replaces the reason and keeps the first date. Forgotten memories are accepted.",
	returns:  memoryShape,
	examples: []string{`{"memory_id":"$id","reason":"the user asked to remember it always"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownMemory(v.Promote(ctx, a.id("memory_id"), a.text("reason")))
	},
}

var reviewTool = &tool{
	name: "review", title: "Review interpretation", profiles: full, hints: adds,
	params: []param{memoryID, need("note", asText, "What was checked; kept in the audit log.")},
	about: "Confirm that an interpretation still holds, after looking at the facts behind it. Use it for what due_for_review or stale_interpretations of recall list; " +
		"when it no longer holds, use update_memory or forget instead. Only the tier interpretation can be reviewed. " +
		"The next review is due 30 days later. Narratives and claims that depended on the stale text keep asking for their own review (review_narrative, adopt_claim).",
	returns:  memoryShape,
	examples: []string{`{"memory_id":"$interpretation","note":"still true after this week's talk"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownMemory(v.Review(ctx, a.id("memory_id"), a.text("note")))
	},
}

var dueForReviewTool = &tool{
	name: "due_for_review", title: "Due for review", profiles: full, hints: settles,
	params: []param{may("days", asInt, "Age since the last review; 30 when left out, 0 for all.")},
	about: "List interpretations whose last review is older than some days, and mark each of them stale until review is called. " +
		"Use it in a periodic check; recall shows the same memories as stale_interpretations without writing anything. " +
		"It writes: narratives and claims built on a memory that it marks are told that they need a review. Forgotten memories are left out. days 0 marks every interpretation.",
	returns:  memoryList,
	examples: []string{`{"days":0}`, `{}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownMemories(v.DueForReview(ctx, a.optInt("days")))
	},
}

var dueForConsolidationTool = &tool{
	name: "due_for_consolidation", title: "Due for consolidation", profiles: inCore, hints: reads,
	params: []param{
		may("days", asNumber, "Only memories at least this old.").or(0.0),
		may("limit", asInt, "Most memories to show, at most 1000.").or(int64(20)),
	},
	about: "List working memories that nobody has promoted yet, oldest first. Use it at the end of a session, or when asked what is still unsorted: " +
		"promote what should last, pin what says who the user is, forget what was noise, and leave the rest. " +
		"Use recall to find memories by content; this list knows only age. Forgotten memories are left out. Changes nothing.",
	returns:  memoryList,
	examples: []string{`{}`, `{"days":1.5,"limit":5}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownMemories(v.DueForConsolidation(ctx, a.number("days"), a.limit("limit")))
	},
}

var forgetTool = &tool{
	name: "forget", title: "Forget", profiles: inDaily, hints: takesAway,
	params: []param{memoryID, reason},
	about: "Take a memory out of recall, search and lists with a tombstone that says why. Use it when the user wants something gone or a memory is noise or wrong. " +
		"Nothing is deleted: restore brings it back. " +
		"An anchored memory is refused (unpin first), and so is one in an active task scope. " +
		"Narratives and claims that cite it need a review afterwards. A repeat replaces the reason.",
	returns:  memoryShape,
	examples: []string{`{"memory_id":"$id","reason":"stored by mistake"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownMemory(v.Forget(ctx, a.id("memory_id"), a.text("reason")))
	},
}

var restoreTool = &tool{
	name: "restore", title: "Restore", profiles: inDaily, hints: settles,
	params: []param{memoryID, reason},
	about: "Bring back a forgotten memory, with its status, tier and text as they were. Use it when forgetting was a mistake or the memory matters again; audit_log names what was forgotten and why. " +
		"Anchor and canon places are not given back. Narratives and claims that cite it need a review all the same. " +
		"A memory that is not forgotten is refused, and an erased one is unknown.",
	returns:  memoryShape,
	examples: []string{`{"memory_id":"$forgotten","reason":"it is needed after all"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownMemory(v.Restore(ctx, a.id("memory_id"), a.text("reason")))
	},
}

var listForgottenTool = &tool{
	name: "list_forgotten", title: "List forgotten", profiles: full, hints: reads,
	params: []param{may("limit", asInt, "Most memories to show, at most 1000.").or(int64(memory.DefaultPage))},
	about: "List forgotten memories with their text and the reason, the newest tombstone first. Use it to find what restore should bring back or what erase should remove for good; " +
		"use list_memories for active ones and audit_log for the order of events. Erased memories do not appear. Changes nothing.",
	returns:  memoryList,
	examples: []string{`{"limit":5}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		return shownMemories(v.ListForgotten(ctx, a.limit("limit")))
	},
}

// updated is the answer of update_memory.
type updated struct {
	memoryObject
	Supersedes memory.ID `json:"supersedes"`
}

var updateMemoryTool = &tool{
	name: "update_memory", title: "Correct a memory", profiles: full, hints: takesAway,
	params: []param{memoryID, need("content", asText, "The corrected text, under 1 MiB."), reason},
	about: "Correct a memory: store the new text as a working memory with the old one's source, frame, session, place, times, tags and flag, link it to the old as updates, and forget the old. " +
		"Use it when a fact changed or was wrong; use remember for something new, and set_frame or set_history_context when only those are wrong. " +
		"Corroborations and the session position stay with the old memory. Refused while the old one is anchored or canonized. restore brings the old one back; what cited it needs a review.",
	returns:  memoryShape.and(field{"supersedes", aString, "id of the memory that it replaces"}),
	examples: []string{`{"memory_id":"$id","content":"Ada prefers the aisle seat on trains","reason":"she said so today"}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		r, err := v.UpdateMemory(ctx, a.id("memory_id"), a.text("content"), a.text("reason"))
		if err != nil {
			return outcome{}, err
		}
		body := &updated{newMemory(r.Memory), r.Supersedes}
		return object(body, r.Warnings, textOf("content", &body.Content)), nil
	},
}

// erased is the answer of erase.
type erased struct {
	MemoryID memory.ID `json:"memory_id"`
	Erased   bool      `json:"erased"`
}

var eraseTool = &tool{
	name: "erase", title: "Erase for good", profiles: full, hints: takesAway,
	params: []param{memoryID, reason, may("confirm", asBool, "Must be true.").or(false)},
	about: "Delete a memory for good, whatever role it holds: text, vectors, words, anchor and canon places, links, quotes taken from it, and free text about it in the audit log. " +
		"Use it only when the user asks for real deletion, for example of private data or a secret; forget is enough for everything else. " +
		"It cannot be undone, so confirm must be true. Narratives and claims that cite the memory report it as missing. An audit row without content remains.",
	returns:  keys(field{"memory_id", aString, "id of what is gone"}, field{"erased", aBoolean, "true"}),
	examples: []string{`{"memory_id":"$id","reason":"the user asked for deletion","confirm":true}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		id, err := v.Erase(ctx, a.id("memory_id"), a.text("reason"), a.bool("confirm"))
		if err != nil {
			return outcome{}, err
		}
		return object(erased{id, true}, nil), nil
	},
}
