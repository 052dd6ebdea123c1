package memory

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Sensed is what came back for a cue.
type Sensed struct {
	Rows     []RecollectionRow
	Warnings []string
}

// Sense takes in what is perceived now. Memories whose context lines up fire: they
// are in the answer and wait in the queue. Mostly nothing does.
func (s *Service) Sense(ctx context.Context, in SenseInput) (Sensed, error) {
	now := s.now()
	p, err := s.perceive(ctx, in, now)
	if err != nil {
		return Sensed{}, err
	}
	out := Sensed{Warnings: p.warnings}
	visit, err := s.familiarise(ctx, p)
	if err != nil || p.repeats(visit) {
		return out, err
	}
	if p.sameVisit(visit) && !s.sense.Without.has(PartVisits) {
		s.note(&scene{backdrop: backdrop{cue: p}, occasion: occasion{visit: visit}})
		return out, s.flushHeard(ctx, false)
	}
	c, err := s.scene(ctx, p, means{wordsOnly: in.WordsOnly})
	if err != nil {
		return out, err
	}
	c.occasion.visit = visit
	if err := s.judge(ctx, c); err != nil {
		return out, err
	}
	if out.Rows, err = s.fire(ctx, c, now); err != nil {
		return out, err
	}
	return out, s.flushHeard(ctx, false)
}

// perceive reads a cue and reduces its media.
func (s *Service) perceive(ctx context.Context, in SenseInput, now time.Time) (perception, error) {
	if s.cues == nil {
		return perception{}, Unavailable("Open the store with its cue index.", nil, "this program compares no perceptions")
	}
	p, err := readPerception(in, s.zone, now)
	if err != nil || !in.Signals.media() {
		return p, err
	}
	seen, err := s.reduce(ctx, in.Signals)
	if err != nil {
		return p, err
	}
	p.take(seen)
	return p, nil
}

// scene is a cue with everything that bears on it.
type scene struct {
	means
	backdrop backdrop
	occasion occasion
	vector   []float32 // of the cue's text; nil without an encoder
	numbers  []int64   // of the memories that may come back
	rivals   []rival
	verdicts []Silence
}

// judge decides on one snapshot, and once more when several memories stand, since
// those that say nearly the same inhibit each other.
func (s *Service) judge(ctx context.Context, c *scene) error {
	if len(c.numbers) == 0 {
		return nil
	}
	err := s.store.View(ctx, func(r Reader) error { return c.load(ctx, r) })
	if err != nil {
		return err
	}
	c.occasion.alike = sameText
	c.decide()
	standing := c.standing()
	if len(standing) < 2 {
		return nil
	}
	c.occasion.alike, err = s.likeness(ctx, standing)
	return err
}

// rivalsMost is how many of the strongest memories are compared with each other:
// twice as many as can come back.
const rivalsMost = 2 * mostAtOnce

// standing are the strongest memories that only each other and the day's budget
// can still stop.
func (c *scene) standing() []Memory {
	var at []int
	for i, v := range c.verdicts {
		if v.Fires || v.Gate == GateCompetition || v.Gate == GateDailyBudget {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(c.verdicts[j].Score, c.verdicts[i].Score) })
	out := make([]Memory, 0, rivalsMost)
	for _, i := range at[:min(len(at), rivalsMost)] {
		out = append(out, c.rivals[i].memory)
	}
	return out
}

func sameText(a, b Memory) bool { return a.Content == b.Content }

// load reads what a snapshot knows of the memories that may come back.
func (c *scene) load(ctx context.Context, r Reader) error {
	memories, err := r.Numbered(ctx, c.numbers)
	if err != nil {
		return err
	}
	ids := make([]ID, len(memories))
	for i, m := range memories {
		ids[i] = m.ID
	}
	firings, err := r.Firings(ctx, ids)
	if err != nil {
		return err
	}
	labels, err := r.Labels(ctx, ids)
	if err != nil {
		return err
	}
	at := c.backdrop.cue.at
	if c.occasion.fired, err = r.FiredBetween(ctx, at.Add(-budgetWindow), at); err != nil {
		return err
	}
	c.rivals = make([]rival, len(memories))
	for i, m := range memories {
		c.rivals[i] = rival{memory: m, labels: labels[m.ID], firings: firingsOf(firings, m.ID)}
		if c.backdrop.words != nil {
			c.rivals[i].words = wordsOf(m)
		}
	}
	return nil
}

func firingsOf(all []Recollection, id ID) []Recollection {
	var out []Recollection
	for _, f := range all {
		if f.MemoryID == id {
			out = append(out, f)
		}
	}
	return out
}

func (c *scene) decide() {
	c.backdrop.shareWords(c.rivals)
	c.verdicts = decide(&c.backdrop, c.occasion, c.rivals)
}

func (c *scene) fires() bool {
	return slices.ContainsFunc(c.verdicts, func(v Silence) bool { return v.Fires })
}

// fire decides again as the only writer, on fresh history, and records what came
// back together with what was heard. Without a firing nothing is written here.
func (s *Service) fire(ctx context.Context, c *scene, now time.Time) (rows []RecollectionRow, err error) {
	if !c.fires() {
		s.note(c)
		return nil, nil
	}
	var heard Plan
	err = s.store.Update(ctx, func(tx Tx) error {
		rows = nil
		if err := c.load(ctx, tx); err != nil {
			return err
		}
		if c.occasion.visit, err = s.lastVisit(ctx, tx, c.backdrop.cue.source); err != nil {
			return err
		}
		c.decide()
		waiting, err := tx.Pending(ctx, 0)
		if err != nil {
			return err
		}
		fired, plan := enqueue(waiting, s.firings(c, now), s.sense.queueMax(), now)
		heard = s.hearing(c)
		plan.Join(heard)
		if err := tx.Apply(ctx, plan); err != nil {
			return err
		}
		rows, err = firedRows(ctx, tx, fired)
		return err
	})
	s.senses.keep(heard, err)
	if err != nil {
		s.senses.unnote(c)
		return nil, err
	}
	return rows, nil
}

// firings are the recollections of what fires, the strongest first.
func (s *Service) firings(c *scene, now time.Time) []Recollection {
	var out []Recollection
	for i, v := range c.verdicts {
		if v.Fires {
			out = append(out, Recollection{ID: s.newID(), MemoryID: c.rivals[i].memory.ID, Score: v.Score, Channels: v.Channels, Via: v.Via,
				At: c.backdrop.cue.at, Source: c.backdrop.cue.source, FiredAt: now, Queued: true})
		}
	}
	slices.SortStableFunc(out, func(a, b Recollection) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// firedRows reads what was stored, with its place in the queue.
func firedRows(ctx context.Context, r Reader, fired []Recollection) ([]RecollectionRow, error) {
	stored := make([]Recollection, len(fired))
	for i, f := range fired {
		row, err := r.Recollection(ctx, f.ID)
		if err != nil {
			return nil, err
		}
		stored[i] = *row
	}
	rows, _, err := recollectionRows(ctx, r, stored)
	return rows, err
}
