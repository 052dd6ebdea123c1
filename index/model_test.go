package index

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

const modelDims = 70 // not a multiple of 64: the last word of signs is half empty

// machine runs random operations on a store and looks at it through several
// indexes, whose answers must be the same, and right.
type machine struct {
	t       *rapid.T
	store   *store
	config  Config
	cloud   *cloud
	indexes []*Index // all on one folder
	docs    []int64
	// plain is set when every row gets into the shortlist, so that candidates can
	// be compared with a plain scan.
	plain bool
	// exact is set when a graph finds all rows, or there is none, so that answers
	// of indexes with files and without are the same.
	exact  bool
	walked int // answers from a graph
}

// modelSettings are the ways in which TestModel runs.
var modelSettings = []struct {
	name   string
	config Config
	exact  bool
}{
	{"exact", Config{}, true},
	{"shortlist", Config{Shortlist: 4}, true},
	// A walk that may return all rows finds them all.
	{"graph", Config{Kind: Graph, graphRows: 1, graphFrom: 1, graphShare: 1e-9}, true},
	// One that may not still gives no wrong answer.
	{"small walks", Config{Kind: Graph, Ef: 3, graphRows: 1, graphFrom: 1, graphShare: 1e-9, Shortlist: 4}, false},
}

// TestModel compares an index that lived through random changes, a second one
// on the same folder, and one made from the rows at once in memory, which must
// give the same answers bit for bit, with a scan in float64.
func TestModel(t *testing.T) {
	for _, setting := range modelSettings {
		t.Run(setting.name, func(t *testing.T) {
			dirs := t.TempDir()
			walked, run := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				m := &machine{t: t, store: newStore(), config: setting.config, exact: setting.exact, plain: setting.config.Shortlist == 0}
				m.cloud = newCloud(rapid.Uint64Range(0, 99).Draw(t, "cloud"), modelDims, 3)
				run++ // the file of a run before would be one of another store with the same name
				m.config.Dir = filepath.Join(dirs, strconv.Itoa(run))
				m.config.StoreID, m.config.Identity, m.config.Dims = "s", "e", modelDims
				m.config.RewriteRows = rapid.IntRange(1, 12).Draw(t, "rewrite")
				m.indexes = []*Index{m.open(m.config), m.open(m.config)}
				defer func() {
					walked += m.walked
					for _, ix := range m.indexes {
						ix.Close()
					}
				}()
				t.Repeat(map[string]func(*rapid.T){
					"add": m.add, "add many": m.addMany, "change": m.change, "forget": m.forget, "erase": m.erase,
					"embed": m.embed, "reopen": m.reopen, "rewrite": m.rewrite, "follow": m.follow, "check": m.check,
				})
				m.check(t)
			})
			if graphs := setting.config.Kind == Graph; graphs != (walked > 0) {
				t.Errorf("%d answers came from a graph", walked)
			}
		})
	}
}

func (m *machine) open(config Config) *Index {
	ix, err := Open(config, m.store)
	if err != nil {
		m.t.Fatal(err)
	}
	return ix
}

var (
	someTerms    = rapid.SampledFrom([]string{"tea", "cake", "lime", "may", "2023", "swann", "eau", "nuit", "x", "été"})
	someFacets   = rapid.SampledFrom([]string{"tag=a", "tag=b", "tier=archive", "frame=work"})
	someSessions = rapid.SampledFrom([]string{"", "", "s1", "s2"})
)

func (m *machine) row(t *rapid.T) Row {
	row := Row{
		Live: rapid.IntRange(0, 4).Draw(t, "live") > 0, Class: uint8(rapid.IntRange(0, 2).Draw(t, "class")),
		Captured: rapid.Int64Range(0, 20).Draw(t, "captured"), Event: rapid.Int64Range(-5, 5).Draw(t, "event"),
		HasEvent: rapid.Bool().Draw(t, "has event"), HasHour: rapid.Bool().Draw(t, "has hour"),
		Offset: rapid.IntRange(-1500, 1500).Draw(t, "offset"), HasPlace: rapid.Bool().Draw(t, "has place"),
		Lat: degrees(t, "lat", 90), Lon: degrees(t, "lon", 180),
		Session: someSessions.Draw(t, "session"), Position: rapid.Int64Range(-3, 6).Draw(t, "position"),
		Facets: rapid.SliceOfN(someFacets, 0, 3).Draw(t, "facets"),
	}
	row.Position = max(row.Position, -1)
	terms := rapid.SliceOfNDistinct(someTerms, 0, 6, rapid.ID[string]).Draw(t, "terms")
	for _, term := range terms {
		line := rapid.Uint16Range(1, 4).Draw(t, "line")
		row.Terms = append(row.Terms, TermCount{term, line, rapid.Uint16Range(0, line).Draw(t, "content")})
	}
	for range max(rapid.IntRange(-1, 3).Draw(t, "windows"), 0) {
		row.Vectors = append(row.Vectors, m.cloud.vector())
	}
	return row
}

