package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// partSuffix is added to the name of a file while it is being fetched;
// validatorSuffix to that of the note with the server's version of it.
const (
	partSuffix      = ".part"
	validatorSuffix = ".etag"
)

// Options are the wishes for a download. The zero value fetches from the publisher, quietly.
type Options struct {
	// From is a folder with files a person carried over; nothing is fetched then.
	From string
	// Progress is called now and then from the calling goroutine; nil: not at all.
	Progress func(Progress)
}

// Progress tells how far a file is.
type Progress struct {
	File  string // its path in the lock, or the package's name
	Done  int64  // bytes
	Total int64  // bytes; zero when not known
}

func (o Options) report(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// Download brings every file of a model that is missing or wrong into the store:
// from the publisher's address, or from Options.From. What was fetched before an
// interruption is kept and continued. A file gets its name only after its size
// and SHA-256 were found right. RuntimeName installs the runtime library.
func (s Store) Download(ctx context.Context, name string, opt Options) error {
	if name == RuntimeName {
		_, err := s.InstallRuntime(ctx, opt)
		return err
	}
	m, err := s.Model(name)
	if err != nil {
		return err
	}
	if m.Bundled {
		return fmt.Errorf("model %s is part of the program; there is nothing to download", name)
	}
	for _, f := range m.Files {
		if err := s.bring(ctx, m, f, opt); err != nil {
			return err
		}
	}
	return nil
}

// bring makes sure that one file of m is there and right.
func (s Store) bring(ctx context.Context, m Model, f File, opt Options) error {
	target := s.path(m, f)
	err := VerifyFile(ctx, target, f.Digest())
	var bad *DamageError
	switch {
	case err == nil:
		opt.report(Progress{f.Path, f.Bytes, f.Bytes})
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &bad):
		return fmt.Errorf("check %s: %w", target, err)
	}
	item := item{
		what: m.Name, file: f.Path, address: m.Address + "/" + f.Path,
		target: target, want: f.Digest(), again: "combray models download " + m.Name,
	}
	if opt.From != "" {
		err = carry(ctx, item, carried(opt.From, m, f), opt)
	} else {
		err = s.fetch(ctx, item, opt)
	}
	if err != nil {
		return err
	}
	return VerifyFile(ctx, target, f.Digest())
}

// item is one file to bring: what it is for, where from, where to, what it must be.
type item struct {
	what    string // model or library, for messages
	file    string // name for messages and progress
	address string
	target  string
	want    Digest
	again   string // command that tries again
}

// carried lists where a person may have put a file of m below dir.
func carried(dir string, m Model, f File) []string {
	return []string{
		filepath.Join(dir, filepath.FromSlash(f.Path)),
		filepath.Join(dir, m.Name, filepath.FromSlash(f.Path)),
		filepath.Join(dir, path.Base(f.Path)),
		filepath.Join(dir, m.Name, path.Base(f.Path)),
	}
}

// carry copies the first of the candidates that exists into its place, if it is
// the right file.
func carry(ctx context.Context, it item, candidates []string, opt Options) error {
	for _, from := range candidates {
		err := CheckFile(ctx, from, it.want)
		var bad *DamageError
		switch {
		case err == nil:
			return copyIn(ctx, it, from, opt)
		case errors.As(err, &bad):
			return fmt.Errorf("%s was carried over, but %w; fetch it again from %s", it.file, err, it.address)
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("read %s: %w", from, err)
		}
	}
	return fmt.Errorf("%s of %s was not found as %s; fetch it from %s, put it there and run the command again",
		it.file, it.what, candidates[0], it.address)
}

// copyIn copies a checked file into its place.
func copyIn(ctx context.Context, it item, from string, opt Options) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	part, err := openPart(it.target + partSuffix)
	if err != nil {
		return err
	}
	defer part.Close()
	if err := part.Truncate(0); err != nil {
		return fmt.Errorf("write %s: %w", part.Name(), err)
	}
	meter := &meter{out: part, opt: opt, file: it.file, total: it.want.Bytes}
	if _, err := io.CopyBuffer(meter, readerWithContext{ctx, source}, make([]byte, copyBytes)); err != nil {
		return fmt.Errorf("copy %s to %s: %w", from, part.Name(), err)
	}
	return finish(ctx, it, part)
}

// finish checks a complete part file and puts it in its place. A wrong one is
// deleted, because nothing can be added to make it right.
func finish(ctx context.Context, it item, part *os.File) error {
	if err := CheckFile(ctx, part.Name(), it.want); err != nil {
		var bad *DamageError
		if errors.As(err, &bad) {
			_ = os.Remove(part.Name())
			_ = os.Remove(part.Name() + validatorSuffix)
		}
		return err
	}
	if err := install(part, it.target); err != nil {
		return err
	}
	_ = os.Remove(part.Name() + validatorSuffix)
	return nil
}

// copyBytes is the size of a copy's steps; progress is told once a step.
const copyBytes = 1 << 18

// meter writes and tells how far it is.
type meter struct {
	out   io.Writer
	opt   Options
	file  string
	done  int64
	total int64

	failed error // why out did not take the bytes
}

func (m *meter) Write(p []byte) (int, error) {
	n, err := m.out.Write(p)
	m.done, m.failed = m.done+int64(n), err
	m.opt.report(Progress{m.file, m.done, m.total})
	return n, err
}
