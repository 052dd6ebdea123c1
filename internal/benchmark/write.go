package benchmark

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"combray/internal/local"
	"combray/internal/memory"
)

// ingestMost bounds how many memories are imported to see how fast that is, and
// encodeMost how many texts are encoded.
const (
	ingestMost = 20_000
	encodeMost = 200
)

// disk measures the files of the store.
func (r *running) disk(context.Context) error {
	database, err := bytesOf(r.path)
	if err != nil {
		return err
	}
	index, err := bytesOf(r.path + ".index")
	if err != nil {
		return err
	}
	r.value("disk_database", "bytes of the store a memory", Bytes, float64(database)/float64(r.Memories))
	r.value("disk_index", "bytes of its index a memory", Bytes, float64(index)/float64(r.Memories))
	return nil
}

// bytesOf is the size of a file, or of all files below a folder.
func bytesOf(path string) (sum int64, err error) {
	err = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}

// ingest imports memories by words into an empty store, and lets the encoder work.
func (r *running) ingest(ctx context.Context) error {
	n := min(r.Memories, ingestMost)
	file, db := filepath.Join(r.work, "ingest.jsonl"), filepath.Join(r.work, "ingest.db")
	if err := r.writeCaptures(file, n); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, r.Program[0], slices.Concat(r.Program[1:], []string{"--db", db, "import", "--words-only", file})...)
	began := time.Now()
	out, err := command.CombinedOutput()
	took := time.Since(began)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("import of the program that is measured: %w: %s", err, strings.TrimSpace(string(out)))
	}
	r.value("ingest_words", fmt.Sprintf("import of %d memories, found by words then", n), PerSecond, float64(n)/took.Seconds())
	if err := errors.Join(Remove(db), os.Remove(file)); err != nil || r.Encoder == nil {
		return err
	}
	return r.encodeSome(ctx)
}

// writeCaptures writes the first memories of a store as import reads them.
func (r *running) writeCaptures(path string, n int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	e := json.NewEncoder(f)
	for turn := range n {
		if err := e.Encode(arguments(r.Text.capture(r.at(turn), r.Memories))); err != nil {
			return err
		}
	}
	return nil
}

// arguments are those of the tool remember.
func arguments(in memory.RememberInput) map[string]any {
	return map[string]any{"content": in.Content, "source": in.Source, "event_at": in.EventAt, "session_id": in.SessionID,
		"session_position": in.SessionPosition, "tags": in.Tags, "lat": in.Lat, "lon": in.Lon}
}

func (r *running) encodeSome(ctx context.Context) error {
	n := min(r.Memories, encodeMost)
	began := time.Now()
	err := parallel(ctx, n, func(i int) error {
		line, err := r.line(i)
		if err == nil {
			_, err = r.Encoder.Passage(ctx, line)
		}
		return err
	})
	r.value("ingest_vectors", "texts of the store through the encoder, all cores", PerSecond, float64(n)/time.Since(began).Seconds())
	return err
}

// remember writes into a copy: through a client, encoder included, and in this
// process with vectors that are ready.
func (r *running) remember(ctx context.Context) error {
	db, err := r.writable(ctx)
	if err != nil {
		return err
	}
	err = r.served(ctx, db, func(s *server) error {
		return r.repeat(func() (time.Duration, error) {
			_, took, err := s.call("remember", arguments(r.newCapture()))
			return took, err
		}, "remember", r.rememberWhat())
	})
	if err != nil || r.Encoder == nil {
		return err
	}
	return r.openedReady(ctx, db, func(l *local.Local) error {
		return r.repeat(func() (time.Duration, error) {
			in := r.newCapture()
			began := time.Now()
			_, err := l.Remember(ctx, in)
			return time.Since(began), err
		}, "remember_apart", "remember within the process, vector at hand")
	})
}

func (r *running) rememberWhat() string {
	if r.Encoder == nil {
		return "remember, by words alone"
	}
	return "remember, encoder included"
}

// repeat measures something, warm-up before.
func (r *running) repeat(do func() (time.Duration, error), name, what string) error {
	for i := range min(warmUp, r.Asks) + r.Asks {
		took, err := do()
		if err != nil {
			return err
		}
		if i >= min(warmUp, r.Asks) {
			r.took(name, what, took)
		}
	}
	return nil
}

// newCapture is one that no store holds.
func (r *running) newCapture() memory.RememberInput {
	r.asked++
	in := r.Text.capture(place{text: novel + r.asked, turn: novel + r.asked}, novel)
	in.SessionPosition, in.SessionID = nil, nil
	return in
}

// ready is an encoder whose vectors are there already: mixtures of some that the
// encoder made before.
type ready struct {
	Encoder
	mixer *mixer
	asked int
}

var _ memory.Encoder = (*ready)(nil)

// Wait implements memory.Encoder.
func (*ready) Wait(context.Context) memory.EncoderState { return memory.EncoderState{Ready: true} }

// Describe implements memory.Encoder.
func (*ready) Describe() *memory.Backend { return nil }

// Symmetric implements memory.Encoder.
func (e *ready) Symmetric(context.Context, string) ([]float32, error) {
	e.asked++
	return e.mixer.vector(e.asked), nil
}

// Passage implements memory.Encoder.
func (e *ready) Passage(ctx context.Context, text string) ([][]float32, error) {
	v, err := e.Symmetric(ctx, text)
	return [][]float32{v}, err
}

// openedReady runs f with a store whose encoder costs nothing.
func (r *running) openedReady(ctx context.Context, db string, f func(*local.Local) error) error {
	m, err := r.mixerOf(ctx, db)
	if err != nil {
		return err
	}
	l, err := r.Open(ctx, db, &ready{Encoder: r.Encoder, mixer: m, asked: novel})
	if err != nil {
		return err
	}
	return errors.Join(f(l), l.Close())
}

// someVectors reads vectors that the encoder made, as many as mixtures need.
func (r *running) someVectors(ctx context.Context, db string) (vectors [][]float32, err error) {
	err = r.opened(ctx, db, func(l *local.Local) error {
		var numbers []int64
		for turn := range r.Memories {
			if _, encoded := r.encodedAt(turn); encoded && len(numbers) < mixAmong {
				numbers = append(numbers, int64(turn)+1) // the first row of a store has number 1
			}
		}
		windows, err := l.Store.Vectors(ctx, numbers, l.VectorIdentity())
		for _, w := range windows {
			if w != nil {
				vectors = append(vectors, w[0])
			}
		}
		return err
	})
	return vectors, err
}
