package memtest

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"combray/internal/lexical"
	"combray/internal/memory"
)

// shelf is a store with its index and encoder.
type shelf struct {
	*subject
	index   *Index
	encoder *Encoder
}

func newShelf(t *testing.T) *shelf {
	store := openModel(t)
	encoder := &Encoder{}
	return &shelf{&subject{T: t, store: store, Sample: &Sample{}, ctx: t.Context()}, NewIndex(store, encoder.Identity()), encoder}
}

// keep stores a memory with its vectors and brings the index behind it.
func (s *shelf) keep(m memory.Memory) memory.Memory {
	s.Helper()
	m = s.put(m)[0]
	windows := must[[][]float32](s.subject)(s.encoder.Passage(s.ctx, memory.Line(m)))
	s.write(memory.PutVectors{Number: m.Number, Identity: s.encoder.Identity(), Windows: windows})
	s.catchUp()
	return *s.memory(m.ID)
}

func (s *shelf) catchUp() {
	s.Helper()
	if err := s.index.CatchUp(s.ctx); err != nil {
		s.Fatal(err)
	}
}

func (s *shelf) search(q memory.IndexQuery) memory.IndexResult {
	s.Helper()
	return must[memory.IndexResult](s.subject)(s.index.Search(s.ctx, q))
}

func (s *shelf) question(text string) []float32 {
	s.Helper()
	return must[[]float32](s.subject)(s.encoder.Question(s.ctx, text))
}

func numbers(r memory.IndexResult) []int64 {
	var out []int64
	for _, c := range r.Candidates {
		out = append(out, c.Number)
	}
	return out
}

// BM25 worked by hand: three lines of 2, 1 and 3 terms, k1 0.9 and b 0.4.
func TestIndexScoresWords(t *testing.T) {
	s := newShelf(t)
	for _, text := range []string{"fig fig", "pea", "pea fig oat"} {
		s.keep(s.Memory(text))
	}
	got := s.search(memory.IndexQuery{Terms: lexical.Query("fig yam")})
	idfFig, idfYam := math.Log(1+(3-2+0.5)/(2+0.5)), math.Log(1+(3-0+0.5)/(0+0.5))
	if len(got.IDF) != 2 || math.Abs(got.IDF[0]-idfFig) > 1e-12 || math.Abs(got.IDF[1]-idfYam) > 1e-12 {
		t.Fatalf("idf %v, want %v and %v", got.IDF, idfFig, idfYam)
	}
	want := map[int64]float64{
		1: idfFig * 2 * 1.9 / (2 + 0.9*(0.6+0.4*2/2)),
		3: idfFig * 1 * 1.9 / (1 + 0.9*(0.6+0.4*3/2)),
	}
	if !slices.Equal(numbers(got), []int64{1, 3}) {
		t.Fatalf("candidates %v, want those that hold a word", numbers(got))
	}
	for _, c := range got.Candidates {
		if math.Abs(c.Scores.Words-want[c.Number]) > 1e-12 {
			t.Errorf("row %d scores %v, want %v", c.Number, c.Scores.Words, want[c.Number])
		}
	}
	n, df, mean, err := s.index.Statistics(s.ctx, []string{"fig", "yam"})
	if err != nil || n != 3 || !slices.Equal(df, []int{2, 0}) || mean != 2 {
		t.Errorf("statistics %d, %v, %v, %v", n, df, mean, err)
	}
}

// The line has day and source, the content has not.
func TestIndexReadsLineOrContent(t *testing.T) {
	s := newShelf(t)
	m := s.Memory("oat")
	m.Source, m.EventAt = Of("Ada"), Of(Start)
	s.keep(m)
	for _, c := range []struct {
		term    string
		content bool
		want    int
	}{{"ada", false, 1}, {"ada", true, 0}, {"2023", false, 1}, {"oat", true, 1}} {
		got := s.search(memory.IndexQuery{Terms: lexical.Query(c.term), Content: c.content})
		if len(got.Candidates) != c.want {
			t.Errorf("%s, content %t: %d candidates, want %d", c.term, c.content, len(got.Candidates), c.want)
		}
	}
}

