package encoder

import (
	"fmt"
	"math"
)

// pool takes the vector of a text from the output of its run: width values for
// PoolGraph, tokens rows of width values for the others. The vector is cut to
// len(dst) and has length 1.
func pool(dst, out []float32, width int, how Pooling) error {
	tokens := len(out) / width
	switch how {
	case PoolMean:
		for i := range dst {
			sum := 0.0
			for t := range tokens {
				sum += float64(out[t*width+i])
			}
			dst[i] = float32(sum / float64(tokens))
		}
	case PoolLast:
		copy(dst, out[(tokens-1)*width:])
	default:
		copy(dst, out)
	}
	return normalise(dst)
}

// normalise makes v a unit vector. A vector without direction is an error: it
// means that the model or the library does not work on this processor.
func normalise(v []float32) error {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if math.IsNaN(length) || math.IsInf(length, 0) || length < 1e-12 {
		return fmt.Errorf("the encoder gave a vector of length %v, which has no direction; its model and library do not work together on this machine: run the program with another model (COMBRAY_MODEL) or library (COMBRAY_ORT_LIB)", length)
	}
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return nil
}

// mean returns the unit vector in the middle of some unit vectors of one length.
func mean(vectors [][]float32) ([]float32, error) {
	if len(vectors) == 1 {
		return vectors[0], nil
	}
	middle := make([]float32, len(vectors[0]))
	for _, v := range vectors {
		for i, x := range v {
			middle[i] += x
		}
	}
	return middle, normalise(middle)
}
