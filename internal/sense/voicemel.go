package sense

import (
	"math"
	"slices"
)

// The front end of the voice encoder, facts/media.md 4.
const (
	silenceWindow  = 480  // samples a decision is made for
	silenceShare   = 1e-4 // of the loud windows' mean square: at or under it is silence
	silencePercent = .95  // which window counts as loud
	silenceReach   = 3    // windows kept on either side of a sound
	fewestWindows  = 8    // fewer left: nothing is cut

	voiceLevel  = -30. // dBFS, as root mean square; what is quieter is raised to it
	voiceFrame  = 400
	voiceHop    = 160
	voiceHigh   = 8000. // Hz
	voiceWindow = 160   // frames of one input
	voiceStep   = 77    // frames between two inputs

	// VoiceBands is the number of mel filters of a frame of the voice encoder.
	VoiceBands = 40
)

// VoiceMel returns the inputs of the voice encoder for a clip, in order: each 160
// frames of 40 filter energies, by rows. A short clip is padded with zeros to one
// input; a clip without any sound has none.
func VoiceMel(samples []float32) [][]float32 {
	voiced := cutSilence(samples)
	gain, ok := voiceGain(voiced)
	if !ok {
		return nil
	}
	mel := voiceFrames(voiced, gain)
	const size, step = voiceWindow * VoiceBands, voiceStep * VoiceBands
	if len(mel) < size {
		return [][]float32{append(mel, make([]float32, size-len(mel))...)}
	}
	var out [][]float32
	for at := 0; at+size <= len(mel); at += step {
		out = append(out, mel[at:at+size])
	}
	return out
}

// cutSilence keeps the windows near one that is loud enough; with fewer than eight
// left, or a clip shorter than a window, all.
func cutSilence(samples []float32) []float32 {
	n := len(samples) / silenceWindow
	if n == 0 {
		return samples
	}
	energy := make([]float64, n)
	for w := range energy {
		for _, x := range samples[w*silenceWindow : (w+1)*silenceWindow] {
			energy[w] += float64(x) * float64(x) / silenceWindow
		}
	}
	threshold := silenceShare * percentile(energy, silencePercent)
	var kept []float32
	for w := range energy {
		near := energy[max(0, w-silenceReach):min(n, w+silenceReach+1)]
		if slices.Max(near) > threshold {
			kept = append(kept, samples[w*silenceWindow:(w+1)*silenceWindow]...)
		}
	}
	if len(kept) < fewestWindows*silenceWindow {
		return samples
	}
	return kept
}

// percentile returns the p-quantile of values with linear interpolation between
// the two nearest; p from 0 to 1.
func percentile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := p * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// voiceGain returns what the samples are multiplied by; false when they are silent.
func voiceGain(samples []float32) (gain float64, ok bool) {
	sum := 0.
	for _, x := range samples {
		sum += float64(x) * float64(x)
	}
	rms := math.Sqrt(sum / float64(max(1, len(samples))))
	if rms <= 0 {
		return 0, false
	}
	return max(1, math.Pow(10, voiceLevel/20)/rms), true
}

// voiceFrames returns the filter energies of the frames, by rows.
func voiceFrames(samples []float32, gain float64) []float32 {
	edges := slaneyEdges()
	filters := triangles(edges, voiceFrame)
	spectra := newSpectrum(samples, voiceFrame)
	frames := 1 + len(samples)/voiceHop
	out := make([]float32, 0, frames*VoiceBands)
	for t := range frames {
		power := spectra.of(t*voiceHop - voiceFrame/2)
		for m, f := range filters {
			area := 2 / (edges[m+2] - edges[m])
			out = append(out, float32(gain*gain*area*f.energy(power)))
		}
	}
	return out
}

// slaneyEdges returns the edges of the filters in Hz, even on the mel scale of
// Slaney's Auditory Toolbox (1998): linear with 200/3 Hz a mel up to 1 kHz, then
// logarithmic with ln(6.4)/27 a mel.
func slaneyEdges() []float64 {
	const perMel, knee = 200. / 3, 1000.
	step := math.Log(6.4) / 27
	top := knee/perMel + math.Log(voiceHigh/knee)/step
	edges := make([]float64, VoiceBands+2)
	for i := range edges {
		mel := top * float64(i) / float64(len(edges)-1)
		edges[i] = perMel * mel
		if mel > knee/perMel {
			edges[i] = knee * math.Exp(step*(mel-knee/perMel))
		}
	}
	return edges
}
