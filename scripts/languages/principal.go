package main

import "math"

func floatBits(x float64) uint32 { return math.Float32bits(float32(x)) }

// centred takes the mean of rows from each of them.
func centred(rows [][]float64) [][]float64 {
	mean := make([]float64, len(rows[0]))
	for _, r := range rows {
		for i, x := range r {
			mean[i] += x / float64(len(rows))
		}
	}
	for _, r := range rows {
		for i := range r {
			r[i] -= mean[i]
		}
	}
	return rows
}

// principal gives the n directions in which rows spread most, by orthogonal
// iteration from the first n unit vectors; each of length 1, at right angles.
func principal(rows [][]float64, n int) [][]float64 {
	dims := len(rows[0])
	found := make([][]float64, n)
	for i := range found {
		found[i] = make([]float64, dims)
		found[i][i] = 1
	}
	const rounds = 500
	for range rounds {
		for i, d := range found {
			next := make([]float64, dims)
			for _, r := range rows {
				along := dot(r, d)
				for j, x := range r {
					next[j] += along * x
				}
			}
			found[i] = next
		}
		orthogonal(found)
	}
	return found
}

// orthogonal makes vectors orthonormal (Gram and Schmidt).
func orthogonal(vectors [][]float64) {
	for i, v := range vectors {
		for _, before := range vectors[:i] {
			along := dot(v, before)
			for j := range v {
				v[j] -= along * before[j]
			}
		}
		length := math.Sqrt(dot(v, v))
		for j := range v {
			v[j] /= length
		}
	}
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
