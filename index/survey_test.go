package index

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"
)

func TestSurvey(t *testing.T) {
	s, c := newStore(), newCloud(3, 32, 4)
	config := Config{Identity: "e", Dims: 32}
	question := c.vector()
	far := s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
	near := s.put(Row{Live: true, Vectors: [][]float32{c.vector(), c.near(question, 0.05), c.vector()}})
	s.put(Row{Live: true})
	forgotten := s.put(Row{Vectors: [][]float32{c.near(question, 0.01)}})
	ix := openCaughtUp(t, config, s)
	for centred := range 2 {
		got := surveyed(t, ix, question, []int64{far, near, 3, forgotten, 99}, nil)
		want := newReference(s, Query{Vector: question}, 32).survey()
		sameSurvey(t, &got.Survey, want)
		if got.Centred != (centred == 1) || got.Best[0].Doc != near || got.Embedded != 2+7*centred {
			t.Errorf("got %+v, nearest %d", got, near)
		}
		if m := got.meaning; m[1] <= m[0] || m[2] != 0 || m[3] <= m[1] || m[4] != 0 {
			t.Errorf("meaning %v", m)
		}
		for range 7 {
			s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
		}
		catchUp(t, ix)
	}
	twin := c.vector()
	before := surveyed(t, ix, question, nil, nil)
	for range 3 {
		s.put(Row{Live: true, Vectors: [][]float32{twin}})
	}
	catchUp(t, ix)
	if got := surveyed(t, ix, question, nil, nil); got.Compared != before.Compared+3 || got.Distinct != before.Distinct+1 {
		t.Errorf("a text stored three times: %d compared, %d distinct, before %d, %d", got.Compared, got.Distinct, before.Compared, before.Distinct)
	}
	if got := surveyed(t, openCaughtUp(t, config, newStore()), question, nil, nil); !reflect.DeepEqual(got.Survey, Survey{}) {
		t.Errorf("an empty index says %+v", got)
	}
}

// history is a Source of rows in the order in which they changed.
type history []Row

func (h history) Sequence(context.Context) (int64, error) { return h[len(h)-1].Seq, nil }

func (h history) Rows(_ context.Context, after int64, limit int) ([]Row, error) {
	at := sort.Search(len(h), func(i int) bool { return h[i].Seq > after })
	return slices.Clone(h[at:min(at+limit, len(h))]), nil
}

func (h history) Vectors(_ context.Context, docs []int64) ([][][]float32, error) {
	vectors := make([][][]float32, len(docs))
	for _, row := range h {
		if at := slices.Index(docs, row.Doc); at >= 0 {
			vectors[at] = row.Vectors
		}
	}
	return vectors, nil
}

// TestSurveyOfASample holds that a sample speaks for all rows, and is the same in
// every index of a store. The rows are more than one span holds.
func TestSurveyOfASample(t *testing.T) {
	const sample, rows, dims = 500, spanWords*64 + 2000, 16
	c := newCloud(5, dims, 9)
	var s history
	for _, doc := range sequence(rows) {
		s = append(s, Row{Doc: doc, Seq: doc, Live: true, Vectors: [][]float32{c.vector()}})
	}
	config := Config{Identity: "e", Dims: dims, surveyRows: sample}
	question := c.vector()
	ix := openCaughtUp(t, config, s)
	got := surveyed(t, ix, question, nil, nil).Survey
	all := spread{}
	for _, m := range surveyed(t, ix, question, sequence(rows), nil).meaning {
		all.add(m)
	}
	want := all.survey()
	config.surveyRows = rows
	if whole := surveyed(t, openCaughtUp(t, config, s), question, nil, nil); whole.Compared != rows || whole.Mean != want.Mean || whole.Deviation != want.Deviation {
		t.Errorf("all rows compared: %+v, want %+v", whole.Survey, want)
	}
	config.surveyRows = sample
	// Four standard errors of a mean and of a deviation.
	if off := 4 * want.Deviation / math.Sqrt(sample); got.Embedded != rows || math.Abs(got.Mean-want.Mean) > off || math.Abs(got.Deviation-want.Deviation) > off {
		t.Errorf("the sample says %+v, all %+v", got, want)
	}
	if got.Compared < sample*9/10 || got.Compared > sample*11/10 {
		t.Errorf("%d rows compared, want some %d", got.Compared, sample)
	}
	config.Dir, config.RewriteRows = t.TempDir(), rows
	rewrite(t, openCaughtUp(t, config, s))
	s = slices.Concat(s[:5000], s[9000:], s[5000:9000]) // some changed since, to what they were
	for i := rows - 4000; i < rows; i++ {
		s[i].Seq = rows + int64(i)
	}
	if again := surveyed(t, openCaughtUp(t, config, s), question, nil, nil).Survey; !reflect.DeepEqual(again, got) {
		t.Errorf("from a file %+v, from memory %+v", again, got)
	}
}

