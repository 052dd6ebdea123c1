package memory

import (
	"context"
	"maps"
	"slices"

	"combray/internal/lexical"
)

// How many memories each lane offers to the trigger. At most three come back; the
// lanes are wide so that a memory which one channel ranks low can still be joined
// by another.
const (
	placeLane  = budgetHard + mostAtOnce // those that a day brought back and that are silent now, and those that may come back
	wordLane   = 32
	topicFan   = FamiliarDays + 1 // more memories of one topic prove nothing: D is 0
	cuesAtOnce = 16               // missing cue vectors made before an answer; more are made behind
)

// means are what a cue may use.
type means struct {
	wordsOnly bool // no encoder
	readOnly  bool // not even the vectors that are missing are made
}

// scene holds a cue against the store: what is usual, what its text is nearest to,
// and which memories may come back.
func (s *Service) scene(ctx context.Context, p perception, with means) (*scene, error) {
	c := &scene{means: with, backdrop: backdrop{cue: p, channels: s.sense.Channels, without: s.sense.Without}, occasion: occasion{settings: s.sense}}
	b := &c.backdrop
	b.topic = 1
	s.senses.surroundings(b)
	if err := s.cues.CatchUp(ctx); err != nil {
		return nil, err
	}
	numbers := map[int64]bool{}
	for _, lane := range []func(context.Context, *scene, map[int64]bool) error{s.placeLane, s.wordLane, s.mediaLane} {
		if err := lane(ctx, c, numbers); err != nil {
			return nil, err
		}
	}
	if p.text != "" && b.on(ChannelText) && !with.wordsOnly {
		if err := s.topicLane(ctx, c, numbers); err != nil {
			return nil, err
		}
	}
	c.numbers = slices.Sorted(maps.Keys(numbers))
	return c, nil
}

// add offers one more memory to the trigger.
func (c *scene) add(number int64) {
	if at, there := slices.BinarySearch(c.numbers, number); !there {
		c.numbers = slices.Insert(c.numbers, at, number)
	}
}

// placeLane offers the memories near by that place and hour can bring back.
func (s *Service) placeLane(ctx context.Context, c *scene, numbers map[int64]bool) error {
	b := &c.backdrop
	here := b.cue.place
	if here == nil || !b.on(ChannelGeo) {
		return nil
	}
	least := s.sense.threshold() - salienceWeight*(1-DefaultSalience)
	reach := b.reach(least)
	if reach == 0 {
		return nil // a place as usual as this brings nothing back, however many memories lie here
	}
	return s.offer(ctx, numbers, IndexQuery{PerLane: placeLane, Filter: IndexFilter{Near: &Near{here.Lat, here.Lon, reach}},
		Cue: func(at Situation) float64 {
			if most := b.most(at); most >= least {
				return most
			}
			return 0
		}})
}

func (s *Service) offer(ctx context.Context, numbers map[int64]bool, q IndexQuery) error {
	found, err := s.cues.Search(ctx, q)
	for _, c := range found.Candidates {
		numbers[c.Number] = true
	}
	return err
}

// wordLane learns how rare the cue's words are and offers the memories that hold
// them.
func (s *Service) wordLane(ctx context.Context, c *scene, numbers map[int64]bool) error {
	b := &c.backdrop
	if b.cue.text == "" || !b.on(ChannelText) {
		return nil
	}
	var terms []string
	for _, w := range lexical.Words(b.cue.text) {
		terms = append(terms, w.Term)
		b.words = append(b.words, spokenWord{term: w.Term, name: w.Name})
	}
	if len(terms) == 0 {
		return nil
	}
	n, held, _, err := s.cues.Statistics(ctx, terms)
	if err != nil {
		return err
	}
	b.unknown = lexical.IDF(n, 0)
	for i := range b.words {
		b.words[i].idf = lexical.IDF(n, held[i])
	}
	s.senses.rarities(b)
	return s.offer(ctx, numbers, IndexQuery{Terms: terms, Content: true, PerLane: wordLane})
}

// wordsOf gives the words of a memory's text and tags, and whether each is a name
// there.
func wordsOf(m Memory) map[string]bool {
	words := map[string]bool{}
	for _, w := range lexical.Words(string(m.Content)) {
		words[w.Term] = words[w.Term] || w.Name
	}
	for _, tag := range m.Tags {
		for _, w := range lexical.Words(tag) {
			words[w.Term] = true
		}
	}
	return words
}

// likeness compares memories pairwise by their cue vectors.
func (s *Service) likeness(ctx context.Context, memories []Memory) (func(a, b Memory) bool, error) {
	if s.cues.Identity() == "" {
		return sameText, nil
	}
	numbers := make([]int64, len(memories))
	for i, m := range memories {
		numbers[i] = m.Number
	}
	vectors, err := s.store.Vectors(ctx, numbers, s.cues.Identity())
	if err != nil {
		return nil, err
	}
	type pair struct{ a, b int64 }
	alike := map[pair]bool{}
	for i, windows := range vectors {
		if len(windows) == 0 {
			continue
		}
		meanings, err := s.cues.Meaning(ctx, numbers, windows[0])
		if err != nil {
			return nil, err
		}
		for j, c := range meanings {
			alike[pair{numbers[i], numbers[j]}] = c > rivalsAlike
		}
	}
	return func(a, b Memory) bool { return sameText(a, b) || alike[pair{a.Number, b.Number}] }, nil
}
