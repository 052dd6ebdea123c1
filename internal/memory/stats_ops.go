package memory

import "context"

// Stats are counts and sizes without content.
type Stats struct {
	Store   StoreStats
	Index   IndexStats
	Encoder *Backend // nil without an encoder
}

// Stats counts what is stored. It loads no encoder and writes nothing.
func (s *Service) Stats(ctx context.Context) (Stats, error) {
	if err := s.index.CatchUp(ctx); err != nil {
		return Stats{}, err
	}
	stored, err := s.store.Stats(ctx, s.encoder.Identity())
	if err != nil {
		return Stats{}, err
	}
	return Stats{Store: stored, Index: s.index.Stats(ctx), Encoder: s.encoder.Describe()}, nil
}

// Check reads everything in the store and reports what does not fit together.
func (s *Service) Check(ctx context.Context) ([]Fault, error) { return s.store.Check(ctx) }
