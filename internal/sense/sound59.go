package sense

import "math"

// The statistics of facts/media.md 3.
const (
	kindFrame     = 400
	kindHop       = 160
	kindTransform = 512
	kindFilters   = 64
	kindLow       = 50.   // Hz
	kindHigh      = 7800. // Hz
	kindQuiet     = 1e-6  // of the loudest frame: under it a frame is dropped
	kindFewest    = 5     // frames that must stay, else all do
	kindFloor     = 1e-4  // of the largest filter: noise that codecs take away counts as this
	kindCepstra   = 20

	// Sound59Dims is the length of a sound59 vector.
	Sound59Dims = kindCepstra - 1 + 2*kindCepstra
)

// Sound59 describes what kind of sound a clip is: the mean of the cepstra 1 to 19,
// twice the deviation of 0 to 19, four times the deviation of their change from frame
// to frame. It returns nil for a clip with fewer than five frames (65 ms) or without
// any sound.
func Sound59(samples []float32) []float32 {
	mel, loudest := kindSpectrogram(samples)
	if len(mel) < kindFewest || loudest <= 0 {
		return nil
	}
	cepstra := cepstraOf(mel, loudest)
	out := make([]float32, 0, Sound59Dims)
	for c := 1; c < kindCepstra; c++ {
		mean, _ := moments(len(cepstra), func(t int) float64 { return cepstra[t][c] })
		out = append(out, float32(mean))
	}
	for c := range kindCepstra {
		_, deviation := moments(len(cepstra), func(t int) float64 { return cepstra[t][c] })
		out = append(out, float32(2*deviation))
	}
	for c := range kindCepstra {
		_, deviation := moments(len(cepstra)-1, func(t int) float64 { return cepstra[t+1][c] - cepstra[t][c] })
		out = append(out, float32(4*deviation))
	}
	return out
}

// kindSpectrogram returns the filter energies of the frames that are loud enough,
// and the largest of them all.
func kindSpectrogram(samples []float32) (mel [][kindFilters]float64, largest float64) {
	filters := triangles(melEdges(), kindTransform)
	spectra := newPairs(samples, kindFrame, kindTransform, kindTransform/2+1)
	var sums []float64
	loudest := 0.
	add := func(power []float64) {
		var row [kindFilters]float64
		sum := 0.
		for m, f := range filters {
			row[m] = f.energy(power)
			sum += row[m]
			largest = max(largest, row[m])
		}
		mel, sums = append(mel, row), append(sums, sum)
		loudest = max(loudest, sum)
	}
	for at := 0; at+kindFrame <= len(samples); at += 2 * kindHop {
		now, next := spectra.of(at, at+kindHop)
		add(now)
		if at+kindHop+kindFrame <= len(samples) {
			add(next)
		}
	}
	var loud [][kindFilters]float64
	for t, sum := range sums {
		if sum > kindQuiet*loudest {
			loud = append(loud, mel[t])
		}
	}
	if len(loud) >= kindFewest {
		mel = loud
	}
	return mel, largest
}

// melEdges returns the edges of the filters in Hz, even on the mel scale of
// O'Shaughnessy: 2595 log10(1 + f/700).
func melEdges() []float64 {
	mel := func(f float64) float64 { return 2595 * math.Log10(1+f/700) }
	edges := make([]float64, kindFilters+2)
	for i := range edges {
		m := mel(kindLow) + float64(i)*(mel(kindHigh)-mel(kindLow))/float64(len(edges)-1)
		edges[i] = 700 * (math.Pow(10, m/2595) - 1)
	}
	return edges
}

// cepstraOf returns the first cepstral coefficients of each frame: the orthonormal
// DCT-II of the logarithm of its filter energies.
func cepstraOf(mel [][kindFilters]float64, largest float64) [][kindCepstra]float64 {
	var wave [kindCepstra][kindFilters]float64
	for c := range kindCepstra {
		for m := range kindFilters {
			wave[c][m] = math.Sqrt(2./kindFilters) * math.Cos(math.Pi*float64(2*m+1)*float64(c)/(2*kindFilters))
			if c == 0 {
				wave[c][m] = math.Sqrt(1. / kindFilters)
			}
		}
	}
	out := make([][kindCepstra]float64, len(mel))
	for t := range mel {
		var level [kindFilters]float64
		for m, e := range mel[t] {
			level[m] = math.Log(e + kindFloor*largest + 1e-12)
		}
		for c := range wave {
			for m, l := range level {
				out[t][c] += wave[c][m] * l
			}
		}
	}
	return out
}

// moments returns mean and population deviation of n values.
func moments(n int, value func(int) float64) (mean, deviation float64) {
	for i := range n {
		mean += value(i)
	}
	mean /= float64(n)
	for i := range n {
		d := value(i) - mean
		deviation += d * d
	}
	return mean, math.Sqrt(deviation / float64(n))
}
