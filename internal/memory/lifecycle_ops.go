package memory

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Promote consolidates a memory.
func (s *Service) Promote(ctx context.Context, id ID, reason string) (Memory, error) {
	hit, err := s.hear(Spoken{"reason", &reason})
	if err != nil {
		return Memory{}, err
	}
	return s.act(ctx, act{id: id, hit: hit,
		rule: func(x Subject, now time.Time) (Plan, error) { return Promote(x, reason, now) }})
}

// Review confirms an interpretation.
func (s *Service) Review(ctx context.Context, id ID, note string) (Memory, error) {
	hit, err := s.hear(Spoken{"note", &note})
	if err != nil {
		return Memory{}, err
	}
	return s.act(ctx, act{id: id, hit: hit, aspects: aspectLabels | aspectDependents | aspectTrouble, settles: true,
		rule: func(x Subject, now time.Time) (Plan, error) { return Review(x, note, now) }})
}

// Forget puts a tombstone on a memory; Restore takes it away.
func (s *Service) Forget(ctx context.Context, id ID, reason string) (Memory, error) {
	hit, err := s.hear(Spoken{"reason", &reason})
	if err != nil {
		return Memory{}, err
	}
	return s.act(ctx, act{id: id, hit: hit, aspects: aspectRoles | aspectDependents,
		rule: func(x Subject, now time.Time) (Plan, error) { return Forget(x, reason, now) }})
}

// Restore brings a forgotten memory back.
func (s *Service) Restore(ctx context.Context, id ID, reason string) (Memory, error) {
	hit, err := s.hear(Spoken{"reason", &reason})
	if err != nil {
		return Memory{}, err
	}
	return s.act(ctx, act{id: id, hit: hit, aspects: aspectDependents,
		rule: func(x Subject, now time.Time) (Plan, error) { return Restore(x, reason, now) }})
}

// FlagResult is a flagged memory and the places it lost.
type FlagResult struct {
	Memory      Memory
	Unpinned    bool
	Decanonized []string // scopes, sorted
}

// FlagSensitive flags a memory as security-sensitive.
func (s *Service) FlagSensitive(ctx context.Context, id ID, reason string) (FlagResult, error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return FlagResult{}, err
	}
	var effects Effects
	m, err := s.act(ctx, act{id: id, aspects: aspectAll,
		rule: func(x Subject, now time.Time) (plan Plan, err error) {
			plan, effects, err = FlagSensitive(x, reason, now)
			return plan, err
		}})
	return FlagResult{m, effects.Unpinned, effects.Decanonized}, err
}

// ClearSensitive lifts a flag. Only a person at the command line calls it.
func (s *Service) ClearSensitive(ctx context.Context, id ID, reason string) (Memory, error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return Memory{}, err
	}
	return s.act(ctx, act{id: id, aspects: aspectLabels | aspectDependents | aspectTrouble,
		rule: func(x Subject, now time.Time) (Plan, error) { return ClearSensitive(x, reason, now) }})
}

// DueForReview gives the interpretations last reviewed longer than days ago
// (nil: 30), oldest captured first, and records that they are stale.
func (s *Service) DueForReview(ctx context.Context, days *int) ([]Memory, error) {
	age := ReviewAge
	if days != nil {
		age = daysOf(float64(*days))
	}
	var out []Memory
	err := s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		due, err := dueForReview(ctx, tx, now, age)
		if err != nil {
			return Plan{}, err
		}
		var fresh []Memory
		for _, m := range due {
			out = append(out, stale(m))
			if unrecorded(m, now, age) {
				fresh = append(fresh, m)
			}
		}
		_, err = recordOverdue(ctx, tx, now, fresh)
		return Plan{}, err
	}, nil)
	return out, err
}

func dueForReview(ctx context.Context, r Reader, now time.Time, age time.Duration) ([]Memory, error) {
	tier, before := Interpretation, now.Add(-age)
	return r.List(ctx, ListQuery{Order: OldestCaptured, Filter: ListFilter{Tier: &tier, ReviewedBefore: &before}})
}

