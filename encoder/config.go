package encoder

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"runtime"
)

// Pooling is how the vector of a text is taken from the output of a graph.
type Pooling string

// The poolings.
const (
	PoolGraph Pooling = "graph" // the graph gives one vector a text
	PoolMean  Pooling = "mean"  // mean over the tokens
	PoolCLS   Pooling = "cls"   // the first token
	PoolLast  Pooling = "last"  // the last token
)

// Spec is what must be known of a model to use it.
type Spec struct {
	Name     string // for people and logs
	Revision string // which release of the model

	Dims          int // length of the vectors given out; less than the graph's output: cut to it
	MaxTokens     int // longest input, special tokens and prefix included
	Window        int // longest input made of a stored text; zero: MaxTokens
	Pooling       Pooling
	QueryPrefix   string // before questions
	PassagePrefix string // before stored texts
	// SymmetricPrefix stands before texts that are compared with others of their
	// kind; "": QueryPrefix.
	SymmetricPrefix string

	// Inputs and Output are names in the graph. Empty: the model itself is asked
	// for them, which for a graph given as bytes loads it twice.
	Inputs []string
	Output string

	// Languages are orthonormal directions in which vectors tell their language and
	// little else, the most telling first; nil: not known. They do not decide what the
	// vector of a text is.
	Languages [][]float32

	// Towers of the same space, for pictures and sounds; nil: none. They do not
	// decide what the vector of a text is.
	Sight, Hearing *Tower
}

// Source is one file of a model, in memory or on the disk.
type Source struct {
	Bytes []byte // wins over Path
	Path  string

	Size   int64  // in bytes; needed with Path
	SHA256 string // 64 lower-case hexadecimal digits; checked before the first use

	// Mapped says that Bytes are a read-only view of a file (embedded in the
	// program or mapped): after the check their pages are given back, and read
	// again when they are used. It must not be set for memory of the Go heap,
	// which would be zeroed.
	Mapped bool

	// Origin is the SHA-256 of the file this one was converted from without loss.
	// It stands for this file in Identity, so that a new conversion does not make
	// stored vectors worthless. Empty: SHA256 itself.
	Origin string
}

// Files is a model: its description and its files.
type Files struct {
	Spec
	Graph     Source   // ONNX, or ONNX Runtime's own format
	Data      []Source // weights the runtime opens beside Graph; checked, not passed on
	Tokenizer Source   // tokenizer.json, or its flat form
}

// Config says what Open loads.
type Config struct {
	Library string // path of the ONNX Runtime library, version 1.24 or newer
	Model   Files

	Threads int          // a run may use; zero: 1
	Workers int          // runs of passages at a time, at least; zero: the processors, at most 2
	Logger  *slog.Logger // nil: silent
}

// defaultWorkers bounds the runs at a time when nothing is said: on two cores two
// gave 226 texts a second where one gave 122, and each further one keeps an
// arena of some megabytes.
const defaultWorkers = 2

// minWindow is the least number of text tokens a window must leave room for.
const minWindow = 8

// maxThreads and maxWorkers refuse settings that can only be mistakes.
const (
	maxThreads = 64
	maxWorkers = 64
)

func (c Config) withDefaults() Config {
	if c.Threads == 0 {
		c.Threads = 1
	}
	if c.Workers == 0 {
		c.Workers = min(defaultWorkers, runtime.GOMAXPROCS(0))
	}
	if c.Model.Window == 0 {
		c.Model.Window = c.Model.MaxTokens
	}
	c.Model.SymmetricPrefix = cmp.Or(c.Model.SymmetricPrefix, c.Model.QueryPrefix)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

var hashPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (c Config) check() error {
	if c.Library == "" {
		return errNoLibrary
	}
	if c.Threads < 1 || c.Threads > maxThreads || c.Workers < 1 || c.Workers > maxWorkers {
		return fmt.Errorf("encoder threads %d and workers %d must be 1 to %d and 1 to %d; zero takes the default", c.Threads, c.Workers, maxThreads, maxWorkers)
	}
	m := c.Model
	switch m.Pooling {
	case PoolGraph, PoolMean, PoolCLS, PoolLast:
	default:
		return fmt.Errorf("model %s: pooling %q is not known; allowed are graph, mean, cls, last", m.Name, m.Pooling)
	}
	if m.Dims < 1 || m.Window < minWindow || m.Window > m.MaxTokens {
		return fmt.Errorf("model %s: %d dims, %d tokens and a window of %d; at least 1 and %d are needed, and a window within the tokens",
			m.Name, m.Dims, m.MaxTokens, m.Window, minWindow)
	}
	sources := append([]Source{m.Graph, m.Tokenizer}, m.Data...)
	for _, s := range sources {
		if err := s.check(); err != nil {
			return fmt.Errorf("model %s: %w", m.Name, err)
		}
	}
	return nil
}

func (s Source) check() error {
	if s.Bytes == nil && (s.Path == "" || s.Size < 1) {
		return errors.New("a file has neither content nor path and size")
	}
	if !hashPattern.MatchString(s.SHA256) {
		return fmt.Errorf("SHA-256 %q must be 64 lower-case hexadecimal digits; files are never loaded unchecked", s.SHA256)
	}
	return nil
}

// identity is the hash that stands for the file in Identity.
func (s Source) identity() string {
	if s.Origin != "" {
		return s.Origin
	}
	return s.SHA256
}

// Identity is what Encoder.Identity returns for a model, known before it is
// loaded.
func (m Files) Identity() string { return identityOf(m) }
