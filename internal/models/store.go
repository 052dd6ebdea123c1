package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
)

// RuntimeName is the name under which List, Verify, Download and Remove take
// the ONNX Runtime library.
const RuntimeName = "onnxruntime"

// Store is the folder that holds downloaded models and the runtime library. Its
// zero value works. It keeps no state of its own: several processes may use the
// same folder, and a file being fetched is locked.
type Store struct {
	Dir     string // empty: DefaultDir()
	Lock    *Lock  // nil: the lock the program was built with
	Library string // path of the runtime library the user set; empty: look in Dir

	// Platform is the GOOS/GOARCH of the library; empty: this program's.
	Platform string
	// StallTimeout ends a download that receives nothing for so long; zero: one minute.
	StallTimeout time.Duration
}

// DefaultDir is the folder for models in the user's data folder.
func DefaultDir() string { return filepath.Join(xdg.DataHome, "combray", "models") }

// State is the condition of a model on this machine.
type State string

// The states of a model.
const (
	Bundled   State = "bundled"   // part of the program
	Installed State = "installed" // all files here and right
	Partial   State = "partial"   // some files here, or a download was interrupted
	Damaged   State = "damaged"   // a file is here and wrong
	Missing   State = "missing"   // nothing here
)

// Status is one line of a listing.
type Status struct {
	Name    string
	Title   string
	Kind    string // text, or library for the runtime
	Licence string
	Origin  string
	Note    string
	// Experimental: nobody has run the program with its real weights yet.
	Experimental bool
	State        State
	Bytes        int64  // of all files
	Present      int64  // bytes of them that are on the disk
	Problem      string // what is damaged or incomplete; empty when nothing is
	Path         string // folder of the model, or the library
}

func (s Store) dir() string {
	if s.Dir != "" {
		return s.Dir
	}
	return DefaultDir()
}

func (s Store) lock() (*Lock, error) {
	if s.Lock != nil {
		return s.Lock, nil
	}
	return Embedded()
}

// path is where a file of a model lies.
func (s Store) path(m Model, f File) string {
	return filepath.Join(s.dir(), m.Name, filepath.FromSlash(f.Path))
}

// List returns the runtime library and every model of the lock with its state,
// in the lock's order. Files that were not yet checked are read once.
func (s Store) List(ctx context.Context) ([]Status, error) {
	lock, err := s.lock()
	if err != nil {
		return nil, err
	}
	list := []Status{s.runtimeStatus(ctx)}
	for _, m := range lock.Models {
		list = append(list, s.status(ctx, m))
	}
	return list, ctx.Err()
}

// Status returns the line of one model, or of the runtime library.
func (s Store) Status(ctx context.Context, name string) (Status, error) {
	if name == RuntimeName {
		return s.runtimeStatus(ctx), ctx.Err()
	}
	m, err := s.Model(name)
	if err != nil {
		return Status{}, err
	}
	return s.status(ctx, m), ctx.Err()
}

// Model returns the row of a model in the lock. The error lists the names there are.
func (s Store) Model(name string) (Model, error) {
	lock, err := s.lock()
	if err != nil {
		return Model{}, err
	}
	return lock.Model(name)
}

// InSpace returns the models of a kind whose vectors may be compared with those of a
// space, in the lock's order.
func (s Store) InSpace(space, kind string) ([]Model, error) {
	lock, err := s.lock()
	if err != nil {
		return nil, err
	}
	var out []Model
	for _, m := range lock.Models {
		if space != "" && m.Space == space && m.Kind == kind {
			out = append(out, m)
		}
	}
	return out, nil
}

