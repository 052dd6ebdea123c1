package sense

import (
	"math/bits"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// frames cuts windowed frames out of a clip.
type frames struct {
	samples []float32
	window  []float64
}

// at returns the sample i of the frame that begins at sample first, windowed. What is
// outside the clip counts as zero.
func (f frames) at(first, i int) float64 {
	if j := first + i; j >= 0 && j < len(f.samples) {
		return f.window[i] * float64(f.samples[j])
	}
	return 0
}

// spectrum computes the power spectra of frames of any one length.
type spectrum struct {
	frames
	fft   *fourier.FFT
	seq   []float64
	lines []complex128
	power []float64 // length/2+1 values
}

// newSpectrum returns the spectra of the frames of n samples of a clip.
func newSpectrum(samples []float32, n int) *spectrum {
	return &spectrum{
		frames: frames{samples, hann(n)}, fft: fourier.NewFFT(n),
		seq: make([]float64, n), lines: make([]complex128, n/2+1), power: make([]float64, n/2+1),
	}
}

// of returns the power spectrum of the frame that begins at sample first. The result is
// valid until the next call.
func (s *spectrum) of(first int) []float64 {
	for i := range s.seq {
		s.seq[i] = s.at(first, i)
	}
	s.fft.Coefficients(s.lines, s.seq)
	for i, c := range s.lines {
		s.power[i] = real(c)*real(c) + imag(c)*imag(c)
	}
	return s.power
}

// pairs computes the power spectra of two frames with one complex transform whose length
// is a power of two. It takes two fifths of the time of spectrum, which for the sound
// print was most of what a sound costs.
type pairs struct {
	frames
	transform func([]complex128) []complex128
	seq       []complex128 // the frames, padded with zeros
	power     [2][]float64
}

// newPairs returns the spectra of the frames of n samples of a clip, padded with zeros
// to length, of which the first lines are wanted.
func newPairs(samples []float32, n, length, lines int) *pairs {
	p := &pairs{frames: frames{samples, hann(n)}, transform: fourier.CoefficientsRadix2, seq: make([]complex128, length)}
	if bits.TrailingZeros(uint(length))%2 == 0 {
		p.transform = fourier.CoefficientsRadix4
	}
	p.power = [2][]float64{make([]float64, lines), make([]float64, lines)}
	return p
}

// of returns the power spectra of the frames that begin at the samples first and second.
// The results are valid until the next call.
func (p *pairs) of(first, second int) (a, b []float64) {
	clear(p.seq)
	for i := range p.window {
		p.seq[i] = complex(p.at(first, i), p.at(second, i))
	}
	z := p.transform(p.seq)
	for k := range p.power[0] {
		x, y := z[k], cmplx.Conj(z[(len(z)-k)%len(z)])
		p.power[0][k], p.power[1][k] = quarterPower(x+y), quarterPower(x-y)
	}
	return p.power[0], p.power[1]
}

func quarterPower(c complex128) float64 { return (real(c)*real(c) + imag(c)*imag(c)) / 4 }

// filter is a triangular filter over the bins of a spectrum.
type filter struct {
	first   int // bin of the first weight
	weights []float64
}

// triangles returns a filter for each three neighbouring edges in Hz, with peak 1,
// for spectra of the given transform length.
func triangles(edges []float64, length int) []filter {
	out := make([]filter, len(edges)-2)
	for m := range out {
		low, middle, high := edges[m], edges[m+1], edges[m+2]
		for bin := range length/2 + 1 {
			f := float64(bin) * SampleRate / float64(length)
			w := min((f-low)/(middle-low), (high-f)/(high-middle))
			if w <= 0 {
				continue
			}
			if out[m].weights == nil {
				out[m].first = bin
			}
			out[m].weights = append(out[m].weights, w)
		}
	}
	return out
}

// energy returns the weighted sum of a power spectrum.
func (f filter) energy(power []float64) float64 {
	sum := 0.
	for i, w := range f.weights {
		sum += w * power[f.first+i]
	}
	return sum
}