func (m *machine) add(t *rapid.T) { m.docs = append(m.docs, m.store.put(m.row(t))) }

func (m *machine) addMany(t *rapid.T) {
	for range rapid.IntRange(1, 15).Draw(t, "rows") {
		m.add(t)
	}
}

// some returns a row that is not gone.
func (m *machine) some(t *rapid.T) int64 {
	if len(m.docs) == 0 {
		t.Skip("no rows")
	}
	return rapid.SampledFrom(m.docs).Draw(t, "doc")
}

func (m *machine) change(t *rapid.T) {
	row := m.row(t)
	row.Doc = m.some(t)
	m.store.put(row)
}

func (m *machine) forget(t *rapid.T) {
	m.store.change(m.some(t), func(row *Row) { row.Live = !row.Live })
}

func (m *machine) embed(t *rapid.T) {
	m.store.change(m.some(t), func(row *Row) { row.Vectors = [][]float32{m.cloud.vector()} })
}

func (m *machine) erase(t *rapid.T) {
	doc := m.some(t)
	m.store.erase(doc)
	m.docs = slices.DeleteFunc(m.docs, func(d int64) bool { return d == doc })
}

func (m *machine) reopen(t *rapid.T) {
	i := rapid.IntRange(0, len(m.indexes)-1).Draw(t, "index")
	m.indexes[i].Close()
	m.indexes[i] = m.open(m.config)
}

