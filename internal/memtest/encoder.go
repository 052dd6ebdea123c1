package memtest

import (
	"context"
	"hash/fnv"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"combray/internal/memory"
)

// Encoder is a memory.Encoder without a model: a text is the sum of its words'
// hashed directions, so texts that share words are near each other. The zero
// value is ready. Safe for concurrent use; set the fields before the first call.
type Encoder struct {
	// Name is the identity; "" means "memtest/bag-64".
	Name string
	// Means gives a word the meaning of another, so that a test can have
	// likeness without shared words, or across languages.
	Means map[string]string

	// Questions and Passages count the texts encoded.
	Questions, Passages atomic.Int64

	mu      sync.Mutex
	failure string
	loading chan struct{} // closed when loading is over; nil while nothing loads
}

var _ memory.Encoder = (*Encoder)(nil)

const (
	encoderDims  = 64
	windowWords  = 32 // a longer text is several windows
	windowStride = 24 // each begins so many words after the one before
	wordTraits   = 8  // directions a word: enough that two words rarely share most
)

// Load puts the encoder into the state of loading, until the returned function
// is called. Wait blocks meanwhile; encoding fails.
func (e *Encoder) Load() (done func()) {
	loading := make(chan struct{})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.loading = loading
	return sync.OnceFunc(func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.loading = nil
		close(loading)
	})
}

// Fail puts the encoder into the state of having failed; "" makes it ready again.
func (e *Encoder) Fail(reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failure = reason
}

// Wait implements memory.Encoder.
func (e *Encoder) Wait(ctx context.Context) memory.EncoderState {
	e.mu.Lock()
	loading := e.loading
	e.mu.Unlock()
	if loading != nil {
		select {
		case <-loading:
		case <-ctx.Done():
			return memory.EncoderState{Reason: "the encoder is still loading"}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return memory.EncoderState{Ready: e.failure == "", Reason: e.failure}
}

// problem says why nothing can be encoded now; nil when it can.
func (e *Encoder) problem(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now, cancel := context.WithCancel(ctx)
	cancel()
	if state := e.Wait(now); !state.Ready {
		return memory.Unavailable("Search by words.", nil, "%s", state.Reason)
	}
	return nil
}

// Question implements memory.Encoder.
func (e *Encoder) Question(ctx context.Context, text string) ([]float32, error) {
	if err := e.problem(ctx); err != nil {
		return nil, err
	}
	e.Questions.Add(1)
	return e.encode(words(text)), nil
}

// Symmetric implements memory.Encoder.
func (e *Encoder) Symmetric(ctx context.Context, text string) ([]float32, error) {
	if err := e.problem(ctx); err != nil {
		return nil, err
	}
	return e.encode(words(text)), nil
}

// Passage implements memory.Encoder.
func (e *Encoder) Passage(ctx context.Context, text string) ([][]float32, error) {
	if err := e.problem(ctx); err != nil {
		return nil, err
	}
	e.Passages.Add(1)
	all := words(text)
	windows := [][]float32{e.encode(all[:min(windowWords, len(all))])}
	for start := windowStride; start+windowWords-windowStride < len(all); start += windowStride {
		windows = append(windows, e.encode(all[start:min(start+windowWords, len(all))]))
	}
	return windows, nil
}

// Identity implements memory.Encoder.
func (e *Encoder) Identity() string {
	if e.Name == "" {
		return "memtest/bag-64"
	}
	return e.Name
}

// Describe implements memory.Encoder.
func (e *Encoder) Describe() *memory.Backend {
	return &memory.Backend{Model: e.Identity(), Revision: "1", Device: "cpu", MaxSequenceTokens: windowWords,
		Normalized: true, LocalFilesOnly: true, Runtime: "none"}
}

func (e *Encoder) encode(words []string) []float32 {
	v := make([]float32, encoderDims)
	for _, w := range words {
		if meant, ok := e.Means[w]; ok {
			w = meant
		}
		addWord(v, w)
	}
	if len(words) == 0 {
		v[0] = 1
	}
	return unit(v)
}

// addWord adds the direction of a word: a few components by its hash, each with
// a sign.
func addWord(v []float32, word string) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(word))
	bits := h.Sum64()
	for range wordTraits {
		bits = bits*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
		sign := float32(1)
		if bits>>63 == 1 {
			sign = -1
		}
		v[int(bits>>32%uint64(len(v)))] += sign
	}
}

// unit makes the length 1. A vector of zeros becomes the first axis.
func unit(v []float32) []float32 {
	length := math.Sqrt(dot(v, v))
	if length == 0 {
		v[0] = 1
		return v
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return v
}

// words splits a text into lower-case words; a character of a script without
// spaces is a word.
func words(text string) []string {
	var out []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			flush()
			out = append(out, string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			word.WriteRune(r)
		default:
			flush()
		}
	}
	flush()
	return out
}
