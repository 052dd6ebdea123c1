package memory

import (
	"cmp"
	"context"
	"slices"

	"combray/internal/lexical"
)

// SearchHistory answers a question and brings the neighbours of the best
// memories along. It writes nothing.
func (s *Service) SearchHistory(ctx context.Context, in SearchHistoryInput) (HistoryResult, error) {
	q, expand, err := checkHistory(in)
	if err != nil {
		return HistoryResult{}, err
	}
	now, start := s.now(), s.clock()
	reserved, err := s.reserved(ctx, q.limit)
	if err != nil {
		return HistoryResult{}, err
	}
	q.filter.Exclude = reserved.numbers
	found, err := s.find(ctx, q, reserved.room, now)
	if err != nil {
		return HistoryResult{}, err
	}
	out := HistoryResult{RecallResult: RecallResult{Retrieval: found.retrieval, Warnings: q.warnings},
		History: HistoryRetrieval{BaseMode: q.mode, Expand: expand, Since: q.filter.Since, Until: q.filter.Until}}
	if out.History.TimeExcluded, err = s.outsideTime(ctx, q.filter); err != nil {
		return HistoryResult{}, err
	}
	err = s.store.View(ctx, func(r Reader) error {
		order, paths, err := s.withNeighbours(ctx, r, q, found, expand)
		if err != nil {
			return err
		}
		found.order, out.History.Paths = order, paths
		return s.show(ctx, r, q, found, now, &out.RecallResult)
	})
	if err != nil {
		return HistoryResult{}, err
	}
	out.History.Paths = shownPaths(out.History.Paths, out.Memories)
	out.Retrieval.Elapsed = s.clock().Sub(start)
	out.History.Retrieval = out.Retrieval
	return out, nil
}

// outsideTime counts the rows that only the time filter leaves out.
func (s *Service) outsideTime(ctx context.Context, f IndexFilter) (int, error) {
	if f.Since == nil && f.Until == nil {
		return 0, nil
	}
	inside, err := s.index.Count(ctx, f)
	if err != nil {
		return 0, err
	}
	f.Since, f.Until = nil, nil
	all, err := s.index.Count(ctx, f)
	return all.Memories - inside.Memories, err
}

// withNeighbours puts the seeds' neighbours behind the seeds in the base order.
func (s *Service) withNeighbours(ctx context.Context, r Reader, q question, f found, expand string) ([]int64, []EvidencePath, error) {
	reserved, err := loadReserved(ctx, r, q.limit)
	if err != nil || expand == "none" || reserved.room == 0 {
		return f.order, nil, err
	}
	base, err := r.Numbered(ctx, f.order[:min(len(f.order), reserved.room+spareRows)])
	if err != nil {
		return nil, nil, err
	}
	allowed := func(m Memory) bool { return q.passes(m) && q.inTime(m) && !reserved.holds(m.Number) }
	base = slices.DeleteFunc(base, func(m Memory) bool { return !allowed(m) })
	seeds := base[:min(seedCount(reserved.room), len(base))]
	near, err := loadNeighbours(ctx, r, seeds, expand)
	if err != nil {
		return nil, nil, err
	}
	for id, list := range near {
		list = slices.DeleteFunc(list, func(n neighbour) bool { return !allowed(n.memory) })
		for i := range list {
			list[i].rank = baseRank(f.order, list[i].memory.Number)
		}
		near[id] = list
	}
	var order []int64
	for _, m := range seeds {
		order = append(order, m.Number)
	}
	var paths []EvidencePath
	for _, n := range expandSeeds(seeds, near, reserved.room-len(seeds)) {
		order, paths = append(order, n.memory.Number), append(paths, n.path)
	}
	for _, n := range f.order {
		if !slices.Contains(order, n) {
			order = append(order, n)
		}
	}
	return order, paths, nil
}

// baseRank is the place of a row in the base order; one without a place stands
// behind all others.
func baseRank(order []int64, number int64) int {
	if at := slices.Index(order, number); at >= 0 {
		return at
	}
	return len(order)
}

// inTime asks the snapshot what the index was asked about time.
func (q question) inTime(m Memory) bool {
	if q.filter.Since == nil && q.filter.Until == nil {
		return true
	}
	return m.EventAt != nil && (q.filter.Since == nil || !m.EventAt.Before(*q.filter.Since)) &&
		(q.filter.Until == nil || !m.EventAt.After(*q.filter.Until))
}

// shownPaths keeps the paths of neighbours that are in the answer.
func shownPaths(paths []EvidencePath, rows []Row) []EvidencePath {
	return slices.DeleteFunc(paths, func(p EvidencePath) bool {
		return !slices.ContainsFunc(rows, func(r Row) bool { return r.Memory.ID == p.MemoryID })
	})
}

func loadNeighbours(ctx context.Context, r Reader, seeds []Memory, expand string) (map[ID][]neighbour, error) {
	near := make(map[ID][]neighbour, len(seeds))
	if expand == "links" || expand == "both" {
		if err := loadLinked(ctx, r, seeds, near); err != nil {
			return nil, err
		}
	}
	if expand == "session" || expand == "both" {
		if err := loadAdjacent(ctx, r, seeds, near); err != nil {
			return nil, err
		}
	}
	return near, nil
}

func loadLinked(ctx context.Context, r Reader, seeds []Memory, near map[ID][]neighbour) error {
	ids := make([]ID, len(seeds))
	for i, m := range seeds {
		ids[i] = m.ID
	}
	links, err := r.LinksOf(ctx, ids, false)
	if err != nil {
		return err
	}
	var ends []ID
	for _, l := range links {
		ends = append(ends, l.From, l.To)
	}
	memories, err := memoriesByID(ctx, r, ends)
	if err != nil {
		return err
	}
	for _, seed := range ids {
		for _, l := range links {
			other := l.To
			if l.To == seed {
				other = l.From
			} else if l.From != seed {
				continue
			}
			if m, known := memories[other]; known {
				near[seed] = append(near[seed], neighbour{memory: m, path: EvidencePath{SeedID: seed, MemoryID: other, Kind: PathLink,
					LinkID: &l.ID, FromID: &l.From, ToID: &l.To, Relation: &l.Relation}})
			}
		}
	}
	return nil
}

