package local

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"combray/index"
	"combray/internal/memory"
)

func inner(a, b []float32) float64 {
	var sum float64
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

func unitVector(r *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	length := math.Sqrt(inner(v, v))
	for i := range v {
		v[i] /= float32(length)
	}
	return v
}

// What is left has length 1; seen from the mean it has half as much of the directions,
// and across them it is seen as before.
func TestWithoutLanguage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const dims = 64
	directions := [][]float32{make([]float32, dims), make([]float32, dims)}
	directions[0][3], directions[1][9] = 1, 1
	for range 50 {
		question, mean := unitVector(r, dims), unitVector(r, dims)
		for i := range mean {
			mean[i] *= 0.9
		}
		got := withoutLanguage(question, mean, directions)
		if length := inner(got, got); math.Abs(length-1) > 1e-5 {
			t.Fatalf("its length is %v", math.Sqrt(length))
		}
		scale := float64(got[0]-mean[0]) / float64(question[0]-mean[0])
		for i := range got {
			seen, want := float64(got[i]-mean[i]), scale*float64(question[i]-mean[i])
			if i == 3 || i == 9 {
				want *= 1 - languageTaken
			}
			if scale <= 0 || math.Abs(seen-want) > 1e-4 {
				t.Errorf("at %d it is seen as %v, want %v", i, seen, want)
			}
		}
	}
}

// shelf is a store of vectors.
type shelf [][]float32

func (s shelf) Sequence(context.Context) (int64, error) { return int64(len(s)), nil }

func (s shelf) Rows(_ context.Context, after int64, limit int) (rows []index.Row, err error) {
	for n := after + 1; n <= int64(len(s)) && len(rows) < limit; n++ {
		rows = append(rows, index.Row{Doc: n, Seq: n, Live: true, Vectors: [][]float32{s[n-1]}})
	}
	return rows, nil
}

func (s shelf) Vectors(_ context.Context, docs []int64) (vectors [][][]float32, err error) {
	for _, n := range docs {
		vectors = append(vectors, [][]float32{s[n-1]})
	}
	return vectors, nil
}

// A question that is made while the search runs is compared without its language, one
// that is said to have none is not, and none at all is none.
func TestAwaitedQuestionsLoseTheirLanguage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const dims = 64
	var vectors shelf
	for range 50 {
		vectors = append(vectors, unitVector(r, dims))
	}
	ix, err := index.Open(index.Config{Identity: "e", Dims: dims}, vectors)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	ctx := t.Context()
	direction := make([]float32, dims)
	direction[3] = 1
	with := rankers{ranker: ranker{ix}, languages: [][]float32{direction}}
	if err := with.CatchUp(ctx); err != nil {
		t.Fatal(err)
	}
	mean, err := ix.Centre(ctx)
	if err != nil || mean == nil {
		t.Fatalf("the mean is %v (%v)", mean, err)
	}
	question := unitVector(r, dims)
	await := func(context.Context) ([]float32, error) { return question, nil }
	search := func(q memory.IndexQuery) []memory.Candidate {
		got, err := with.Search(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		return got.Candidates
	}
	plain := search(memory.IndexQuery{Question: question})
	changed := search(memory.IndexQuery{Question: withoutLanguage(question, mean, with.languages)})
	if reflect.DeepEqual(plain, changed) {
		t.Fatal("the language changes nothing here")
	}
	if got := search(memory.IndexQuery{Await: await, AnyLanguage: true}); !reflect.DeepEqual(got, changed) {
		t.Errorf("in any language: %v, want %v", got, changed)
	}
	if got := search(memory.IndexQuery{Await: await}); !reflect.DeepEqual(got, plain) {
		t.Errorf("in the language of the memories: %v, want %v", got, plain)
	}
	nothing := func(context.Context) ([]float32, error) { return nil, nil }
	if got := search(memory.IndexQuery{Await: nothing, AnyLanguage: true}); len(got) != 0 {
		t.Errorf("without a question: %v", got)
	}
}

// A question that says nothing but its language is left as it is.
func TestNothingButLanguage(t *testing.T) {
	mean, question, direction := make([]float32, 4), []float32{1, 0, 0, 0}, []float32{1, 0, 0, 0}
	if got := withoutLanguage(question, mean, [][]float32{direction}); inner(got, question) != 1 {
		t.Errorf("%v", got)
	}
}
