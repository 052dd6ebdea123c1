package memory

import "context"

// ExplainSilence says why a memory would or would not come back for a cue. It
// writes nothing, and the cue is not remembered.
func (s *Service) ExplainSilence(ctx context.Context, id ID, in SenseInput) (Silence, []string, error) {
	p, err := s.perceive(ctx, in, s.now())
	if err != nil {
		return Silence{}, nil, err
	}
	visit, err := s.familiarise(ctx, p)
	if err != nil {
		return Silence{}, nil, err
	}
	c, err := s.scene(ctx, p, means{wordsOnly: in.WordsOnly, readOnly: true})
	if err != nil {
		return Silence{}, nil, err
	}
	c.occasion.visit = visit
	var asked *Memory
	err = s.store.View(ctx, func(r Reader) error {
		asked, err = r.Memory(ctx, id)
		return err
	})
	if err != nil {
		return Silence{}, nil, err
	}
	if asked == nil {
		return Silence{}, nil, NotFound("memory", id)
	}
	c.add(asked.Number)
	if err := s.judge(ctx, c); err != nil {
		return Silence{}, nil, err
	}
	c.decide()
	for i, r := range c.rivals {
		if r.memory.ID == id {
			return c.verdicts[i], p.warnings, nil
		}
	}
	return Silence{}, nil, NotFound("memory", id)
}

// LastSilence says what a memory's firing history says of it without a cue.
func (s *Service) LastSilence(ctx context.Context, id ID) (out Silence, err error) {
	now := s.now().In(s.zone)
	err = s.store.View(ctx, func(r Reader) error {
		m, err := r.Memory(ctx, id)
		if err != nil {
			return err
		}
		if m == nil {
			return NotFound("memory", id)
		}
		c := scene{numbers: []int64{m.Number}, backdrop: backdrop{cue: perception{at: now}}, occasion: occasion{settings: s.sense}}
		if err := c.load(ctx, r); err != nil {
			return err
		}
		c.occasion.alike = sameText
		c.decide()
		out = c.verdicts[0]
		return nil
	})
	return out, err
}
