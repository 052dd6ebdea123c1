package memory

import "context"

// list reads one list of memories; a limit of 0 gives none.
func (s *Service) list(ctx context.Context, q ListQuery) (out []Memory, err error) {
	if q.Limit = pageSize(q.Limit); q.Limit == 0 {
		return nil, nil
	}
	err = s.store.View(ctx, func(r Reader) error {
		out, err = r.List(ctx, q)
		return err
	})
	return out, err
}

// MemoryPage is a part of a list. NextCursor is "" at the end.
type MemoryPage struct {
	Memories   []Memory
	NextCursor string
	Warnings   []string
}

// ListMemories gives memories newest captured first, a page at a time.
func (s *Service) ListMemories(ctx context.Context, in ListInput) (MemoryPage, error) {
	filter, err := checkList(in)
	if err != nil {
		return MemoryPage{}, err
	}
	query, size := in.query(), pageSize(in.Limit)
	after, err := readCursor(query, in.Cursor)
	if err != nil || size == 0 {
		return MemoryPage{}, err
	}
	q := ListQuery{Filter: filter, Order: NewestCaptured, Limit: size + 1}
	if after != nil {
		q.After = &Cursor{At: after.at, ID: after.id}
	}
	var page MemoryPage
	err = s.store.View(ctx, func(r Reader) error {
		rows, err := r.List(ctx, q)
		page.Memories, page.NextCursor = paged(rows, size, query, func(m Memory) place { return place{at: m.CreatedAt, id: m.ID} })
		return err
	})
	return page, err
}

// Timeline gives memories by event time, unknown times last (contract/history.md
// 4.2).
func (s *Service) Timeline(ctx context.Context, in TimelineInput) (TimelineResult, error) {
	out, filter, err := checkTimeline(in)
	if err != nil {
		return TimelineResult{}, err
	}
	indexed, err := s.count(ctx, filter)
	if err != nil {
		return TimelineResult{}, err
	}
	err = s.store.View(ctx, func(r Reader) error {
		counts, err := indexed.at(ctx, r, filter)
		if err != nil {
			return err
		}
		out.Eligible, out.UnknownEventTimes = counts.eligible, counts.unknownEvent
		if size := pageSize(in.Limit); size > 0 {
			out.Memories, err = r.List(ctx, ListQuery{Filter: filter, Order: ByEvent, Limit: size})
		}
		return err
	})
	return out, err
}
