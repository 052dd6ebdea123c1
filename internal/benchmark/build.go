package benchmark

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"combray/internal/local"
	"combray/internal/memory"
)

// Encoder makes the vectors of a sample of the memories.
type Encoder interface {
	Passage(ctx context.Context, text string) ([][]float32, error)
	Question(ctx context.Context, text string) ([]float32, error)
	Identity() string
}

// Builder fills a store. Memories, Text and Open are required.
type Builder struct {
	Memories int
	Encoded  int // memories whose vectors the encoder makes; the others' are mixtures of those. All: Memories
	Text     *Text
	Encoder  Encoder // nil: words only
	// Open opens a store, with an encoder in place of the model's where one is given.
	Open     func(ctx context.Context, path string, e memory.Encoder) (*local.Local, error)
	Progress func(what string, done, total int) // one call at a time; nil: nobody looks
}

// Built says how long the parts of building took.
type Built struct {
	Encode, Neighbours, Write, Index time.Duration
}

// batch is how many memories are written in one transaction: a commit that waits
// for the disk is then little of the whole.
const batch = 5000

// Build makes a store at a path where there is none. When it fails, nothing
// remains of it.
func (b *Builder) Build(ctx context.Context, path string) (built Built, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, Remove(path))
		}
	}()
	l, err := b.Open(ctx, path, nil)
	if err != nil {
		return built, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return b.fill(ctx, l)
}

// Remove takes a store and everything beside it away. One that is not there is
// no error.
func Remove(path string) error {
	var errs []error
	for _, ending := range []string{"", "-wal", "-shm", ".index"} {
		errs = append(errs, os.RemoveAll(path+ending))
	}
	return errors.Join(errs...)
}

func (b *Builder) fill(ctx context.Context, l *local.Local) (built Built, err error) {
	r := &row{builder: b}
	if b.Encoder != nil {
		start := time.Now()
		if r.encoded, err = b.encode(ctx); err != nil {
			return built, err
		}
		built.Encode, start = time.Since(start), time.Now()
		if r.mixer, err = b.mixer(ctx, r.encoded); err != nil {
			return built, err
		}
		built.Neighbours = time.Since(start)
	}
	start := time.Now()
	if err := b.write(ctx, l, r, turns{0, b.Memories}); err != nil {
		return built, err
	}
	built.Write, start = time.Since(start), time.Now()
	b.progress("indexing", 0, b.Memories)
	err = l.Settle(ctx)
	built.Index = time.Since(start)
	return built, err
}

func (b *Builder) progress(what string, done, total int) {
	if b.Progress != nil {
		b.Progress(what, done, total)
	}
}

// encodedAt says whether the encoder makes the vector of the memory at a turn, and
// where it stands among those (or, if not, among the others). They are spread
// evenly over the store.
func (b *Builder) encodedAt(turn int) (rank int, encoded bool) {
	n, k := int64(b.Memories), int64(min(b.Encoded, b.Memories))
	if turn >= b.Memories {
		return turn - int(k), false
	}
	before, after := int64(turn)*k/n, int64(turn+1)*k/n
	if after > before {
		return int(before), true
	}
	return turn - int(after), false
}

// at gives the memory at a turn its text: those that are encoded have the first.
func (b *Builder) at(turn int) place {
	rank, encoded := b.encodedAt(turn)
	if !encoded {
		rank += min(b.Encoded, b.Memories)
	}
	return place{text: rank, turn: turn}
}

// capture makes the memory at a turn and the plan that stores it.
func (b *Builder) capture(turn int) (memory.Memory, memory.Plan, error) {
	in := b.Text.capture(b.at(turn), b.Memories)
	when, err := time.Parse(time.RFC3339, *in.EventAt)
	if err != nil {
		return memory.Memory{}, memory.Plan{}, err
	}
	m, plan, _, err := memory.Capture(in, memory.RememberFacts{Zone: time.UTC, By: actor}, b.id(turn), when.Add(time.Hour))
	return m, plan, err
}

var actor = memory.Actor{Client: "combray bench", Door: memory.DoorCLI}

// id is as random as those of package memory, and the same every time.
func (b *Builder) id(turn int) memory.ID {
	var word [8]byte
	binary.BigEndian.PutUint64(word[:], b.Text.random(kindID, turn).Uint64())
	return memory.ID(hex.EncodeToString(word[:6]))
}

