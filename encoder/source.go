package encoder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"combray/internal/models"
)

// verify checks a file's SHA-256 before it is used the first time.
func (s Source) verify(ctx context.Context, what string) error {
	if s.Bytes == nil {
		err := models.VerifyFile(ctx, s.Path, models.Digest{Bytes: s.Size, SHA256: s.SHA256})
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("the %s is not there: %s; run \"combray models download\" for this model", what, s.Path)
		case err != nil && ctx.Err() == nil:
			return fmt.Errorf("the %s cannot be used: %w; run \"combray models download\" for this model to replace it", what, err)
		}
		return err
	}
	sum, err := s.hash(ctx)
	if err != nil {
		return err
	}
	if sum != s.SHA256 {
		return fmt.Errorf("the %s in memory is damaged: its SHA-256 is %s, %s is right; install the program again", what, sum, s.SHA256)
	}
	return nil
}

// hashStep is how much is hashed between two looks at the context, and how many
// bytes of a mapped file the check holds in memory at a time.
const hashStep = 1 << 20

// hash returns the SHA-256 of the bytes. Pages of a mapped file are given back on
// the way, so that the check does not raise the memory in use by the whole file.
func (s Source) hash(ctx context.Context) (string, error) {
	h := sha256.New()
	for at := 0; at < len(s.Bytes); at += hashStep {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		step := s.Bytes[at:min(at+hashStep, len(s.Bytes))]
		h.Write(step)
		if s.Mapped {
			giveBack(step)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// runtimeFormat reports whether a graph is in ONNX Runtime's own format, a
// FlatBuffer with the identifier ORTM.
func runtimeFormat(graph []byte) bool {
	return len(graph) >= 8 && string(graph[4:8]) == "ORTM"
}
