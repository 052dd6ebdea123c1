package models

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// Bounds on what is read from an archive. The largest real one, the npm package,
// has 86 MB, unpacks to 250 MB and holds some 100 files.
const (
	maxUnpacked = 2 << 30   // bytes walked over in a tar
	maxMember   = 256 << 20 // bytes of a library whose size the lock does not know
	maxEntries  = 20_000
)

// archiveReader returns the function that reads archives with this file name.
func archiveReader(name string) (func(context.Context, string, Source, io.Writer) error, bool) {
	switch {
	case strings.HasSuffix(name, ".whl"), strings.HasSuffix(name, ".zip"):
		return extractZip, true
	case strings.HasSuffix(name, ".tgz"), strings.HasSuffix(name, ".tar.gz"):
		return extractTar, true
	}
	return nil, false
}

// extract writes the library of source, found in the archive, to out. Only that
// one member is written, under no name of the archive's own.
func extract(ctx context.Context, archive string, source Source, out io.Writer) error {
	read, known := archiveReader(archive)
	if !known {
		return fmt.Errorf("%s is no archive this program reads (.whl, .zip, .tgz)", archive)
	}
	if err := read(ctx, archive, source, out); err != nil {
		return fmt.Errorf("take %s out of %s: %w", source.Member, archive, err)
	}
	return nil
}

var (
	errNoMember = errors.New("the archive has no such file")
	errTooLarge = errors.New("the archive holds more than any package of the library does")
)

func extractZip(ctx context.Context, archive string, source Source, out io.Writer) error {
	reader, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer reader.Close()
	if len(reader.File) > maxEntries {
		return errTooLarge
	}
	for _, f := range reader.File {
		if path.Clean(f.Name) != source.Member || !f.Mode().IsRegular() {
			continue
		}
		member, err := f.Open()
		if err != nil {
			return err
		}
		defer member.Close()
		return copyMember(ctx, source, member, out)
	}
	return errNoMember
}

func extractTar(ctx context.Context, archive string, source Source, out io.Writer) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(readerWithContext{ctx, f})
	if err != nil {
		return err
	}
	bounded := &io.LimitedReader{R: unzipped, N: maxUnpacked}
	reader := tar.NewReader(bounded)
	for range maxEntries {
		header, err := reader.Next()
		switch {
		case bounded.N == 0:
			return errTooLarge
		case errors.Is(err, io.EOF):
			return errNoMember
		case err != nil:
			return err
		}
		if path.Clean(header.Name) == source.Member && header.Typeflag == tar.TypeReg {
			return copyMember(ctx, source, reader, out)
		}
	}
	return errTooLarge
}

// copyMember copies at most one byte more than the library has, so that the
// check after it sees a member that is too long.
func copyMember(ctx context.Context, source Source, member io.Reader, out io.Writer) error {
	limit := int64(maxMember)
	if source.Bytes > 0 {
		limit = source.Bytes
	}
	n, err := io.CopyBuffer(onlyWriter{out}, readerWithContext{ctx, io.LimitReader(member, limit+1)}, make([]byte, copyBytes))
	if err != nil {
		return err
	}
	if n > limit {
		return errTooLarge
	}
	return nil
}