// DueForConsolidation gives working memories at least days old, oldest first.
func (s *Service) DueForConsolidation(ctx context.Context, days float64, limit int) ([]Memory, error) {
	if math.IsNaN(days) {
		return nil, Invalid("days", "Pass days as a number, 0 for all.", "days must be a number")
	}
	status, until := Working, s.now().Add(-daysOf(days))
	return s.list(ctx, ListQuery{Order: OldestCaptured, Limit: limit, Filter: ListFilter{Status: &status, CreatedUntil: &until}})
}

// ListForgotten gives forgotten memories, newest tombstone first.
func (s *Service) ListForgotten(ctx context.Context, limit int) ([]Memory, error) {
	return s.list(ctx, ListQuery{Order: NewestForgotten, Limit: limit, Filter: ListFilter{Forgotten: ForgottenOnly}})
}

// Updated is the memory that replaces another.
type Updated struct {
	Memory     Memory
	Supersedes ID
	Warnings   []string
}

// lastOfAll is a moment behind every other: a correction stands at the end of its
// session.
var lastOfAll = time.UnixMicro(math.MaxInt64)

// UpdateMemory corrects a memory: the new text is a new memory, linked to the
// old one, which is forgotten.
func (s *Service) UpdateMemory(ctx context.Context, id ID, content, reason string) (Updated, error) {
	hit, err := s.hear(Spoken{"reason", &reason})
	if err != nil {
		return Updated{}, err
	}
	warnings, err := KeepSecrets(s.secrets, Spoken{"content", &content})
	if err != nil {
		return Updated{}, err
	}
	c := Correction{Content: content, Reason: reason, ID: s.newID(), LinkID: s.newID(), By: ActorOf(ctx)}
	made, err := s.encodeAhead(ctx, id, func(m *Memory) { *m = c.of(*m, lastOfAll) })
	if err != nil {
		return Updated{}, err
	}
	out := Updated{Supersedes: id, Warnings: warnings}
	err = s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		a := act{id: id, hit: hit, aspects: aspectRoles | aspectDependents}
		x, err := a.load(ctx, tx, now)
		if err != nil {
			return Plan{}, err
		}
		return Correct(x, c, now)
	}, func(tx Tx) error {
		if out.Memory, err = readBack(ctx, tx, c.ID); err == nil {
			out.Memory, err = s.enter(ctx, tx, out.Memory, made)
		}
		return err
	})
	if err != nil {
		return Updated{}, err
	}
	s.leaveBehind(captured{stored: []Remembered{{Memory: out.Memory}}})
	return out, nil
}

// scrubber is a store that can rewrite its files so that no byte of erased rows
// remains in them.
type scrubber interface {
	Scrub(ctx context.Context) error
}

// Erase removes a memory for good and rewrites the files that held it.
func (s *Service) Erase(ctx context.Context, id ID, reason string, confirm bool) (ID, error) {
	if _, err := s.hear(Spoken{"reason", &reason}); err != nil {
		return "", err
	}
	err := s.decide(ctx, func(tx Tx, now time.Time) (Plan, error) {
		x, err := loadSubject(ctx, tx, id, aspectDependents)
		if err != nil {
			return Plan{}, err
		}
		return Erase(x, reason, confirm, now)
	}, nil)
	if err != nil {
		return "", err
	}
	return id, s.scrub(ctx, fmt.Sprintf("memory %s is erased", id))
}

// scrub removes what the files still hold of what is gone; done says what that was.
func (s *Service) scrub(ctx context.Context, done string) error {
	err := s.index.Scrub(ctx)
	if store, can := s.store.(scrubber); can && err == nil {
		err = store.Scrub(ctx)
	}
	if err == nil {
		return nil
	}
	return Unavailable("Run combray check when no other process reads the store: it rewrites them, as the next erase does.", err,
		"%s, but the files could not be rewritten, so some of its bytes may still be in them", done)
}

// daysOf is a number of days as a duration, cut to what a duration can hold.
func daysOf(days float64) time.Duration {
	ns := days * float64(24*time.Hour)
	switch {
	case ns >= math.MaxInt64:
		return math.MaxInt64
	case ns <= -math.MaxInt64:
		return -math.MaxInt64
	}
	return time.Duration(ns)
}
