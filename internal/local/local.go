package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"combray/encoder"
	"combray/index"
	"combray/internal/memory"
	"combray/internal/models"
	"combray/internal/timewords"
	"combray/store"
)

// Model names that are no names of the catalogue.
const (
	ModelBundled = "bundled"
	ModelNone    = "none"
)

// How the nearest vectors are found (docs/decisions/0011).
const (
	NeighboursScan  = "scan"
	NeighboursGraph = "graph"
)

// Memory is the store path that keeps everything in this process.
const Memory = ":memory:"

// Config says what to open. Path is required.
type Config struct {
	Path            string // the store file, or Memory
	ReadOnly        bool
	Model           string        // ModelBundled, ModelNone or a name of the catalogue; "": the one that answers in the store
	Bundled         encoder.Files // the encoder in the box
	Models          models.Store
	Secrets         memory.SecretsPolicy
	Neighbours      string // NeighboursScan or NeighboursGraph; "": NeighboursScan
	Sense           memory.SenseSettings
	Zone            *time.Location        // nil: time.Local
	Logger          *slog.Logger          // nil: silent
	Pictures        *encoder.PictureFiles // nil: only copies of a picture are recognised
	Voices          *encoder.VoiceFiles   // nil: voices are not told apart; nothing else identifies a person
	StoreRaw        bool                  // keep pictures and sounds whole beside their fingerprints
	AllowLocalFiles bool                  // a signal may name a file of this machine
	// Fill makes missing vectors behind for as long as the Local is open.
	Fill bool
	// Next says that Model is to answer later: its vectors do not become the present
	// ones of the store before Change has made all of them.
	Next bool
	// Changing is told by a Serving how far a change of the encoder is; nil: nobody is.
	Changing func(ChangeProgress)
	// Encoder works in place of the model's, which is then never loaded. It has the
	// model's identity and dims. Nil: the model's.
	Encoder memory.Encoder
}

// Local is an open memory.
type Local struct {
	*memory.Service
	Store   *store.Store
	Index   *index.Index
	cues    *cuesWhenNeeded
	eyes    *perceiver
	encoder *encoderWhenNeeded // nil with ModelNone
	vectors string             // identity of those of memories; "" with ModelNone

	languages [][]float32 // of the encoder's Spec
	filling   sync.WaitGroup
	stop      context.CancelFunc
	wake      chan struct{}
	log       *slog.Logger
	folder    string
	readOnly  bool
	config    Config                 // as it was given
	model     string                 // that answers here
	trouble   atomic.Pointer[string] // why the chosen model cannot be taken; nil: nothing is known
}

// Open opens store and index. The encoder is loaded at its first use, so that
// opening takes some milliseconds whatever the store's size.
func Open(ctx context.Context, c Config) (*Local, error) {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	kept, err := store.Open(ctx, store.Options{Path: c.Path, ReadOnly: c.ReadOnly, Logger: c.Logger})
	if err != nil {
		return nil, err
	}
	l := &Local{Store: kept, log: c.Logger, wake: make(chan struct{}, 1), folder: indexFolder(c.Path), readOnly: c.ReadOnly, config: c}
	if err := l.assemble(ctx, c); err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	if c.Fill && !c.ReadOnly && l.encoder != nil {
		l.filling.Go(func() { l.fill(ctx) })
	}
	if c.Fill && !c.ReadOnly {
		l.filling.Go(func() { l.keepErased(ctx) })
		l.filling.Go(func() { l.keepHeard(ctx) })
		l.filling.Go(func() { l.keepCues(ctx) })
	}
	if c.Fill {
		l.filling.Go(func() { l.keepIndex(ctx) })
	}
	return l, nil
}

