package index

import "math"

// Plain cosines of the encoder lie between 0.7 and 0.95; while there is no mean
// to subtract, this range is mapped to 0..1 (ranking recipe).
const (
	plainLow  = 0.75
	plainHigh = 0.95
)

// probe is the vector of a question in all the forms that a search compares.
type probe struct {
	centre *centre
	plain  []float32 // of length 1
	unit   []float32 // less the mean, of length 1
	radius float64   // its distance from the mean
	along  float64   // dot of the mean with plain
	own    float64   // dot of plain with itself
	codes  []int8
	scale  float32
	signs  []uint64
}

func newProbe(v []float32, c *centre) *probe {
	p := &probe{centre: c, plain: v, unit: make([]float32, len(v)), codes: make([]int8, len(v))}
	p.radius = centred(p.unit, v, c.mean)
	p.along, p.own = dot(c.mean, v), dot(v, v)
	p.scale = quantize(p.codes, p.unit)
	p.signs = make([]uint64, wordsFor(len(v)))
	signsOf(p.signs, p.codes)
	return p
}

// similarity is how near a row is to a probe.
type similarity struct {
	c, cosine float64 // see Scores.C and Candidate.Cosine
	has       bool
}

// add takes in another window of the row.
func (s *similarity) add(c, cosine float64) {
	if !s.has {
		*s = similarity{c: c, cosine: cosine, has: true}
		return
	}
	s.c, s.cosine = max(s.c, c), max(s.cosine, cosine)
}

// coded returns the similarity of a row of codes, given the dot product of the
// codes. With v = mean + radius·u and |v| = 1, the plain cosine follows from the
// centred one without the vector.
func (p *probe) coded(product int32, info codeInfo) (c, cosine float64) {
	c = float64(product) * float64(p.scale) * float64(info.scale)
	radius := float64(info.radius)
	cosine = p.along + (1-p.centre.square-radius*radius)/2 + radius*p.radius*c
	return p.scored(c, cosine), cosine
}

// exact returns the similarity of a vector. With m the mean and q the probe,
// (v-m)·(q-m) = v·q - v·m - m·q + m·m, so three products of whole vectors do.
func (p *probe) exact(v []float32) (c, cosine float64) {
	plain, mean, own := dot(v, p.plain), dot(v, p.centre.mean), dot(v, v)
	cosine = plain / math.Sqrt(own*p.own)
	const least = 1e-12 // square of a distance from the mean that is none, as in centred
	if square := own - 2*mean + p.centre.square; square > least && p.radius > 0 {
		c = (plain - mean - p.along + p.centre.square) / (math.Sqrt(square) * p.radius)
	}
	return p.scored(c, cosine), cosine
}

// scored returns the C of a centred and a plain cosine.
func (p *probe) scored(c, cosine float64) float64 {
	if p.centre.size == 0 {
		return (cosine - plainLow) / (plainHigh - plainLow)
	}
	return c
}
