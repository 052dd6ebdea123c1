package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	dims = 384 // of the bundled encoder
	hits = 10
)

// cloud is a set of unit vectors, questions about it and their exact answers. The
// mean is taken out of all of them, as Combray does before it compares: so
// every engine gets the same vectors, and the cosine is what all of them rank by.
type cloud struct {
	name               string
	vectors, questions [][]float32
	truth              [][]int32
}

// madeCloud draws vectors that resemble sentence vectors: they gather round n/100
// centres of Zipf-like weight and spread in 32 directions about a centre, with a
// little noise in all. Half of the questions are new draws, half are near a vector.
func madeCloud(n, questions int) *cloud {
	d := newDraw(rand.New(rand.NewPCG(uint64(n), 20)), max(n/100, 1))
	c := &cloud{name: "made"}
	for range n {
		c.vectors = append(c.vectors, d.vector())
	}
	for i := range questions {
		q := d.vector()
		if i%2 == 0 {
			q = toUnit(addTo(d.direction(0.5), c.vectors[d.rng.IntN(n)]))
		}
		c.questions = append(c.questions, q)
	}
	return c
}

// draw makes the vectors of one cloud.
type draw struct {
	rng             *rand.Rand
	centres, spread [][]float32
	first           []int     // of the directions in which a centre's vectors spread
	weights         []float64 // running sums, the last is the total
}

func newDraw(rng *rand.Rand, groups int) *draw {
	d := &draw{rng: rng}
	for range 512 {
		d.spread = append(d.spread, d.direction(1))
	}
	total := 0.0
	for i := range groups {
		d.centres = append(d.centres, d.direction(0.75))
		d.first = append(d.first, rng.IntN(len(d.spread)-32))
		total += 1 / math.Sqrt(float64(i+1))
		d.weights = append(d.weights, total)
	}
	return d
}

func (d *draw) vector() []float32 {
	group, _ := slices.BinarySearch(d.weights, d.rng.Float64()*d.weights[len(d.weights)-1])
	v := addTo(d.direction(0.35), d.centres[group])
	for _, along := range d.spread[d.first[group] : d.first[group]+32] {
		length := float32(d.rng.NormFloat64() * 0.55 / math.Sqrt(32))
		for i, x := range along {
			v[i] += length * x
		}
	}
	return toUnit(v)
}

// direction returns a vector of the given length in a random direction.
func (d *draw) direction(length float32) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(d.rng.NormFloat64())
	}
	toUnit(v)
	for i := range v {
		v[i] *= length
	}
	return v
}

// mixedCloud has the first n of some vectors; if they are fewer, the rest lie
// between one of them and a near one, with a little noise.
func mixedCloud(given, questions [][]float32, n int) *cloud {
	c := &cloud{name: "encoder", vectors: slices.Clone(given[:min(n, len(given))]), questions: questions}
	if n > len(given) {
		c.name = "encoder, mixed"
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for len(c.vectors) < n {
		a := given[rng.IntN(len(given))]
		near, best := a, float32(-2)
		for range 60 {
			b := given[rng.IntN(len(given))]
			if s := dot(a, b); s > best && s < 0.9999 {
				near, best = b, s
			}
		}
		part := 0.3 + 0.4*rng.Float32()
		v := make([]float32, dims)
		for i := range v {
			v[i] = part*a[i] + (1-part)*near[i] + float32(rng.NormFloat64())*0.008
		}
		c.vectors = append(c.vectors, toUnit(v))
	}
	return c
}

// prepared takes the mean out of all vectors and finds the exact answers.
func (c *cloud) prepared() *cloud {
	mean := make([]float32, dims)
	for _, v := range c.vectors {
		addTo(mean, v)
	}
	for i := range mean {
		mean[i] /= float32(len(c.vectors))
	}
	return c.less(mean)
}

// less returns the cloud less a mean, with the exact answers.
func (c *cloud) less(mean []float32) *cloud {
	out := &cloud{name: c.name}
	for i, from := range [][][]float32{c.vectors, c.questions} {
		to := make([][]float32, len(from))
		for j, v := range from {
			to[j] = make([]float32, dims)
			for k, x := range v {
				to[j][k] = x - mean[k]
			}
			toUnit(to[j])
		}
		if i == 0 {
			out.vectors = to
		} else {
			out.questions = to
		}
	}
	for _, q := range out.questions {
		out.truth = append(out.truth, out.exact(q))
	}
	return out
}

// exact returns the best vectors by a scan of all.
func (c *cloud) exact(question []float32) []int32 {
	best := best{}
	for i, v := range c.vectors {
		best.offer(int32(i), dot(question, v))
	}
	return best.ids()
}

// rescored returns the best of some candidates.
func (c *cloud) rescored(question []float32, candidates []int32) []int32 {
	best := best{}
	for _, i := range candidates {
		best.offer(i, dot(question, c.vectors[i]))
	}
	return best.ids()
}

// best keeps the hits best of what it is offered, the best first.
type best struct{ found []scored }

type scored struct {
	id    int32
	score float32
}

func (b *best) offer(id int32, score float32) {
	if len(b.found) == hits && score <= b.found[hits-1].score {
		return
	}
	at, _ := slices.BinarySearchFunc(b.found, score, func(s scored, score float32) int { return cmp.Compare(score, s.score) })
	b.found = slices.Insert(b.found, at, scored{id, score})
	b.found = b.found[:min(len(b.found), hits)]
}

func (b *best) ids() []int32 {
	ids := make([]int32, len(b.found))
	for i, s := range b.found {
		ids[i] = s.id
	}
	return ids
}

// dot is the plain loop, in four sums so that the processor can overlap them.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for i := 0; i+4 <= len(a) && i+4 <= len(b); i += 4 {
		x, y := (*[4]float32)(a[i:]), (*[4]float32)(b[i:])
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	return s0 + s1 + s2 + s3
}

// toUnit gives v the length 1, in place.
func toUnit(v []float32) []float32 {
	length := float32(math.Sqrt(float64(dot(v, v))))
	for i := range v {
		v[i] /= length
	}
	return v
}

// addTo adds b to a, in place.
func addTo(a, b []float32) []float32 {
	for i := range a {
		a[i] += b[i]
	}
	return a
}