func (s Store) status(ctx context.Context, m Model) Status {
	st := Status{
		Name: m.Name, Title: m.Title, Kind: m.Kind, Licence: m.Licence, Origin: m.Origin,
		Note: m.Note, Experimental: m.Experimental, State: Bundled,
	}
	for _, f := range m.Files {
		st.Bytes += f.Bytes
	}
	if m.Bundled {
		st.Present = st.Bytes
		return st
	}
	st.Path = filepath.Join(s.dir(), m.Name)
	right, problem, present := 0, error(nil), int64(0)
	for _, f := range m.Files {
		present += sizeOf(s.path(m, f)) + sizeOf(s.path(m, f)+partSuffix)
		err := VerifyFile(ctx, s.path(m, f), f.Digest())
		if err == nil {
			right++
		} else if !errors.Is(err, fs.ErrNotExist) {
			problem = errors.Join(problem, err)
		}
	}
	st.Present = present
	st.State, st.Problem = verdict(right, len(m.Files), present, problem)
	return st
}

// verdict turns the findings about a model's files into a state.
func verdict(right, all int, present int64, problem error) (State, string) {
	switch {
	case problem != nil:
		return Damaged, problem.Error()
	case right == all:
		return Installed, ""
	case present > 0:
		return Partial, fmt.Sprintf("%d of %d files are complete", right, all)
	}
	return Missing, ""
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// Installed returns the paths of a model's files by their path in the lock, each
// checked. A file that was right before and did not change is not read again.
func (s Store) Installed(ctx context.Context, name string) (map[string]string, error) {
	return s.check(ctx, name, VerifyFile)
}

// Verify reads every file of a model, or the runtime library, in full.
func (s Store) Verify(ctx context.Context, name string) error {
	if name == RuntimeName {
		return s.verifyRuntime(ctx)
	}
	_, err := s.check(ctx, name, recheckFile)
	return err
}

// recheckFile reads a file in full and forgets an older note about it when it is wrong.
func recheckFile(ctx context.Context, path string, want Digest) error {
	err := CheckFile(ctx, path, want)
	var bad *DamageError
	if errors.As(err, &bad) {
		_ = os.Remove(path + stampSuffix)
	}
	return err
}

func (s Store) check(ctx context.Context, name string, verify func(context.Context, string, Digest) error) (map[string]string, error) {
	m, err := s.Model(name)
	if err != nil {
		return nil, err
	}
	if m.Bundled {
		return nil, nil
	}
	paths := make(map[string]string, len(m.Files))
	for _, f := range m.Files {
		err := verify(ctx, s.path(m, f), f.Digest())
		var bad *DamageError
		switch {
		case err == nil:
			paths[f.Path] = s.path(m, f)
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("model %s is not complete: %s is not there; run \"combray models download %s\"", name, s.path(m, f), name)
		case errors.As(err, &bad):
			return nil, fmt.Errorf("model %s is damaged: %w; run \"combray models download %s\" to replace the file", name, err, name)
		default:
			return nil, fmt.Errorf("model %s cannot be checked: %w", name, err)
		}
	}
	return paths, nil
}

// Remove deletes the files of a model, or the runtime library, and what is left
// of unfinished downloads. Removing what is not there is no error.
func (s Store) Remove(name string) error {
	if name == RuntimeName {
		return s.removeRuntime()
	}
	m, err := s.Model(name)
	if err != nil {
		return err
	}
	if m.Bundled {
		return fmt.Errorf("model %s is part of the program and cannot be removed; set COMBRAY_MODEL=none to work without it", name)
	}
	for _, f := range m.Files {
		if err := removeWithNotes(s.path(m, f)); err != nil {
			return err
		}
		s.removeEmptyFolders(filepath.Dir(s.path(m, f)))
	}
	return nil
}

// removeWithNotes deletes a file and everything this package keeps beside it.
func removeWithNotes(path string) error {
	for _, suffix := range []string{"", stampSuffix, partSuffix, partSuffix + validatorSuffix} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove %s: %w", path+suffix, err)
		}
	}
	return nil
}

// removeEmptyFolders removes dir and the folders above it, below the store's, while they are empty.
func (s Store) removeEmptyFolders(dir string) {
	for dir != s.dir() && len(dir) > len(s.dir()) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}
