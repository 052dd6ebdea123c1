package media

// Limits of what is read. Those on time and memory hold the bar of 1 s and 200 MiB
// for a hostile file (TestHostileFiles).
const (
	// MaxBytes is the longest file: the limit of a call with media (contract/sense.md 3.2).
	MaxBytes = 10 << 20

	// MaxPixels is the largest picture; a photograph of a telephone has 12 to 24 million.
	MaxPixels = 25_000_000
	// maxSide is the longest side of a JPEG, a GIF or a WebP by their formats.
	maxSide = 65_535
	// maxDecoded is how many bytes a decoded picture may take: a progressive JPEG of
	// 4032 x 3024 pixels in 4:2:0, coefficients and all, takes 88 MiB.
	maxDecoded = 92 << 20
	// largeDecoded is from how many bytes on the garbage of the picture before is
	// collected first: left alone, the collector lets both stand side by side.
	largeDecoded = 32 << 20
	// maxScanPixels bounds scans times pixels of a progressive JPEG: every scan goes
	// over the whole picture, however few bytes it has. Ten scans are usual.
	maxScanPixels = 300_000_000

	// MaxSeconds is how much of a sound is used; what follows is left out and said so.
	MaxSeconds = 60
	// minSamples is the shortest sound in samples of 16 kHz: a tenth of a second.
	minSamples = 1600
	// minRate and maxRate bound the samples a second: half of a telephone's, and the
	// highest of studio converters.
	minRate, maxRate = 4000, 192_000
	// maxChannels is the most FLAC has (RFC 9639).
	maxChannels = 8
	// maxValues bounds the decoded values of all channels: a minute of stereo at the
	// highest rate. What follows is left out and said so.
	maxValues = MaxSeconds * 2 * maxRate
	// maxJunk is how many bytes that are no frame an MP3 may hold in one place: tags
	// with a picture at the end of the file.
	maxJunk = 1 << 20
	// maxAmplitude is the largest sample of a float file; full scale is 1, and 36 dB
	// above it is a mistake.
	maxAmplitude = 64

	// maxVector is the longest vector a caller may supply; the largest known encoders
	// give 4,096 values.
	maxVector = 4096
	// maxBackend is the longest name of a caller's backend, in bytes.
	maxBackend = 64
)
