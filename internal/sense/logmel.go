package sense

import "math"

// The front end of EmbeddingGemma 2's encoder of sounds (facts/models.md A3).
const (
	logMelFrame  = 320
	logMelHop    = 160
	logMelLength = 512  // of the transform; the frame is followed by zeros
	logMelHigh   = 8000 // Hz
	logMelFloor  = 1e-3
	logMelFill   = 128 // a clip is filled up with zeros to a multiple of so many samples
	logMelEach   = 4   // frames that become one row of features: 40 ms

	// LogMelBands is the number of mel filters of a frame.
	LogMelBands = 128
)

// LogMel is a clip as an encoder takes it that shares a space with texts.
type LogMel struct {
	Values []float32 // LogMelBands a frame; zeros where it is not real
	Real   []bool    // whether every sample of the frame is of the clip
	Rows   int       // of features that the encoder makes of it
}

// NewLogMel returns the frames of a clip: magnitudes through triangular filters that
// are even on the HTK mel scale (Young et al., The HTK Book), their logarithm over a
// floor. The first frame is centred on the first sample. A clip shorter than 161
// samples has none.
func NewLogMel(samples []float32) LogMel {
	const need = logMelFrame + 1 // a frame counts the sample behind it
	filled := (len(samples) + logMelFill - 1) / logMelFill * logMelFill
	n := (filled+logMelFrame/2-need)/logMelHop + 1
	if filled+logMelFrame/2 < need {
		return LogMel{}
	}
	spectra := newPairs(samples, logMelFrame, logMelLength, logMelLength/2+1)
	filters := triangles(htkEdges(), logMelLength)
	out := LogMel{Values: make([]float32, n*LogMelBands), Real: make([]bool, n)}
	put := func(t int, power []float64) {
		last := t*logMelHop - logMelFrame/2 + logMelFrame
		if t >= n || last >= len(samples) {
			return
		}
		out.Real[t] = true
		for k := range power {
			power[k] = math.Sqrt(power[k])
		}
		for m, f := range filters {
			out.Values[t*LogMelBands+m] = float32(math.Log(f.energy(power) + logMelFloor))
		}
	}
	for t := 0; t < n; t += 2 {
		a, b := spectra.of(t*logMelHop-logMelFrame/2, (t+1)*logMelHop-logMelFrame/2)
		put(t, a)
		put(t+1, b)
	}
	for t := 0; t < n; t += logMelEach {
		if out.Real[t] {
			out.Rows++
		}
	}
	return out
}

// htkEdges returns the edges of the filters in Hz, even on the mel scale of the HTK
// Book: 2595 log10(1 + f/700).
func htkEdges() []float64 {
	top := 2595 * math.Log10(1+logMelHigh/700.)
	edges := make([]float64, LogMelBands+2)
	for i := range edges {
		edges[i] = 700 * (math.Pow(10, top*float64(i)/float64(len(edges)-1)/2595) - 1)
	}
	return edges
}