func sequence(n int) []int64 {
	docs := make([]int64, n)
	for i := range docs {
		docs[i] = int64(i + 1)
	}
	return docs
}

func TestSurveysThatCannotBe(t *testing.T) {
	ctx := context.Background()
	for name, test := range map[string]struct {
		config Config
		vector []float32
	}{
		"no vectors": {Config{}, []float32{1}}, "too short": {Config{Identity: "e", Dims: 2}, []float32{1}},
		"not of length 1": {Config{Identity: "e", Dims: 2}, []float32{1, 1}}, "none": {Config{Identity: "e", Dims: 2}, nil},
	} {
		ix := openCaughtUp(t, test.config, newStore())
		_, survey := ix.Survey(ctx, test.vector)
		_, meaning := ix.Meaning(ctx, nil, test.vector)
		_, compare := ix.Compare(ctx, test.vector, nil)
		for _, err := range []error{survey, meaning, compare} {
			if err == nil || !strings.HasPrefix(err.Error(), "index: ") {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}

// BenchmarkSurvey takes one processor, as the bar for perceptions does:
//
//	go test ./index -run none -bench Survey -benchtime 200x
func BenchmarkSurvey(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, size := range librarySizes() {
		l := newLibrary(size)
		kept := &keptVectors{library: l, vectors: map[int64][][]float32{}}
		ix := openCaughtUp(b, libraryConfig(b.TempDir()), kept)
		rewrite(b, ix)
		questions := l.questions(64)
		for name, work := range map[string]func(v []float32) error{
			"survey":  func(v []float32) error { _, err := ix.Survey(context.Background(), v); return err },
			"meaning": func(v []float32) error { _, err := ix.Meaning(context.Background(), sequence(200), v); return err },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) { least(b, func(i int) error { return work(questions[i%64].Vector) }) })
		}
	}
}

// keptVectors makes no vector twice, so that a benchmark does not count it.
type keptVectors struct {
	*library
	vectors map[int64][][]float32
}

func (k *keptVectors) Vectors(ctx context.Context, docs []int64) ([][][]float32, error) {
	out := make([][][]float32, len(docs))
	for i, doc := range docs {
		if k.vectors[doc] == nil {
			k.vectors[doc] = [][]float32{k.vector(doc)}
		}
		out[i] = k.vectors[doc]
	}
	return out, nil
}

// least reports the shortest run of some work.
func least(b *testing.B, work func(i int) error) {
	b.ReportAllocs()
	shortest := time.Hour
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		if err := work(i); err != nil {
			b.Fatal(err)
		}
		shortest = min(shortest, time.Since(start))
	}
	b.ReportMetric(float64(shortest.Nanoseconds())/1000, "least-µs/op")
}

// BenchmarkCompare compares with as many cues as two months may hold.
func BenchmarkCompare(b *testing.B) {
	l := newLibrary(1000)
	ix := openCaughtUp(b, libraryConfig(""), l)
	others := make([][]float32, 3000)
	for i := range others {
		others[i] = l.vector(int64(i + 1))
	}
	least(b, func(int) error { _, err := ix.Compare(context.Background(), others[7], others); return err })
}

// town is a Source of rows without words, a third of them at one place and the
// others all over a town of 20 km.
type town struct{ size int }

func (t town) Sequence(context.Context) (int64, error) { return int64(t.size), nil }

func (t town) Rows(_ context.Context, after int64, limit int) ([]Row, error) {
	var rows []Row
	for doc := after + 1; doc <= int64(t.size) && len(rows) < limit; doc++ {
		row := Row{Doc: doc, Seq: doc, Live: true, HasEvent: true, Event: doc * 1e9, HasHour: true, HasPlace: true, Lat: 48.3, Lon: 1.25}
		if doc%3 > 0 {
			rng := rand.New(rand.NewPCG(uint64(doc), 6))
			row.Lat, row.Lon = 48.2+rng.Float64()*0.18, 1.1+rng.Float64()*0.27
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (town) Vectors(_ context.Context, docs []int64) ([][][]float32, error) {
	return make([][][]float32, len(docs)), nil
}

// BenchmarkPlaceCue asks which of the memories within 500 m come back, on one
// processor: where few are, and where a third of all are.
//
//	go test ./index -run none -bench PlaceCue -benchtime 1000x
func BenchmarkPlaceCue(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, size := range librarySizes() {
		ix := rewritten(b, town{size})
		for name, lat := range map[string]float64{"away": 48.25, "home": 48.3} {
			q := Query{Filter: Filter{Near: &Near{lat, 1.25, 500}}, Cue: func(s Situation) float64 { return 1 / (1 + math.Abs(s.Lat-lat)) }}
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				least(b, func(int) error { _, err := ix.Search(context.Background(), q); return err })
			})
		}
	}
}
