package local

import (
	"context"
	"math"
	"strings"
	"sync"

	"combray/index"
	"combray/internal/lexical"
	"combray/internal/memory"
)

// source shows the store's memories to the index.
type source struct {
	store    memory.Store
	identity string
	terms    func(memory.Memory) []index.TermCount // nil: those of the memory's line
}

var _ index.Source = source{}

// Sequence implements index.Source.
func (s source) Sequence(ctx context.Context) (int64, error) { return s.store.Sequence(ctx) }

// Rows implements index.Source.
func (s source) Rows(ctx context.Context, after int64, limit int) ([]index.Row, error) {
	changes, err := s.store.Changes(ctx, after, limit, s.identity)
	if err != nil {
		return nil, err
	}
	rows := make([]index.Row, len(changes))
	half := len(changes) / 2
	var first sync.WaitGroup
	first.Go(func() { s.fill(rows[:half], changes[:half]) })
	s.fill(rows[half:], changes[half:])
	first.Wait()
	return rows, nil
}

// fill makes rows of changes.
func (s source) fill(rows []index.Row, changes []memory.Changed) {
	for i, c := range changes {
		rows[i] = row(c)
		switch {
		case c.Erased:
		case s.terms != nil:
			rows[i].Terms = s.terms(c.Memory)
		default:
			rows[i].Terms = terms(c.Memory)
		}
	}
}

// Vectors implements index.Source.
func (s source) Vectors(ctx context.Context, docs []int64) ([][][]float32, error) {
	return s.store.Vectors(ctx, docs, s.identity)
}

// Classes of the default order: consolidated memories stand first.
const (
	classWorking      = 0
	classConsolidated = 1
)

func row(c memory.Changed) index.Row {
	m := c.Memory
	if c.Erased {
		return index.Row{Doc: m.Number, Seq: m.Seq, Gone: true}
	}
	r := index.Row{Doc: m.Number, Seq: m.Seq, Live: !m.Forgotten(), Captured: m.CreatedAt.UnixMicro(),
		Position: -1, Facets: facets(m), Vectors: c.Vectors}
	if m.Status == memory.Consolidated {
		r.Class = classConsolidated
	}
	if m.EventAt != nil {
		r.Event, r.HasEvent = m.EventAt.UnixMicro(), true
	}
	if m.EventOffset != nil && (m.EventPrecision == nil || *m.EventPrecision == memory.PreciseInstant) {
		r.Offset, r.HasHour = *m.EventOffset, true
	}
	if m.Place != nil {
		r.Lat, r.Lon, r.HasPlace = m.Place.Lat, m.Place.Lon, true
	}
	if m.SessionID != nil {
		r.Session = *m.SessionID
		if m.SessionPosition != nil {
			r.Position = *m.SessionPosition
		}
	}
	return r
}

// Facets are "name=value"; the names hold no "=", so that no two can meet.
const (
	facetFrame   = "frame="
	facetSource  = "source="
	facetSession = "session="
	facetTier    = "tier="
	facetTag     = "tag="
)

func facets(m memory.Memory) []string {
	out := []string{facetTier + string(m.Tier)}
	for name, value := range map[string]*string{facetFrame: m.Frame, facetSource: m.Source, facetSession: m.SessionID} {
		if value != nil {
			out = append(out, name+*value)
		}
	}
	for _, t := range m.Tags {
		out = append(out, facetTag+t)
	}
	return out
}

// terms counts the terms of a memory's line, and those of its content apart.
func terms(m memory.Memory) []index.TermCount {
	content := lexical.Terms(string(m.Content))
	prefix := lexical.Terms(strings.TrimSuffix(memory.Line(m), string(m.Content)))
	counts := make(map[string]*index.TermCount, len(content)+len(prefix))
	out := make([]index.TermCount, 0, len(content)+len(prefix))
	at := func(term string) *index.TermCount {
		if c := counts[term]; c != nil {
			return c
		}
		out = append(out, index.TermCount{Term: term})
		c := &out[len(out)-1]
		counts[term] = c
		return c
	}
	for _, t := range prefix {
		c := at(t)
		c.Line = addCount(c.Line)
	}
	for _, t := range content {
		c := at(t)
		c.Line, c.Content = addCount(c.Line), addCount(c.Content)
	}
	return out
}

func addCount(n uint16) uint16 {
	if n == math.MaxUint16 {
		return n
	}
	return n + 1
}