// line is what the encoder reads of the memory at a turn, its session before it.
func (b *Builder) line(turn int) (string, error) {
	m, _, err := b.capture(turn)
	if err != nil || turn%sessionTurns == 0 {
		return memory.TurnLine(m, nil), err
	}
	before, _, err := b.capture(turn - 1)
	return memory.TurnLine(m, &before), err
}

// encode lets the encoder make the vectors of its share, in the order of turns.
func (b *Builder) encode(ctx context.Context) ([][][]float32, error) {
	var turns []int
	for turn := range b.Memories {
		if _, encoded := b.encodedAt(turn); encoded {
			turns = append(turns, turn)
		}
	}
	out := make([][][]float32, len(turns))
	var telling sync.Mutex
	err := parallel(ctx, len(turns), func(i int) error {
		line, err := b.line(turns[i])
		if err != nil {
			return err
		}
		out[i], err = b.Encoder.Passage(ctx, line)
		if i%batch == 0 {
			telling.Lock()
			defer telling.Unlock()
			b.progress("encoding", i, len(turns))
		}
		return err
	})
	return out, err
}

// parallel calls do for 0 to n-1 on all processors, and stops at the first error.
func parallel(ctx context.Context, n int, do func(i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	workers := runtime.GOMAXPROCS(0)
	var at sync.WaitGroup
	for w := range workers {
		at.Go(func() {
			for i := w; i < n && ctx.Err() == nil; i += workers {
				if err := do(i); err != nil {
					stop(err)
				}
			}
		})
	}
	at.Wait()
	return context.Cause(ctx)
}

func (b *Builder) mixer(ctx context.Context, encoded [][][]float32) (*mixer, error) {
	first := make([][]float32, len(encoded))
	for i, windows := range encoded {
		first[i] = windows[0]
	}
	if b.Encoded >= b.Memories {
		return nil, nil
	}
	b.progress("looking for neighbours", 0, len(first))
	return newMixer(ctx, b.Text, first)
}

// row makes what is written of one memory.
type row struct {
	builder *Builder
	encoded [][][]float32
	mixer   *mixer
}

// windows are the vectors of the memory at a turn, nil without an encoder.
func (r *row) windows(turn int) [][]float32 {
	rank, encoded := r.builder.encodedAt(turn)
	switch {
	case r.builder.Encoder == nil:
		return nil
	case encoded:
		return r.encoded[rank]
	}
	return [][]float32{r.mixer.vector(turn)}
}

// written is a batch of memories, ready to be written.
type written struct {
	ids     []memory.ID
	windows [][][]float32
	plan    memory.Plan
}

func (r *row) batch(which turns) (w written, err error) {
	for turn := which.first; turn < which.last; turn++ {
		m, plan, err := r.builder.capture(turn)
		if err != nil {
			return w, fmt.Errorf("memory %d: %w", turn, err)
		}
		w.ids, w.windows = append(w.ids, m.ID), append(w.windows, r.windows(turn))
		w.plan.Join(plan)
	}
	return w, nil
}

// turns are those from first to before last.
type turns struct{ first, last int }

// write stores memories, a batch a transaction. The next batch is made while
// one is written.
func (b *Builder) write(ctx context.Context, l *local.Local, r *row, which turns) error {
	ctx, stop := context.WithCancel(memory.WithActor(ctx, actor))
	defer stop()
	made, errs := make(chan written, 1), make(chan error, 1)
	go func() {
		defer close(made)
		for first := which.first; first < which.last && ctx.Err() == nil; first += batch {
			w, err := r.batch(turns{first, min(first+batch, which.last)})
			if err != nil {
				errs <- err
				return
			}
			select {
			case made <- w:
			case <-ctx.Done():
			}
		}
	}()
	done := 0
	for w := range made {
		if err := b.writeBatch(ctx, l, w); err != nil {
			return err
		}
		done += len(w.ids)
		b.progress("writing", done, which.last-which.first)
	}
	select {
	case err := <-errs:
		return err
	default:
		return ctx.Err()
	}
}

func (b *Builder) writeBatch(ctx context.Context, l *local.Local, w written) error {
	return l.Store.Update(ctx, func(tx memory.Tx) error {
		if err := tx.Apply(ctx, w.plan); err != nil || b.Encoder == nil {
			return err
		}
		stored, err := tx.Memories(ctx, w.ids)
		if err != nil {
			return err
		}
		var vectors memory.Plan
		for i, m := range stored {
			vectors.Write(memory.PutVectors{Number: m.Number, Identity: l.VectorIdentity(), Windows: w.windows[i]})
		}
		return tx.Apply(ctx, vectors)
	})
}
