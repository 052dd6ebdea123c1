package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// engine is a way to find near vectors.
type engine struct {
	name  string
	build func(ctx context.Context, c *cloud) (*built, error)
}

// built is an engine that holds a cloud.
type built struct {
	searches []search
	bytes    int64 // of all vectors; 0: what Go's heap has grown by
	// mean is what the engine takes from vectors before it compares; nil: nothing. Then
	// other vectors are nearest, and its recall is measured against those.
	mean  []float32
	close func() error
}

// search is a way to ask an engine, which may have several: widths of a walk.
type search struct {
	name string
	find func(ctx context.Context, question []float32) ([]int32, error)
}

// errLeftOut is why an engine cannot be here.
var errLeftOut = errors.New("left out")

// vectors compares engines on made vectors, or on those of a text if one is given.
func vectors(ctx context.Context, flags *flag.FlagSet, args []string) error {
	text := flags.String("text", "", "file of texts, one a line: the encoder's vectors of them, kept beside it, instead of made ones")
	sizes := flags.String("n", "10000,100000", "vectors in a cloud")
	asked := flags.Int("questions", 200, "questions asked of each engine in a round")
	rounds := flags.Int("rounds", 5, "rounds, of which the least times count")
	most := flags.Int("encode", 10_000, "lines of the text to encode at most; larger clouds are mixed of them")
	only := flags.String("only", "", "engines whose names begin so, separated by commas; empty for all")
	flags.Parse(args)
	var given, questions [][]float32
	if *text != "" {
		var err error
		if given, questions, err = encoded(ctx, *text, *most, *asked); err != nil {
			return err
		}
	}
	for _, field := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1000 {
			return fmt.Errorf("%q vectors in a cloud, needed are 1000 or more", field)
		}
		var c *cloud
		if given == nil {
			c = madeCloud(n, *asked)
		} else {
			c = mixedCloud(given, questions, n)
		}
		if err := compare(ctx, c, *rounds, engines(*only)); err != nil {
			return err
		}
	}
	return nil
}

func engines(only string) []engine {
	all := slices.Concat([]engine{plainEngine}, ourEngines, []engine{hnswlibEngine}, sqliteEngines, coderEngines)
	return slices.DeleteFunc(all, func(e engine) bool {
		return only != "" && !slices.ContainsFunc(strings.Split(only, ","), func(part string) bool { return strings.HasPrefix(e.name, part) })
	})
}

// plainEngine is the loop that needs nothing.
var plainEngine = engine{"plain float32 loop in Go", func(_ context.Context, c *cloud) (*built, error) {
	find := func(_ context.Context, question []float32) ([]int32, error) { return c.exact(question), nil }
	return &built{searches: []search{{"", find}}, bytes: int64(len(c.vectors)) * dims * 4, close: func() error { return nil }}, nil
}}

// cost is what it took to build an engine.
type cost struct {
	elapsed, cpu time.Duration
	bytes        int64
}

// rival is a way to ask an engine over one cloud, with what it finds.
type rival struct {
	name      string
	find      func(ctx context.Context, question []float32) ([]int32, error)
	questions [][]float32
	truth     [][]int32
	cost      cost
	asked     int
	found     int // of the nearest of what was asked
}

func (r *rival) take(ctx context.Context, question int) error {
	ids, err := r.find(ctx, r.questions[question])
	r.asked++
	for _, id := range ids[:min(hits, len(ids))] {
		r.found += count(slices.Contains(r.truth[question], id))
	}
	return err
}

// compare builds all engines over a cloud, asks them in turns and prints a table.
func compare(ctx context.Context, c *cloud, rounds int, all []engine) error {
	c = c.prepared()
	var rivals []*rival
	m := match{questions: len(c.questions), rounds: rounds}
	for _, e := range all {
		b, spent, err := e.measured(ctx, c)
		if errors.Is(err, errLeftOut) {
			fmt.Printf("%s: %v\n\n", e.name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		defer b.close()
		truth := c.truth
		if b.mean != nil {
			truth = c.less(b.mean).truth
		}
		for _, s := range b.searches {
			r := &rival{name: strings.TrimSpace(e.name + " " + s.name), find: s.find, questions: c.questions, truth: truth, cost: spent}
			rivals = append(rivals, r)
			m.contestants = append(m.contestants, contestant{r.name, r.take})
		}
	}
	took, err := m.run(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d vectors, %s\n\n", len(c.vectors), c.name)
	rows := [][]any{{"engine", "recall@10", "p50 µs", "p50 of the least µs", "CPU µs", "build s", "build CPU s", "bytes a vector"}}
	for i, r := range rivals {
		rows = append(rows, []any{r.name, fmt.Sprintf("%.3f", float64(r.found)/float64(r.asked*hits)),
			micros(share(took[i].all, .5)), micros(share(took[i].least, .5)), micros(took[i].cpu),
			fmt.Sprintf("%.1f", r.cost.elapsed.Seconds()), fmt.Sprintf("%.1f", r.cost.cpu.Seconds()), r.cost.bytes / int64(len(c.vectors))})
	}
	table(rows)
	return nil
}

// measured builds an engine and says what that took.
func (e engine) measured(ctx context.Context, c *cloud) (*built, cost, error) {
	runtime.GC()
	heap, start, cpu := heapBytes(), time.Now(), processorTime()
	b, err := e.build(ctx, c)
	if err != nil {
		return nil, cost{}, err
	}
	spent := cost{elapsed: time.Since(start), cpu: processorTime() - cpu, bytes: b.bytes}
	if spent.bytes == 0 {
		runtime.GC()
		spent.bytes = heapBytes() - heap
	}
	return b, spent, nil
}
