package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// digestOf returns the digest of content.
func digestOf(content []byte) Digest {
	sum := sha256.Sum256(content)
	return Digest{int64(len(content)), hex.EncodeToString(sum[:])}
}

// writeFile writes content below a test's folder.
func writeFile(t *testing.T, path string, content []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// noise returns n bytes that do not repeat.
func noise(n int) []byte {
	out := make([]byte, 0, n+32)
	sum := sha256.Sum256([]byte("combray"))
	for len(out) < n {
		out = append(out, sum[:]...)
		sum = sha256.Sum256(sum[:])
	}
	return out[:n]
}

func TestDamageIsNamed(t *testing.T) {
	right := noise(20_000)
	want := digestOf(right)
	zeroed := bytes.Clone(right)
	clear(zeroed[10_000:])
	flipped := bytes.Clone(right)
	flipped[5] ^= 1
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + want.SHA256 + "\nsize 20000\n"
	cases := map[string]struct {
		content []byte
		says    string
	}{
		"LFS pointer":      {[]byte(pointer), "Git LFS pointer"},
		"web page":         {[]byte("\n<!DOCTYPE html><title>Sign in</title>"), "web page"},
		"web page, no doc": {[]byte("<html lang=en>"), "web page"},
		"empty":            {nil, "is empty"},
		"cut off":          {right[:1024], "cut off: it has 1024 of 20000 bytes"},
		"cut in zeros":     {zeroed[:15_000], "ends in zeros"},
		"zeroed tail":      {zeroed, "ends in zeros"},
		"too long":         {append(bytes.Clone(right), 1), "too long"},
		"one bit":          {flipped, "other content"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, filepath.Join(t.TempDir(), "file"), c.content)
			err := VerifyFile(t.Context(), path, want)
			var bad *DamageError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v does not contain %q and the path", err, c.says)
			}
		})
	}
}

func TestVerifyFileNote(t *testing.T) {
	path := writeFile(t, filepath.Join(t.TempDir(), "file"), noise(1000))
	want := digestOf(noise(1000))
	if err := VerifyFile(t.Context(), path, want); err != nil {
		t.Fatal(err)
	}
	// Same size and time: the note is believed, which shows that the file was not read.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, bytes.Repeat([]byte("x"), 1000))
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := VerifyFile(t.Context(), path, want); err != nil {
		t.Errorf("an unchanged size and time was read again: %v", err)
	}
	if err := CheckFile(t.Context(), path, want); err == nil {
		t.Error("CheckFile believed the note")
	}
	later := info.ModTime().Add(time.Second)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if err := VerifyFile(t.Context(), path, want); err == nil {
		t.Error("a changed time was not noticed")
	}
	other := want
	other.SHA256 = strings.Repeat("0", 64)
	if err := VerifyFile(t.Context(), path, other); err == nil {
		t.Error("the note of another hash was believed")
	}
}

func TestVerifyFileWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if err := VerifyFile(t.Context(), filepath.Join(dir, "none"), Digest{1, ""}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	var bad *DamageError
	if err := VerifyFile(t.Context(), dir, Digest{1, ""}); !errors.As(err, &bad) {
		t.Errorf("a folder: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := writeFile(t, filepath.Join(dir, "file"), noise(10))
	if err := VerifyFile(ctx, path, digestOf(noise(10))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
