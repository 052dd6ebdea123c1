package index

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// store is a Source in memory.
type store struct {
	mu     sync.Mutex
	rows   map[int64]Row
	seq    int64
	doc    int64
	broken error // what all calls return
	// beforeVectors is called, if it is set, before vectors are read.
	beforeVectors func()
	vectorCalls   int
}

func newStore() *store { return &store{rows: map[int64]Row{}} }

// put adds a row, or changes the one with its Doc, and returns the row number.
func (s *store) put(row Row) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if row.Doc == 0 {
		s.doc++
		row.Doc = s.doc
	}
	s.doc = max(s.doc, row.Doc)
	s.seq++
	row.Seq = s.seq
	s.rows[row.Doc] = row
	return row.Doc
}

func (s *store) erase(doc int64) { s.put(Row{Doc: doc, Gone: true}) }

func (s *store) change(doc int64, change func(*Row)) {
	s.mu.Lock()
	row := s.rows[doc]
	s.mu.Unlock()
	change(&row)
	s.put(row)
}

func (s *store) Sequence(context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq, s.broken
}

func (s *store) Rows(_ context.Context, after int64, limit int) ([]Row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rows []Row
	for _, row := range s.rows {
		if row.Seq > after {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Seq, b.Seq) })
	return rows[:min(len(rows), limit)], s.broken
}

func (s *store) Vectors(_ context.Context, docs []int64) ([][][]float32, error) {
	if s.beforeVectors != nil {
		s.beforeVectors()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.vectorCalls++
	vectors := make([][][]float32, len(docs))
	for i, doc := range docs {
		vectors[i] = s.rows[doc].Vectors
	}
	return vectors, s.broken
}

// sorted returns the rows that are not gone, ascending by doc.
func (s *store) sorted() []Row {
	var rows []Row
	for _, row := range s.rows {
		if !row.Gone {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Doc, b.Doc) })
	return rows
}

var errBroken = errors.New("the disk is on fire")

// words makes counts of terms: a word in brackets stands in the line alone.
func words(terms ...string) []TermCount {
	var counts []TermCount
	for _, term := range terms {
		if term[0] == '(' {
			counts = append(counts, TermCount{Term: term[1 : len(term)-1], Line: 1})
			continue
		}
		at := slices.IndexFunc(counts, func(c TermCount) bool { return c.Term == term })
		if at < 0 {
			counts = append(counts, TermCount{Term: term})
			at = len(counts) - 1
		}
		counts[at].Line++
		counts[at].Content++
	}
	return counts
}

// cloud draws vectors that lie about a common direction, as those of sentence
// encoders do: the cosine of two of them is about 0.8, and they gather in
// groups.
type cloud struct {
	rng    *rand.Rand
	dims   int
	offset []float32
	groups [][]float32
}

func newCloud(seed uint64, dims, groups int) *cloud {
	c := &cloud{rng: rand.New(rand.NewPCG(seed, 7)), dims: dims}
	c.offset = c.direction(1)
	for range groups {
		c.groups = append(c.groups, c.direction(0.35))
	}
	return c
}

// direction returns a vector of the given length in a random direction.
func (c *cloud) direction(length float64) []float32 {
	v := make([]float32, c.dims)
	sum := 0.0
	for i := range v {
		v[i] = float32(c.rng.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] *= float32(length / math.Sqrt(sum))
	}
	return v
}

func (c *cloud) vector() []float32 {
	v := c.direction(0.35)
	group := c.groups[c.rng.IntN(len(c.groups))]
	for i := range v {
		v[i] += c.offset[i] + group[i]
	}
	return unitVector(v)
}

// near returns a vector near another.
func (c *cloud) near(v []float32, distance float64) []float32 {
	w := c.direction(distance)
	for i := range w {
		w[i] += v[i]
	}
	return unitVector(w)
}

func unitVector(v []float32) []float32 {
	length := float32(math.Sqrt(dot(v, v)))
	for i := range v {
		v[i] /= length
	}
	return v
}

// everyGraph runs the tests of this package with a graph beside every file:
//
//	go test ./index -graph
var everyGraph = flag.Bool("graph", false, "search by graphs in all tests that do not choose the kind themselves")

// choosesKind leaves a test out of a run with -graph: it looks at how rows were
// found, or spoils files, which must not happen while a graph is built from them.
func choosesKind(t *testing.T) {
	t.Helper()
	if *everyGraph {
		t.Skip("this test chooses the kind of search itself")
	}
}

// open opens an index that is closed with the test.
func open(t testing.TB, config Config, source Source) *Index {
	t.Helper()
	if *everyGraph {
		config = graphConfig(config)
	}
	ix, err := Open(config, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

// openCaughtUp is open with a catch-up.
func openCaughtUp(t testing.TB, config Config, source Source) *Index {
	t.Helper()
	ix := open(t, config, source)
	catchUp(t, ix)
	return ix
}

func catchUp(t testing.TB, ix *Index) {
	t.Helper()
	if err := ix.CatchUp(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func rewrite(t testing.TB, ix *Index) {
	t.Helper()
	if err := ix.Rewrite(context.Background()); err != nil {
		t.Fatal(err)
	}
	if *everyGraph {
		awaitGraph(ix)
	}
}

// awaitGraph waits for the graph of the file in use.
func awaitGraph(ix *Index) {
	if ix.hold(context.Background()) != nil {
		return
	}
	ix.followGraph()
	ix.catch.leave()
	for ix.graphing.Load() {
		runtime.Gosched()
	}
}

func ask(t testing.TB, ix *Index, q Query) Result {
	t.Helper()
	result, err := ix.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func stats(t testing.TB, ix *Index) Stats {
	t.Helper()
	s, err := ix.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// docs returns the rows of a result.
func docs(r Result) []int64 {
	var found []int64
	for _, c := range r.Candidates {
		found = append(found, c.Doc)
	}
	return found
}

// byC returns the rows of a result, the nearest first.
func byC(r Result) []int64 {
	candidates := slices.Clone(r.Candidates)
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.C, a.C), cmp.Compare(a.Doc, b.Doc))
	})
	return docs(Result{Candidates: candidates})
}

// show prints a result so that two can be compared and read.
func show(r Result) string {
	if *everyGraph { // how rows were found is all that may differ
		r.Vectors.Walked, r.Vectors.Shortlisted = false, 0
	}
	text := fmt.Sprintf("idf %v n %d mean %v eligible %d words %+v vectors %+v seq %d\n", r.IDF, r.N, r.MeanLength, r.Eligible, r.Words, r.Vectors, r.Seq)
	scores := func(s *Scores) string {
		if s == nil {
			return "-"
		}
		return fmt.Sprintf("%+v", *s)
	}
	for _, c := range r.Candidates {
		text += fmt.Sprintf("%d %+v cos %v %v class %d captured %d at %v prev %s next %s\n", c.Doc, c.Scores, c.Cosine, c.Rescored, c.Class, c.Captured, c.Situation, scores(c.Prev), scores(c.Next))
	}
	return text
}
