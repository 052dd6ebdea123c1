package memory

import (
	"context"
	"time"
)

// SetFrame gives a memory another frame.
func (s *Service) SetFrame(ctx context.Context, id ID, frame, reason string) (Memory, error) {
	hit, err := s.hear(Spoken{"frame", &frame}, Spoken{"reason", &reason})
	if err != nil {
		return Memory{}, err
	}
	return s.act(ctx, act{id: id, hit: hit,
		rule: func(x Subject, now time.Time) (Plan, error) { return SetFrame(x, frame, reason, now) }})
}

// ListFrames gives the frames in use, sorted, those of forgotten memories too.
func (s *Service) ListFrames(ctx context.Context) (out []string, err error) {
	err = s.store.View(ctx, func(r Reader) error {
		out, err = r.Frames(ctx)
		return err
	})
	return out, err
}

// SetHistoryContext replaces when a memory happened and where it stands in a
// session. A memory that then reads otherwise is encoded anew.
func (s *Service) SetHistoryContext(ctx context.Context, in HistoryContextInput) (out Memory, err error) {
	texts := []Spoken{{"reason", &in.Reason}}
	if in.SessionID != nil {
		session := *in.SessionID
		in.SessionID = &session
		texts = append(texts, Spoken{"session_id", &session})
	}
	hit, err := s.hear(texts...)
	if err != nil {
		return Memory{}, err
	}
	made, err := s.encodeAhead(ctx, in.MemoryID, in.apply)
	if err != nil {
		return Memory{}, err
	}
	before := ""
	err = s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		x, err := act{id: in.MemoryID, hit: hit, aspects: aspectDependents}.load(ctx, tx, now)
		if err != nil {
			return Plan{}, err
		}
		if x.Memory != nil {
			if before, err = turnLine(ctx, tx, *x.Memory); err != nil {
				return Plan{}, err
			}
		}
		holder, err := atPosition(ctx, tx, in.SessionID, in.SessionPosition)
		if err != nil {
			return Plan{}, err
		}
		return SetHistoryContext(x, in, holder, now)
	}, func(tx Tx) error {
		out, err = s.reword(ctx, tx, in.MemoryID, before, made)
		return err
	})
	if err != nil {
		return Memory{}, err
	}
	s.leaveBehind(captured{stored: []Remembered{{Memory: out}}})
	return out, nil
}

// atPosition gives the memory at a session position, nil when none is asked for
// or it is free.
func atPosition(ctx context.Context, r Reader, session *string, position *int64) (*Memory, error) {
	if session == nil || position == nil {
		return nil, nil
	}
	return r.AtPosition(ctx, *session, *position)
}
