package encoder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Tokens of EmbeddingGemma 2 around the features of a picture or a sound, and the one
// that holds the place of each row of them (facts/models.md A3).
const (
	imageBegin, imagePlace, imageEnd = 255999, 258880, 258882
	audioBegin, audioPlace, audioEnd = 256000, 258881, 258883
)

// Space encodes pictures and sounds into the space of a text encoder's vectors: what
// a question asks for may then be a note, a picture or a sound. Its methods may be
// called from several goroutines. Nobody has run it with real weights yet.
type Space struct {
	text *Encoder

	mu     sync.Mutex
	towers map[string]*tower // by name, loaded at their first use
	closed bool
}

// Space returns the space of the encoder; nil when its model has no towers.
func (e *Encoder) Space() *Space {
	if e.spec.Sight == nil && e.spec.Hearing == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.space == nil {
		e.space = &Space{text: e, towers: map[string]*tower{}}
	}
	return e.space
}

// Sees and Hears say for what there is a tower.
func (s *Space) Sees() bool  { return s.text.spec.Sight != nil }
func (s *Space) Hears() bool { return s.text.spec.Hearing != nil }

// Identity names the vectors of pictures and sounds for a text encoder: they come from
// its files and those of the towers.
func (s *Space) Identity() string {
	lines := []string{"combray space 1", "text " + s.text.identity}
	for _, t := range []*Tower{s.text.spec.Sight, s.text.spec.Hearing} {
		if t == nil {
			continue
		}
		lines = append(lines, "tower "+t.Name+" "+t.Graph.identity())
		for _, d := range t.Data {
			lines = append(lines, "data "+d.identity())
		}
	}
	return mediaIdentity(s.text.spec.Name, lines...)
}

// See returns the unit vector of a picture.
func (s *Space) See(ctx context.Context, p Patches) ([]float32, error) {
	t, err := s.tower(ctx, s.text.spec.Sight, "pictures")
	if err != nil {
		return nil, err
	}
	rows, err := t.see(ctx, p)
	if err != nil {
		return nil, err
	}
	return s.text.encodeFeatures(ctx, features{kind: "image", rows: p.Rows, values: rows, begin: imageBegin, place: imagePlace, end: imageEnd})
}

// Hear returns the unit vector of a sound: the middle of those of its parts.
func (s *Space) Hear(ctx context.Context, parts []Frames) ([]float32, error) {
	if len(parts) == 0 {
		return nil, errors.New("a sound without frames cannot be encoded")
	}
	t, err := s.tower(ctx, s.text.spec.Hearing, "sounds")
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(parts))
	for i, part := range parts {
		rows, err := t.hear(ctx, part)
		if err != nil {
			return nil, err
		}
		vectors[i], err = s.text.encodeFeatures(ctx, features{kind: "audio", rows: part.Rows, values: rows, begin: audioBegin, place: audioPlace, end: audioEnd})
		if err != nil {
			return nil, err
		}
	}
	return mean(vectors)
}

// tower loads a tower at its first use.
func (s *Space) tower(ctx context.Context, t *Tower, what string) (*tower, error) {
	if t == nil {
		return nil, fmt.Errorf("model %s has no encoder of %s installed", s.text.spec.Name, what)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	if loaded := s.towers[t.Name]; loaded != nil {
		return loaded, nil
	}
	loaded, err := openTower(ctx, *t)
	if err == nil {
		s.towers[t.Name] = loaded
	}
	return loaded, err
}

func (s *Space) close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, t := range s.towers {
		t.close()
	}
}

// features are rows that take the places of their placeholders, between two tokens
// that say what they are.
type features struct {
	kind              string // how the graph's input begins: image or audio
	rows              int
	values            []float32
	begin, place, end int32
}

// encodeFeatures encodes an input that is nothing but features. Media take no prefix
// (facts/models.md A3).
func (e *Encoder) encodeFeatures(ctx context.Context, f features) ([]float32, error) {
	ids := e.tokens.wrap([]int32{f.begin}, slices.Repeat([]int32{f.place}, f.rows), []int32{f.end})
	if len(ids) > e.spec.MaxTokens {
		return nil, fmt.Errorf("a %s of %d rows takes %d tokens, at most %d are encoded", f.kind, f.rows, len(ids), e.spec.MaxTokens)
	}
	if err := e.gate.enter(ctx, passages); err != nil {
		return nil, err
	}
	defer e.gate.leave()
	w, err := e.worker()
	if err != nil {
		return nil, err
	}
	defer e.putBack(w)
	dst := make([]float32, e.spec.Dims)
	return dst, w.encodeFeatures(ctx, dst, ids, f)
}

// takes finds the input for features of a kind.
func (s *session) takes(kind string) (at int, err error) {
	at = slices.IndexFunc(s.inputs, func(in input) bool { return in.feed == feedNothing && strings.HasPrefix(in.name, kind) })
	if at < 0 {
		return 0, fmt.Errorf("the text graph takes no features of the kind %s", kind)
	}
	return at, nil
}
