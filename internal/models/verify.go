package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// stampSuffix is added to a file's name for the note that says it was checked.
const stampSuffix = ".verified"

// DamageError says what is wrong with a file that should match a row of the lock.
type DamageError struct {
	Path string // or the address it came from
	What string // a clause: "is a Git LFS pointer, not the file itself"
}

// Error returns the path and what is wrong with it.
func (e *DamageError) Error() string { return e.Path + " " + e.What }

// VerifyFile checks the length and SHA-256 of the file at path. A file that was
// right is not read again until its size or modification time changes: a small
// note beside it (path.verified) remembers them. It returns a *DamageError for a
// wrong file, and an error that matches os.ErrNotExist for a missing one.
func VerifyFile(ctx context.Context, path string, want Digest) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if readSmall(path+stampSuffix) == stamp(info, want.SHA256) {
		return nil
	}
	if err := CheckFile(ctx, path, want); err != nil {
		return err
	}
	// Without the note the file is read again next time, nothing worse.
	_ = os.WriteFile(path+stampSuffix, []byte(stamp(info, want.SHA256)), 0o600)
	return nil
}

// CheckFile is VerifyFile that always reads the file and leaves no note.
func CheckFile(ctx context.Context, path string, want Digest) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &DamageError{path, "is not a regular file"}
	}
	if info.Size() == want.Bytes {
		sum, err := hashOf(ctx, f)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if sum == want.SHA256 {
			return nil
		}
	}
	return &DamageError{path, damage(f, info.Size(), want)}
}

// stamp is the note for a file that was right: format, hash, size, time of change.
func stamp(info os.FileInfo, sum string) string {
	return fmt.Sprintf("1 %s %d %d\n", sum, info.Size(), info.ModTime().UnixNano())
}

// readSmall returns the start of a small text file, or "" when there is none.
func readSmall(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 512))
	if err != nil {
		return ""
	}
	return string(text)
}

// hashOf returns the SHA-256 of what is left in r, in hexadecimal digits.
func hashOf(ctx context.Context, r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.CopyBuffer(h, readerWithContext{ctx, r}, make([]byte, 1<<20)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// readerWithContext ends a long read when its context ends.
type readerWithContext struct {
	ctx context.Context
	r   io.Reader
}

func (r readerWithContext) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// zeroTail is the length of a run of zeros at the end that is taken for a lost
// write: one page. Real weight files were never seen to end in one.
const zeroTail = 4096

// damage says in one clause why a file of the given size is not the wanted one.
func damage(r io.ReaderAt, size int64, want Digest) string {
	head := make([]byte, min(size, 512))
	if _, err := r.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return "cannot be read: " + err.Error()
	}
	if what := impostor(head); what != "" {
		return what
	}
	tail := make([]byte, min(size, zeroTail))
	_, _ = r.ReadAt(tail, size-int64(len(tail)))
	zeros := len(tail) == zeroTail && len(bytes.Trim(tail, "\x00")) == 0
	switch {
	case size == 0:
		return "is empty"
	case zeros:
		return "ends in zeros: the write was cut off or the disk lost it"
	case size < want.Bytes:
		return fmt.Sprintf("is cut off: it has %d of %d bytes", size, want.Bytes)
	case size > want.Bytes:
		return fmt.Sprintf("is too long: it has %d bytes, %d are right", size, want.Bytes)
	}
	return "has the right size but other content than models.lock says (SHA-256 differs)"
}

// impostor names what stands in the place of a binary file, judged by its first
// bytes: a Git LFS pointer or a web page. It returns "" for anything else.
func impostor(head []byte) string {
	text := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(string(head), "\ufeff")))
	switch {
	case strings.HasPrefix(text, "version https://git-lfs"):
		return "is a Git LFS pointer, a small text that stands for the file, not the file itself"
	case strings.HasPrefix(text, "<!doctype html"), strings.HasPrefix(text, "<html"):
		return "is a web page (a log-in or error page), not the file"
	}
	return ""
}
