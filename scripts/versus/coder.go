package main

import (
	"context"
	"fmt"
	"math/rand"

	"github.com/coder/hnsw"
)

// coderEngines are coder/hnsw with its own settings and with the most generous
// that were tried for decision 1. It never meets a change here: it panics on those.
var coderEngines = []engine{
	{"coder/hnsw M 16 Ef 20 (its defaults)", coderSetting{links: 16, build: 20, search: 20, asked: hits}.engine},
	{"coder/hnsw M 32 Ef 100, 800 to search, 400 rescored", coderSetting{links: 32, build: 100, search: 800, asked: 400}.engine},
}

// coderSetting is a way to use it: asked are the hits that are rescored to ten.
type coderSetting struct{ links, build, search, asked int }

// mostGenerous is the largest cloud that the second setting is built over; at 100,000
// it takes a minute of a quiet processor and finds 0.15 (decision 1).
const mostGenerous = 20_000

func (s coderSetting) engine(ctx context.Context, c *cloud) (*built, error) {
	if s.links > 16 && len(c.vectors) > mostGenerous {
		return nil, fmt.Errorf("%w above %d vectors", errLeftOut, mostGenerous)
	}
	graph := hnsw.NewGraph[int32]()
	graph.M, graph.EfSearch, graph.Rng = s.links, s.build, rand.New(rand.NewSource(1))
	for i, v := range c.vectors {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		graph.Add(hnsw.MakeNode(int32(i), v))
	}
	graph.EfSearch = s.search
	find := func(_ context.Context, question []float32) ([]int32, error) {
		var ids []int32
		for _, node := range graph.Search(question, s.asked) {
			ids = append(ids, node.Key)
		}
		return c.rescored(question, ids), nil
	}
	return &built{searches: []search{{"", find}}, close: func() error { return nil }}, nil
}
