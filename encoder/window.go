package encoder

// overlapShare is the part of a window that it shares with the next: 1/8. At 512
// tokens that is some 60, two sentences, so a sentence cut at the end of one
// window is whole in the next; it costs one window more in eight, a quarter
// would cost one in three.
const overlapShare = 8

// windowRule names the way texts are cut; part of Identity.
const windowRule = "even, an eighth shared"

// span is a stretch of tokens, end not included.
type span struct{ start, end int }

// windows cuts n tokens into overlapping stretches of at most size tokens. They
// are of even length, so that no text ends in a window of a few words, and each
// shares at least size/overlapShare tokens with the next.
func windows(n, size int) []span {
	if n <= size {
		return []span{{0, n}}
	}
	shared := size / overlapShare
	step := size - shared
	count := (n - shared + step - 1) / step
	each := (n + (count-1)*shared + count - 1) / count
	spans := make([]span, count)
	for i := range spans {
		// The starts are spread evenly from 0 to n-each.
		start := i * (n - each) / (count - 1)
		spans[i] = span{start, start + each}
	}
	return spans
}
