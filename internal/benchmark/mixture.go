package benchmark

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Vectors that no encoder made are mixtures of those it made: a vector, a share of
// one of its near neighbours, and noise. A million of them are as hard to search
// as real ones (docs/BENCHMARKS.md), where clusters of random vectors are not.
const (
	mixNeighbours = 16   // of each vector, those that it is mixed with
	mixAmong      = 4096 // vectors that neighbours are looked for among
	mixLeast      = 0.2  // share of the neighbour
	mixMost       = 0.5
	mixNoise      = 0.1 // length of the noise beside a vector of length 1
)

// mixer makes vectors from those of an encoder.
type mixer struct {
	text    *Text
	vectors [][]float32
	near    [][]int32 // of each vector, the nearest first
}

// newMixer looks up the neighbours of every vector.
func newMixer(ctx context.Context, text *Text, vectors [][]float32) (*mixer, error) {
	m := &mixer{text: text, vectors: vectors, near: make([][]int32, len(vectors))}
	step := max(1, (len(vectors)+mixAmong-1)/mixAmong)
	workers := runtime.GOMAXPROCS(0)
	var at sync.WaitGroup
	for w := range workers {
		at.Go(func() {
			for i := w; i < len(vectors) && ctx.Err() == nil; i += workers {
				m.near[i] = nearest(vectors, i, step)
			}
		})
	}
	at.Wait()
	return m, ctx.Err()
}

// nearest gives the neighbours of a vector among every step-th one.
func nearest(vectors [][]float32, of, step int) []int32 {
	type neighbour struct {
		number int32
		cosine float32
	}
	var best []neighbour
	for i := 0; i < len(vectors); i += step {
		if i == of {
			continue
		}
		c := dot(vectors[of], vectors[i])
		if len(best) == mixNeighbours && c <= best[len(best)-1].cosine {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, c, func(n neighbour, c float32) int { return cmp.Compare(c, n.cosine) })
		best = slices.Insert(best, at, neighbour{int32(i), c})
		best = best[:min(len(best), mixNeighbours)]
	}
	out := make([]int32, len(best))
	for i, n := range best {
		out[i] = n.number
	}
	return out
}

func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// vector makes the vector of a memory.
func (m *mixer) vector(number int) []float32 {
	r := m.text.random(kindMixture, number)
	one := r.IntN(len(m.vectors))
	other := one
	if near := m.near[one]; len(near) > 0 {
		other = int(near[r.IntN(len(near))])
	}
	return mix(r, m.vectors[one], m.vectors[other])
}

// mix gives a unit vector between two, beside the line that joins them.
func mix(r *rand.Rand, a, b []float32) []float32 {
	share := float32(mixLeast + (mixMost-mixLeast)*r.Float64())
	noise := float32(mixNoise / math.Sqrt(float64(len(a))))
	v, square := make([]float32, len(a)), float32(0)
	for i := range v {
		v[i] = a[i] + share*(b[i]-a[i]) + noise*float32(r.NormFloat64())
		square += v[i] * v[i]
	}
	scale := float32(1 / math.Sqrt(float64(square)))
	for i := range v {
		v[i] *= scale
	}
	return v
}
