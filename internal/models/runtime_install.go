package models

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// InstallRuntime returns the path of the runtime library and installs it first if
// it is not there. It tries the sources of the lock in order; if all fail, the
// error names each reason and the next step. With Options.From it takes the
// package, the archive or the library itself from that folder instead.
func (s Store) InstallRuntime(ctx context.Context, opt Options) (string, error) {
	found, err := s.FindRuntime(ctx)
	if err == nil || s.Library != "" {
		return found, err
	}
	row, err := s.runtimeRow()
	if err != nil {
		return "", err
	}
	var failures []string
	for _, source := range row.Sources {
		err := s.installFrom(ctx, source, opt)
		if err == nil {
			return s.libraryPath(source), nil
		}
		if ctx.Err() != nil {
			return "", fmt.Errorf("installing the ONNX Runtime library was stopped: %w", context.Cause(ctx))
		}
		failures = append(failures, fmt.Sprintf("%s (%s %s): %v", source.Client, source.Package, source.Version, err))
	}
	return "", fmt.Errorf("the ONNX Runtime library could not be installed for %s.\n  %s\nNext: %s",
		s.platform(), strings.Join(failures, "\n  "), s.installHint())
}

// installHint is the next step when no source worked.
func (s Store) installHint() string {
	hint := "fetch one of the packages above elsewhere and run \"combray models download " + RuntimeName +
		" --from FOLDER\", or set COMBRAY_ORT_LIB to a library of version 1.24 or newer"
	if strings.HasPrefix(s.platform(), "linux/") {
		return "install pip (\"apt install python3-pip\") and run the command again, or " + hint
	}
	return "install pip or npm and run the command again, or " + hint
}

// installFrom installs the library of one source.
func (s Store) installFrom(ctx context.Context, source Source, opt Options) error {
	// Beside the target, so that the last rename stays on one file system.
	if err := makeFolder(filepath.Join(s.runtimeFolder(), "x")); err != nil {
		return err
	}
	work, err := os.MkdirTemp(s.runtimeFolder(), "unpack-")
	if err != nil {
		return fmt.Errorf("make a folder to unpack in: %w", err)
	}
	defer os.RemoveAll(work)
	if opt.From != "" {
		return s.installCarried(ctx, source, opt)
	}
	switch source.Client {
	case clientPip:
		return s.installWithClient(ctx, source, work, pipDownload)
	case clientNpm:
		return s.installWithClient(ctx, source, work, npmPack)
	}
	archive, err := s.fetchArchive(ctx, source, opt)
	if err != nil {
		return err
	}
	if err := s.unpackLibrary(ctx, source, archive); err != nil {
		return err
	}
	return removeWithNotes(archive) // 8 to 75 MB nobody needs again
}

// fetchArchive downloads the publisher's archive into the runtime folder, where a
// later run can continue it.
func (s Store) fetchArchive(ctx context.Context, source Source, opt Options) (string, error) {
	it := item{
		what: "ONNX Runtime " + source.Version, file: path.Base(source.Address), address: source.Address,
		target: filepath.Join(s.runtimeFolder(), path.Base(source.Address)),
		want:   Digest{source.ArchiveBytes, source.ArchiveSHA256},
		again:  "combray models download " + RuntimeName,
	}
	return it.target, s.fetch(ctx, it, opt)
}

// installWithClient lets a package client fetch a package into work and takes the library out of it.
func (s Store) installWithClient(ctx context.Context, source Source, work string, fetch func(context.Context, Source, string) error) error {
	if err := fetch(ctx, source, work); err != nil {
		return err
	}
	archive, err := onlyFile(work)
	if err != nil {
		return err
	}
	return s.unpackLibrary(ctx, source, archive)
}

// onlyFile returns the one package file a client left in dir.
func onlyFile(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if _, known := archiveReader(e.Name()); known && e.Type().IsRegular() {
			return filepath.Join(dir, e.Name()), nil
		}
	}
	return "", fmt.Errorf("the client left no package in %s", dir)
}

// unpackLibrary takes the library of source out of an archive and installs it.
func (s Store) unpackLibrary(ctx context.Context, source Source, archive string) error {
	target := s.libraryPath(source)
	part, err := openPart(target + partSuffix)
	if err != nil {
		return err
	}
	defer part.Close()
	if err := part.Truncate(0); err != nil {
		return fmt.Errorf("write %s: %w", part.Name(), err)
	}
	if err := extract(ctx, archive, source, part); err != nil {
		return err
	}
	return s.installLibrary(ctx, source, part)
}

// installLibrary checks an unpacked library and puts it in its place.
func (s Store) installLibrary(ctx context.Context, source Source, part *os.File) error {
	target := s.libraryPath(source)
	if want := source.digest(); want.SHA256 != "" {
		return finish(ctx, item{target: target, want: want}, part)
	}
	info, err := part.Stat()
	if err != nil {
		return err
	}
	if _, err := part.Seek(0, 0); err != nil {
		return err
	}
	sum, err := hashOf(ctx, part)
	if err != nil {
		return err
	}
	note := fmt.Sprintf("%d %s\n", info.Size(), sum)
	if err := os.WriteFile(target+digestSuffix, []byte(note), 0o600); err != nil {
		return fmt.Errorf("note the hash of %s: %w", target, err)
	}
	return install(part, target)
}

// installCarried takes the library from files a person carried over: the package
// a client would fetch, the publisher's archive, or the library itself.
func (s Store) installCarried(ctx context.Context, source Source, opt Options) error {
	bare := filepath.Join(opt.From, source.libraryFile())
	if want := source.digest(); want.SHA256 != "" && CheckFile(ctx, bare, want) == nil {
		return copyIn(ctx, item{file: source.libraryFile(), target: s.libraryPath(source), want: want}, bare, opt)
	}
	pattern := source.packagePattern()
	matches, err := filepath.Glob(filepath.Join(opt.From, pattern))
	if err != nil || len(matches) == 0 {
		return fmt.Errorf("no file %s in %s", pattern, opt.From)
	}
	if source.Client == clientPublisher {
		if err := CheckFile(ctx, matches[0], Digest{source.ArchiveBytes, source.ArchiveSHA256}); err != nil {
			return err
		}
	}
	return s.unpackLibrary(ctx, source, matches[0])
}

// packagePattern matches the file name of the package of a source.
func (s Source) packagePattern() string {
	switch s.Client {
	case clientPip:
		return fmt.Sprintf("%s-%s-*%s*.whl", s.Package, s.Version, s.Tag)
	case clientNpm:
		return fmt.Sprintf("%s-%s.tgz", s.Package, s.Version)
	}
	return path.Base(s.Address)
}
