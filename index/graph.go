package index

import (
	"context"

	"combray/index/hnsw"
)

// Kind is how the vectors lane finds the rows nearest to a vector.
type Kind uint8

const (
	// Scan compares the signs of all rows, then the codes of the nearest.
	Scan Kind = iota
	// Graph walks a graph of the rows of the file (package hnsw) and compares the
	// codes of what the walk finds, and of all rows newer than the file. It scans
	// where Scan would compare all allowed rows, where a filter keeps few, and
	// until there is a graph.
	Graph
)

const (
	// defaultEf finds all of the ten nearest of 10,789 rows of a sentence encoder,
	// and 0.94 at 100,000 (decision 0011).
	defaultEf = 400
	// defaultGraphRows is from how many rows of codes on a file gets a graph. At 10,000
	// the scan is as fast and misses nothing, at 100,000 a walk can be faster
	// (BenchmarkKinds).
	defaultGraphRows = 64 << 10
	// defaultGraphShare is the share of the file's rows that a filter must keep for
	// a walk to pay: below it, the walk goes through so many rows that do not pass
	// that the scan is faster. At 100,000 rows a walk through twice as many takes half as
	// long again as the scan (BenchmarkKindsUnderFilters), of more the scan takes longer.
	defaultGraphShare = 0.5
)

// graph is a graph file that is in use.
type graph struct {
	hnsw.Graph
	slots   []uint32 // of the rows of codes
	mapping *mapping
}

// graphOf returns the graph of a state, nil if the search is to scan.
func (s *search) graphOf(config *Config) *graph {
	file := s.state.segment
	// Codes made anew since may be of other rows than those of the file.
	if config.Kind != Graph || s.exhaustive || s.spread != nil || file == nil || s.state.vectors != &file.vectors {
		return nil
	}
	g := file.graph.Load()
	if g == nil || !g.mapping.whole() {
		return nil
	}
	allowed := s.allowed.count()
	if allowed <= orDefault(config.graphFrom, config.Shortlist) {
		return nil
	}
	ofFile := s.allowed[:s.state.split/64].count()
	if float64(ofFile) < config.graphShare*float64(s.state.file.len()) {
		return nil
	}
	return g
}

// walk returns the slots that the graph finds, and those of the delta: all that
// is left to be compared. It uses the memory of found.
func (l *vectorsLane) walk(ctx context.Context, found bitset) (bitset, error) {
	g, set := l.graph, l.state.vectors
	rows, err := l.walker.Walk(&g.Graph, vectorsOf(set), &hnsw.Query{
		Codes: l.probe.codes,
		Ef:    max(l.ef, l.k),
		Pass:  func(row uint32) bool { return l.allowed.has(g.slots[row]) },
		Stop:  ctx.Err,
	})
	clear(found)
	for _, row := range rows {
		found.set(g.slots[row])
	}
	split := l.state.split / 64
	copy(found[split:], l.allowed[split:])
	return found, err
}

// vectorsOf returns the rows of codes as a graph sees them.
func vectorsOf(set *vectorSet) *hnsw.Vectors {
	return &hnsw.Vectors{Dims: set.dims, Codes: set.codes, Scale: func(row uint32) float32 { return set.infos[row].scale }}
}
