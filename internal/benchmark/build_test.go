package benchmark

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"combray/encoder"
	"combray/internal/local"
	"combray/internal/memory"
)

// smallDims are the dims of the vectors of tests.
const smallDims = 16

// smallFiles stand for a model whose files nobody reads.
var smallFiles = encoder.Files{Spec: encoder.Spec{Name: "small", Dims: smallDims}}

// hashing is an encoder that makes a vector of a text's words; nothing is loaded.
type hashing struct{ fails error }

func (h hashing) Passage(_ context.Context, text string) ([][]float32, error) {
	sum := fnv.New64a()
	sum.Write([]byte(text))
	r := rand.New(rand.NewPCG(sum.Sum64(), 1))
	v := make([]float32, smallDims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	v[0] += 3 // as encoders have it, all vectors lie to one side
	return [][]float32{centred(v, make([]float32, smallDims))}, h.fails
}

func (h hashing) Question(ctx context.Context, text string) ([]float32, error) {
	v, err := h.Passage(ctx, text)
	return v[0], err
}
func (h hashing) Symmetric(ctx context.Context, text string) ([]float32, error) {
	return h.Question(ctx, text)
}
func (hashing) Identity() string                         { return smallFiles.Identity() }
func (hashing) Wait(context.Context) memory.EncoderState { return memory.EncoderState{Ready: true} }
func (hashing) Describe() *memory.Backend                { return nil }

// builder makes stores of a size, encoded of them by the encoder; 0: words only.
func builder(t *testing.T, memories, encoded int) *Builder {
	t.Helper()
	b := &Builder{Memories: memories, Encoded: encoded, Text: textOf(t, 1, "", "")}
	model := local.ModelNone
	if encoded > 0 {
		b.Encoder, model = hashing{}, local.ModelBundled
	}
	b.Open = func(ctx context.Context, path string, e memory.Encoder) (*local.Local, error) {
		if e == nil && encoded > 0 {
			e = hashing{}
		}
		return local.Open(ctx, local.Config{Path: path, Model: model, Bundled: smallFiles, Encoder: e})
	}
	return b
}

func TestEncodedAreSpreadEvenly(t *testing.T) {
	for _, test := range []struct{ memories, encoded int }{{10, 3}, {10, 10}, {10, 25}, {1000, 7}, {7, 1}} {
		b := &Builder{Memories: test.memories, Encoded: test.encoded}
		texts, next := map[int]bool{}, 0
		for turn := range test.memories {
			rank, encoded := b.encodedAt(turn)
			if encoded {
				if rank != next {
					t.Errorf("%+v: turn %d is encoded as number %d, want %d", test, turn, rank, next)
				}
				next++
			}
			texts[b.at(turn).text] = true
		}
		if want := min(test.memories, test.encoded); next != want {
			t.Errorf("%+v: %d are encoded", test, next)
		}
		for n := range test.memories {
			if !texts[n] {
				t.Errorf("%+v: no memory has text %d", test, n)
			}
		}
		if _, encoded := b.encodedAt(test.memories); encoded || b.at(test.memories).text != test.memories {
			t.Errorf("%+v: what is added later has text %d, encoded %t", test, b.at(test.memories).text, encoded)
		}
	}
}

// TestBuildMakesTheSame builds twice and compares all that is remembered.
func TestBuildMakesTheSame(t *testing.T) {
	var all [2][]memory.Changed
	for i := range all {
		b, path := builder(t, 2500, 40), filepath.Join(t.TempDir(), storeName)
		built, err := b.Build(t.Context(), path)
		if err != nil || built.Write <= 0 || built.Index <= 0 {
			t.Fatal(built, err)
		}
		l, err := b.Open(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if faults, err := l.Check(t.Context()); err != nil || len(faults) > 0 {
			t.Fatal(faults, err)
		}
		if all[i], err = l.Store.Changes(t.Context(), 0, 3000, l.VectorIdentity()); err != nil {
			t.Fatal(err)
		}
	}
	if len(all[0]) != 2500 || !reflect.DeepEqual(all[0], all[1]) {
		t.Errorf("%d and %d memories, the same: %t", len(all[0]), len(all[1]), reflect.DeepEqual(all[0], all[1]))
	}
	for _, m := range all[0] {
		if len(m.Vectors) != 1 || math.Abs(float64(dot(m.Vectors[0], m.Vectors[0]))-1) > 2e-3 { // as kept, in 11 bits a number
			t.Fatalf("memory %d has vectors %v", m.Memory.Number, m.Vectors)
		}
	}
}

// TestVectorsAreThoseOfTheProgram holds that the encoder reads of a memory here what
// it reads when the program makes the vector.
func TestVectorsAreThoseOfTheProgram(t *testing.T) {
	const memories = 45 // three sessions
	b := builder(t, memories, memories)
	var all [2][]memory.Changed
	for i, fill := range []func(*local.Local) error{
		func(l *local.Local) error { _, err := b.fill(t.Context(), l); return err },
		func(l *local.Local) error {
			var items []memory.RememberInput
			for turn := range memories {
				items = append(items, b.Text.capture(b.at(turn), memories))
			}
			if _, refused, err := l.Import(t.Context(), items); err != nil || refused != nil {
				return fmt.Errorf("%v, %w", refused, err)
			}
			_, err := l.Backfill(t.Context(), nil)
			return err
		},
	} {
		l, err := b.Open(t.Context(), filepath.Join(t.TempDir(), storeName), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if err := fill(l); err != nil {
			t.Fatal(err)
		}
		if all[i], err = l.Store.Changes(t.Context(), 0, 1000, l.VectorIdentity()); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(all[i], func(a, b memory.Changed) int { return int(a.Memory.Number - b.Memory.Number) })
	}
	for n := range memories {
		built, imported := all[0][n], all[1][n]
		if built.Memory.Content != imported.Memory.Content || built.Vectors == nil || !reflect.DeepEqual(built.Vectors, imported.Vectors) {
			t.Errorf("memory %d: the builder's vector is not the program's", built.Memory.Number)
		}
	}
}

func TestBuildThatFailsLeavesNothing(t *testing.T) {
	b, folder := builder(t, 50, 10), t.TempDir()
	b.Encoder = hashing{fails: errors.New("out of order")}
	if _, err := b.Build(t.Context(), filepath.Join(folder, storeName)); err == nil {
		t.Error("no error")
	}
	b = builder(t, 5000, 0)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	b.Progress = func(string, int, int) { stop() } // after the first batch
	if _, err := b.Build(ctx, filepath.Join(folder, storeName)); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped in the middle: %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}

func TestMixturesAreNearTheirOrigin(t *testing.T) {
	text, vectors := textOf(t, 1, "", ""), [][]float32{}
	for n := range 100 {
		v, _ := hashing{}.Passage(t.Context(), text.note(n))
		vectors = append(vectors, v[0])
	}
	m, err := newMixer(t.Context(), text, vectors)
	if err != nil {
		t.Fatal(err)
	}
	for i, near := range m.near {
		if len(near) != mixNeighbours {
			t.Fatalf("vector %d has %d neighbours", i, len(near))
		}
		last := dot(vectors[i], vectors[near[0]])
		for j := range vectors {
			if j != i && dot(vectors[i], vectors[j]) > last {
				t.Fatalf("vector %d is nearer to %d than %d is", j, i, near[0])
			}
		}
	}
	for n := range 200 {
		v := m.vector(n)
		best := float32(0)
		for _, origin := range vectors {
			best = max(best, dot(v, origin))
		}
		if best < 0.75 || best > 0.9999 || !reflect.DeepEqual(v, m.vector(n)) {
			t.Errorf("mixture %d is %.3f from its origin, made alike: %t", n, best, reflect.DeepEqual(v, m.vector(n)))
		}
	}
}

func TestKeptStores(t *testing.T) {
	folder := t.TempDir()
	b := builder(t, 30, 10)
	if there, err := b.kept(folder); there || err != nil {
		t.Fatalf("an empty folder: %t, %v", there, err)
	}
	if err := b.keep(folder); err != nil {
		t.Fatal(err)
	}
	if there, err := b.kept(folder); !there || err != nil {
		t.Errorf("the same parameters: %t, %v", there, err)
	}
	for name, other := range map[string]*Builder{"size": builder(t, 31, 10), "encoded": builder(t, 30, 11), "words": builder(t, 30, 0),
		"seed": {Memories: 30, Encoded: 10, Text: textOf(t, 2, "", ""), Encoder: hashing{}},
		"text": {Memories: 30, Encoded: 10, Text: textOf(t, 1, "a line\n", ""), Encoder: hashing{}}} {
		if there, err := other.kept(folder); there || err == nil {
			t.Errorf("another %s: %t, %v", name, there, err)
		}
	}
	for _, content := range []string{"{", ""} {
		if err := os.WriteFile(filepath.Join(folder, stampName), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if there, err := b.kept(folder); there || err == nil {
			t.Errorf("a stamp of %q: %t, %v", content, there, err)
		}
	}
	if err := errors.Join(os.Remove(filepath.Join(folder, stampName)), os.WriteFile(filepath.Join(folder, storeName), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if there, err := b.kept(folder); there || err == nil {
		t.Errorf("a store without a stamp: %t, %v", there, err)
	}
}

// BenchmarkBuild says how many memories a second are made and written; the index
// is left out.
func BenchmarkBuild(b *testing.B) {
	const memories = 20_000
	for b.Loop() {
		build := &Builder{Memories: memories, Encoded: 100, Text: &Text{seed: 1}, Encoder: hashing{},
			Open: func(ctx context.Context, path string, _ memory.Encoder) (*local.Local, error) {
				return local.Open(ctx, local.Config{Path: path, Bundled: smallFiles, Encoder: hashing{}})
			}}
		built, err := build.Build(b.Context(), filepath.Join(b.TempDir(), storeName))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(memories/built.Write.Seconds(), "memories/s")
	}
}
