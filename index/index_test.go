package index

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestConfigs(t *testing.T) {
	for name, config := range map[string]Config{
		"no dims": {Identity: "e"}, "too many dims": {Identity: "e", Dims: 8193}, "negative rows": {RewriteRows: -1}, "negative shortlist": {Shortlist: -1},
	} {
		if ix, err := Open(config, newStore()); err == nil || !strings.HasPrefix(err.Error(), "index: ") {
			t.Errorf("%s: opened %v with error %v", name, ix, err)
		}
	}
	if _, err := Open(Config{}, nil); err == nil {
		t.Error("opened without a source")
	}
}

func TestFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := smallStore()
	config := smallConfig(filepath.Join(file, "dir"))
	ix := openCaughtUp(t, config, s)
	if got := stats(t, ix); got.Rows != 40 || got.FileBytes != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestEmptyIndexAnswers(t *testing.T) {
	for _, ix := range []*Index{open(t, Config{}, newStore()), rewritten(t, newStore())} {
		got := ask(t, ix, Query{Terms: []string{"tea"}, Vector: []float32{1}, Extra: []int64{1}})
		if len(got.Candidates) > 0 || got.N != 0 || got.MeanLength != 1 || got.IDF[0] != math.Log(2) {
			t.Errorf("got %s", show(got))
		}
	}
}