// Below six memories raw cosines are mapped, from six on they are centred.
func TestIndexCentresFromSix(t *testing.T) {
	s := newShelf(t)
	texts := []string{"fig", "pea", "oat", "yam", "rye", "fig pea"}
	var sum []float64
	for i, text := range texts {
		s.keep(s.Memory(text))
		q, v := s.question("fig"), s.question(text)
		if sum == nil {
			sum = make([]float64, len(v))
		}
		for j := range v {
			sum[j] += float64(v[j])
		}
		got := s.search(memory.IndexQuery{Question: q})
		if len(got.Candidates) != i+1 || got.Vectors != i+1 {
			t.Fatalf("%d candidates and %d vectors of %d", len(got.Candidates), got.Vectors, i+1)
		}
		want := min((dot(q, v)-0.75)/0.2, 1)
		if i+1 >= 6 {
			mean := make([]float64, len(sum))
			for j := range sum {
				mean[j] = sum[j] / 6
			}
			want = centredCosine(q, v, mean)
		}
		if c := got.Candidates[i]; math.Abs(c.Scores.Meaning-want) > 1e-6 || !c.Scores.HasVector {
			t.Errorf("with %d memories: %v, want %v", i+1, c.Scores.Meaning, want)
		}
	}
}

func TestCentredCosine(t *testing.T) {
	for _, c := range []struct {
		a, b []float32
		m    []float64
		want float64
	}{
		{[]float32{1, 0}, []float32{1, 0}, []float64{0.5, 0.5}, 1},
		{[]float32{1, 0}, []float32{0, 1}, []float64{0.5, 0.5}, -1},
		{[]float32{1, 0}, []float32{0, 1}, []float64{0, 0}, 0},
		{[]float32{1, 0}, []float32{0, 1}, []float64{1, 0}, 0},
	} {
		if got := centredCosine(c.a, c.b, c.m); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v about %v: %v, want %v", c.a, c.b, c.m, got, c.want)
		}
	}
}

// The middle of a long text is found by its own window, and cosines are plain.
func TestIndexTakesTheBestWindow(t *testing.T) {
	s := newShelf(t)
	oats := strings.Repeat("oat ", 60)
	long, short := s.keep(s.Memory(oats+strings.Repeat("fig ", 30)+oats)), s.keep(s.Memory("oat"))
	bare := s.putOne("fig")
	s.catchUp()
	q := s.question("fig")
	cosines, has, err := s.index.Similarity(s.ctx, []int64{short.Number, long.Number, bare.Number, 99}, q)
	if err != nil || !slices.Equal(has, []bool{true, true, false, false}) {
		t.Fatalf("has %v, %v", has, err)
	}
	best := math.Inf(-1)
	for _, w := range s.vectors(s.encoder.Identity(), long.Number)[0] {
		best = max(best, dot(w, q))
	}
	if *long.Windows < 3 || cosines[1] != best || cosines[1] < 0.5 || cosines[0] >= cosines[1] {
		t.Errorf("%d windows, cosines %v, best %v", *long.Windows, cosines, best)
	}
}

// Each lane keeps its best; a filter comes before, and changes no score.
func TestIndexLanesAndFilter(t *testing.T) {
	s := newShelf(t)
	for i, text := range []string{"fig", "fig pea", "pea oat", "oat", "rye", "yam", "yam rye"} {
		m := s.Memory(text)
		m.Place = Here(float64(i), 0)
		if i > 0 {
			m.Frame = Of("kitchen")
		}
		s.keep(m)
	}
	cue := func(at memory.Situation) float64 { return max(at.Lat-4.5, 0) }
	q := memory.IndexQuery{Terms: []string{"fig"}, Question: s.question("oat"), Cue: cue, PerLane: 1}
	whole := s.search(q)
	if !slices.Equal(numbers(whole), []int64{1, 4, 7}) || whole.Eligible != 7 || whole.Vectors != 7 {
		t.Errorf("candidates %v, eligible %d", numbers(whole), whole.Eligible)
	}
	q.Filter = memory.IndexFilter{Frame: Of("kitchen"), Exclude: []int64{7}}
	part := s.search(q)
	if !slices.Equal(numbers(part), []int64{2, 4, 6}) || part.Eligible != 5 {
		t.Errorf("with a filter: candidates %v, eligible %d", numbers(part), part.Eligible)
	}
	if part.Candidates[1].Scores != whole.Candidates[1].Scores || part.IDF[0] != whole.IDF[0] {
		t.Error("a filter changed a score")
	}
	if n, err := s.index.Count(s.ctx, q.Filter); n.Memories != 5 || err != nil {
		t.Errorf("count %v, %v", n, err)
	}
}

