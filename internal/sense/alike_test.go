package sense

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAlikeHasTheMarksOfTheContract(t *testing.T) {
	at := func(c float64) Vector { // at an angle of cosine c to the first axis
		return NewVector([]float32{float32(c), float32(math.Sqrt(1 - c*c))})
	}
	first := at(1)
	hash := func(unequal int) uint64 { return 1<<unequal - 1 }
	for name, c := range map[string]struct {
		got  Alike
		want Alike
	}{
		"the same picture":          {Picture(first, at(.805)), Alike{1, 1}},
		"the median of pictures":    {Picture(first, at(.25)), Alike{0, 0}},
		"between":                   {Picture(first, at(.635)), Alike{.7, .5}},
		"opposite":                  {Picture(first, at(-1)), Alike{0, 0}},
		"a copy":                    {Copy(0, hash(11)), Alike{1, 1}},
		"nearly a copy":             {Copy(0, hash(15)), Alike{15. / 19, .5}},
		"half of the bits":          {Copy(0, hash(32)), Alike{0, 0}},
		"the same kind ranks":       {SoundKind(first, at(.96)), Alike{1, .5}},
		"the median of sounds":      {SoundKind(first, at(.79)), Alike{0, 0}},
		"the same voice ranks":      {Voice(first, at(.86)), Alike{1, .5}},
		"no print":                  {Recording(Print{}, Print{}), Alike{0, 0}},
		"vectors of another length": {Picture(first, NewVector([]float32{1})), Alike{0, 0}},
		"a vector of nothing":       {Supplied(nil, nil), Alike{0, 0}},
	} {
		if math.Abs(c.got.Similarity-c.want.Similarity) > .02 || math.Abs(c.got.Proof-c.want.Proof) > .02 {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
}

func TestVectorsKeepTheirDirection(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for _, dims := range []int{59, 256, 1280} {
		for range 50 {
			a, b := make([]float32, dims), make([]float32, dims)
			var dot, aa, bb float64
			for i := range a {
				a[i] = float32(math.Max(0, random.NormFloat64()))
				b[i] = a[i]/2 + float32(math.Max(0, random.NormFloat64()))
				dot += float64(a[i]) * float64(b[i])
				aa += float64(a[i]) * float64(a[i])
				bb += float64(b[i]) * float64(b[i])
			}
			want := math.Acos(dot / math.Sqrt(aa*bb))
			if got := math.Acos(NewVector(a).Cosine(NewVector(b))); math.Abs(got-want) > .01 {
				t.Fatalf("%d values: the angle is %.4f, was %.4f", dims, got, want)
			}
		}
	}
	for _, v := range [][]float32{nil, {0, 0}, {float32(math.NaN())}, {float32(math.Inf(1)), 1}} {
		if got := NewVector(v); got != nil && got.Cosine(got) != 0 {
			t.Errorf("%v has the direction %v", v, got)
		}
	}
}
