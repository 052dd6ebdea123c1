package index

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// filesWith returns the files of a folder that hold a text.
func filesWith(t *testing.T, dir, text string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			found = append(found, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// rewriteUnlessBusy does at once what an index does in the background.
func rewriteUnlessBusy(ctx context.Context, ix *Index) error {
	if err := ix.hold(ctx); err != nil {
		return err
	}
	lock, frozen, err := ix.beginRewrite(ctx)
	ix.catch.leave()
	if err != nil {
		return err
	}
	defer lock.release()
	return ix.writeAndUse(ctx, frozen)
}

// TestErasedTermsLeaveTheFiles searches all files for a word, a label and a
// session that only an erased row had: those of this encoder, those of another,
// and what a writer that was killed left behind.
func TestErasedTermsLeaveTheFiles(t *testing.T) {
	s := smallStore()
	secret := s.put(Row{Live: true, Terms: words("madeleine"), Facets: []string{"tag=madeleine"}, Session: "madeleine's"})
	config := smallConfig(t.TempDir())
	other := config
	other.Identity = "f"
	behind := openCaughtUp(t, other, s)
	rewrite(t, behind)
	ix := openCaughtUp(t, config, s)
	ix.background.Wait()
	if err := rewriteUnlessBusy(context.Background(), ix); err != nil {
		t.Fatal(err)
	}
	own := filePath(&config)
	killed, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(strings.TrimSuffix(own, fileEnding)+tempEnding, killed, 0o600); err != nil {
		t.Fatal(err)
	}
	if found := filesWith(t, config.Dir, "madeleine"); len(found) != 3 {
		t.Fatalf("before: the word is in %v, want three files", found)
	}

	s.erase(secret)
	rewrite(t, ix)
	if found := filesWith(t, config.Dir, "madeleine"); len(found) > 0 {
		t.Errorf("after: the word is in %v", found)
	}

	// An index that is behind catches up before it writes.
	if err := rewriteUnlessBusy(context.Background(), behind); err != nil {
		t.Fatal(err)
	}
	if found := filesWith(t, config.Dir, "madeleine"); len(found) > 0 {
		t.Errorf("after an index that was behind wrote: the word is in %v", found)
	}
}

// TestNothingIsWrittenBelowTheFloor holds that a long catch-up, which writes
// before it has seen all changes, does not bring back what was erased.
func TestNothingIsWrittenBelowTheFloor(t *testing.T) {
	s := smallStore()
	config := smallConfig(t.TempDir())
	behind := openCaughtUp(t, Config{Dir: config.Dir, Identity: "f", Dims: smallDims, RewriteRows: 1000}, s)
	s.put(Row{Live: true})
	rewrite(t, openCaughtUp(t, config, s))
	behind.state.target = s.seq
	if err := behind.rewriteInBulk(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filePath(&behind.config)); err == nil {
		t.Error("a file was written from a state older than the floor")
	}
	behind.state.target = s.seq - 1 // the store came from a backup: its floor says nothing
	if err := behind.rewriteInBulk(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filePath(&behind.config)); err != nil {
		t.Error("no file was written though the floor is not of this store")
	}
}

func TestErasedRowIsGoneAtOnce(t *testing.T) {
	s := smallStore()
	ix := openCaughtUp(t, smallConfig(t.TempDir()), s)
	rewrite(t, ix)
	s.erase(7)
	catchUp(t, ix)
	for _, state := range []State{Live, NotLive, Any} {
		for _, q := range someQueries() {
			q.Filter, q.Extra = Filter{State: state}, []int64{7}
			if slices.Contains(docs(ask(t, ix, q)), 7) {
				t.Errorf("state %d: an erased row is found", state)
			}
		}
	}
}

// TestOthersTakeOverTheFile holds that an index takes over what another wrote,
// and keeps what it knows beyond that.
func TestOthersTakeOverTheFile(t *testing.T) {
	s := smallStore()
	config := smallConfig(t.TempDir())
	config.RewriteRows = 1000
	one, two := openCaughtUp(t, config, s), openCaughtUp(t, config, s)
	rewrite(t, one)
	s.put(Row{Live: true, Terms: words("new")})
	catchUp(t, two)
	if got := stats(t, two); got.Generation != 1 || got.FileRows != 40 || got.DeltaRows != 1 {
		t.Errorf("the second index has %+v", got)
	}
	rewrite(t, two)
	catchUp(t, one)
	if got := stats(t, one); got.Generation != 2 || got.FileRows != 41 || got.DeltaRows != 0 {
		t.Errorf("the first index has %+v", got)
	}
	if a, b := answers(t, one), answers(t, two); a != b {
		t.Errorf("they answer\n%s\n%s", a, b)
	}
}

// TestOnlyOneWrites holds that who finds the lock taken goes on without writing,
// and that Rewrite waits for it.
func TestOnlyOneWrites(t *testing.T) {
	s := smallStore()
	config := smallConfig(t.TempDir())
	lock, err := takeLock(context.Background(), config.Dir, false)
	if err != nil {
		t.Fatal(err)
	}
	ix := openCaughtUp(t, config, s)
	ix.background.Wait()
	if got := stats(t, ix); got.FileBytes != 0 || got.DeltaRows != 40 {
		t.Errorf("with the lock taken: %+v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := ix.Rewrite(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Rewrite gave up waiting with %v", err)
	}
	done := make(chan error)
	go func() { done <- ix.Rewrite(context.Background()) }()
	lock.release()
	if err := <-done; err != nil || stats(t, ix).FileRows != 40 {
		t.Errorf("Rewrite waited and returned %v: %+v", err, stats(t, ix))
	}
}

// TestRewriteThatFails holds that an index goes on in memory when its folder
// cannot be written, and does not try again at every catch-up.
func TestRewriteThatFails(t *testing.T) {
	s := smallStore()
	config := smallConfig(filepath.Join(t.TempDir(), "index"))
	logger, log := logTo()
	config.Logger = logger
	ix := open(t, config, s)
	if err := os.Remove(config.Dir); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		catchUp(t, ix)
		ix.background.Wait()
	}
	if tried := strings.Count(log.String(), "could not be written"); tried != 1 {
		t.Errorf("tried %d times: %s", tried, log)
	}
	if err := os.Mkdir(config.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for range config.RewriteRows {
		s.put(Row{Live: true})
	}
	catchUp(t, ix)
	ix.background.Wait()
	if got := stats(t, ix); got.FileRows != 48 {
		t.Errorf("once the folder is back: %+v", got)
	}
}

// TestSearchesDuringChanges runs searches beside changes, catch-ups, rewrites and
// another index that takes over the files. The race detector looks on.
func TestSearchesDuringChanges(t *testing.T) {
	s := smallStore()
	config := smallConfig(t.TempDir())
	config.Shortlist = 5
	one, two := openCaughtUp(t, config, s), openCaughtUp(t, config, s)
	ctx, cancel := context.WithCancel(context.Background())
	var searchers sync.WaitGroup
	for _, ix := range []*Index{one, one, two} {
		searchers.Go(func() {
			for ctx.Err() == nil {
				for _, q := range someQueries() {
					result, err := ix.Search(context.Background(), q)
					if err != nil || q.Filter.State == Any && len(result.Candidates) == 0 {
						t.Errorf("a search returned %s (%v)", show(result), err)
					}
				}
			}
		})
	}
	c := newCloud(10, smallDims, 3)
	for i := range 200 {
		s.change(int64(i%40+1), func(row *Row) { row.Live, row.Vectors = true, [][]float32{c.vector()} })
		s.put(Row{Live: true, Session: "a", Position: int64(i), Terms: words("tea"), Vectors: [][]float32{c.vector()}})
		catchUp(t, one)
		if i%10 == 0 {
			catchUp(t, two)
			rewrite(t, two)
		}
	}
	cancel()
	searchers.Wait()
	catchUp(t, two)
	if a, b := answers(t, one), answers(t, two); a != b {
		t.Errorf("they answer\n%s\n%s", a, b)
	}
}

// TestSearchOfAFileThatWasCut holds that a search does not end the process when
// someone cuts the mapped file short, even if no catch-up came before it.
func TestSearchOfAFileThatWasCut(t *testing.T) {
	choosesKind(t)
	s := smallStore()
	config := smallConfig(t.TempDir())
	ix := openCaughtUp(t, config, s)
	rewrite(t, ix)
	want := answers(t, ix)
	if err := os.Truncate(filePath(&config), 0); err != nil {
		t.Fatal(err)
	}
	if got := answers(t, ix); got != want {
		t.Errorf("answers %s\nwant %s", got, want)
	}
	ix.background.Wait()
	if got := stats(t, ix); got.FileRows != 40 {
		t.Errorf("the file was not made anew: %+v", got)
	}
	s.broken = errBroken
	if err := os.Truncate(filePath(&config), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Count(context.Background(), Filter{}); !errors.Is(err, errBroken) {
		t.Errorf("with a broken store Count returns %v", err)
	}
}

// TestTakingOverSettles holds that searches never see a file that was taken over
// with a mean that is out of date for the rows after it.
func TestTakingOverSettles(t *testing.T) {
	s, c := newStore(), newCloud(6, smallDims, 3)
	add := func(n int) {
		for range n {
			s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
		}
	}
	config := smallConfig(t.TempDir())
	config.RewriteRows = 1000
	add(30)
	writer := openCaughtUp(t, config, s)
	add(10)
	reader := openCaughtUp(t, config, s)
	ctx := context.Background()
	if err := writer.rewriteInBulk(ctx); err != nil { // writes what it knows, the first 30
		t.Fatal(err)
	}
	if err := reader.refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if got := stats(t, reader); got.FileRows != 30 || got.Rows != 40 || got.CentreSize != gridSize(40) {
		t.Errorf("the reader took over %+v", got)
	}
}

// TestStoreAheadOfTheFile changes rows of the sample while a file is written:
// before the reading of the mean, and between that and the reading for the
// codes. The answers are those of an index made at once afterwards.
func TestStoreAheadOfTheFile(t *testing.T) {
	c := newCloud(6, smallDims, 3)
	changes := map[string]func(*store){
		"erased":   func(s *store) { s.erase(3) },
		"emptied":  func(s *store) { s.change(5, func(row *Row) { row.Vectors = nil }) },
		"changed":  func(s *store) { s.change(7, func(row *Row) { row.Vectors = [][]float32{c.vector(), c.vector()} }) },
		"added":    func(s *store) { s.put(Row{Live: true, Vectors: [][]float32{c.vector()}}) },
		"replaced": func(s *store) { s.erase(3); s.put(Row{Live: true, Vectors: [][]float32{c.vector()}}) },
	}
	for name, change := range changes {
		for when := 1; when <= 2; when++ {
			s := newStore()
			for range 41 { // one more than a size of the grid
				s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
			}
			config := smallConfig(t.TempDir())
			config.RewriteRows = 1000
			ix := open(t, config, s)
			if err := ix.Follow(context.Background()); err != nil {
				t.Fatal(err)
			}
			calls := 0
			s.beforeVectors = func() {
				if calls++; calls == when {
					change(s)
				}
			}
			rewrite(t, ix)
			if s.beforeVectors = nil; calls < 2 {
				t.Fatalf("the store was read %d times", calls)
			}
			catchUp(t, ix)
			fresh := openCaughtUp(t, Config{StoreID: "s", Identity: "e", Dims: smallDims}, s)
			if a, b := answers(t, ix), answers(t, fresh); a != b {
				t.Errorf("%s before reading %d: it answers\n%s\nan index made at once\n%s", name, when, a, b)
			}
		}
	}
}

// TestLargeIndexWaitsForTheRewrite holds that a large index keeps its mean until
// its file is written anew, and that this happens when the grid moves.
func TestLargeIndexWaitsForTheRewrite(t *testing.T) {
	s, c := newStore(), newCloud(6, smallDims, 3)
	config := smallConfig(t.TempDir())
	config.sampleDocs = 20
	add := func(n int) {
		for range n {
			s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
		}
	}
	add(64)
	ix := openCaughtUp(t, config, s)
	rewrite(t, ix)
	before := stats(t, ix)
	s.change(ix.state.centre.docs[3], func(row *Row) { row.Vectors = [][]float32{c.vector()} })
	catchUp(t, ix)
	ix.background.Wait()
	if got := stats(t, ix); got.Generation != before.Generation || !ix.state.moved {
		t.Errorf("a changed row of the sample: %+v, moved %v", got, ix.state.moved)
	}
	add(4) // the next size of the grid
	catchUp(t, ix)
	ix.background.Wait()
	if got := stats(t, ix); got.Generation != before.Generation+1 || got.CentreSize != gridSize(68) || ix.state.moved {
		t.Errorf("the grid moved: %+v, moved %v", got, ix.state.moved)
	}
	fresh := openCaughtUp(t, Config{StoreID: "s", Identity: "e", Dims: smallDims, sampleDocs: 20}, s)
	if a, b := answers(t, ix), answers(t, fresh); a != b {
		t.Errorf("they answer\n%s\n%s", a, b)
	}
}

// TestBulk holds that a long catch-up writes files on its way.
func TestBulk(t *testing.T) {
	if testing.Short() {
		t.Skip("a store of more rows than wait in memory, for the long tests")
	}
	l := newLibrary(bulkRows + 5_000)
	config := libraryConfig(t.TempDir())
	ix := open(t, config, l)
	start := time.Now()
	catchUp(t, ix)
	t.Logf("%d rows in %v", l.size, time.Since(start))
	if got := stats(t, ix); got.Rows != l.size || got.Generation == 0 || got.FileRows < bulkRows {
		t.Errorf("got %+v", got)
	}
}

// TestSettleLeavesLittle holds that an index that settles and is closed leaves a file
// with all rows, also when it is being written already, and that one with little to
// write writes nothing.
func TestSettleLeavesLittle(t *testing.T) {
	s := newStore()
	more := func(n int) {
		for range n {
			s.put(Row{Live: true, Terms: words("tea")})
		}
	}
	more(2000)
	config := Config{Dir: t.TempDir(), StoreID: "s"}
	ix := openCaughtUp(t, config, s) // begins to write
	settle := func(ix *Index) Stats {
		t.Helper()
		if err := ix.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		return stats(t, ix)
	}
	settle(ix)
	ix.Close()
	next := open(t, config, s)
	if got := stats(t, next); got.FileRows != 2000 || got.Generation != 1 {
		t.Errorf("after settling: %+v", got)
	}
	more(1)
	if got := settle(next); got.Generation != 1 || got.DeltaRows != 1 {
		t.Errorf("after settling one row: %+v", got)
	}
	more(2000)
	if got := settle(next); got.Generation != 2 || got.FileRows != 4001 {
		t.Errorf("after settling as many again: %+v", got)
	}
}

// TestCloseLeavesASmallFile holds that a process that asks one question and ends leaves
// the file that it began to write.
func TestCloseLeavesASmallFile(t *testing.T) {
	s := newStore()
	for range 3000 {
		s.put(Row{Live: true, Terms: words("tea")})
	}
	config := Config{Dir: t.TempDir(), StoreID: "s"}
	ix := openCaughtUp(t, config, s)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if got := stats(t, open(t, config, s)); got.FileRows != 3000 {
		t.Errorf("%+v", got)
	}
}

// TestNobodyWritesAgain holds that an index that finds a file just written by another
// does not write it once more.
func TestNobodyWritesAgain(t *testing.T) {
	s := newStore()
	config := Config{Dir: t.TempDir(), StoreID: "s", RewriteRows: 100}
	one, two := openCaughtUp(t, config, s), openCaughtUp(t, config, s)
	for range 200 {
		s.put(Row{Live: true})
	}
	if err := two.hold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := two.follow(t.Context()); err != nil || !two.due() {
		t.Fatalf("not due (%v)", err)
	}
	rewrite(t, one)
	two.rewriteInBackground(t.Context())
	two.catch.leave()
	two.background.Wait()
	if got := stats(t, two); got.Generation != 1 || got.FileRows != 200 {
		t.Errorf("%+v", got)
	}
}
