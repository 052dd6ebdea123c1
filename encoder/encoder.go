package encoder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Encoder is a loaded model. Its methods may be called from several goroutines.
type Encoder struct {
	spec     Spec
	tokens   tokens
	session  *session
	gate     *gate
	version  string // of the runtime library
	identity string

	mu     sync.Mutex
	free   []*worker
	space  *Space // nil before it was asked for
	closed bool
}

// Open checks the files of a model, starts ONNX Runtime (once in a process) and
// loads the model. The errors say what was wrong, what is allowed, and what to do.
// A failure leaves nothing behind, and a later call may succeed.
func Open(ctx context.Context, cfg Config) (*Encoder, error) {
	cfg = cfg.withDefaults()
	if err := cfg.check(); err != nil {
		return nil, err
	}
	began := time.Now()
	version, tok, err := prepare(ctx, cfg)
	if err != nil {
		return nil, err
	}
	s, err := openSession(cfg.Model, cfg.Threads)
	if err != nil {
		return nil, err
	}
	e := &Encoder{
		spec: cfg.Model.Spec, tokens: tok, session: s, version: version,
		gate: newGate(cfg.Workers), identity: identityOf(cfg.Model),
	}
	if err := e.tryOut(ctx); err != nil {
		e.Close()
		return nil, fmt.Errorf("model %s was loaded but does not work: %w", cfg.Model.Name, err)
	}
	cfg.Logger.Info("encoder ready", "model", e.spec.Name, "identity", e.identity, "runtime", version, "ms", time.Since(began).Milliseconds())
	return e, nil
}

// prepare starts the library while another goroutine checks the files: both take
// some 40 ms.
func prepare(ctx context.Context, cfg Config) (version string, tok tokens, err error) {
	checked := make(chan error, 1)
	go func() {
		var err error
		tok, err = openFiles(ctx, cfg.Model)
		checked <- err
	}()
	version, err = startEnvironment(cfg.Library)
	if fileErr := <-checked; fileErr != nil {
		err = fmt.Errorf("model %s: %w", cfg.Model.Name, fileErr)
	}
	return version, tok, err
}

// openFiles checks every file of a model and opens its tokenizer.
func openFiles(ctx context.Context, m Files) (tokens, error) {
	if err := m.Graph.verify(ctx, "graph"); err != nil {
		return tokens{}, err
	}
	for _, d := range m.Data {
		if err := d.verify(ctx, "weights file"); err != nil {
			return tokens{}, err
		}
	}
	if err := m.Tokenizer.verify(ctx, "tokenizer"); err != nil {
		return tokens{}, err
	}
	return openTokens(m)
}

// tryOut encodes the prefixes once: it shows a model that does not work now and
// not at the first question, and warms the first run up.
func (e *Encoder) tryOut(ctx context.Context) error {
	for _, prefix := range []string{e.spec.QueryPrefix, e.spec.PassagePrefix, e.spec.SymmetricPrefix} {
		if room := e.tokens.room(e.spec.Window, prefix); room < minWindow {
			return fmt.Errorf("its prefix %q leaves room for %d tokens of %d, at least %d are needed", prefix, room, e.spec.Window, minWindow)
		}
	}
	_, err := e.Question(ctx, "")
	return err
}

// Question returns the unit vector of a question. In one that is longer than the
// window what is wanted stands at the end or at the beginning, and would be lost
// among hundreds of other tokens: its two ends are encoded alone, and the vector
// stands between them, nearer to the last (TestLongQuestionEnd).
func (e *Encoder) Question(ctx context.Context, text string) ([]float32, error) {
	inputs := e.tokens.ends(e.spec.MaxTokens, e.spec.QueryPrefix, text)
	vectors, err := e.encode(ctx, inputs, questions)
	if err != nil {
		return nil, err
	}
	if last := len(vectors) - 1; last > 0 {
		vectors = append(vectors, vectors[last]) // counts twice
	}
	return mean(vectors)
}

// Symmetric returns the unit vector of a text that is compared with others made
// by Symmetric, where neither is a question about the other. A text longer than
// the window stands for the middle of its windows.
func (e *Encoder) Symmetric(ctx context.Context, text string) ([]float32, error) {
	inputs := e.tokens.cut(e.spec.MaxTokens, e.spec.SymmetricPrefix, text)
	vectors, err := e.encode(ctx, inputs, questions)
	if err != nil {
		return nil, err
	}
	return mean(vectors)
}

