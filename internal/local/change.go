package local

import (
	"context"
	"errors"
	"fmt"
	"os"

	"combray/encoder"
	"combray/internal/memory"
	"combray/store"
)

// ChangeProgress is how far a change of the encoder is.
type ChangeProgress struct {
	Model       string // that is to answer
	Cues        bool   // the vectors for cues, which come last
	Done, Total int    // memories
	Answers     bool   // nothing is left to do: it answers in this process
}

// ErrChangedElsewhere says that another process makes the vectors.
var ErrChangedElsewhere = errors.New("another process makes the vectors of the chosen encoder")

// errOverruled ends the work for an encoder that is no longer the chosen one.
var errOverruled = errors.New("another encoder was chosen meanwhile")

// Choose makes sure that a model works and writes down that it is to answer in the
// store. Nothing else changes: Change makes its vectors, and a Serving does so by
// itself. The error says what the model lacks and what to do.
func Choose(ctx context.Context, c Config, model string) (err error) {
	if c.Path == Memory {
		return errors.New("a store that ends with its process has no choice to keep; give --db a file")
	}
	files, err := modelFiles(ctx, c.with(model))
	if err != nil {
		return err
	}
	if files != nil {
		if err := works(ctx, c, *files); err != nil {
			return err
		}
	}
	kept, err := store.Open(ctx, store.Options{Path: c.Path, ReadOnly: c.ReadOnly, Logger: c.Logger})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	return kept.Choose(ctx, model)
}

// works loads a model and encodes with it once.
func works(ctx context.Context, c Config, files encoder.Files) error {
	library, err := c.Models.FindRuntime(ctx)
	if err != nil {
		return err
	}
	opened, err := encoder.Open(ctx, encoder.Config{Library: library, Model: files, Logger: c.Logger})
	if err != nil {
		return err
	}
	return opened.Close()
}

// Change makes the vectors that the chosen model lacks, beside those that answer,
// and then lets it answer, in this process at its next Open and in others at once.
// What was made before, by whichever process, is not made again; a batch that was
// committed is never lost (TestAChangeIsResumed). It fails with ErrChangedElsewhere
// when another process is at it.
func Change(ctx context.Context, c Config, model string, progress func(ChangeProgress)) (err error) {
	release, held := takeLock(indexFolder(c.Path), changeLock)
	if !held {
		return ErrChangedElsewhere
	}
	defer release()
	c = c.with(model)
	c.Next, c.Fill = true, false
	if _, err := modelFiles(ctx, c); err != nil {
		return err
	}
	next, err := Open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, next.Close()) }()
	if model != ModelNone {
		if err := next.complete(ctx, progress); err != nil {
			return err
		}
	}
	done, err := next.Store.Answer(ctx, model, next.vectors)
	if err == nil && !done {
		err = errOverruled
	}
	return err
}

// complete makes what is missing of this encoder: vectors of memories, and those
// for cues where the store has any. Memories that come in meanwhile are taken along.
func (l *Local) complete(ctx context.Context, progress func(ChangeProgress)) error {
	senses, err := l.hasCues(ctx)
	if err != nil {
		return err
	}
	for {
		if err := l.completeOf(ctx, l.vectors, false, l.Backfill, progress); err != nil {
			return err
		}
		if !senses {
			return nil
		}
		if err := l.completeOf(ctx, l.cues.Identity(), true, l.BackfillCues, progress); err != nil {
			return err
		}
		senses = false // once more for what came in while those for cues were made
	}
}

func (l *Local) completeOf(ctx context.Context, identity string, cues bool, backfill func(context.Context, func(int)) (int, error), progress func(ChangeProgress)) error {
	embedded, memories, err := l.Store.Embedded(ctx, identity)
	if err != nil {
		return err
	}
	ctx, overrule := context.WithCancelCause(ctx)
	defer overrule(nil)
	tell := func(made int) {
		if choice, err := l.Store.Choice(ctx); err == nil && chosen(choice) != l.model {
			overrule(errOverruled)
		}
		if progress != nil {
			progress(ChangeProgress{Model: l.model, Cues: cues, Done: embedded + made, Total: max(memories, embedded+made)})
		}
	}
	tell(0)
	_, err = backfill(ctx, tell)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// hasCues says whether somebody senses with this store.
func (l *Local) hasCues(ctx context.Context) (bool, error) {
	sets, err := l.Store.VectorSets(ctx)
	for _, set := range sets {
		if set.Cue && set.Memories > 0 {
			return true, err
		}
	}
	return false, err
}

// Kept is what a store keeps of an encoder.
type Kept struct {
	store.VectorSet
	Needed bool // it answers, is to answer, or is what one of them compares cues with
}

// Kept gives what the store keeps of each encoder.
func (l *Local) Kept(ctx context.Context) ([]Kept, error) {
	choice, err := l.Store.Choice(ctx)
	if err != nil {
		return nil, err
	}
	sets, err := l.Store.VectorSets(ctx)
	if err != nil {
		return nil, err
	}
	needed := map[string]bool{}
	for _, model := range []string{l.model, answering(choice), chosen(choice)} {
		files, why := modelFiles(ctx, l.config.with(model))
		if why != nil {
			return nil, fmt.Errorf("%w; until then nobody knows which vectors are its own", why)
		}
		if files != nil {
			needed[memory.LineIdentity(files.Identity())], needed[memory.CueIdentity(files.Identity())] = true, true
		}
	}
	out := make([]Kept, len(sets))
	for i, set := range sets {
		out[i] = Kept{set, needed[set.Identity] || set.Present}
	}
	return out, nil
}

// Prune deletes what is not needed, and gives what it was. progress is told of each
// encoder before its vectors go. Index files that cannot be made anew, as on a full
// disk, are no failure: they are read as before and made anew later
// (TestPruningTellsWhatWentWithoutAnIndex).
func (l *Local) Prune(ctx context.Context, progress func(Kept)) (gone []Kept, err error) {
	sets, err := l.Kept(ctx)
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		if set.Needed {
			continue
		}
		progress(set)
		if err := l.Store.Prune(ctx, set.Identity); err != nil {
			return gone, err
		}
		gone = append(gone, set)
	}
	if len(gone) == 0 {
		return nil, nil
	}
	// The index files of other encoders go along.
	if err := errors.Join(l.Index.Rewrite(ctx), l.cues.Scrub(ctx)); err != nil {
		l.log.Warn("the vectors are deleted; the index files could not be made anew, which is done later", "err", err)
	}
	return gone, nil
}

// InUse gives the models that answer, and are to answer, in a store; "" for a file
// that is not there yet. It opens nothing else.
func InUse(ctx context.Context, path string) (now, next string, err error) {
	if _, err := os.Stat(path); err != nil {
		return "", "", nil
	}
	kept, err := store.Open(ctx, store.Options{Path: path, ReadOnly: true})
	if err != nil {
		return "", "", err
	}
	choice, err := kept.Choice(ctx)
	return answering(choice), chosen(choice), errors.Join(err, kept.Close())
}
