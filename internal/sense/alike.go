package sense

import "math"

// Alike is what comparing two pictures or two sounds tells.
type Alike struct {
	// Similarity is 1 from the threshold of "the same" on and 0 at the median of
	// unrelated pairs, linear between (contract/sense.md 4.5). It ranks and explains.
	Similarity float64
	// Proof is how far the same thing is perceived: 1 from the same threshold on, 0 at
	// what one unrelated pair in a hundred reaches. Where there is no such threshold it
	// is half of the similarity, which with the reliability of these channels (.80) stays
	// below every threshold of firing: such a measure never fires alone.
	Proof float64
}

// bounds are the marks of a measure that Alike speaks of. More may be more alike or
// less: same tells the direction.
type bounds struct {
	unrelated float64 // median of unrelated pairs
	chance    float64 // one unrelated pair in a hundred is more alike
	same      float64
	ranks     bool // the measure has no threshold that could be trusted
}

// of returns what the value of the measure tells.
func (b bounds) of(x float64) Alike {
	between := func(zero float64) float64 { return min(1, max(0, (x-zero)/(b.same-zero))) }
	a := Alike{Similarity: between(b.unrelated), Proof: between(b.chance)}
	if b.ranks {
		a.Proof = a.Similarity / 2
	}
	return a
}

// Vector is a vector as it is kept: every value rounded to 8 bits against the largest.
// Its length is lost, which no comparison looks at; the angle moves by a hundredth of
// a radian (TestVectorsKeepTheirDirection).
type Vector []int8

// NewVector rounds a vector. It is nil for one without direction.
func NewVector(values []float32) Vector {
	largest := 0.
	for _, x := range values {
		largest = max(largest, math.Abs(float64(x)))
	}
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return nil
	}
	v := make(Vector, len(values))
	for i, x := range values {
		v[i] = int8(math.Round(float64(x) / largest * math.MaxInt8))
	}
	return v
}

// Cosine returns the cosine of the angle between two vectors; 0 when their lengths
// differ or one has no direction.
func (v Vector) Cosine(w Vector) float64 {
	if len(v) != len(w) {
		return 0
	}
	var dot, vv, ww int64
	for i, x := range v {
		a, b := int64(x), int64(w[i])
		dot += a * b
		vv += a * a
		ww += b * b
	}
	if vv == 0 || ww == 0 {
		return 0
	}
	return float64(dot) / math.Sqrt(float64(vv)*float64(ww))
}

// Supplied compares two vectors that callers made with one backend, of which nothing
// is known. Encoders of pictures and sounds that were trained against text give
// unrelated pairs cosines of about a half and edited copies .9 and more; what lies
// between is left to weigh little.
func Supplied(a, b Vector) Alike {
	return bounds{unrelated: .70, chance: .80, same: .95}.of(a.Cosine(b))
}
