package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"combray/index"
)

// ourEngines are the two kinds of package index, as the product opens them, on
// files in a folder of their own. What is timed is a whole search: the
// filter, 40 candidates with their columns, and the 40 rescored.
var ourEngines = []engine{{"combray scan", ourScan}, {"combray graph", ourGraph}}

// rescored is how many candidates an answer has, all of which the index rescores.
const rescored = 40

// walks are the widths of walks that are compared.
var walks = []int{100, 200, 400, 800, 1600}

// shelf is a cloud as the source of an index: row i+1 has vector i.
type shelf struct{ *cloud }

func (s shelf) Sequence(context.Context) (int64, error) { return int64(len(s.vectors)), nil }

func (s shelf) Rows(_ context.Context, after int64, limit int) ([]index.Row, error) {
	var rows []index.Row
	for doc := after + 1; doc <= int64(len(s.vectors)) && len(rows) < limit; doc++ {
		rows = append(rows, index.Row{Doc: doc, Seq: doc, Live: true, Captured: doc, Vectors: [][]float32{s.vectors[doc-1]}})
	}
	return rows, nil
}

func (s shelf) Vectors(_ context.Context, docs []int64) ([][][]float32, error) {
	out := make([][][]float32, len(docs))
	for i, doc := range docs {
		out[i] = [][]float32{s.vectors[doc-1]}
	}
	return out, nil
}

func ourConfig(dir string) index.Config {
	return index.Config{Dir: dir, StoreID: "versus", Identity: "versus", Dims: dims}
}

func ourScan(ctx context.Context, c *cloud) (*built, error) {
	dir, err := os.MkdirTemp("", "versus-index-")
	if err != nil {
		return nil, err
	}
	ix, err := index.Open(ourConfig(dir), shelf{c})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(ix.CatchUp(ctx), ix.Rewrite(ctx)); err != nil {
		return nil, err
	}
	stats, err := ix.Stats(ctx)
	if err != nil {
		return nil, err
	}
	mean, err := ix.Centre(ctx)
	close := func() error { return errors.Join(ix.Close(), os.RemoveAll(dir)) }
	return &built{searches: []search{{"", ourSearch(ix)}}, bytes: stats.FileBytes, mean: mean, close: close}, err
}

// leastWalked is from how many rows on an index has a graph.
const leastWalked = 64 << 10

// ourGraph builds the graph once and opens it for walks of several widths.
func ourGraph(ctx context.Context, c *cloud) (*built, error) {
	if len(c.vectors) < leastWalked {
		return nil, fmt.Errorf("%w: the index has no graph of fewer than %d rows", errLeftOut, leastWalked)
	}
	dir, err := os.MkdirTemp("", "versus-index-")
	if err != nil {
		return nil, err
	}
	b := &built{close: func() error { return os.RemoveAll(dir) }}
	for _, ef := range walks {
		config := ourConfig(dir)
		config.Kind, config.Ef = index.Graph, ef
		ix, err := index.Open(config, shelf{c})
		if err != nil {
			return nil, err
		}
		last := b.close
		b.close = func() error { return errors.Join(ix.Close(), last()) }
		stats, err := graphed(ctx, ix)
		if err != nil {
			return nil, err
		}
		b.bytes = stats.FileBytes + stats.GraphBytes
		if b.mean, err = ix.Centre(ctx); err != nil {
			return nil, err
		}
		b.searches = append(b.searches, search{fmt.Sprint("ef ", ef), ourSearch(ix)})
	}
	return b, nil
}

// graphed waits until an index has written its file and a graph of it.
func graphed(ctx context.Context, ix *index.Index) (index.Stats, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := ix.CatchUp(ctx); err != nil {
			return index.Stats{}, err
		}
		stats, err := ix.Stats(ctx)
		if err != nil || stats.GraphBytes > 0 {
			return stats, err
		}
		if stats.FileRows == 0 {
			if err := ix.Rewrite(ctx); err != nil {
				return stats, err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return stats, ctx.Err()
		}
	}
}

func ourSearch(ix *index.Index) func(context.Context, []float32) ([]int32, error) {
	return func(ctx context.Context, question []float32) ([]int32, error) {
		result, err := ix.Search(ctx, index.Query{Vector: question, PerLane: rescored})
		if err != nil {
			return nil, err
		}
		slices.SortFunc(result.Candidates, func(a, b index.Candidate) int { return cmp.Compare(b.C, a.C) })
		ids := make([]int32, 0, hits)
		for _, c := range result.Candidates[:min(hits, len(result.Candidates))] {
			ids = append(ids, int32(c.Doc-1))
		}
		return ids, nil
	}
}
