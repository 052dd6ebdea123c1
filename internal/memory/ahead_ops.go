package memory

import (
	"context"
	"errors"
)

// ahead is a line that was encoded before the writer was taken, so that nobody
// waits for the encoder.
type ahead struct {
	identity string // "": there is no encoder
	line     string
	windows  [][]float32
}

// encodeAhead encodes the line that a memory will have after an edit. Without an
// encoder that is ready, or without the memory, there are no windows; they are
// made behind.
func (s *Service) encodeAhead(ctx context.Context, id ID, edit func(*Memory)) (ahead, error) {
	a := ahead{identity: s.lines()}
	if a.identity == "" {
		return a, nil
	}
	before := ""
	err := s.store.View(ctx, func(r Reader) error {
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
		a.line = TurnLine(*m, last)
		return err
	})
	if err != nil || a.line == before {
		return a, err
	}
	a.windows, err = s.encodeNow(ctx, a.line)
	return a, err
}

// put gives a memory whose line is not what it was before the vectors encoded
// ahead, or none when it reads otherwise by now, and reads the memory. before is
// "" for a new memory.
func (a ahead) put(ctx context.Context, tx Tx, id ID, before string) (Memory, error) {
	m, err := tx.Memory(ctx, id)
	if err != nil {
		return Memory{}, err
	}
	if m == nil {
		return Memory{}, errors.New("memory: a row that was just written is not there")
	}
	line, err := turnLine(ctx, tx, *m)
	if err != nil {
		return Memory{}, err
	}
	if line == before || a.identity == "" && before == "" {
		return *m, nil
	}
	windows := a.windows
	if line != a.line {
		windows = nil
	}
	if err := tx.Apply(ctx, Plan{Changes: []Change{PutVectors{Number: m.Number, Identity: a.identity, Windows: windows, Reworded: before != ""}}}); err != nil {
		return Memory{}, err
	}
	if m, err = tx.Memory(ctx, id); err != nil {
		return Memory{}, err
	}
	return *m, nil
}
