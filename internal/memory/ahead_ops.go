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
	a := ahead{identity: s.encoder.Identity()}
	if a.identity == "" {
		return a, nil
	}
	var m *Memory
	err := s.store.View(ctx, func(r Reader) (err error) {
		m, err = r.Memory(ctx, id)
		return err
	})
	if err != nil || m == nil {
		return a, err
	}
	before := Line(*m)
	edit(m)
	if a.line = Line(*m); a.line == before {
		return a, nil
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
	line := Line(*m)
	if a.identity == "" || line == before {
		return *m, nil
	}
	windows := a.windows
	if line != a.line {
		windows = nil
	}
	if err := tx.Apply(ctx, Plan{Changes: []Change{PutVectors{Number: m.Number, Identity: a.identity, Windows: windows}}}); err != nil {
		return Memory{}, err
	}
	if m, err = tx.Memory(ctx, id); err != nil {
		return Memory{}, err
	}
	return *m, nil
}
