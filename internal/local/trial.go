package local

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"

	"combray/encoder"
	"combray/index"
	"combray/internal/memory"
	"combray/store"
)

// Trials opens empty memories, one after the other or side by side, that are kept
// in this process only and share one encoder, which encodes each text once. A
// measurement that lives through the same year many times then waits for the rules
// and not for the model. The ids of each memory are the same every time, so that
// ties are decided alike.
type Trials struct {
	config  Config
	files   *encoder.Files // nil with ModelNone
	encoder *encoderWhenNeeded
	texts   *encodedOnce
}

// NewTrials prepares memories with the model of a Config; its Path, ReadOnly and
// Fill are not used. Unlike Open it fails when the model cannot be used.
func NewTrials(ctx context.Context, c Config) (*Trials, error) {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	files, why := modelFiles(ctx, c)
	if why != nil {
		return nil, why
	}
	t := &Trials{config: c, files: files}
	if files == nil {
		return t, nil
	}
	t.encoder = newEncoder(*files, c)
	t.texts = &encodedOnce{Encoder: t.encoder, symmetric: map[string][]float32{}, passages: map[string][][]float32{}}
	if state := t.encoder.Wait(ctx); !state.Ready {
		return nil, errors.Join(memory.Unavailable("Run combray models download onnxruntime, or measure with --model none.", nil, "the encoder cannot be used: %s", state.Reason),
			t.Close())
	}
	return t, nil
}

// Close frees the encoder. The memories are closed each by itself, before.
func (t *Trials) Close() error {
	if t.encoder == nil {
		return nil
	}
	return t.encoder.close()
}

// Trial is one of these memories.
type Trial struct {
	*memory.Service
	store *store.Store
	index *index.Index
	cues  *cuesWhenNeeded
}

// Open opens an empty memory with settings of involuntary memory.
func (t *Trials) Open(ctx context.Context, settings memory.SenseSettings) (*Trial, error) {
	kept, err := store.Open(ctx, store.Options{Path: Memory, Logger: t.config.Logger})
	if err != nil {
		return nil, err
	}
	trial := &Trial{store: kept}
	if err := trial.wire(ctx, t, settings); err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	return trial, nil
}

func (t *Trial) wire(ctx context.Context, of *Trials, settings memory.SenseSettings) error {
	id, err := t.store.ID(ctx)
	if err != nil {
		return err
	}
	c := index.Config{StoreID: id, Logger: of.config.Logger}
	var texts memory.Encoder
	if of.files != nil {
		c.Identity, c.Dims, texts = of.files.Identity(), of.files.Dims, of.texts
	}
	t.cues = newCues(c, t.store)
	c.Identity = memory.LineIdentity(c.Identity)
	if t.index, err = index.Open(c, source{store: t.store, identity: c.Identity}); err != nil {
		return err
	}
	t.Service = memory.New(memory.Config{Store: t.store, Index: ranker{t.index}, Cues: t.cues, Encoder: texts,
		Random: &sameIDs{r: rand.New(rand.NewPCG(1, 1))}, Zone: of.config.Zone, Logger: of.config.Logger, Sense: settings})
	return nil
}

// Close frees what the memory held.
func (t *Trial) Close() error {
	return errors.Join(t.index.Close(), t.cues.close(), t.store.Close())
}

// sameIDs is a source of ids that begins alike for each memory.
type sameIDs struct {
	mu sync.Mutex
	r  *rand.Rand
}

// Read implements io.Reader.
func (s *sameIDs) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var word [8]byte
	for n := 0; n < len(p); n += len(word) {
		binary.LittleEndian.PutUint64(word[:], s.r.Uint64())
		copy(p[n:], word[:])
	}
	return len(p), nil
}

// encodedOnce keeps what an encoder made of each text.
type encodedOnce struct {
	memory.Encoder
	mu        sync.Mutex
	symmetric map[string][]float32
	passages  map[string][][]float32
}

// Symmetric implements memory.Encoder.
func (e *encodedOnce) Symmetric(ctx context.Context, text string) ([]float32, error) {
	return once(e, e.symmetric, text, func() ([]float32, error) { return e.Encoder.Symmetric(ctx, text) })
}

// Passage implements memory.Encoder.
func (e *encodedOnce) Passage(ctx context.Context, text string) ([][]float32, error) {
	return once(e, e.passages, text, func() ([][]float32, error) { return e.Encoder.Passage(ctx, text) })
}

// once looks a text up or makes it. Two who miss the same text at once both make it.
func once[V any](e *encodedOnce, all map[string]V, text string, encode func() (V, error)) (V, error) {
	e.mu.Lock()
	v, known := all[text]
	e.mu.Unlock()
	if known {
		return v, nil
	}
	v, err := encode()
	if err == nil {
		e.mu.Lock()
		all[text] = v
		e.mu.Unlock()
	}
	return v, err
}
