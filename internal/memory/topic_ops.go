package memory

import (
	"context"
	"slices"

	"combray/internal/sense"
)

// topicLane finds the memory whose text is nearest to the cue's, and how much it
// stands out.
func (s *Service) topicLane(ctx context.Context, c *scene, numbers map[int64]bool) error {
	waiting, cancel := context.WithTimeout(ctx, EncoderPatience)
	defer cancel()
	if s.cues.Identity() == "" || !s.encoder.Wait(waiting).Ready {
		return ctx.Err()
	}
	vector, err := s.encoder.Symmetric(ctx, c.backdrop.cue.text)
	if err != nil {
		s.log.Warn("a cue could not be encoded; its words are used", "err", err)
		return ctx.Err()
	}
	c.vector = vector
	if !c.readOnly {
		if _, err := s.fillCues(ctx, cuesAtOnce); err != nil {
			return err
		}
	}
	survey, err := s.cues.Survey(ctx, vector)
	if err != nil {
		return err
	}
	all, err := s.cues.Count(ctx, IndexFilter{})
	if err != nil || len(survey.Best) == 0 || survey.Memories < all.Memories/2 { // most vectors are still being made: the words know more
		return err
	}
	b := &c.backdrop
	b.nearest = map[int64]bool{}
	best, err := s.twins(ctx, b, survey)
	if err != nil {
		return err
	}
	for n := range b.nearest {
		numbers[n] = true
	}
	return s.topic(ctx, c, survey, best)
}

// twins takes the best memory and those that hold the very same text, and gives the
// best.
func (s *Service) twins(ctx context.Context, b *backdrop, survey Survey) (best Memory, err error) {
	numbers := make([]int64, len(survey.Best))
	for i, near := range survey.Best {
		numbers[i] = near.Number
	}
	err = s.store.View(ctx, func(r Reader) error {
		memories, err := r.Numbered(ctx, numbers)
		for _, m := range memories {
			if sameText(m, memories[0]) || b.without.has(PartNearest) {
				b.nearest[m.Number] = true
			}
		}
		if len(memories) > 0 {
			best = memories[0]
		}
		return err
	})
	return best, err
}

// topic measures how far cue and memory stand out for each other, and how rare the
// matter is: among earlier cues, and among memories.
func (s *Service) topic(ctx context.Context, c *scene, survey Survey, best Memory) error {
	off := s.sense.Without
	today := sense.Day(c.backdrop.cue.at)
	cues, memories := alikeLeast(survey.Centred)
	texts := s.senses.earlierTexts(today)
	days, err := s.topicDays(ctx, c.vector, texts, cues)
	if err != nil {
		return err
	}
	vector, err := s.nearestWindow(ctx, best.Number, c.vector)
	if err != nil {
		return err
	}
	others, err := s.alikeMemories(ctx, best.Number, vector, memories)
	if err != nil {
		return err
	}
	words, err := s.ownWords(ctx, best)
	if err != nil {
		return err
	}
	heard, err := s.compareHeard(ctx, vector, texts)
	if err != nil {
		return err
	}
	slices.Sort(heard) // so that the same history gives the same sums
	c.backdrop.topic = off.or(PartTopicRarity, s.senses.rarity(float64(days), today), 1) * off.or(PartFan, rarityOf(float64(others)), 1)
	c.backdrop.nearness = logistic(standsOut(survey, off) + topicShift + off.or(PartTerse, terse(words), 0))
	if !off.has(PartHeard) {
		back := standsOutAmongHeard(survey.Best[0].Scores.Meaning, heard, survey.Centred, off)
		c.backdrop.nearness = min(c.backdrop.nearness, logistic(back+heardShift))
	}
	return nil
}

// topicDays counts the earlier days on which somebody spoke of the matter.
func (s *Service) topicDays(ctx context.Context, vector []float32, texts []heardText, least float64) (int, error) {
	alike, err := s.compareHeard(ctx, vector, texts)
	days := map[int]bool{}
	for i, c := range alike {
		for _, day := range texts[i].days {
			if c >= least {
				days[day] = true
			}
		}
	}
	return len(days), err
}

// compareHeard gives C between a vector and each text that was heard.
func (s *Service) compareHeard(ctx context.Context, vector []float32, texts []heardText) ([]float64, error) {
	if len(texts) == 0 || vector == nil {
		return nil, nil
	}
	vectors := make([][]float32, len(texts))
	for i, t := range texts {
		vectors[i] = t.vector
	}
	return s.cues.Compare(ctx, vector, vectors)
}

// nearestWindow gives the vector of a memory that is nearest to a cue's; nil without
// any.
func (s *Service) nearestWindow(ctx context.Context, number int64, cue []float32) ([]float32, error) {
	vectors, err := s.store.Vectors(ctx, []int64{number}, s.cues.Identity())
	if err != nil || len(vectors[0]) == 0 {
		return nil, err
	}
	near, err := s.cues.Compare(ctx, cue, vectors[0])
	if err != nil {
		return nil, err
	}
	return vectors[0][slices.Index(near, slices.Max(near))], nil
}

// ownWords counts the words of a memory that few others hold.
func (s *Service) ownWords(ctx context.Context, m Memory) (float64, error) {
	n, held, _, err := s.cues.Statistics(ctx, CueTerms(m))
	return ownWords(n, held), err
}

// alikeMemories counts the other memories that speak of the same matter as one.
func (s *Service) alikeMemories(ctx context.Context, number int64, vector []float32, least float64) (int, error) {
	if vector == nil {
		return 0, nil
	}
	found, err := s.cues.Search(ctx, IndexQuery{Question: vector, PerLane: topicFan})
	if err != nil {
		return 0, err
	}
	numbers := make([]int64, 0, len(found.Candidates))
	for _, c := range found.Candidates {
		if c.Number != number {
			numbers = append(numbers, c.Number)
		}
	}
	meanings, err := s.cues.Meaning(ctx, numbers, vector)
	n := 0
	for _, m := range meanings {
		if m >= least {
			n++
		}
	}
	return n, err
}
