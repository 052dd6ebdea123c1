package memory

import "context"

// turnLine is the TurnLine of a memory as its session stands.
func turnLine(ctx context.Context, r Reader, m Memory) (string, error) {
	if !m.needsContext() {
		return TurnLine(m, nil), nil
	}
	before, _, err := r.Beside(ctx, m)
	return TurnLine(m, before), err
}

// encoded are the vectors of a line, made before the writer was taken; nil when they
// are better made behind.
type encoded struct {
	line    string
	windows [][]float32
}

// linesOf gives the lines that captures will have: what was said before may be in the
// store or among them.
func (s *Service) linesOf(ctx context.Context, captures []*Memory) ([]string, error) {
	lines := make([]string, len(captures))
	inSession := false
	for i, m := range captures {
		if m != nil {
			lines[i] = TurnLine(*m, nil)
			inSession = inSession || m.needsContext()
		}
	}
	if !inSession {
		return lines, nil
	}
	return lines, s.store.View(ctx, func(r Reader) error {
		for i, m := range captures {
			if m == nil || !m.needsContext() {
				continue
			}
			before, _, err := r.Beside(ctx, *m)
			if err != nil {
				return err
			}
			for _, other := range captures[:i] {
				before = nearerTurn(*m, before, other)
			}
			lines[i] = TurnLine(*m, before)
		}
		return nil
	})
}

// nearerTurn is other if it comes before m and nearer to it than before does, else
// before. other was captured with m and ahead of it.
func nearerTurn(m Memory, before, other *Memory) *Memory {
	if other == nil || other.SessionID == nil || *other.SessionID != *m.SessionID || (other.SessionPosition == nil) != (m.SessionPosition == nil) {
		return before
	}
	if p := m.SessionPosition; p != nil && (*other.SessionPosition >= *p || before != nil && *before.SessionPosition > *other.SessionPosition) {
		return before
	}
	return other
}

// enter gives a memory that was just stored the vectors made ahead, unless its line
// is another by now.
func (s *Service) enter(ctx context.Context, tx Tx, m Memory, made encoded) (Memory, error) {
	if made.windows == nil {
		return m, nil
	}
	line, err := turnLine(ctx, tx, m)
	if err != nil || line != made.line {
		return m, err
	}
	if err := tx.Apply(ctx, Plan{Changes: []Change{PutVectors{Number: m.Number, Identity: s.lines(), Windows: made.windows}}}); err != nil {
		return Memory{}, err
	}
	return readBack(ctx, tx, m.ID)
}

// told is a turn with its line before something changed.
type told struct {
	id   ID
	line string
}

// toldAfter finds the turns whose lines a plan may change: those that stand after
// memories which it stores, erases, hides, shows or moves.
func toldAfter(ctx context.Context, r Reader, p Plan) (out []told, err error) {
	for _, c := range p.Changes {
		var was, will *Memory
		switch change := c.(type) {
		case EraseMemory:
			was, err = r.Memory(ctx, change.MemoryID)
		case PutMemory:
			will = &change.Memory
			if will.Number != 0 {
				was, err = r.Memory(ctx, will.ID)
			}
			if was != nil && sameTurn(*was, *will) {
				was, will = nil, nil
			}
		}
		for _, m := range []*Memory{was, will} {
			if err == nil && m != nil {
				out, err = noteAfter(ctx, r, *m, out)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// noteAfter takes down the turn that stands after m, or would.
func noteAfter(ctx context.Context, r Reader, m Memory, out []told) ([]told, error) {
	if m.SessionID == nil {
		return out, nil
	}
	_, after, err := r.Beside(ctx, m)
	if err != nil || after == nil || !after.needsContext() {
		return out, err
	}
	line, err := turnLine(ctx, r, *after)
	return append(out, told{after.ID, line}), err
}

// retell takes away what every encoder made of the turns whose lines have changed; it
// is made again behind.
func (s *Service) retell(ctx context.Context, tx Tx, turns []told) (retold bool, err error) {
	for _, t := range turns {
		m, err := tx.Memory(ctx, t.id)
		if err != nil {
			return retold, err
		}
		if m == nil {
			continue
		}
		now, err := turnLine(ctx, tx, *m)
		if err != nil {
			return retold, err
		}
		if now == t.line {
			continue
		}
		retold = true
		if err := tx.Apply(ctx, Plan{Changes: []Change{PutVectors{Number: m.Number, Identity: s.lines(), Reworded: true}}}); err != nil {
			return retold, err
		}
	}
	return retold, nil
}

// lines is the identity of the vectors of lines.
func (s *Service) lines() string { return LineIdentity(s.encoder.Identity()) }

// sameTurn says whether two states of a memory stand at the same place of the same
// session and say the same.
func sameTurn(a, b Memory) bool {
	return same(a.SessionID, b.SessionID) && same(a.SessionPosition, b.SessionPosition) &&
		a.Forgotten() == b.Forgotten() && a.Content == b.Content
}

func same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
