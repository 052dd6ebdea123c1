package memory

import "context"

// encodeAhead encodes the line that a memory will have after an edit. Without an
// encoder that is ready, or without the memory, there are no windows; they are
// made behind.
func (s *Service) encodeAhead(ctx context.Context, id ID, edit func(*Memory)) (made encoded, err error) {
	if s.lines() == "" {
		return made, nil
	}
	before := ""
	err = s.store.View(ctx, func(r Reader) error {
		m, err := r.Memory(ctx, id)
		if err != nil || m == nil {
			return err
		}
		if before, err = turnLine(ctx, r, *m); err != nil {
			return err
		}
		edit(m)
		last, _, err := r.Beside(ctx, *m)
		if last != nil && last.ID == id { // it is forgotten, or moves away
			last = nil
		}
		made.line = TurnLine(*m, last)
		return err
	})
	if err != nil || made.line == before {
		return made, err
	}
	made.windows, err = s.encodeNow(ctx, made.line)
	return made, err
}

// reword reads a memory that was edited, and when its line is not the one it had
// before gives it the vectors encoded ahead, or none when it reads otherwise by now.
func (s *Service) reword(ctx context.Context, tx Tx, id ID, before string, made encoded) (Memory, error) {
	m, err := readBack(ctx, tx, id)
	if err != nil {
		return Memory{}, err
	}
	line, err := turnLine(ctx, tx, m)
	if err != nil || line == before {
		return m, err
	}
	if line != made.line {
		made.windows = nil
	}
	if err := tx.Apply(ctx, Plan{Changes: []Change{PutVectors{Number: m.Number, Identity: s.lines(), Windows: made.windows, Reworded: true}}}); err != nil {
		return Memory{}, err
	}
	return readBack(ctx, tx, id)
}
