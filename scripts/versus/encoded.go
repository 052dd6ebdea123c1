package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/internal/models"
)

// lines returns the different lines of a file that are long enough to say
// something, in an order that is always the same.
func lines(path string, most int) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []string
	seen := map[string]bool{}
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); len(line) > 20 && !seen[line] {
			seen[line] = true
			all = append(all, line)
		}
	}
	return all[:min(most, len(all))], scanner.Err()
}

// encoded returns the vectors of the lines of a text, and of the last of them as
// questions. They are kept beside the text, so that a second run has them at once.
func encoded(ctx context.Context, path string, most, questions int) (vectors, asked [][]float32, err error) {
	all, err := lines(path, most+questions)
	if err != nil {
		return nil, nil, err
	}
	if len(all) < 2*questions {
		return nil, nil, fmt.Errorf("%s has %d different lines, needed are %d", path, len(all), 2*questions)
	}
	kept := fmt.Sprintf("%s.%d.f32", path, len(all))
	both, err := readVectors(kept, len(all))
	if errors.Is(err, fs.ErrNotExist) {
		if both, err = encode(ctx, all, questions); err == nil {
			err = writeVectors(kept, both)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	split := len(both) - questions
	return both[:split], both[split:], nil
}

// encode returns the vectors of texts, the last as questions.
func encode(ctx context.Context, texts []string, questions int) ([][]float32, error) {
	store := models.Store{Dir: os.Getenv("COMBRAY_MODELS_DIR"), Library: os.Getenv("COMBRAY_ORT_LIB")}
	library, err := store.FindRuntime(ctx)
	if err != nil {
		return nil, err
	}
	e, err := encoder.Open(ctx, encoder.Config{Library: library, Model: bundled.Files()})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	var out [][]float32
	for i, text := range texts {
		var v []float32
		if i >= len(texts)-questions {
			v, err = e.Question(ctx, text)
		} else {
			var windows [][]float32
			if windows, err = e.Passage(ctx, text); err == nil {
				v = windows[0]
			}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, slices.Clone(v))
	}
	return out, nil
}

func readVectors(path string, n int) ([][]float32, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, dims)
		if err := binary.Read(r, binary.LittleEndian, out[i]); err != nil {
			return nil, fmt.Errorf("%s: %w; remove it, it is made again", path, err)
		}
	}
	return out, nil
}

func writeVectors(path string, vectors [][]float32) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, v := range vectors {
		if err := binary.Write(w, binary.LittleEndian, v); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return errors.Join(w.Flush(), f.Close())
}
