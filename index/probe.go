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
	codes  []int8
	scale  float32
	signs  []uint64
}

func newProbe(v []float32, c *centre) *probe {
	p := &probe{centre: c, plain: v, unit: make([]float32, len(v)), codes: make([]int8, len(v))}
	p.radius = centred(p.unit, v, c.mean)
	p.along = dot(c.mean, v)
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

// exact returns the similarity of a vector.
func (p *probe) exact(v []float32) (c, cosine float64) {
	var product, square, plain float64
	for i, x := range v {
		d := float64(x) - float64(p.centre.mean[i])
		product += d * (float64(p.plain[i]) - float64(p.centre.mean[i]))
		square += d * d
		plain += float64(x) * float64(p.plain[i])
	}
	cosine = plain / math.Sqrt(dot(v, v)*dot(p.plain, p.plain))
	if square > 0 && p.radius > 0 {
		c = product / (math.Sqrt(square) * p.radius)
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
