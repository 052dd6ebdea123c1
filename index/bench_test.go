package index

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"
)

// library is a Source of made-up rows, the same on every run: 28 terms a row
// whose frequencies fall like 1/rank, month, year and speaker among them, and
// one vector of 384 numbers. Row i is made when it is asked for.
type library struct {
	size  int
	base  *cloud
	given [][]float32 // vectors of the rows, nil to make them
}

const libraryDims = 384

func newLibrary(size int) *library {
	return &library{size: size, base: newCloud(1, libraryDims, max(size/100, 1))}
}

func (l *library) vector(doc int64) []float32 {
	if l.given != nil {
		return l.given[doc-1]
	}
	rng := rand.New(rand.NewPCG(uint64(doc), 3))
	v := make([]float32, libraryDims)
	group := l.base.groups[rng.IntN(len(l.base.groups))]
	for i := range v {
		// The sum of four random bytes is near enough to a normal distribution.
		bits := rng.Uint32()
		noise := float32(bits&255+bits>>8&255+bits>>16&255+bits>>24) - 510
		v[i] = l.base.offset[i] + group[i] + noise*(0.35/148/19.6)
	}
	return unitVector(v)
}

func (l *library) row(doc int64) Row {
	rng := rand.New(rand.NewPCG(uint64(doc), 4))
	row := Row{
		Doc: doc, Seq: doc, Live: true, Captured: doc * 1e6, Event: doc * 1e6, HasEvent: true, Position: doc,
		Session: "session " + strconv.FormatInt(doc/20, 10), Vectors: [][]float32{l.vector(doc)},
		Facets: []string{"tier=archive", "tag=" + strconv.Itoa(int(doc%1000))},
	}
	for _, term := range []string{"month" + strconv.Itoa(rng.IntN(12)), "year" + strconv.Itoa(rng.IntN(5)), "speaker" + strconv.Itoa(rng.IntN(10))} {
		row.Terms = append(row.Terms, TermCount{term, 1, 0})
	}
	zipf := rand.NewZipf(rng, 1.1, 20, 400_000)
	seen := map[uint64]bool{}
	for len(row.Terms) < 28 {
		if n := zipf.Uint64(); !seen[n] {
			seen[n] = true
			row.Terms = append(row.Terms, TermCount{"word" + strconv.FormatUint(n, 10), 1, 1})
		}
	}
	return row
}

func (l *library) Sequence(context.Context) (int64, error) { return int64(l.size), nil }

func (l *library) Rows(_ context.Context, after int64, limit int) ([]Row, error) {
	var rows []Row
	for doc := after + 1; doc <= int64(l.size) && len(rows) < limit; doc++ {
		rows = append(rows, l.row(doc))
	}
	return rows, nil
}

func (l *library) Vectors(_ context.Context, docs []int64) ([][][]float32, error) {
	vectors := make([][][]float32, len(docs))
	for i, doc := range docs {
		vectors[i] = [][]float32{l.vector(doc)}
	}
	return vectors, nil
}

// questions returns queries of some common and some rare terms and a vector.
func (l *library) questions(n int) []Query {
	rng := rand.New(rand.NewPCG(5, 5))
	questions := make([]Query, n)
	for i := range questions {
		near := l.row(rng.Int64N(int64(l.size)) + 1)
		q := Query{Neighbours: true, Vector: l.base.near(near.Vectors[0], 0.2)}
		for _, j := range []int{0, 1, 5, 8, 12, 20} {
			q.Terms = append(q.Terms, near.Terms[j].Term)
		}
		questions[i] = q
	}
	return questions
}

var largestLibrary = flag.Int("rows", 100_000, "rows of the largest library that benchmarks search")

// librarySizes returns 1,000, 10,000 and so on up to the largest.
func librarySizes() (sizes []int) {
	for size := 1_000; size <= *largestLibrary; size *= 10 {
		sizes = append(sizes, size)
	}
	return sizes
}

func libraryConfig(dir string) Config {
	return Config{Dir: dir, StoreID: "library", Identity: "made up", Dims: libraryDims}
}

func BenchmarkSearch(b *testing.B) {
	for _, size := range librarySizes() {
		l := newLibrary(size)
		ix := openCaughtUp(b, libraryConfig(b.TempDir()), l)
		rewrite(b, ix)
		questions := l.questions(64)
		lanes := map[string]func(*Query){
			"both": func(*Query) {}, "words": func(q *Query) { q.Vector = nil }, "vectors": func(q *Query) { q.Terms = nil },
			"narrow": func(q *Query) { q.Filter.All = []string{"tag=7"} },
		}
		for _, lane := range []string{"both", "words", "vectors", "narrow"} {
			b.Run(fmt.Sprintf("%s/%d", lane, size), func(b *testing.B) {
				b.ReportAllocs()
				least := time.Hour
				for i := 0; b.Loop(); i++ {
					q := questions[i%len(questions)]
					lanes[lane](&q)
					start := time.Now()
					ask(b, ix, q)
					least = min(least, time.Since(start))
				}
				b.ReportMetric(float64(least.Microseconds()), "least-µs/op")
			})
		}
	}
}

func BenchmarkApply(b *testing.B) {
	l := newLibrary(10_000)
	config, err := libraryConfig("").normal()
	if err != nil {
		b.Fatal(err)
	}
	rows, _ := l.Rows(context.Background(), 0, l.size)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%l.size == 0 {
			b.StopTimer()
			s := newState(nil, &config)
			b.StartTimer()
			benchState = s
		}
		benchState.apply(&rows[i%l.size])
	}
}

// benchState keeps the compiler from dropping what BenchmarkApply does.
var benchState *state

func BenchmarkRewrite(b *testing.B) {
	for _, size := range librarySizes() {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			ix := openCaughtUp(b, libraryConfig(b.TempDir()), newLibrary(size))
			rewrite(b, ix)
			for b.Loop() {
				rewrite(b, ix)
			}
			b.ReportMetric(float64(stats(b, ix).FileBytes)/float64(size), "bytes/row")
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, size := range librarySizes() {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			dir := b.TempDir()
			l := newLibrary(size)
			rewrite(b, openCaughtUp(b, libraryConfig(dir), l))
			for b.Loop() {
				openCaughtUp(b, libraryConfig(dir), l).Close()
			}
		})
	}
}
