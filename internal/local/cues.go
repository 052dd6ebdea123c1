package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"combray/index"
	"combray/internal/memory"
)

// cuesWhenNeeded is the index that perceptions are compared with: a second one,
// in a folder of its own, that is opened at the first cue, so that whoever never
// senses has neither its files nor its vectors (TestWhoNeverSensesPaysNothing).
type cuesWhenNeeded struct {
	config index.Config
	source source

	mu     sync.Mutex
	opened *index.Index // nil before the first cue
	closed bool
}

var _ memory.CueIndex = (*cuesWhenNeeded)(nil)

// newCues makes the cue index that belongs to a main index.
func newCues(main index.Config, store memory.Store) *cuesWhenNeeded {
	c := &cuesWhenNeeded{config: main}
	if c.config.Dir != "" {
		c.config.Dir = filepath.Join(main.Dir, "cue")
	}
	c.config.Identity = memory.CueIdentity(main.Identity)
	c.source = source{store: store, identity: c.config.Identity, terms: cueTerms}
	return c
}

// cueTerms counts each word of a memory once, in both fields: there is no line.
func cueTerms(m memory.Memory) []index.TermCount {
	terms := memory.CueTerms(m)
	out := make([]index.TermCount, len(terms))
	for i, t := range terms {
		out[i] = index.TermCount{Term: t, Line: 1, Content: 1}
	}
	return out
}

// ranker opens the index if that has not happened.
func (c *cuesWhenNeeded) ranker() (ranker, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opened == nil {
		if c.closed {
			return ranker{}, memory.Unavailable("Open the store again.", nil, "the store is closed")
		}
		opened, err := index.Open(c.config, c.source)
		if err != nil {
			return ranker{}, unavailable(err)
		}
		c.opened = opened
	}
	return ranker{c.opened}, nil
}

// ask asks the open index.
func ask[V any](c *cuesWhenNeeded, question func(ranker) (V, error)) (answer V, err error) {
	r, err := c.ranker()
	if err != nil {
		return answer, err
	}
	return question(r)
}

// used says whether the index was ever opened.
func (c *cuesWhenNeeded) used() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opened != nil
}

func (c *cuesWhenNeeded) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.opened == nil {
		return nil
	}
	return c.opened.Close()
}

// Identity implements memory.CueIndex.
func (c *cuesWhenNeeded) Identity() string { return c.config.Identity }

// CatchUp implements memory.Index.
func (c *cuesWhenNeeded) CatchUp(ctx context.Context) error {
	r, err := c.ranker()
	if err != nil {
		return err
	}
	return r.CatchUp(ctx)
}

// Follow implements memory.Index; an index that is not open follows when it is.
func (c *cuesWhenNeeded) Follow(ctx context.Context) error {
	if !c.used() {
		return nil
	}
	r, err := c.ranker()
	if err != nil {
		return err
	}
	return r.Follow(ctx)
}

// Search implements memory.Index.
func (c *cuesWhenNeeded) Search(ctx context.Context, q memory.IndexQuery) (memory.IndexResult, error) {
	return ask(c, func(r ranker) (memory.IndexResult, error) { return r.Search(ctx, q) })
}

// Recent implements memory.Index.
func (c *cuesWhenNeeded) Recent(ctx context.Context, f memory.IndexFilter, limit int) ([]int64, error) {
	return ask(c, func(r ranker) ([]int64, error) { return r.Recent(ctx, f, limit) })
}

// Count implements memory.Index.
func (c *cuesWhenNeeded) Count(ctx context.Context, f memory.IndexFilter) (memory.Counted, error) {
	return ask(c, func(r ranker) (memory.Counted, error) { return r.Count(ctx, f) })
}

// Statistics implements memory.Index.
func (c *cuesWhenNeeded) Statistics(ctx context.Context, terms []string) (int, []int, float64, error) {
	r, err := c.ranker()
	if err != nil {
		return 0, nil, 0, err
	}
	return r.Statistics(ctx, terms)
}

// Similarity implements memory.Index.
func (c *cuesWhenNeeded) Similarity(ctx context.Context, numbers []int64, question []float32) ([]float64, []bool, error) {
	r, err := c.ranker()
	if err != nil {
		return nil, nil, err
	}
	return r.Similarity(ctx, numbers, question)
}

