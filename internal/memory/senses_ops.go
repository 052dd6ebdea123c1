package memory

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"combray/internal/sense"
)

// What is heard is stored at once where cues are rare and in batches where they are
// many, so that a thousand cues a second cost no thousand commits: a process that is
// killed loses a moment's familiarity and no memory.
const (
	heardBatch = 256
	heardDelay = time.Second
)

// senses is what a process remembers of the cues it took: familiarity, as the
// store has it and as it will have it after the next flush.
type senses struct {
	mu      sync.Mutex
	known   *familiarity
	unsaved []Heard
	visits  map[string]Visit // by source, not yet stored
	flushed time.Time        // when something was last stored
	pruned  int              // day of the last pruning
}

// familiarise takes in what other processes heard, and gives the source's last
// cue.
func (s *Service) familiarise(ctx context.Context, p perception) (visit *Visit, err error) {
	x := &s.senses
	x.mu.Lock()
	defer x.mu.Unlock()
	err = s.store.View(ctx, func(r Reader) error {
		if s.sense.Unfamiliar {
			x.known = newFamiliarity(0)
		} else if err := x.catchUp(ctx, r, s.cues.Identity()); err != nil {
			return err
		}
		visit, err = x.visit(ctx, r, p.source)
		return err
	})
	return visit, err
}

func (x *senses) catchUp(ctx context.Context, r Reader, identity string) error {
	const everything = -1 << 31 // pruning keeps the table short
	after := int64(0)
	if x.known != nil {
		after = x.known.row
	}
	rows, epoch, err := r.Heard(ctx, after, everything, identity)
	if err != nil {
		return err
	}
	if x.known == nil || x.known.epoch != epoch {
		if after > 0 {
			if rows, _, err = r.Heard(ctx, 0, everything, identity); err != nil {
				return err
			}
		}
		x.known = newFamiliarity(epoch)
		for _, h := range x.unsaved {
			x.known.take(h)
		}
	}
	for _, h := range rows {
		x.known.take(h)
	}
	return nil
}

// visit gives the last cue of a source: the one that is not stored yet, else the
// stored one; x.mu is held.
func (x *senses) visit(ctx context.Context, r Reader, source string) (*Visit, error) {
	if own, here := x.visits[source]; here {
		return &own, nil
	}
	return r.Visit(ctx, source)
}

// lastVisit gives the source's last cue, of this process or another.
func (s *Service) lastVisit(ctx context.Context, r Reader, source string) (*Visit, error) {
	s.senses.mu.Lock()
	defer s.senses.mu.Unlock()
	return s.senses.visit(ctx, r, source)
}

// surroundings says how usual place, hour and body are.
func (x *senses) surroundings(b *backdrop) {
	x.mu.Lock()
	defer x.mu.Unlock()
	b.place, b.slot = 1, 1
	if here := b.cue.place; here != nil {
		today := sense.Day(b.cue.at)
		cells := sense.CellAndNeighbours(here.Lat, here.Lon)
		days := x.known.placeDays(cells, today)
		b.familiar = days > 0 && !b.without.has(PartSlot)
		b.place = b.without.or(PartPlaceRarity, x.known.rarity(float64(days), today), 1)
		b.slot = x.known.slotRarity(cells, today, sense.HourOf(b.cue.at), b.without)
	}
	if b.cue.body != nil {
		b.usualBody = sense.BodyNormOf(x.known.bodies())
	}
}

// rarities says how rarely the cue's words were heard.
func (x *senses) rarities(b *backdrop) {
	x.mu.Lock()
	defer x.mu.Unlock()
	today := sense.Day(b.cue.at)
	for i, w := range b.words {
		b.words[i].rarity = x.known.rarity(float64(x.known.wordDays(keyOf(w.term), today)), today)
	}
}

func (x *senses) rarity(days float64, today int) float64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.known.rarity(days, today)
}

func (x *senses) earlierTexts(today int) []heardText {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.known.earlierTexts(today)
}

// note keeps what a cue adds to what is familiar until the next flush.
func (s *Service) note(c *scene) {
	x := &s.senses
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.visits == nil {
		x.visits = map[string]Visit{}
	}
	x.visits[c.backdrop.cue.source] = c.backdrop.cue.visit(c.occasion.visit)
	if s.sense.Unfamiliar {
		return
	}
	for _, h := range c.heard(s.cues.Identity()) {
		if !x.known.knows(h) {
			x.known.take(h)
			x.unsaved = append(x.unsaved, h)
		}
	}
}

