package local

import (
	"math"
	"math/rand/v2"
	"testing"
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

// A question that says nothing but its language is left as it is.
func TestNothingButLanguage(t *testing.T) {
	mean, question, direction := make([]float32, 4), []float32{1, 0, 0, 0}, []float32{1, 0, 0, 0}
	if got := withoutLanguage(question, mean, [][]float32{direction}); inner(got, question) != 1 {
		t.Errorf("%v", got)
	}
}