// Survey implements memory.CueIndex. Without an encoder it finds nothing.
func (c *cuesWhenNeeded) Survey(ctx context.Context, cue []float32) (memory.Survey, error) {
	if c.Identity() == "" {
		return memory.Survey{}, nil
	}
	found, err := ask(c, func(r ranker) (index.Survey, error) { return r.index.Survey(ctx, cue) })
	if err != nil {
		return memory.Survey{}, unavailable(err)
	}
	out := memory.Survey{Memories: found.Embedded, Compared: found.Compared, Distinct: found.Distinct, Mean: found.Mean, Deviation: found.Deviation, Centred: found.Centred}
	for _, near := range found.Best {
		out.Best = append(out.Best, memory.Candidate{Number: near.Doc, Scores: memory.Scores{Meaning: near.C, HasVector: true}})
	}
	return out, nil
}

// Meaning implements memory.CueIndex. Without an encoder it is 0.
func (c *cuesWhenNeeded) Meaning(ctx context.Context, numbers []int64, cue []float32) ([]float64, error) {
	if c.Identity() == "" {
		return make([]float64, len(numbers)), nil
	}
	meanings, err := ask(c, func(r ranker) ([]float64, error) { return r.index.Meaning(ctx, numbers, cue) })
	return meanings, unavailable(err)
}

// Compare implements memory.CueIndex. Without an encoder it is 0.
func (c *cuesWhenNeeded) Compare(ctx context.Context, cue []float32, others [][]float32) ([]float64, error) {
	if c.Identity() == "" {
		return make([]float64, len(others)), nil
	}
	meanings, err := ask(c, func(r ranker) ([]float64, error) { return r.index.Compare(ctx, cue, others) })
	return meanings, unavailable(err)
}

// Stats implements memory.Index.
func (c *cuesWhenNeeded) Stats(ctx context.Context) memory.IndexStats {
	if !c.used() {
		return memory.IndexStats{}
	}
	r, err := c.ranker()
	if err != nil {
		return memory.IndexStats{}
	}
	return r.Stats(ctx)
}

// Scrub implements memory.Index. Files that another process, or an earlier one,
// made are rewritten too, without the index staying open.
func (c *cuesWhenNeeded) Scrub(ctx context.Context) error {
	if c.used() {
		r, err := c.ranker()
		if err != nil {
			return err
		}
		return r.Scrub(ctx)
	}
	return c.withFiles(func(r ranker) error { return r.Scrub(ctx) })
}

// refresh brings the files up to date for a process that has no time to do it, the
// hook; who never sensed has none. It makes no vectors
// (TestFilesOfCuesAreKeptForTheHook).
func (c *cuesWhenNeeded) refresh(ctx context.Context) error {
	if c.used() {
		return c.CatchUp(ctx)
	}
	return c.withFiles(func(r ranker) error {
		if err := r.CatchUp(ctx); err != nil || r.Stats(ctx).Delta < staleRows {
			return err
		}
		return r.Scrub(ctx)
	})
}

// staleRows are as many rows newer than the files as a hook may have to read: some
// 16 ms (index.Config.RewriteRows).
const staleRows = 1024

// withFiles opens the files that another process, or an earlier one, made, for as
// long as f runs.
func (c *cuesWhenNeeded) withFiles(f func(ranker) error) error {
	if c.config.Dir == "" {
		return nil
	}
	if _, err := os.Stat(c.config.Dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	files, err := index.Open(c.config, c.source)
	if err != nil {
		return unavailable(err)
	}
	return errors.Join(f(ranker{files}), files.Close())
}

// rankers is the index of a memory.Service, whose Scrub reaches the cue index too:
// both hold words of the memories.
type rankers struct {
	ranker
	cues      *cuesWhenNeeded
	languages [][]float32 // directions that tell the language of a vector; nil: not known
}

// Scrub implements memory.Index.
func (r rankers) Scrub(ctx context.Context) error {
	return errors.Join(r.ranker.Scrub(ctx), r.cues.Scrub(ctx))
}