func (l *Local) assemble(ctx context.Context, c Config) error {
	id, err := l.Store.ID(ctx)
	if err != nil {
		return err
	}
	if l.model, err = c.settled(ctx, l.Store); err != nil {
		return err
	}
	c.Model = l.model
	files, why := modelFiles(ctx, c)
	if why != nil {
		c.Logger.Warn("working with words only", "reason", why)
	}
	settings := index.Config{Dir: l.folder, StoreID: id, ReadOnly: c.ReadOnly, Logger: c.Logger}
	if c.Neighbours == NeighboursGraph {
		settings.Kind = index.Graph
	}
	var lines memory.Encoder
	if why != nil {
		lines = missingEncoder{why.Error()}
	}
	if files != nil {
		l.encoder = newEncoder(*files, c)
		lines = l.encoder
		if c.Encoder != nil {
			lines = c.Encoder
		}
		settings.Identity, settings.Dims = files.Identity(), files.Dims
		l.languages = files.Languages
	}
	return l.wire(c, settings, lines)
}

// wire joins store, indexes and encoder.
func (l *Local) wire(c Config, settings index.Config, lines memory.Encoder) (err error) {
	l.cues = newCues(settings, l.Store)
	settings.Identity = memory.LineIdentity(settings.Identity)
	l.vectors = settings.Identity
	if l.Index, err = index.Open(settings, source{store: l.Store, identity: settings.Identity}); err != nil {
		return fmt.Errorf("the index beside the store cannot be opened: %w", err)
	}
	l.eyes = &perceiver{models: c.Models, pictures: c.Pictures, voices: c.Voices, text: l.encoder, raw: c.StoreRaw, files: c.AllowLocalFiles, log: c.Logger}
	l.Service = memory.New(memory.Config{Store: l.Store, Index: rankers{ranker{l.Index}, l.cues, l.languages}, Cues: l.cues,
		Encoder: lines, Times: timewords.Reader{}, Zone: c.Zone, Logger: c.Logger, Secrets: c.Secrets, Sense: c.Sense, Perceiver: l.eyes,
		Behind: l.wakeFill, Next: c.Next, Change: l.changing})
	return nil
}

// modelFiles finds the encoder asked for; nil for none. A model of the
// catalogue that cannot be used costs the vectors and nothing else: why says so.
func modelFiles(ctx context.Context, c Config) (files *encoder.Files, why error) {
	switch c.Model {
	case ModelNone:
		return nil, nil
	case "", ModelBundled:
		return &c.Bundled, nil
	}
	name, dims, err := encoder.SplitName(c.Model)
	if err != nil {
		return nil, err
	}
	found, err := encoder.FromStore(ctx, c.Models, name, dims)
	if err != nil {
		return nil, err
	}
	return &found, nil
}

// indexFolder is the folder beside the store that holds the index files.
func indexFolder(path string) string {
	if path == Memory {
		return ""
	}
	return path + ".index"
}

// keepHeard stores what was perceived once a second, so that a process that is
// killed loses no more of what is usual.
func (l *Local) keepHeard(ctx context.Context) {
	every(ctx, time.Second, func() {
		if err := l.FlushHeard(ctx); err != nil && ctx.Err() == nil {
			l.log.Warn("what was perceived is not stored yet", "err", err)
		}
	})
}

// Close ends the work behind, then closes index, store and encoder.
func (l *Local) Close() error {
	l.stop()
	l.filling.Wait()
	var errs []error
	if !l.readOnly {
		errs = append(errs, l.FlushHeard(context.Background()))
	}
	errs = append(errs, l.eyes.shut(), l.Index.Close(), l.cues.close(), l.Store.Close())
	if l.encoder != nil {
		errs = append(errs, l.encoder.close())
	}
	return errors.Join(errs...)
}

// VectorIdentity names the vectors that memories are found by; "" with ModelNone.
func (l *Local) VectorIdentity() string { return l.vectors }

// Settle puts everything written so far into its final files: the write-ahead
// log into the store, newer rows into the index. Imports end with it.
func (l *Local) Settle(ctx context.Context) error {
	if err := l.Index.Settle(ctx); err != nil {
		return err
	}
	return l.Store.Checkpoint(ctx)
}
