package memory

import "context"

// Stats are counts and sizes without content.
type Stats struct {
	Store   StoreStats
	Index   IndexStats
	Encoder *Backend       // nil without an encoder
	Change  *EncoderChange // nil while nothing changes
}

// EncoderChange is a change of the encoder that is under way. From answers until
// every memory has a vector of To.
type EncoderChange struct {
	From, To           string // names of models
	Embedded, Memories int    // of To: how many have its vectors, of how many
	Waits              string // what it waits for, a sentence; "" while vectors are being made
}

// Stats counts what is stored. It loads no encoder and writes nothing.
func (s *Service) Stats(ctx context.Context) (Stats, error) {
	if err := s.index.CatchUp(ctx); err != nil {
		return Stats{}, err
	}
	stored, err := s.store.Stats(ctx, s.lines())
	if err != nil {
		return Stats{}, err
	}
	change, err := s.change(ctx)
	if err != nil {
		return Stats{}, err
	}
	return Stats{Store: stored, Index: s.index.Stats(ctx), Encoder: s.encoder.Describe(), Change: change}, nil
}

// Check reads everything in the store and reports what does not fit together.
func (s *Service) Check(ctx context.Context) ([]Fault, error) { return s.store.Check(ctx) }
