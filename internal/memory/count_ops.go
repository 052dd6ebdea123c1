package memory

import "context"

// spanCounts are how many memories a look at a frame, conversation and span of
// time goes through.
type spanCounts struct {
	eligible     int
	unknownEvent int   // without an event time, before the span of time
	sequence     int64 // both stand for it, or for a later one
}

// count lets the index count, which takes a fraction of what it takes the store.
func (s *Service) count(ctx context.Context, f ListFilter) (spanCounts, error) {
	if err := s.index.CatchUp(ctx); err != nil {
		return spanCounts{}, err
	}
	unknown, err := s.index.Count(ctx, IndexFilter{Frame: f.Frame, SessionID: f.SessionID, UnknownEvent: true})
	if err != nil {
		return spanCounts{}, err
	}
	eligible, err := s.index.Count(ctx, IndexFilter{Frame: f.Frame, SessionID: f.SessionID, Since: f.Since, Until: f.Until})
	return spanCounts{eligible.Memories, unknown.Memories, min(eligible.Sequence, unknown.Sequence)}, err
}

// at gives the counts of a snapshot: those of the index, unless a writer has
// committed since.
func (c spanCounts) at(ctx context.Context, r Reader, f ListFilter) (spanCounts, error) {
	now, err := r.Sequence(ctx)
	if err != nil || now == c.sequence {
		return c, err
	}
	if c.eligible, err = r.Count(ctx, f); err != nil {
		return c, err
	}
	c.unknownEvent, err = r.Count(ctx, ListFilter{Frame: f.Frame, SessionID: f.SessionID, UnknownEvent: true})
	return c, err
}
