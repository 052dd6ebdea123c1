package media

import "math"

// The resampler: a windowed sinc, kaiser beta 8 (80 dB; Kaiser and Schafer, IEEE Trans.
// ASSP 28, 1980) with 16 zero crossings on either side, cut off a little under half of
// the lower rate. None of the Go packages for it is kept and works on plain slices.
const (
	sincCrossings = 16
	sincBeta      = 8.
	sincCutoff    = .95
	// maxPhases bounds the table for rates that have little in common; between its
	// phases the nearest is taken, which is wrong by less than 1/2048 of a sample.
	maxPhases = 1024
)

// resample returns samples at rate from as samples at rate to.
func resample(samples []float32, from, to int) []float32 {
	if from == to || len(samples) == 0 {
		return samples
	}
	phases := min(to/gcd(from, to), maxPhases)
	table, reach := sincTable(phases, min(1, float64(to)/float64(from)))
	out := make([]float32, int(int64(len(samples))*int64(to)/int64(from)))
	for i := range out {
		at := int64(i) * int64(from)
		base, rest := int(at/int64(to)), at%int64(to)
		phase := int((rest*int64(phases) + int64(to)/2) / int64(to))
		if phase == phases {
			base, phase = base+1, 0
		}
		out[i] = weigh(samples, table[phase], base-reach+1)
	}
	return out
}

// weigh returns the sum of the samples from first on, each times its weight; what is
// outside counts as zero.
func weigh(samples, weights []float32, first int) float32 {
	if first < 0 {
		weights, first = weights[min(len(weights), -first):], 0
	}
	weights = weights[:max(0, min(len(weights), len(samples)-first))]
	var sum float32
	for i, x := range samples[first : first+len(weights)] {
		sum += x * weights[i]
	}
	return sum
}

// sincTable returns the weights of each phase, for 2 reach samples around a point, with
// ratio the output rate over the input rate, at most 1.
func sincTable(phases int, ratio float64) (table [][]float32, reach int) {
	cutoff := sincCutoff * ratio
	reach = int(math.Ceil(sincCrossings / cutoff))
	table = make([][]float32, phases)
	for p := range table {
		weights := make([]float64, 2*reach)
		sum := 0.
		for i := range weights {
			x := float64(i-reach+1) - float64(p)/float64(phases)
			weights[i] = sinc(cutoff*x) * kaiser(x/float64(reach))
			sum += weights[i]
		}
		table[p] = make([]float32, len(weights))
		for i, w := range weights {
			table[p][i] = float32(w / sum)
		}
	}
	return table, reach
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// kaiser is the window at x from -1 to 1, up to a factor.
func kaiser(x float64) float64 {
	if x*x >= 1 {
		return 0
	}
	return bessel0(sincBeta * math.Sqrt(1-x*x))
}

// bessel0 is the modified Bessel function of the first kind and order 0, by its series.
func bessel0(x float64) float64 {
	sum, term := 1., 1.
	for k := 1.; term > 1e-12*sum; k++ {
		term *= (x / 2 / k) * (x / 2 / k)
		sum += term
	}
	return sum
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
