package benchmark

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// storeName and stampName are the files of a kept store.
const (
	storeName = "bench.db"
	stampName = "bench.json"
)

// stamp says what a kept store was built from. A store without one is not whole.
type stamp struct {
	Form int `json:"form"` // of what Builder makes
	Contents
}

// form changes with what a Builder makes of the same parameters.
const form = 1

// contents are those of the store that a Builder makes.
func (b *Builder) contents() Contents {
	c := Contents{Memories: b.Memories, Seed: b.Text.seed, TextDigest: b.Text.digest}
	if b.Encoder != nil {
		c.Encoded, c.Encoder = min(b.Encoded, b.Memories), b.Encoder.Identity()
	}
	return c
}

// kept reports whether a folder holds the store that a Builder would make. A
// folder with another one is an error that says how they differ.
func (b *Builder) kept(folder string) (bool, error) {
	data, err := os.ReadFile(filepath.Join(folder, stampName))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(folder, storeName)); err == nil {
			return false, fmt.Errorf("%s holds %s without %s, so nobody knows what it was built from: remove it, or name another folder", folder, storeName, stampName)
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var there stamp
	if err := json.Unmarshal(data, &there); err != nil {
		return false, fmt.Errorf("%s cannot be read: %w", filepath.Join(folder, stampName), err)
	}
	if want := (stamp{form, b.contents()}); there != want {
		return false, fmt.Errorf("the store in %s was built otherwise (%s; asked for: %s): name another folder, or the same parameters", folder, there, want)
	}
	return true, nil
}

func (s stamp) String() string {
	text := "made text"
	if s.TextDigest != "" {
		text = "text " + s.TextDigest[:min(8, len(s.TextDigest))]
	}
	return fmt.Sprintf("form %d, %d memories, %d encoded, seed %d, %s, encoder %q", s.Form, s.Memories, s.Encoded, s.Seed, text, s.Encoder)
}

// keep writes the stamp, when the store is whole.
func (b *Builder) keep(folder string) error {
	data, err := json.MarshalIndent(stamp{form, b.contents()}, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(folder, stampName), append(data, '\n'))
}
