package main

import (
	"fmt"
	"math"
	"slices"

	"combray/internal/memory"
)

// sample is one shown row: what the calibration sees of it, and whether it
// answers the question.
type sample struct {
	x        [6]float64 // 1, U, C, score less the best, best less the second, ln(1+N)
	chance   float64    // what the product said
	weight   float64    // so that every set counts the same
	relevant bool
}

// calibrated is how many rows of an answer are fitted: those that people see.
const calibrated = 10

func samplesOf(q question, rows []memory.Row, ids map[memory.ID]string, n int) []sample {
	var out []sample
	for i, row := range rows[:min(calibrated, len(rows))] {
		if row.SearchScore == nil {
			continue
		}
		s := sample{x: [6]float64{1, 0, 0, *row.SearchScore - *rows[0].SearchScore, lead(rows), math.Log1p(float64(n))},
			chance: *row.Score, relevant: slices.Contains(q.gold, ids[row.Memory.ID])}
		for _, w := range rows[i].Why {
			switch w.Lane {
			case "words":
				s.x[1] = w.Value
			case "vectors":
				s.x[2] = w.Value
			}
		}
		out = append(out, s)
	}
	return out
}

// weighed gives the samples of a set the same weight together as any other set's.
func weighed(samples []sample) []sample {
	for i := range samples {
		samples[i].weight = 1000 / float64(len(samples))
	}
	return samples
}

func lead(rows []memory.Row) float64 {
	if len(rows) < 2 || rows[1].SearchScore == nil {
		return *rows[0].SearchScore
	}
	return *rows[0].SearchScore - *rows[1].SearchScore
}

// calibrate fits a logistic regression by Newton's method with a little ridge
// and prints coefficients and the reliability in ten bins.
func calibrate(samples []sample) {
	var w [6]float64
	for range 50 {
		var grad [6]float64
		var hess [6][6]float64
		for _, s := range samples {
			p := logistic(w, s.x)
			y := 0.0
			if s.relevant {
				y = 1
			}
			for i := range 6 {
				grad[i] += s.weight * (y - p) * s.x[i]
				for j := range 6 {
					hess[i][j] += s.weight * p * (1 - p) * s.x[i] * s.x[j]
				}
			}
		}
		for i := range 6 {
			grad[i] -= 1e-3 * w[i]
			hess[i][i] += 1e-3
		}
		step := solve(hess, grad)
		for i := range 6 {
			w[i] += step[i]
		}
	}
	fmt.Printf("\nbias %.2f words %.2f meaning %.2f behind %.2f lead %.2f size %.2f\n", w[0], w[1], w[2], w[3], w[4], w[5])
	reliability("the product says", samples, func(s sample) float64 { return s.chance })
	reliability("the new fit says", samples, func(s sample) float64 { return logistic(w, s.x) })
}

func logistic(w, x [6]float64) float64 {
	var sum float64
	for i := range 6 {
		sum += w[i] * x[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// solve is Gaussian elimination with partial pivoting.
func solve(a [6][6]float64, b [6]float64) [6]float64 {
	for i := range 6 {
		pivot := i
		for r := i + 1; r < 6; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[pivot][i]) {
				pivot = r
			}
		}
		a[i], a[pivot], b[i], b[pivot] = a[pivot], a[i], b[pivot], b[i]
		for r := i + 1; r < 6; r++ {
			f := a[r][i] / a[i][i]
			for c := i; c < 6; c++ {
				a[r][c] -= f * a[i][c]
			}
			b[r] -= f * b[i]
		}
	}
	for i := 5; i >= 0; i-- {
		for c := i + 1; c < 6; c++ {
			b[i] -= a[i][c] * b[c]
		}
		b[i] /= a[i][i]
	}
	return b
}

func reliability(title string, samples []sample, chance func(sample) float64) {
	fmt.Printf("%s\n  chance   rows  relevant\n", title)
	for bin := range 10 {
		low, high := float64(bin)/10, float64(bin+1)/10
		n, hits := 0, 0
		for _, s := range samples {
			if p := chance(s); p >= low && (p < high || bin == 9) {
				n++
				if s.relevant {
					hits++
				}
			}
		}
		if n > 0 {
			fmt.Printf("  %.1f–%.1f  %5d  %.3f\n", low, high, n, float64(hits)/float64(n))
		}
	}
}
