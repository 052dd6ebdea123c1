package main

import (
	"context"
	"encoding/gob"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/internal/memory"
	"combray/internal/models"
)

// cached is the bundled encoder with every vector that it ever made kept in a file,
// so that a change of ranking is measured in minutes.
type cached struct {
	encoder *encoder.Encoder
	path    string // "": nothing is kept

	mu      sync.Mutex
	vectors map[string][][]float32 // by the first letter of how it was encoded, and the text
	made    int
}

var _ memory.Encoder = (*cached)(nil)

func openCached(ctx context.Context, folder string) (*cached, error) {
	files := bundled.Files()
	library, err := models.Store{Library: os.Getenv("COMBRAY_ORT_LIB")}.FindRuntime(ctx)
	if err != nil {
		return nil, err
	}
	c := &cached{vectors: map[string][][]float32{}}
	if folder != "" {
		c.path = filepath.Join(folder, "vectors-"+strings.ReplaceAll(files.Identity(), ":", "-")+".gob")
		if err := c.load(); err != nil {
			return nil, err
		}
	}
	c.encoder, err = encoder.Open(ctx, encoder.Config{Library: library, Model: files})
	return c, err
}

func (c *cached) load() error {
	f, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return gob.NewDecoder(f).Decode(&c.vectors)
}

// save writes the file if anything was made since it was read.
func (c *cached) save() error {
	if c.made == 0 || c.path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(c.path), "vectors-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(gob.NewEncoder(f).Encode(c.vectors), f.Close()); err != nil {
		return err
	}
	c.made = 0
	return os.Rename(f.Name(), c.path)
}

func (c *cached) keep(key string, make func() ([][]float32, error)) ([][]float32, error) {
	c.mu.Lock()
	v := c.vectors[key]
	c.mu.Unlock()
	if v != nil {
		return v, nil
	}
	v, err := make()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vectors[key] = v
	c.made++
	return v, nil
}

// Passage implements memory.Encoder.
func (c *cached) Passage(ctx context.Context, text string) ([][]float32, error) {
	return c.keep("p"+text, func() ([][]float32, error) { return c.encoder.Passage(ctx, text) })
}

// Question implements memory.Encoder.
func (c *cached) Question(ctx context.Context, text string) ([]float32, error) {
	return c.one("q"+text, func() ([]float32, error) { return c.encoder.Question(ctx, text) })
}

// Symmetric implements memory.Encoder.
func (c *cached) Symmetric(ctx context.Context, text string) ([]float32, error) {
	return c.one("s"+text, func() ([]float32, error) { return c.encoder.Symmetric(ctx, text) })
}

func (c *cached) one(key string, make func() ([]float32, error)) ([]float32, error) {
	v, err := c.keep(key, func() ([][]float32, error) {
		v, err := make()
		return [][]float32{v}, err
	})
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

// Wait implements memory.Encoder.
func (c *cached) Wait(context.Context) memory.EncoderState { return memory.EncoderState{Ready: true} }

// Identity implements memory.Encoder.
func (c *cached) Identity() string { return c.encoder.Identity() }

// Describe implements memory.Encoder.
func (c *cached) Describe() *memory.Backend {
	return &memory.Backend{Model: c.encoder.Describe().Model}
}

func (c *cached) close() error { return errors.Join(c.save(), c.encoder.Close()) }
