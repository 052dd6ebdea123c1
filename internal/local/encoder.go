package local

import (
	"context"
	"log/slog"
	"sync"

	"combray/encoder"
	"combray/internal/memory"
	"combray/internal/models"
)

// encoderWhenNeeded loads the encoder at the first call that needs it, once, so
// that a process which only lists or forgets stays small and quick to start.
type encoderWhenNeeded struct {
	files  func(context.Context) (encoder.Files, error)
	models models.Store
	log    *slog.Logger

	identity string
	describe *memory.Backend
	towers   bool // its model has encoders of pictures or sounds of its space

	start  sync.Once
	loaded chan struct{} // closed when loading has ended
	stop   context.CancelFunc
	ctx    context.Context

	mu      sync.Mutex
	encoder *encoder.Encoder
	reason  string // why it cannot be used; "" while it is loading or ready
}

// stillLoading is what a call hears that does not wait long enough.
const stillLoading = "the encoder is still loading; ask again in a moment"

func newEncoder(files encoder.Files, c Config) *encoderWhenNeeded {
	ctx, stop := context.WithCancel(context.Background())
	e := &encoderWhenNeeded{models: c.Models, log: c.Logger, identity: files.Identity(), towers: files.Sight != nil || files.Hearing != nil,
		loaded: make(chan struct{}), ctx: ctx, stop: stop,
		files: func(context.Context) (encoder.Files, error) { return files, nil }}
	e.describe = &memory.Backend{Model: files.Name, Revision: files.Revision, Device: "cpu",
		MaxSequenceTokens: files.MaxTokens, QueryPrefix: files.QueryPrefix, DocumentPrefix: files.PassagePrefix,
		Normalized: true, LocalFilesOnly: true}
	return e
}

// Wait implements memory.Encoder.
func (e *encoderWhenNeeded) Wait(ctx context.Context) memory.EncoderState {
	e.start.Do(func() { go e.load() })
	select {
	case <-e.loaded:
	case <-ctx.Done():
		select {
		case <-e.loaded:
		default:
			return memory.EncoderState{Reason: stillLoading}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return memory.EncoderState{Ready: e.encoder != nil, Reason: e.reason}
}

// load opens library and model. A failure is said once in the log, and then in
// every answer that had to do without. A memory that is closed meanwhile is no
// failure (TestClosingWhileTheEncoderLoadsIsNoFailure).
func (e *encoderWhenNeeded) load() {
	defer close(e.loaded)
	opened, err := e.open()
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		e.reason = err.Error()
		if e.ctx.Err() == nil {
			e.log.Warn("working with words only", "reason", err)
		}
		return
	}
	e.encoder = opened
}

func (e *encoderWhenNeeded) open() (*encoder.Encoder, error) {
	library, err := e.models.FindRuntime(e.ctx)
	if err != nil {
		return nil, err
	}
	files, err := e.files(e.ctx)
	if err != nil {
		return nil, err
	}
	return encoder.Open(e.ctx, encoder.Config{Library: library, Model: files, Logger: e.log})
}

// ready gives the loaded encoder, or why there is none.
func (e *encoderWhenNeeded) ready(ctx context.Context) (*encoder.Encoder, error) {
	state := e.Wait(ctx)
	if !state.Ready {
		return nil, memory.Unavailable("Run combray models verify to see what the encoder needs.", nil, "the encoder cannot be used: %s", state.Reason)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.encoder, nil
}

// spaceIfLoaded gives the space of an encoder that is loaded; nil otherwise.
func (e *encoderWhenNeeded) spaceIfLoaded() *encoder.Space {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.encoder == nil {
		return nil
	}
	return e.encoder.Space()
}

// Question implements memory.Encoder.
func (e *encoderWhenNeeded) Question(ctx context.Context, text string) ([]float32, error) {
	opened, err := e.ready(ctx)
	if err != nil {
		return nil, err
	}
	return opened.Question(ctx, text)
}

// Symmetric implements memory.Encoder.
func (e *encoderWhenNeeded) Symmetric(ctx context.Context, text string) ([]float32, error) {
	opened, err := e.ready(ctx)
	if err != nil {
		return nil, err
	}
	return opened.Symmetric(ctx, text)
}

// Passage implements memory.Encoder.
func (e *encoderWhenNeeded) Passage(ctx context.Context, text string) ([][]float32, error) {
	opened, err := e.ready(ctx)
	if err != nil {
		return nil, err
	}
	return opened.Passage(ctx, text)
}

// Identity implements memory.Encoder.
func (e *encoderWhenNeeded) Identity() string { return e.identity }

// Describe implements memory.Encoder.
func (e *encoderWhenNeeded) Describe() *memory.Backend {
	d := *e.describe
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.encoder != nil {
		d.Runtime = e.encoder.Describe().Runtime
	}
	return &d
}

// close ends a load that is under way and frees the model.
func (e *encoderWhenNeeded) close() error {
	e.stop()
	never := false
	e.start.Do(func() { never = true })
	if never {
		return nil
	}
	<-e.loaded
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.encoder == nil {
		return nil
	}
	return e.encoder.Close()
}

// missingEncoder stands for a model that cannot be used, with the reason.
type missingEncoder struct{ reason string }

var _ memory.Encoder = missingEncoder{}

// Wait implements memory.Encoder.
func (m missingEncoder) Wait(context.Context) memory.EncoderState {
	return memory.EncoderState{Reason: m.reason}
}

// Question implements memory.Encoder.
func (m missingEncoder) Question(context.Context, string) ([]float32, error) { return nil, m.err() }

// Symmetric implements memory.Encoder.
func (m missingEncoder) Symmetric(context.Context, string) ([]float32, error) { return nil, m.err() }

// Passage implements memory.Encoder.
func (m missingEncoder) Passage(context.Context, string) ([][]float32, error) { return nil, m.err() }

// Identity implements memory.Encoder.
func (missingEncoder) Identity() string { return "" }

// Describe implements memory.Encoder.
func (missingEncoder) Describe() *memory.Backend { return nil }

func (m missingEncoder) err() error {
	return memory.Unavailable("Install the model, or set COMBRAY_MODEL=bundled.", nil, "the encoder cannot be used: %s", m.reason)
}