// unnote takes back the visit of a cue that could not be answered, so that the same
// cue again is no repeat (TestACueThatFailedIsNoRepeat).
func (x *senses) unnote(c *scene) {
	x.mu.Lock()
	defer x.mu.Unlock()
	source, before := c.backdrop.cue.source, c.occasion.visit
	if x.visits[source] != c.backdrop.cue.visit(before) {
		return
	}
	delete(x.visits, source)
	if before != nil {
		x.visits[source] = *before
	}
}

func (c *scene) heard(identity string) []Heard {
	words := make([]string, len(c.backdrop.words))
	for i, w := range c.backdrop.words {
		words[i] = w.term
	}
	return c.backdrop.cue.heard(words, c.vector, identity)
}

// hearing notes the cue and takes everything that is not yet stored. Like every
// other handing over it happens while nobody else writes, so that what was heard
// before a wipe is never stored after it.
func (s *Service) hearing(c *scene) Plan {
	s.note(c)
	return s.senses.handOver()
}

// handOver takes out what is unsaved, for a plan that keep ends. Visits stay until
// they are stored, because the next cue looks back on them.
func (x *senses) handOver() (p Plan) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.unsaved) > 0 {
		p.Write(PutHeard{x.unsaved})
		x.unsaved = nil
	}
	for _, source := range slices.Sorted(maps.Keys(x.visits)) {
		p.Write(PutVisit{x.visits[source]})
	}
	return p
}

// keep ends what handOver began: stored, or given back when that failed.
func (x *senses) keep(p Plan, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, change := range p.Changes {
		switch c := change.(type) {
		case PutHeard:
			if err != nil {
				x.unsaved = append(c.Rows, x.unsaved...)
			}
		case PutVisit:
			if err == nil && x.visits[c.Visit.Source] == c.Visit {
				delete(x.visits, c.Visit.Source)
			}
		case ForgetHeard:
			if err == nil && x.known != nil {
				x.known.forget(c.Before)
			}
		}
	}
}

// FlushHeard stores what was perceived and is not yet stored. A server calls it
// now and then, and before it closes.
func (s *Service) FlushHeard(ctx context.Context) error { return s.flushHeard(ctx, true) }

func (s *Service) flushHeard(ctx context.Context, all bool) error {
	x := &s.senses
	if !x.due(s.clock(), all) {
		return nil
	}
	var p Plan
	err := s.store.Update(ctx, func(tx Tx) error {
		p = x.handOver()
		p.Join(s.prune(p))
		return tx.Apply(ctx, p)
	})
	x.keep(p, err)
	return err
}

// due says whether what is unsaved is stored now, by this caller alone.
func (x *senses) due(now time.Time, all bool) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	due := len(x.unsaved)+len(x.visits) > 0 && (all || len(x.unsaved) >= heardBatch || now.Sub(x.flushed) >= heardDelay)
	if due {
		x.flushed = now
	}
	return due
}

// prune removes, once a day, what no later cue looks back on.
func (s *Service) prune(p Plan) (out Plan) {
	today := sense.Day(s.clock().In(s.zone))
	newest := 0
	for _, change := range p.Changes {
		switch c := change.(type) {
		case PutHeard:
			for _, h := range c.Rows {
				newest = max(newest, h.Day)
			}
		case PutVisit: // alone where no history is kept
			newest = max(newest, sense.Day(c.Visit.At))
		}
	}
	day := min(today, newest)
	s.senses.mu.Lock()
	defer s.senses.mu.Unlock()
	if newest == 0 || day <= s.senses.pruned {
		return out
	}
	s.senses.pruned = day
	out.Write(ForgetHeard{Before: day - FamiliarDays})
	return out
}

// WipeHeard forgets everything that was perceived: what is usual starts anew.
// Memories and what came back stay.
func (s *Service) WipeHeard(ctx context.Context) error {
	err := s.store.Update(ctx, func(tx Tx) error {
		s.senses.startAnew()
		return tx.Apply(ctx, Plan{Changes: []Change{WipeHeard{}}})
	})
	if err != nil {
		return err
	}
	return s.scrub(ctx, "what was perceived is wiped")
}

// startAnew drops all that was heard. A cue that is under way goes on with nothing
// familiar (TestWipingWhileCuesComeIn); the next one reads what the store has.
func (x *senses) startAnew() {
	const unread = -1 // no store has this epoch
	x.mu.Lock()
	defer x.mu.Unlock()
	x.known, x.unsaved, x.visits = newFamiliarity(unread), nil, nil
}
