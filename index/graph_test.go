package index

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// graphConfig lets every file have a graph, and every search walk it.
func graphConfig(config Config) Config {
	config.Kind = Graph
	config.graphRows, config.graphFrom, config.graphShare = 1, 1, 1e-9
	return config
}

// graphed catches up until the index has a graph of its file.
func graphed(t testing.TB, ix *Index) {
	t.Helper()
	catchUp(t, ix)
	ix.background.Wait() // a rewrite that was due
	catchUp(t, ix)
	ix.background.Wait()
	if stats(t, ix).GraphBytes == 0 {
		t.Fatal("there is no graph")
	}
}

// openGraphed opens an index whose file is new and has a graph.
func openGraphed(t testing.TB, config Config, s Source) *Index {
	t.Helper()
	ix := openCaughtUp(t, config, s)
	ix.background.Wait()
	rewrite(t, ix)
	graphed(t, ix)
	return ix
}

// TestGraphRecall holds how many of the ten nearest a walk finds, from clusters as
// those of sentences, and after half of the rows were deleted and a tenth came new.
func TestGraphRecall(t *testing.T) {
	s := newShelf(10_000)
	config := graphConfig(libraryConfig(t.TempDir()))
	config.Ef = 200
	ix := openGraphed(t, config, s)
	if got := ask(t, ix, Query{Vector: s.vectors[0]}).Vectors; !got.Walked {
		t.Fatalf("the graph was not walked: %+v", got)
	}
	got := recall(t, ix, s, 50)
	t.Logf("recall@10 %.4f", got)
	if got < 0.98 {
		t.Errorf("recall@10 %.4f, want 0.98", got)
	}
}

// TestGraphAfterChanges holds that after half of the rows were deleted and a tenth
// came new, before the file is made anew and after, a walk finds what a scan does
// and never what was deleted.
func TestGraphAfterChanges(t *testing.T) {
	s, c := newStore(), newCloud(3, 64, 20)
	for range 2000 {
		s.put(Row{Live: true, Vectors: [][]float32{c.vector(), c.vector()}})
	}
	config := graphConfig(Config{Dir: t.TempDir(), StoreID: "s", Identity: "e", Dims: 64, RewriteRows: 10_000})
	config.sampleDocs = 500 // so that the mean waits for the file, as in a large index
	ix := openGraphed(t, config, s)
	deleted := map[int64]bool{}
	for doc := int64(1); doc <= 2000; doc += 2 {
		deleted[doc] = true
		s.erase(doc)
	}
	for range 200 {
		s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
	}
	for _, when := range []string{"before", "after"} {
		catchUp(t, ix)
		found := 0
		for range 100 {
			q := Query{Vector: c.vector(), PerLane: 50}
			got := ask(t, ix, q)
			if !got.Vectors.Walked {
				t.Fatal("the graph was not walked")
			}
			best := byC(got)[:10]
			for _, doc := range docs(got) {
				if deleted[doc] {
					t.Fatalf("%s: row %d was deleted", when, doc)
				}
			}
			exact, err := ix.nearest(t.Context(), q.Vector, 10, true)
			if err != nil {
				t.Fatal(err)
			}
			for _, doc := range exact {
				found += count(slices.Contains(best, doc))
			}
		}
		t.Logf("%s the rewrite: recall@10 %.3f", when, float64(found)/1000)
		if found < 985 {
			t.Errorf("%s the rewrite %d of 1,000 are found, want 985", when, found)
		}
		rewrite(t, ix)
		graphed(t, ix)
	}
}

// TestNarrowFiltersScan holds that a filter that keeps few rows loses none of them:
// the lane compares them all.
func TestNarrowFiltersScan(t *testing.T) {
	choosesKind(t)
	l := newLibrary(4000)
	config := graphConfig(libraryConfig(t.TempDir()))
	config.graphFrom, config.graphShare = 0, 0
	config.Shortlist = 1000
	ix := openGraphed(t, config, l)
	scanning := libraryConfig("")
	scanning.Shortlist = config.Shortlist
	scan := openCaughtUp(t, scanning, l)
	for _, test := range []struct {
		since  int64
		walked bool
	}{{0, true}, {1900, true}, {2100, false}, {3100, false}, {3995, false}} {
		q := Query{Vector: l.vector(7), Filter: Filter{CapturedSince: new(test.since * 1e6)}}
		got := ask(t, ix, q)
		if got.Vectors.Walked != test.walked {
			t.Errorf("since %d: walked %v, want %v", test.since, got.Vectors.Walked, test.walked)
		}
		if want := ask(t, scan, q); !test.walked && !slices.Equal(docs(got), docs(want)) {
			t.Errorf("since %d: rows %v, want %v", test.since, docs(got), docs(want))
		}
		if slices.ContainsFunc(docs(got), func(doc int64) bool { return doc < test.since }) {
			t.Errorf("since %d: rows %v", test.since, docs(got))
		}
	}
}

