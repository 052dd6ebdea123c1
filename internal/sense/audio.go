package sense

import "math"

// SampleRate is what every function on samples expects: mono, so many samples a
// second, full scale 1 (facts/media.md 1).
const SampleRate = 16000

// Bounds of the comparisons of sounds. The thresholds are those of facts/media.md 2 to
// 4, the others its own or measured on its development clips (docs/BENCHMARKS.md,
// Pictures and sounds).
var (
	recordingBounds = bounds{unrelated: .75, chance: 1.39, same: 2.2} // z; 1 false match in 247,000 pairs
	kindBounds      = bounds{unrelated: .80, same: .955, ranks: true} // cosine; 99 % of different classes are below
	voiceBounds     = bounds{unrelated: .69, same: .85, ranks: true}  // cosine; 1 wrong pair in 1,300
)

// Recording compares two sound prints: whether they are the same recording.
func Recording(a, b Print) Alike { return recordingBounds.of(a.Match(b).Z) }

// SoundKind compares two sound59 vectors: whether they are the same kind of sound.
func SoundKind(a, b Vector) Alike { return kindBounds.of(a.Cosine(b)) }

// Voice compares two voice vectors of one encoder.
func Voice(a, b Vector) Alike { return voiceBounds.of(a.Cosine(b)) }

// hann returns the periodic Hann window of n samples.
func hann(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = .5 - .5*math.Cos(2*math.Pi*float64(i)/float64(n))
	}
	return w
}