// Passage returns the unit vectors of a stored text: one, or one for each
// overlapping window of a text longer than Spec.Window, in order. Questions
// go first; between two windows others may run.
func (e *Encoder) Passage(ctx context.Context, text string) ([][]float32, error) {
	return e.encode(ctx, e.tokens.cut(e.spec.Window, e.spec.PassagePrefix, text), passages)
}

// Windows returns how many vectors Passage gives for a text; at least 1.
func (e *Encoder) Windows(text string) int {
	return len(e.tokens.cut(e.spec.Window, e.spec.PassagePrefix, text))
}

func (e *Encoder) encode(ctx context.Context, inputs [][]int32, c class) ([][]float32, error) {
	vectors := make([][]float32, len(inputs))
	for i, ids := range inputs {
		vectors[i] = make([]float32, e.spec.Dims)
		if err := e.encodeOne(ctx, vectors[i], ids, c); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// encodeOne encodes one window when its turn comes.
func (e *Encoder) encodeOne(ctx context.Context, dst []float32, ids []int32, c class) error {
	if err := e.gate.enter(ctx, c); err != nil {
		return err
	}
	defer e.gate.leave()
	w, err := e.worker()
	if err != nil {
		return err
	}
	defer e.putBack(w)
	return w.encode(ctx, dst, ids)
}

// worker returns a free worker; the gate bounds how many there are.
func (e *Encoder) worker() (*worker, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if last := len(e.free) - 1; last >= 0 {
		w := e.free[last]
		e.free = e.free[:last]
		return w, nil
	}
	return newWorker(e.session, e.spec.Pooling, e.spec.MaxTokens)
}

func (e *Encoder) putBack(w *worker) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.free = append(e.free, w)
}

// Close waits for the runs that are under way, refuses new ones with ErrClosed,
// and frees the model. Calling it again does nothing.
func (e *Encoder) Close() error {
	e.gate.close()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	for _, w := range e.free {
		w.close()
	}
	e.free = nil
	e.space.close()
	e.session.close()
	return nil
}

// Dims returns the length of the vectors.
func (e *Encoder) Dims() int { return e.spec.Dims }

// Identity returns a short name for everything that decides what a vector means:
// the files, the prefixes, the pooling, the length and the way long texts are
// cut. Vectors with different identities must never be compared.
func (e *Encoder) Identity() string { return e.identity }

// identityOf hashes what Identity stands for. Its inputs and their order are a
// format: changing them makes every stored vector worthless (TestIdentityIsStable).
func identityOf(m Files) string {
	lines := []string{
		"combray text encoder 1",
		"graph " + m.Graph.identity(),
		"tokenizer " + m.Tokenizer.identity(),
		"pooling " + string(m.Pooling),
		"dims " + strconv.Itoa(m.Dims),
		"tokens " + strconv.Itoa(m.MaxTokens) + " " + strconv.Itoa(m.Window),
		"query " + strconv.Quote(m.QueryPrefix),
		"passage " + strconv.Quote(m.PassagePrefix),
		"windows " + windowRule,
	}
	for _, d := range m.Data {
		lines = append(lines, "data "+d.identity())
	}
	if m.SymmetricPrefix != "" && m.SymmetricPrefix != m.QueryPrefix {
		lines = append(lines, "symmetric "+strconv.Quote(m.SymmetricPrefix))
	}
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return m.Name + ":" + hex.EncodeToString(sum[:8])
}

// Description is what a person or a client may want to know of an encoder.
type Description struct {
	Model             string
	Revision          string
	Identity          string
	Device            string // always cpu
	Dims              int
	MaxSequenceTokens int
	QueryPrefix       string
	DocumentPrefix    string
	Normalized        bool   // always: vectors have length 1
	LocalFilesOnly    bool   // always: encoding opens no connection
	CachedDocuments   int    // always 0: stored vectors need no cache here
	Runtime           string // version of ONNX Runtime
}

// Describe returns what there is to know of the encoder.
func (e *Encoder) Describe() Description {
	return Description{
		Model: e.spec.Name, Revision: e.spec.Revision, Identity: e.identity,
		Device: "cpu", Dims: e.spec.Dims, MaxSequenceTokens: e.spec.MaxTokens,
		QueryPrefix: e.spec.QueryPrefix, DocumentPrefix: e.spec.PassagePrefix,
		Normalized: true, LocalFilesOnly: true, Runtime: e.version,
	}
}
