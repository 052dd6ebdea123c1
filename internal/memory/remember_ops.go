package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ItemError is what was wrong with one item of a batch.
type ItemError struct {
	Index int // from 0
	Err   *Error
}

// BatchError reports a batch of which nothing was stored.
type BatchError struct {
	Items []ItemError
	Total int
}

// Error implements error.
func (b *BatchError) Error() string {
	return fmt.Sprintf("nothing was stored: %d of %d items were refused", len(b.Items), b.Total)
}

// Unwrap gives the error of the first item.
func (b *BatchError) Unwrap() error { return b.Items[0].Err }

// Remember stores a capture. It is durable when the call returns. With an
// encoder that is ready the memory is embedded at once, else behind.
func (s *Service) Remember(ctx context.Context, in RememberInput) (Remembered, error) {
	similar := func() []ID { return nil }
	out, err := s.rememberAll(ctx, []RememberInput{in}, func(made []encoded) {
		similar = meanwhile(func() []ID { return s.nearest(ctx, made[0].windows) })
	})
	near := similar()
	if err != nil {
		var batch *BatchError
		if errors.As(err, &batch) {
			return Remembered{}, batch.Items[0].Err
		}
		return Remembered{}, err
	}
	if !out[0].Repeated {
		out[0].Similar = others(near, out[0].Memory.ID)
	}
	return out[0], nil
}

// RememberMany stores captures in one transaction, all or nothing. Refused
// items come back as a *BatchError, each with its index.
func (s *Service) RememberMany(ctx context.Context, items []RememberInput) ([]Remembered, error) {
	return s.rememberAll(ctx, items, func([]encoded) {})
}

