package memory

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// PendingInput asks for what came back unasked.
type PendingInput struct {
	Drain bool // take what is shown out of the queue
	Limit int  // 1 to PendingMost; 0: PendingLimit
	Only  []ID // recollections to show, however many; nil: whatever waits
	Used  []ID // recollections that helped; they are marked as useful

	// Room says how many of the rows the answer holds, from the first on; the others
	// stay in the queue. nil: all of them.
	Room func(rows []RecollectionRow) int
}

// Pending gives what waits in the queue, oldest first. Drained, each item is
// delivered once, whichever process asks.
func (s *Service) Pending(ctx context.Context, in PendingInput) (rows []RecollectionRow, warnings []string, err error) {
	if in.Limit == 0 {
		in.Limit = PendingLimit
	}
	if in.Limit < 1 || in.Limit > PendingMost {
		return nil, nil, Invalid("limit", "Leave limit out for 20.", "limit must be between 1 and %d, not %d", PendingMost, in.Limit)
	}
	if !in.Drain && len(in.Used) == 0 {
		err = s.store.View(ctx, func(r Reader) error {
			rows, _, err = waiting(ctx, r, s.now())
			return err
		})
		return in.choose(rows), nil, err
	}
	err = s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		used, unknown, err := markUsed(ctx, tx, in.Used)
		if err != nil {
			return Plan{}, err
		}
		if err := tx.Apply(ctx, used); err != nil { // before the queue is read: a used item may still wait there
			return Plan{}, err
		}
		warnings = unknown
		shown, dropped, err := waiting(ctx, tx, now)
		if err != nil {
			return Plan{}, err
		}
		rows = in.choose(shown)
		if !in.Drain {
			return Plan{}, nil
		}
		for _, row := range rows {
			dropped = append(dropped, row.Recollection)
		}
		return takeOut(dropped), nil
	}, nil)
	return rows, warnings, err
}

// choose gives what is asked for of what may be shown, as far as there is room.
func (in PendingInput) choose(shown []RecollectionRow) []RecollectionRow {
	if in.Only == nil {
		shown = shown[:min(in.Limit, len(shown))]
	} else {
		shown = slices.DeleteFunc(shown, func(r RecollectionRow) bool { return !slices.Contains(in.Only, r.Recollection.ID) })
	}
	if in.Room != nil {
		shown = shown[:in.Room(shown)]
	}
	return shown
}

// Feedback records whether a recollection helped, so that a memory which is noise
// stays silent longer.
func (s *Service) Feedback(ctx context.Context, id ID, useful bool) error {
	return s.decide(ctx, func(tx Tx, _ time.Time) (Plan, error) {
		r, err := tx.Recollection(ctx, id)
		if err != nil {
			return Plan{}, err
		}
		if r == nil {
			return Plan{}, NotFound("recollection", id)
		}
		return judged(*r, useful), nil
	}, nil)
}

// QueueVersion changes whenever the queue does, whichever process changed it.
func (s *Service) QueueVersion(ctx context.Context) (version int64, err error) {
	err = s.store.View(ctx, func(r Reader) error {
		version, err = r.QueueVersion(ctx)
		return err
	})
	return version, err
}

// markUsed marks recollections as useful and names those that are unknown.
func markUsed(ctx context.Context, r Reader, used []ID) (plan Plan, unknown []string, err error) {
	for _, id := range used {
		found, err := r.Recollection(ctx, id)
		if err != nil {
			return Plan{}, nil, err
		}
		if found == nil {
			unknown = append(unknown, fmt.Sprintf("used: no such recollection: %s", id))
			continue
		}
		plan.Join(judged(*found, true))
	}
	return plan, unknown, nil
}

// waiting gives the queue with its memories: what may be shown, oldest first, and
// what may not be any more.
func waiting(ctx context.Context, r Reader, now time.Time) (shown []RecollectionRow, dropped []Recollection, err error) {
	queue, err := r.Pending(ctx, 0)
	if err != nil || len(queue) == 0 {
		return nil, nil, err
	}
	rows, labels, err := recollectionRows(ctx, r, queue)
	if err != nil {
		return nil, nil, err
	}
	shown, dropped = deliverable(rows, labels, now)
	return shown, dropped, nil
}

// waitingOf gives what waits in the queue of one memory.
func waitingOf(ctx context.Context, r Reader, id ID) ([]Recollection, error) {
	all, err := r.Firings(ctx, []ID{id})
	return slices.DeleteFunc(all, func(f Recollection) bool { return !f.Queued }), err
}

func recollectionRows(ctx context.Context, r Reader, all []Recollection) ([]RecollectionRow, map[ID][]string, error) {
	ids := make([]ID, len(all))
	for i, x := range all {
		ids[i] = x.MemoryID
	}
	memories, err := memoriesByID(ctx, r, ids)
	if err != nil {
		return nil, nil, err
	}
	labels, err := r.Labels(ctx, keysOf(memories))
	if err != nil {
		return nil, nil, err
	}
	rows := make([]RecollectionRow, len(all))
	for i, x := range all {
		m := memories[x.MemoryID]
		rows[i] = RecollectionRow{x, m, verified(m, labels[m.ID])}
	}
	return rows, labels, nil
}