// TestOneBuildsTheGraph holds that of two indexes one builds and both use it.
func TestOneBuildsTheGraph(t *testing.T) {
	choosesKind(t)
	s := smallStore()
	config := graphConfig(smallConfig(t.TempDir()))
	one := openCaughtUp(t, config, s)
	one.background.Wait()
	rewrite(t, one)
	lock, err := lockFile(t.Context(), graphLockPath(&config), false)
	if err != nil {
		t.Fatal(err)
	}
	two := openCaughtUp(t, config, s)
	catchUp(t, one)
	if stats(t, one).GraphBytes+stats(t, two).GraphBytes > 0 {
		t.Error("a graph was built though another process is about to")
	}
	lock.release()
	one.background.Wait()
	two.background.Wait()
	if stats(t, one).GraphBytes == 0 || stats(t, two).GraphBytes == 0 || !same(one.state.segment.graph.Load().mapping.info, two.state.segment.graph.Load().mapping.info) {
		t.Error("they do not use the same graph")
	}
}

// TestGraphIsGivenUp holds that the building ends when the index is closed and when a
// newer file is in use, and that a folder that cannot be written is tried once.
func TestGraphIsGivenUp(t *testing.T) {
	choosesKind(t)
	s := smallStore()
	config := graphConfig(smallConfig(t.TempDir()))
	logger, log := logTo()
	config.Logger = logger
	ix := openCaughtUp(t, config, s)
	ix.background.Wait()
	rewrite(t, ix)
	file := ix.state.segment
	file.use()
	defer file.release()
	s.put(Row{Live: true})
	rewrite(t, ix)
	if err := ix.bringGraph(file); !errors.Is(err, errSuperseded) {
		t.Errorf("for a file of old: %v", err)
	}
	if err := os.Mkdir(graphPath(&config), 0o700); err != nil { // no file can take its place
		t.Fatal(err)
	}
	for range 3 {
		catchUp(t, ix)
		ix.background.Wait()
	}
	if tried := strings.Count(log.String(), "there is no graph"); tried != 1 {
		t.Errorf("tried %d times: %s", tried, log)
	}
	if got := ask(t, ix, Query{Vector: newCloud(9, smallDims, 3).vector()}); got.Vectors.Walked || got.Vectors.Found == 0 {
		t.Errorf("without a graph %+v", got.Vectors)
	}
	ix.Close()
	if err := ix.bringGraph(file); !errors.Is(err, context.Canceled) {
		t.Errorf("closed: %v", err)
	}
}

// TestCodesMadeAnewAreScanned holds that a graph is not walked once the mean has moved and
// the codes in memory are others than those of the file.
func TestCodesMadeAnewAreScanned(t *testing.T) {
	s, c := smallStore(), newCloud(9, smallDims, 3)
	config := graphConfig(smallConfig(t.TempDir()))
	config.RewriteRows = 1000
	ix := openGraphed(t, config, s)
	for doc := int64(2); doc < 12; doc++ {
		s.erase(doc)
	}
	catchUp(t, ix)
	if ix.state.vectors == &ix.state.segment.vectors {
		t.Fatal("the codes are those of the file")
	}
	got := ask(t, ix, Query{Vector: c.vector()})
	want := ask(t, openCaughtUp(t, smallConfig(""), s), Query{Vector: c.vector()})
	if got.Vectors.Walked || len(docs(got)) == 0 || !slices.Equal(docs(got), docs(want)) {
		t.Errorf("walked: %v, rows %v, want %v", got.Vectors.Walked, docs(got), docs(want))
	}
}

// TestWalksDuringChanges runs searches beside changes, rewrites, and graphs that come
// and go. The race detector looks on.
func TestWalksDuringChanges(t *testing.T) {
	s, c := smallStore(), newCloud(10, smallDims, 3)
	config := graphConfig(smallConfig(t.TempDir()))
	config.sampleDocs = 8 // so that codes are not made anew with every change
	ix, other := openCaughtUp(t, config, s), openCaughtUp(t, config, s)
	ctx, cancel := context.WithCancel(t.Context())
	var searchers sync.WaitGroup
	for _, ix := range []*Index{ix, other} {
		searchers.Go(func() {
			for ctx.Err() == nil {
				for _, q := range someQueries() {
					if _, err := ix.Search(t.Context(), q); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for i := range 60 {
		s.change(int64(i%40+1), func(row *Row) { row.Live, row.Vectors = true, [][]float32{c.vector()} })
		catchUp(t, ix)
		catchUp(t, other)
		switch i % 10 {
		case 0:
			rewrite(t, ix)
		case 5:
			if err := os.Remove(graphPath(&config)); err != nil && !os.IsNotExist(err) {
				t.Error(err)
			}
		}
	}
	cancel()
	searchers.Wait()
	ix.background.Wait()
	other.background.Wait()
	rewrite(t, ix)
	graphed(t, ix)
}

func TestKindOfConfig(t *testing.T) {
	for _, config := range []Config{{Kind: 2}, {Ef: -1}} {
		if _, err := Open(config, newStore()); err == nil {
			t.Errorf("%+v: no error", config)
		}
	}
}