// rememberAll is RememberMany; encoded hears of the vectors before they are written.
func (s *Service) rememberAll(ctx context.Context, items []RememberInput, encoded func([]encoded)) ([]Remembered, error) {
	if err := checkBatch(items); err != nil {
		return nil, err
	}
	now := s.now()
	batch, err := s.takeIn(ctx, items)
	if err != nil {
		return nil, err
	}
	made, err := s.embed(ctx, batch, now)
	if err != nil {
		return nil, err
	}
	encoded(made)
	var done captured
	err = s.store.Update(ctx, func(tx Tx) error {
		done, err = s.capture(ctx, tx, batch, made, now)
		if err == nil && done.refused != nil {
			err = &BatchError{Items: done.named(items), Total: len(items)}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	s.follow(ctx)
	s.leaveBehind(done)
	return done.stored, nil
}

// captured is what became of the items of a batch.
type captured struct {
	stored  []Remembered // in their order; the zero value for one that was refused
	refused []ItemError
	retold  bool // turns that were here before need other vectors
}

// named gives the refused items of a batch that is not stored. One whose place in a
// session an earlier item took is told that item, not a memory that will not be.
func (c captured) named(items []RememberInput) []ItemError {
	taken := map[SessionPlace]int{}
	for i, s := range c.stored {
		if m := s.Memory; m.Number != 0 && !s.Repeated && m.SessionID != nil && m.SessionPosition != nil {
			taken[SessionPlace{*m.SessionID, *m.SessionPosition}] = i
		}
	}
	out := slices.Clone(c.refused)
	for i, r := range out {
		in := items[r.Index]
		if r.Err.Code != CodeConflict || in.SessionID == nil || in.SessionPosition == nil {
			continue
		}
		if earlier, ok := taken[SessionPlace{*in.SessionID, *in.SessionPosition}]; ok {
			out[i].Err = positionTwice(*in.SessionID, *in.SessionPosition, earlier)
		}
	}
	return out
}

// leaveBehind says so when a memory still needs its vector, or another one does
// because of it.
func (s *Service) leaveBehind(done captured) {
	if done.retold || slices.ContainsFunc(done.stored, func(m Remembered) bool { return m.Memory.Number != 0 && !m.Memory.Embedded() }) {
		s.behind()
	}
}

// Import stores captures in one transaction and leaves the refused ones out.
// Vectors are made behind, so that it is quick.
func (s *Service) Import(ctx context.Context, items []RememberInput) ([]Remembered, []ItemError, error) {
	if err := checkBatch(items); err != nil {
		return nil, nil, err
	}
	batch, err := s.takeIn(ctx, items)
	if err != nil {
		return nil, nil, err
	}
	var done captured
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		done, err = s.capture(ctx, tx, batch, make([]encoded, len(items)), s.now())
		return err
	})
	if err == nil {
		s.leaveBehind(done)
	}
	return done.stored, done.refused, err
}

// prepared is a capture whose signals were taken in, or what was wrong with them.
type prepared struct {
	in   RememberInput
	with perceivedWith
	err  error
}

// takeIn reduces pictures and sounds before anything is locked.
func (s *Service) takeIn(ctx context.Context, items []RememberInput) ([]prepared, error) {
	batch := make([]prepared, len(items))
	for i, in := range items {
		p := prepared{in: in}
		if in.Refused != nil {
			p.err = in.Refused
			batch[i] = p
			continue
		}
		var seen []Percept
		if in.Signals.media() {
			seen, p.err = s.reduce(ctx, in.Signals)
		}
		if p.err == nil {
			p.in, p.with, p.err = in.withSignals(seen)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		batch[i] = p
	}
	return batch, nil
}

func checkBatch(items []RememberInput) error {
	if len(items) == 0 {
		return Invalid("items", "Pass at least one item, each with content.", "items is required and cannot be empty")
	}
	if len(items) > MaxBatch {
		return Limit("items", "Send several batches.", "items has %d entries; one call stores at most %d", len(items), MaxBatch)
	}
	return nil
}

// embed makes the vectors of captures, nil for one that cannot be had now.
// No transaction is open while it works.
func (s *Service) embed(ctx context.Context, items []prepared, now time.Time) ([]encoded, error) {
	captures := make([]*Memory, len(items))
	for i, item := range items {
		in, _, err := item.in.KeepSecrets(s.secrets)
		if err != nil {
			continue
		}
		m, _, _, err := Capture(in, RememberFacts{Zone: s.zone}, "", now)
		if err != nil {
			continue // the guards report it with the store's facts at hand
		}
		captures[i] = &m
	}
	lines, err := s.linesOf(ctx, captures)
	if err != nil {
		return nil, err
	}
	made := make([]encoded, len(items))
	for i, line := range lines {
		if captures[i] == nil {
			continue
		}
		made[i].line = line
		if made[i].windows, err = s.encodeNow(ctx, line); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// encodeNow makes the vectors of a line that is about to be stored, nil when
// they are better made behind: the encoder is not ready or refuses the text, or
// the text is so long that the caller would wait for it.
func (s *Service) encodeNow(ctx context.Context, line string) ([][]float32, error) {
	if len(line) > EmbedAtOnceBytes {
		return nil, nil
	}
	patience, cancel := context.WithTimeout(ctx, WriteEncoderPatience)
	defer cancel()
	if !s.encoder.Wait(patience).Ready {
		return nil, ctx.Err()
	}
	windows, err := s.encoder.Passage(ctx, line)
	if err != nil && ctx.Err() == nil {
		s.log.Warn("memory stored without a vector; it is made behind", "err", err)
		return nil, nil
	}
	return windows, err
}

// capture stores items inside a transaction and gives those refused apart.
func (s *Service) capture(ctx context.Context, tx Tx, items []prepared, made []encoded, now time.Time) (captured, error) {
	out := captured{stored: make([]Remembered, len(items))}
	for i, item := range items {
		stored, retold, err := s.captureOne(ctx, tx, item, made[i], now)
		var refusal *Error
		switch {
		case err == nil:
			out.stored[i], out.retold = stored, out.retold || retold
		case errors.As(err, &refusal) && refusal.Code != CodeUnavailable && refusal.Code != CodeCorrupt && refusal.Code != CodeInternal:
			out.refused = append(out.refused, ItemError{i, refusal})
		default:
			return captured{}, err
		}
	}
	return out, nil
}

func (s *Service) captureOne(ctx context.Context, tx Tx, item prepared, made encoded, now time.Time) (out Remembered, retold bool, err error) {
	in := item.in
	if in.IdempotencyKey != nil {
		first, err := tx.ByIdempotencyKey(ctx, *in.IdempotencyKey)
		if err != nil {
			return Remembered{}, false, err
		}
		if first != nil {
			return Remembered{Memory: *first, Repeated: true}, false, nil
		}
	}
	if item.err != nil {
		return Remembered{}, false, item.err
	}
	in, secrets, err := in.KeepSecrets(s.secrets)
	if err != nil {
		return Remembered{}, false, err
	}
	facts := RememberFacts{Zone: s.zone}
	if in.SessionID != nil && in.SessionPosition != nil {
		holder, err := tx.AtPosition(ctx, *in.SessionID, *in.SessionPosition)
		if err != nil {
			return Remembered{}, false, err
		}
		facts.AtPosition = holder
	}
	facts.By = ActorOf(ctx)
	m, plan, warnings, err := Capture(in, facts, s.newID(), now)
	if err != nil {
		return Remembered{}, false, err
	}
	plan.Write(item.with.changes(m.ID)...)
	if retold, err = s.apply(ctx, tx, plan); err != nil {
		return Remembered{}, false, err
	}
	if m, err = readBack(ctx, tx, m.ID); err == nil {
		m, err = s.enter(ctx, tx, m, made)
	}
	return Remembered{Memory: m, Warnings: slices.Concat(secrets, item.with.warnings, warnings)}, retold, err
}

// readBack reads a memory that was just written.
func readBack(ctx context.Context, r Reader, id ID) (Memory, error) {
	m, err := r.Memory(ctx, id)
	if err != nil {
		return Memory{}, err
	}
	if m == nil {
		return Memory{}, errors.New("memory: a row that was just written is not there")
	}
	return *m, nil
}

// follow brings the index behind a commit. A failure loses nothing: the next
// search catches up.
func (s *Service) follow(ctx context.Context) {
	if err := s.index.CatchUp(ctx); err != nil {
		s.log.Warn("index not caught up; the next search does it", "err", err)
	}
}

// nearest gives memories that say nearly the same as one that is being written, its
// own id perhaps among them: nothing keeps the index from hearing of it.
func (s *Service) nearest(ctx context.Context, windows [][]float32) []ID {
	if len(windows) == 0 {
		return nil
	}
	ids, err := s.nearestTo(ctx, windows[0])
	if err != nil {
		s.log.Warn("similar memories not looked up", "err", err)
	}
	return ids
}

// meanwhile does something beside its caller, who waits for the result later.
func meanwhile[T any](do func() T) (wait func() T) {
	came := make(chan T, 1)
	go func() { came <- do() }()
	return func() T { return <-came }
}

// others leaves the memory itself out of what is similar to it.
func others(near []ID, own ID) []ID {
	near = slices.DeleteFunc(near, func(id ID) bool { return id == own })
	return near[:min(SimilarMost, len(near))]
}

func (s *Service) nearestTo(ctx context.Context, vector []float32) ([]ID, error) {
	if err := s.index.CatchUp(ctx); err != nil {
		return nil, err
	}
	found, err := s.index.Search(ctx, IndexQuery{Question: vector, PerLane: SimilarMost + 1, Alike: true})
	if err != nil {
		return nil, err
	}
	rows := ranking{mode: ModeSemantic, asked: true}.rank(found.Candidates)
	var numbers []int64
	for _, row := range rows[:min(SimilarMost+1, len(rows))] {
		if row.c >= SimilarLeast {
			numbers = append(numbers, row.Number)
		}
	}
	if numbers == nil {
		return nil, nil
	}
	var ids []ID
	err = s.store.View(ctx, func(r Reader) error {
		memories, err := r.Numbered(ctx, numbers)
		for _, m := range memories {
			ids = append(ids, m.ID)
		}
		return err
	})
	return ids, err
}