func (m *machine) rewrite(t *rapid.T) {
	ix := rapid.SampledFrom(m.indexes).Draw(t, "index")
	if err := ix.Rewrite(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) follow(t *rapid.T) {
	ix := rapid.SampledFrom(m.indexes).Draw(t, "index")
	if err := ix.Follow(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) query(t *rapid.T) Query {
	q := Query{
		Terms: rapid.SliceOfN(someTerms, 0, 4).Draw(t, "terms"), Field: Field(rapid.IntRange(0, 1).Draw(t, "field")),
		K1: rapid.SampledFrom([]float64{0, 1.5}).Draw(t, "k1"), Filter: m.filter(t),
		Neighbours: rapid.Bool().Draw(t, "neighbours"), PerLane: 1000,
	}
	if !m.plain {
		q.PerLane = rapid.IntRange(1, 20).Draw(t, "per lane")
	}
	if rapid.IntRange(0, 2).Draw(t, "cued") == 0 {
		q.Cue = cue
	}
	if q.K1 > 0 {
		q.B = 0.75
	}
	if rapid.Bool().Draw(t, "vector") {
		q.Vector = m.cloud.vector()
	}
	if len(m.docs) > 0 {
		q.Extra = rapid.SliceOfN(rapid.SampledFrom(m.docs), 0, 2).Draw(t, "extra")
	}
	return q
}

// degrees draws an angle in millionths of a degree, a tenth of a metre: the squares of
// much smaller differences are 0 in float64.
func degrees(t *rapid.T, name string, most int) float64 {
	return float64(rapid.IntRange(-most*1e6, most*1e6).Draw(t, name)) / 1e6
}

func (m *machine) filter(t *rapid.T) Filter {
	f := Filter{State: State(rapid.IntRange(0, 2).Draw(t, "state"))}
	bound := func(name string) *int64 {
		if rapid.IntRange(0, 3).Draw(t, name) > 0 {
			return nil
		}
		return new(rapid.Int64Range(-5, 20).Draw(t, name+" at"))
	}
	f.EventSince, f.EventUntil = bound("event since"), bound("event until")
	f.CapturedSince, f.CapturedUntil = bound("since"), bound("until")
	f.Undated = rapid.IntRange(0, 5).Draw(t, "undated") == 0
	if rapid.IntRange(0, 2).Draw(t, "faceted") == 0 {
		f.All = rapid.SliceOfN(someFacets, 0, 2).Draw(t, "all")
	}
	if rapid.IntRange(0, 4).Draw(t, "placed") == 0 {
		f.Near = &Near{
			degrees(t, "near lat", 90), degrees(t, "near lon", 180),
			float64(rapid.IntRange(0, 2e7).Draw(t, "radius")),
		}
	}
	if len(m.docs) > 0 {
		f.Exclude = rapid.SliceOfN(rapid.SampledFrom(m.docs), 0, 2).Draw(t, "exclude")
	}
	return f
}

// cue is about nothing, but of everything that a situation has.
func cue(s Situation) float64 {
	score := -0.5
	if s.HasEvent {
		score += 1 / (1 + math.Abs(float64(s.Event)))
	}
	if s.HasHour {
		score += float64(s.Offset) / 2000
	}
	if s.HasPlace {
		score += (s.Lat + s.Lon) / 300
	}
	return score
}

// check compares the answers of all indexes with each other and with a scan.
func (m *machine) check(t *rapid.T) {
	ctx := context.Background()
	fresh := m.open(Config{StoreID: "s", Identity: "e", Dims: modelDims, Shortlist: m.config.Shortlist})
	defer fresh.Close()
	for _, ix := range append(m.indexes, fresh) {
		if err := ix.CatchUp(ctx); err != nil {
			t.Fatal(err)
		}
		if m.config.Kind == Graph {
			ix.background.Wait() // the rewriting of the file
			if err := ix.CatchUp(ctx); err != nil {
				t.Fatal(err)
			}
			ix.background.Wait() // the building of the graph
		}
	}
	for range 2 {
		q := m.query(t)
		want, err := fresh.Search(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		recent, _ := fresh.Recent(ctx, q.Filter, 1000)
		for i, ix := range m.indexes {
			got, err := ix.Search(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			m.walked += count(got.Vectors.Walked)
			if !m.exact {
				m.compare(t, got, recent, newReference(m.store, q, modelDims))
				continue
			}
			if got.Vectors.Walked {
				got.Vectors.Walked, got.Vectors.Shortlisted = false, want.Vectors.Shortlisted
			}
			if show(got) != show(want) {
				t.Fatalf("index %d answers %+v\n%s\nan index made at once answers\n%s", i, q, show(got), show(want))
			}
			if got, _ := ix.Recent(ctx, q.Filter, 1000); !slices.Equal(got, recent) {
				t.Fatalf("index %d: recent %v, want %v", i, got, recent)
			}
		}
		m.compare(t, want, recent, newReference(m.store, q, modelDims))
	}
	m.checkSurvey(t, fresh)
}

// checkSurvey compares what all indexes say of a vector with each other and with
// the reference.
func (m *machine) checkSurvey(t *rapid.T, fresh *Index) {
	q := Query{Vector: m.cloud.vector()}
	docs := append([]int64{m.store.doc + 1}, m.docs...)
	others := [][]float32{m.cloud.vector(), q.Vector, {1}}
	reference := newReference(m.store, q, modelDims)
	want := surveyed(t, fresh, q.Vector, docs, others)
	for i, ix := range m.indexes {
		if got := surveyed(t, ix, q.Vector, docs, others); !reflect.DeepEqual(got, want) {
			t.Fatalf("index %d: survey\n%+v\nof one made at once\n%+v", i, got, want)
		}
	}
	if m.plain {
		sameSurvey(t, &want.Survey, reference.survey())
	}
	for i, doc := range docs {
		row := m.store.rows[doc]
		if math.Abs(want.meaning[i]-reference.meaning(&row)) > surveyTolerance {
			t.Fatalf("row %d means %v, want %v", doc, want.meaning[i], reference.meaning(&row))
		}
	}
	if got := want.compared; math.Abs(got[0]-reference.raw(others[0])) > 1e-5 || math.Abs(got[1]-1) > 1e-5 || got[2] != 0 {
		t.Fatalf("compared %v, want %v, 1 and 0", got, reference.raw(others[0]))
	}
}

// surveyAnswers are all that an index says of a vector.
type surveyAnswers struct {
	Survey
	meaning, compared []float64
}

func surveyed(t rapid.TB, ix *Index, vector []float32, docs []int64, others [][]float32) (out surveyAnswers) {
	t.Helper()
	var errs [3]error
	ctx := context.Background()
	out.Survey, errs[0] = ix.Survey(ctx, vector)
	out.meaning, errs[1] = ix.Meaning(ctx, docs, vector)
	out.compared, errs[2] = ix.Compare(ctx, vector, others)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return out
}

// surveyTolerance is how far C may be off by codes of few dimensions.
const surveyTolerance = 0.015

// sameSurvey compares a survey of few rows with that of the reference.
func sameSurvey(t rapid.TB, got *Survey, want Survey) {
	t.Helper()
	if got.Embedded != want.Embedded || got.Compared != want.Compared || got.Distinct != want.Distinct || got.Centred != want.Centred || len(got.Best) != len(want.Best) ||
		math.Abs(got.Mean-want.Mean) > surveyTolerance || math.Abs(got.Deviation-want.Deviation) > surveyTolerance {
		t.Fatalf("survey\n%+v, want\n%+v", *got, want)
	}
	for i, near := range got.Best {
		if math.Abs(near.C-want.Best[i].C) > 1e-5 {
			t.Fatalf("survey\n%+v, want\n%+v", *got, want)
		}
	}
}

// compare compares an answer with the reference.
func (m *machine) compare(t *rapid.T, got Result, recent []int64, want *reference) {
	if !slices.Equal(recent, want.recent()) {
		t.Fatalf("recent %v, want %v", recent, want.recent())
	}
	if embedded := want.embedded(); got.Vectors.Ran && got.Vectors.Embedded != embedded && len(want.query.Terms) == 0 {
		t.Fatalf("%d embedded rows pass, want %d", got.Vectors.Embedded, embedded)
	}
	if got.N != want.live || got.Eligible != len(recent) || math.Abs(got.MeanLength-want.length) > 1e-9 {
		t.Fatalf("n %d mean %v eligible %d, want %d %v %d", got.N, got.MeanLength, got.Eligible, want.live, want.length, len(recent))
	}
	for i, idf := range got.IDF {
		if math.Abs(idf-want.idf[i]) > 1e-9 {
			t.Fatalf("idf %v, want %v", got.IDF, want.idf)
		}
	}
	candidates := map[int64]Candidate{}
	for _, c := range got.Candidates {
		candidates[c.Doc] = c
	}
	for _, row := range want.passing() {
		scores := want.scores(row)
		c, found := candidates[row.Doc]
		cued := want.query.Cue != nil && cue(situationOf(row)) > 0
		if due := cued || scores.Words > 0 || scores.HasVector || slices.Contains(want.query.Extra, row.Doc); m.plain && found != due {
			t.Fatalf("row %d is a candidate: %v, want %v", row.Doc, found, due)
		}
		if !found {
			continue
		}
		delete(candidates, row.Doc)
		sameScores(t, row.Doc, &c.Scores, &scores, c.Rescored)
		if c.Situation != situationOf(row) {
			t.Fatalf("row %d: situation %+v, want %+v", row.Doc, c.Situation, situationOf(row))
		}
		if !want.query.Neighbours {
			continue
		}
		prev, next := want.neighbours(row)
		sameNeighbour(t, row.Doc, c.Prev, want, prev)
		sameNeighbour(t, row.Doc, c.Next, want, next)
	}
	if len(candidates) > 0 {
		t.Fatalf("candidates that do not pass: %v", candidates)
	}
}

func sameNeighbour(t *rapid.T, doc int64, got *Scores, want *reference, row *Row) {
	if (got == nil) != (row == nil) {
		t.Fatalf("row %d: neighbour %v, want %v", doc, got, row)
	}
	if row != nil {
		scores := want.scores(row)
		sameScores(t, doc, got, &scores, false)
	}
}

func sameScores(t *rapid.T, doc int64, got, want *Scores, exact bool) {
	tolerance := 0.06 // codes of few dimensions, mapped by five
	if exact {
		tolerance = 1e-5
	}
	if math.Abs(got.Words-want.Words) > 1e-5 || math.Abs(got.C-want.C) > tolerance || got.HasVector != want.HasVector {
		t.Fatalf("row %d (exact: %v): %+v, want %+v", doc, exact, *got, *want)
	}
}
