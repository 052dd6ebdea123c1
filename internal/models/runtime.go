package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
)

// folder is where a source's library lies below the store's runtime folder.
func (s Source) folder() string { return s.Version + "-" + s.Client }

// libraryFile is the file name of the source's library.
func (s Source) libraryFile() string { return path.Base(s.Member) }

// digest is what the library of a source must be; zero for a publisher source.
func (s Source) digest() Digest { return Digest{s.Bytes, s.SHA256} }

func (s Store) platform() string {
	if s.Platform != "" {
		return s.Platform
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}

func (s Store) runtimeFolder() string { return filepath.Join(s.dir(), RuntimeName) }

// libraryPath is where the library of a source lies.
func (s Store) libraryPath(source Source) string {
	return filepath.Join(s.runtimeFolder(), source.folder(), source.libraryFile())
}

func (s Store) runtimeRow() (Runtime, error) {
	lock, err := s.lock()
	if err != nil {
		return Runtime{}, err
	}
	return lock.Runtime(s.platform())
}

// FindRuntime returns the path of the runtime library: the one the user set, else
// the first in the store that is right. It never opens a connection. The error
// names what was looked for and how to get it.
func (s Store) FindRuntime(ctx context.Context) (string, error) {
	if s.Library != "" {
		info, err := os.Stat(s.Library)
		if err != nil || !info.Mode().IsRegular() {
			return "", fmt.Errorf("there is no ONNX Runtime library at %s; correct COMBRAY_ORT_LIB, or unset it and run \"make setup\"", s.Library)
		}
		return s.Library, nil
	}
	row, err := s.runtimeRow()
	if err != nil {
		return "", err
	}
	damaged := error(nil)
	for _, source := range row.Sources {
		err := s.verifyLibrary(ctx, source, VerifyFile)
		if err == nil {
			return s.libraryPath(source), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			damaged = errors.Join(damaged, err)
		}
	}
	if damaged != nil {
		return "", fmt.Errorf("the ONNX Runtime library cannot be used: %w; run \"make setup\" or \"combray models download %s\" to replace it", damaged, RuntimeName)
	}
	return "", fmt.Errorf("there is no ONNX Runtime library in %s; run \"make setup\" or \"combray models download %s\", or set COMBRAY_ORT_LIB to one of version 1.24 or newer", s.runtimeFolder(), RuntimeName)
}

// verifyLibrary checks the library of a source. That of a publisher source has no
// hash in the lock: the one noted when its checked archive was unpacked counts.
func (s Store) verifyLibrary(ctx context.Context, source Source, verify func(context.Context, string, Digest) error) error {
	file := s.libraryPath(source)
	want := source.digest()
	if want.SHA256 == "" {
		note := readSmall(file + digestSuffix)
		if _, err := fmt.Sscanf(note, "%d %64s\n", &want.Bytes, &want.SHA256); err != nil || checkDigest(want) != nil {
			if _, statErr := os.Stat(file); statErr != nil {
				return statErr
			}
			return &DamageError{file, "has no note of its hash beside it"}
		}
	}
	return verify(ctx, file, want)
}

// digestSuffix is added to a library's name for the note with its size and hash.
const digestSuffix = ".digest"

// runtimeStatus is the line of the runtime library in a listing.
func (s Store) runtimeStatus(ctx context.Context) Status {
	st := Status{Name: RuntimeName, Title: "ONNX Runtime library", Kind: "library", State: Missing}
	row, err := s.runtimeRow()
	if err != nil && s.Library == "" {
		st.Problem = err.Error()
		return st
	}
	st.Licence, st.Origin = row.Licence, row.Origin
	found, err := s.FindRuntime(ctx)
	if err == nil {
		st.State, st.Path, st.Present = Installed, found, sizeOf(found)
		st.Bytes = st.Present
		return st
	}
	if s.Library != "" {
		st.Problem = err.Error()
		return st
	}
	for _, source := range row.Sources {
		st.Present += sizeOf(s.libraryPath(source))
	}
	if st.Present > 0 {
		st.State, st.Problem, st.Path = Damaged, err.Error(), s.runtimeFolder()
	}
	return st
}

// verifyRuntime reads the library in full.
func (s Store) verifyRuntime(ctx context.Context) error {
	found, err := s.FindRuntime(ctx)
	if err != nil || s.Library != "" {
		return err
	}
	row, err := s.runtimeRow()
	if err != nil {
		return err
	}
	for _, source := range row.Sources {
		if s.libraryPath(source) == found {
			return s.verifyLibrary(ctx, source, recheckFile)
		}
	}
	return nil
}

// removeRuntime deletes every library the store installed, and unfinished ones.
func (s Store) removeRuntime() error {
	if err := os.RemoveAll(s.runtimeFolder()); err != nil {
		return fmt.Errorf("remove the ONNX Runtime library: %w", err)
	}
	return nil
}