// Neighbours stand by position, else by arrival, filtered out or not.
func TestIndexNeighbours(t *testing.T) {
	s := newShelf(t)
	turn := func(text string, position int64) memory.Memory {
		m := s.Memory(text)
		m.SessionID = Of("s")
		if position >= 0 {
			m.SessionPosition = &position
		}
		return s.keep(m)
	}
	third, first, second := turn("oat", 9), turn("fig", 1), turn("pea fig", 4)
	late, later := turn("rye", -1), turn("yam", -1)
	s.keep(s.Memory("fig alone"))
	got := s.search(memory.IndexQuery{Terms: []string{"fig", "pea", "oat", "rye", "yam"}, Context: true})
	words := map[int64]float64{}
	for _, c := range got.Candidates {
		words[c.Number] = c.Scores.Words
	}
	order := []memory.Memory{first, second, third, late, later}
	for i, m := range order {
		c := got.Candidates[slices.Index(numbers(got), m.Number)]
		if i > 0 && (c.Previous == nil || c.Previous.Words != words[order[i-1].Number]) || i == 0 && c.Previous != nil {
			t.Errorf("before %s stands %+v", m.Content, c.Previous)
		}
		if i < 4 && (c.Next == nil || c.Next.Words != words[order[i+1].Number]) || i == 4 && c.Next != nil {
			t.Errorf("behind %s stands %+v", m.Content, c.Next)
		}
	}
	if alone := got.Candidates[5]; alone.Previous != nil || alone.Next != nil {
		t.Error("a memory without a session has neighbours")
	}
}

// The index shows the store as it was at the last CatchUp; what is forgotten or
// erased then is gone, with its words.
func TestIndexFollowsTheStore(t *testing.T) {
	s := newShelf(t)
	a, b, c := s.keep(s.Memory("fig")), s.keep(s.Memory("fig")), s.keep(s.Memory("fig"))
	a.ForgottenAt, a.ForgottenReason = Of(s.Clock.Now()), Of("over")
	b.Status, b.ConsolidatedAt, b.ConsolidationReason = memory.Consolidated, Of(s.Clock.Now()), Of("keep")
	s.write(memory.PutMemory{Memory: a}, memory.PutMemory{Memory: b}, memory.EraseMemory{MemoryID: c.ID})
	d := s.putOne("oat")
	recent := func() []int64 {
		return must[[]int64](s.subject)(s.index.Recent(s.ctx, memory.IndexFilter{}, 0))
	}
	if got := recent(); !slices.Equal(got, []int64{c.Number, b.Number, a.Number}) {
		t.Errorf("before catching up: %v", got)
	}
	s.catchUp()
	if got := recent(); !slices.Equal(got, []int64{b.Number, d.Number}) {
		t.Errorf("after catching up: %v", got)
	}
	if n, df, _, _ := s.index.Statistics(s.ctx, []string{"fig"}); n != 2 || df[0] != 1 {
		t.Errorf("%d rows, %d of them with the word", n, df[0])
	}
	if got := s.index.Stats(s.ctx); got != (memory.IndexStats{Rows: 2, Vectors: 1, Sequence: s.sequence()}) {
		t.Errorf("stats %+v", got)
	}
}

func TestIndexSituation(t *testing.T) {
	m := memory.Memory{EventAt: Of(Start), EventOffset: Of(90), Place: Here(1, 2)}
	for _, c := range []struct {
		precision *memory.Precision
		want      *time.Time
	}{{nil, Of(Start.Add(90 * time.Minute))}, {Of(memory.PreciseInstant), Of(Start.Add(90 * time.Minute))}, {Of(memory.PreciseDay), nil}} {
		m.EventPrecision = c.precision
		got := situation(m)
		if !got.HasPlace || got.Lat != 1 || got.Lon != 2 || !matches(c.want, got.EventAt) || (c.want == nil) != (got.EventAt == nil) {
			t.Errorf("%v: %+v, want %v", c.precision, got, c.want)
		}
	}
}
