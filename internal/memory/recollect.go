package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// RecollectionRow is a recollection with the memory it brought back.
type RecollectionRow struct {
	Recollection Recollection
	Memory       Memory
	Verified     bool // promoted, corroborated, or written by a person at the command line
}

// PromptLine is the one line an agent reads (contract/surface.md 8). server is the
// name it begins with; mark says whether a memory that nobody vouched for is named
// as such.
func (r RecollectionRow) PromptLine(server string, mark bool) string {
	unverified := ""
	if mark && !r.Verified {
		unverified = ", unverified"
	}
	via := make([]string, len(r.Recollection.Via))
	for i, c := range r.Recollection.Via {
		via[i] = string(c)
	}
	return fmt.Sprintf("[%s %.2f via %s%s] %s (%s)", server, r.Recollection.Score, strings.Join(via, "+"), unverified,
		oneLine(string(r.Memory.Content)), r.Memory.dated())
}

// oneLine shows a text on one line, cut at promptRunes characters.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > promptRunes {
		text = string([]rune(text)[:promptRunes-1]) + "…"
	}
	return Visible(text)
}

// dated is the date of a memory's event, else of its writing.
func (m Memory) dated() string {
	t := m.CreatedAt
	if m.EventAt != nil {
		t = *m.EventAt
		if m.EventOffset != nil {
			t = wallClock(t, *m.EventOffset)
		}
	}
	return t.Format("2006-01-02")
}

// verified says whether somebody vouched for a memory (contract/surface.md 8).
func verified(m Memory, labels []string) bool {
	return m.Status == Consolidated || len(labels) > 0 || m.RecordedBy.Door == DoorCLI
}

// enqueue puts what fired into the queue: one item a memory, which keeps its place
// when the memory fires again, while the firing before stays as history; above most,
// the item with the lowest score leaves.
func enqueue(waiting []Recollection, fired []Recollection, most int, now time.Time) (stored []Recollection, plan Plan) {
	queue := slices.Clone(waiting)
	for _, f := range fired {
		i := slices.IndexFunc(queue, func(w Recollection) bool { return w.MemoryID == f.MemoryID })
		if i >= 0 {
			f.Sequence = queue[i].Sequence
			plan.Join(takeOut(queue[i : i+1]))
			queue[i] = f
		} else {
			queue = append(queue, f)
		}
		stored = append(stored, f)
		plan.Write(PutRecollection{f})
	}
	fresh := slices.DeleteFunc(queue, func(w Recollection) bool { return expired(w, now) })
	for len(fresh) > most {
		weakest := 0
		for i, w := range fresh {
			if w.Score < fresh[weakest].Score {
				weakest = i
			}
		}
		plan.Join(takeOut(fresh[weakest : weakest+1]))
		fresh = slices.Delete(fresh, weakest, weakest+1)
	}
	return stored, plan
}

// expired says whether an item has waited too long, on the wall clock.
func expired(w Recollection, now time.Time) bool { return now.Sub(w.FiredAt) > queueTime }

// deliverable splits the queue: what may be shown now, and what may never be shown
// again because it waited too long, its memory was forgotten, or nobody
// corroborated that it is safe.
func deliverable(queue []RecollectionRow, labels map[ID][]string, now time.Time) (shown []RecollectionRow, dropped []Recollection) {
	for _, row := range queue {
		if expired(row.Recollection, now) || row.Memory.Forgotten() || !MayRank(row.Memory, labels[row.Memory.ID]) {
			dropped = append(dropped, row.Recollection)
			continue
		}
		shown = append(shown, row)
	}
	return shown, dropped
}

// takeOut removes items from the queue; they stay as firing history.
func takeOut(items []Recollection) (plan Plan) {
	for _, out := range items {
		out.Queued = false
		plan.Write(PutRecollection{out})
	}
	return plan
}

// judged records what somebody said of a recollection.
func judged(r Recollection, useful bool) Plan {
	r.Useful = &useful
	return Plan{Changes: []Change{PutRecollection{r}}}
}