func loadAdjacent(ctx context.Context, r Reader, seeds []Memory, near map[ID][]neighbour) error {
	for _, seed := range seeds {
		if seed.SessionID == nil || seed.SessionPosition == nil {
			continue
		}
		for _, offset := range []int{-1, 1} {
			m, err := r.AtPosition(ctx, *seed.SessionID, *seed.SessionPosition+int64(offset))
			if err != nil {
				return err
			}
			if m != nil {
				near[seed.ID] = append(near[seed.ID], neighbour{memory: *m, class: 1, path: EvidencePath{SeedID: seed.ID, MemoryID: m.ID,
					Kind: PathSession, Offset: &offset, SessionID: seed.SessionID}})
			}
		}
	}
	return nil
}

// SearchArchive looks through all active memories of a period, conversation or
// frame by words alone. It writes nothing.
func (s *Service) SearchArchive(ctx context.Context, in SearchArchiveInput) (ArchiveResult, error) {
	out, err := checkArchive(in)
	if err != nil {
		return out, err
	}
	start := s.clock()
	filter := ListFilter{Frame: in.Frame, SessionID: in.SessionID, Since: out.Since, Until: out.Until}
	indexed, err := s.count(ctx, filter)
	if err != nil {
		return out, err
	}
	limit := min(in.Limit, MaxList)
	terms := lexical.Query(in.Query)
	found, err := s.bestByWords(ctx, limit, IndexQuery{Terms: terms, Content: true,
		Filter: IndexFilter{Frame: in.Frame, SessionID: in.SessionID, Since: out.Since, Until: out.Until}})
	if err != nil {
		return out, err
	}
	err = s.store.View(ctx, func(r Reader) error {
		counts, err := indexed.at(ctx, r, filter)
		if err != nil {
			return err
		}
		out.Eligible, out.UnknownEventTimes = counts.eligible, counts.unknownEvent
		rows, err := archiveRows(ctx, r, filter, found.Candidates, limit)
		out.Memories, out.Truncated = rows, out.Eligible > len(rows)
		return err
	})
	if err == nil && len(out.Memories) > 0 {
		err = s.relevances(ctx, terms, out.Memories)
	}
	out.Retrieval = archiveRetrieval(found)
	out.Retrieval.Elapsed = s.clock().Sub(start)
	return out, err
}

// archiveRetrieval tells what an exhaustive look by words found.
func archiveRetrieval(found IndexResult) Retrieval {
	r := ranking{mode: ModeLexical, asked: true, total: found.Eligible}
	for _, v := range found.IDF {
		r.idf += v
	}
	out := Retrieval{Mode: ModeLexical, Words: LaneRan, Vectors: LaneNotAsked, Cues: LaneNotAsked,
		Candidates: len(found.Candidates), Verdict: VerdictNone}
	if rows := r.rank(found.Candidates); len(rows) > 0 {
		out.Verdict = verdictOf(rows[0].chance)
	}
	return out
}

// bestByWords gives at least limit of the rows that share a word with a query,
// best first, as far as there are so many. Of rows that are equally good the
// index keeps any, so it is asked for more until the last one wanted has none
// of its equals left behind.
func (s *Service) bestByWords(ctx context.Context, limit int, q IndexQuery) (IndexResult, error) {
	for q.PerLane = limit + spareRows; ; q.PerLane *= 2 {
		found, err := s.index.Search(ctx, q)
		if err != nil {
			return IndexResult{}, err
		}
		rows := found.Candidates
		slices.SortFunc(rows, func(a, b Candidate) int { return cmp.Compare(b.Scores.Words, a.Scores.Words) })
		if len(rows) < q.PerLane || limit == 0 || rows[len(rows)-1].Scores.Words < rows[limit-1].Scores.Words {
			return found, nil
		}
	}
}

// archiveRows gives the rows that share a word with the query, best first, then
// the others, newest captured first. A row that the snapshot no longer allows is
// left out.
func archiveRows(ctx context.Context, r Reader, f ListFilter, candidates []Candidate, limit int) ([]Row, error) {
	numbers, words := make([]int64, 0, len(candidates)), make(map[int64]float64, len(candidates))
	for _, c := range candidates {
		numbers, words[c.Number] = append(numbers, c.Number), c.Scores.Words
	}
	matched, err := r.Numbered(ctx, numbers)
	if err != nil {
		return nil, err
	}
	q := question{filter: IndexFilter{Frame: f.Frame, SessionID: f.SessionID, Since: f.Since, Until: f.Until}}
	matched = slices.DeleteFunc(matched, func(m Memory) bool {
		return !q.passes(m) || !q.inTime(m) || f.SessionID != nil && (m.SessionID == nil || *m.SessionID != *f.SessionID)
	})
	slices.SortFunc(matched, compareArchived(words))
	if len(matched) < limit {
		rest, err := r.List(ctx, ListQuery{Filter: f, Order: NewestCaptured, Limit: limit + len(matched)})
		if err != nil {
			return nil, err
		}
		for _, m := range rest {
			if _, found := words[m.Number]; !found {
				matched = append(matched, m)
			}
		}
	}
	rows := make([]Row, min(limit, len(matched)))
	for i := range rows {
		rows[i].Memory = matched[i]
	}
	return rows, nil
}