func TestQueriesThatCannotBe(t *testing.T) {
	ix := open(t, Config{Identity: "e", Dims: 2}, newStore())
	nan := math.NaN()
	for name, q := range map[string]Query{
		"vector too short": {Vector: []float32{1}}, "vector not unit": {Vector: []float32{1, 1}}, "vector NaN": {Vector: []float32{float32(nan), 0}},
		"field": {Field: 2}, "k1": {K1: -1}, "k1 NaN": {K1: nan}, "k1 infinite": {K1: math.Inf(1)}, "b": {B: 1.5}, "b NaN": {B: nan},
		"lane": {PerLane: -1}, "state": {Filter: Filter{State: 9}},
	} {
		if _, err := ix.Search(context.Background(), q); err == nil || !strings.HasPrefix(err.Error(), "index: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestClosed(t *testing.T) {
	ix := openCaughtUp(t, smallConfig(t.TempDir()), smallStore())
	rewrite(t, ix)
	for range 2 {
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	calls := map[string]func() error{
		"Search":  func() error { _, err := ix.Search(ctx, Query{}); return err },
		"Recent":  func() error { _, err := ix.Recent(ctx, Filter{}, 1); return err },
		"Stats":   func() error { _, err := ix.Stats(ctx); return err },
		"CatchUp": func() error { return ix.CatchUp(ctx) },
		"Rewrite": func() error { return ix.Rewrite(ctx) },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, errClosed) {
			t.Errorf("%s returns %v", name, err)
		}
	}
}

// TestBrokenStore holds that an error of the store reaches the caller, and that
// the index goes on with what it knows.
func TestBrokenStore(t *testing.T) {
	s := smallStore()
	ix := openCaughtUp(t, smallConfig(""), s)
	want := answers(t, ix)
	s.put(Row{Live: true})
	s.broken = errBroken
	ctx := context.Background()
	if err := ix.CatchUp(ctx); !errors.Is(err, errBroken) {
		t.Errorf("CatchUp returns %v", err)
	}
	if _, err := ix.Search(ctx, someQueries()[0]); !errors.Is(err, errBroken) {
		t.Errorf("a search that rescores returns %v", err)
	}
	if _, err := ix.Search(ctx, someQueries()[1]); err != nil {
		t.Errorf("a search for words returns %v", err)
	}
	s.broken = nil
	if got := answers(t, ix); got != want {
		t.Errorf("answers %s\nwant %s", got, want)
	}
	catchUp(t, ix)
	if got := stats(t, ix); got.Rows != 41 {
		t.Errorf("got %+v", got)
	}
}

// wrongStore breaks the contract of Source.
type wrongStore struct{ wrong []Row }

func (s *wrongStore) Sequence(context.Context) (int64, error)                 { return 10, nil }
func (s *wrongStore) Rows(context.Context, int64, int) ([]Row, error)         { return s.wrong, nil }
func (s *wrongStore) Vectors(context.Context, []int64) ([][][]float32, error) { return nil, nil }

func TestStoreThatBreaksItsContract(t *testing.T) {
	for name, rows := range map[string][]Row{
		"row 0":     {{Doc: 0, Seq: 1}},
		"backwards": {{Doc: 1, Seq: 2}, {Doc: 2, Seq: 1}},
		"old":       {{Doc: 1, Seq: 0}},
	} {
		ix := open(t, Config{}, &wrongStore{wrong: rows})
		if err := ix.CatchUp(context.Background()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ix := openCaughtUp(t, Config{Identity: "e", Dims: 2}, &wrongStore{wrong: []Row{{Doc: 1, Seq: 1, Live: true, Vectors: [][]float32{{1, 0}}}}})
	if _, err := ix.Search(context.Background(), Query{Vector: []float32{1, 0}}); err == nil {
		t.Error("too few vectors: no error")
	}
}

func TestCancelled(t *testing.T) {
	s := smallStore()
	ix := openCaughtUp(t, smallConfig(t.TempDir()), s)
	ix.background.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ix.Search(ctx, someQueries()[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("Search returns %v", err)
	}
	if err := rewriteUnlessBusy(ctx, ix); !errors.Is(err, context.Canceled) {
		t.Errorf("a rewrite returns %v", err)
	}
}

// TestWaitingEndsWithTheContext holds that a catch-up behind a long one gives up
// when its context ends.
func TestWaitingEndsWithTheContext(t *testing.T) {
	ix := open(t, Config{}, newStore())
	if err := ix.hold(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := ix.CatchUp(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("CatchUp returns %v", err)
	}
	ix.catch.leave()
	catchUp(t, ix)
}

func TestUnusableVectorsAreLeftOut(t *testing.T) {
	s := newStore()
	nan := float32(math.NaN())
	good := []float32{0.6, 0.8}
	for _, vectors := range [][][]float32{{good}, {{nan, 0}}, {{0, 0}}, {{1, 1}}, {good, {1}}, nil} {
		s.put(Row{Live: true, Terms: words("tea"), Vectors: vectors})
	}
	ix := openCaughtUp(t, Config{Identity: "e", Dims: 2}, s)
	if got := stats(t, ix); got.Embedded != 1 || got.RefusedVectors != 4 || got.Rows != 6 {
		t.Errorf("got %+v", got)
	}
	if got := ask(t, ix, Query{Terms: []string{"tea"}, Vector: good}); len(got.Candidates) != 6 || !got.Candidates[0].HasVector || got.Candidates[1].HasVector {
		t.Errorf("got %s", show(got))
	}
}

func TestWordsOnly(t *testing.T) {
	s := smallStore()
	ix := openCaughtUp(t, Config{Dir: t.TempDir(), StoreID: "s", RewriteRows: 8}, s)
	rewrite(t, ix)
	got := ask(t, ix, someQueries()[0])
	if got.Vectors.Ran || got.Candidates[0].HasVector || !got.Words.Ran || len(got.Candidates) != 40 {
		t.Errorf("got %s", show(got))
	}
	if _, _, err := ix.Similarity(context.Background(), []int64{1}, []float32{1}); err == nil {
		t.Error("Similarity without vectors returned no error")
	}
}

func TestReadOnly(t *testing.T) {
	s := smallStore()
	config := smallConfig(t.TempDir())
	reader := config
	reader.ReadOnly, reader.Dir = true, filepath.Join(config.Dir, "none")
	ix := openCaughtUp(t, reader, s)
	if _, err := os.Stat(reader.Dir); err == nil {
		t.Error("a read-only index made its folder")
	}
	if err := ix.Rewrite(context.Background()); err == nil {
		t.Error("a read-only index rewrites files")
	}
	writtenFile(t, config, s)
	reader.Dir = config.Dir
	if got := stats(t, open(t, reader, s)); got.FileRows != 40 {
		t.Errorf("a read-only index has %+v", got)
	}
}

func TestSimilarity(t *testing.T) {
	s := newStore()
	s.put(Row{Live: true, Vectors: [][]float32{{1, 0}, {0.6, 0.8}}})
	s.put(Row{Live: true})
	ix := openCaughtUp(t, Config{Identity: "e", Dims: 2}, s)
	cosines, has, err := ix.Similarity(context.Background(), []int64{2, 1, 99}, []float32{0, 1})
	if err != nil || !slices.Equal(has, []bool{false, true, false}) || math.Abs(cosines[1]-0.8) > 1e-6 {
		t.Errorf("cosines %v, has %v (%v)", cosines, has, err)
	}
	if _, _, err := ix.Similarity(context.Background(), []int64{1}, []float32{0, 2}); err == nil {
		t.Error("a vector that is not of length 1 gives no error")
	}
}

// TestMemoryDropsDeadRows holds that an index without files does not grow with
// the number of changes.
func TestMemoryDropsDeadRows(t *testing.T) {
	s := smallStore()
	ix := openCaughtUp(t, smallConfig(""), s)
	for i := range 100 {
		s.change(int64(i%40+1), func(*Row) {})
		catchUp(t, ix)
	}
	want := answers(t, ix)
	rewrite(t, ix)
	if got := stats(t, ix); got.DeltaRows != 40 {
		t.Errorf("after a rewrite: %+v", got)
	}
	if got := answers(t, ix); got != want {
		t.Errorf("answers %s\nwant %s", got, want)
	}
}
