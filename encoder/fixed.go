package encoder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	ort "github.com/yalue/onnxruntime_go"
)

// MediaConfig says how the encoders of pictures and voices are opened.
type MediaConfig struct {
	Library string       // path of the ONNX Runtime library, version 1.24 or newer
	Logger  *slog.Logger // nil: silent
}

// shaped is one input or output of a graph: its name and its shape.
type shaped struct {
	name  string
	shape ort.Shape
}

// fixed is a graph whose inputs and outputs always have the same shapes: it is run
// over the same memory again and again, by one caller at a time, on one thread.
type fixed struct {
	run     *ort.DynamicAdvancedSession
	graph   []byte // kept: the runtime may use it in place
	in      []float32
	outs    [][]float32
	tensors tensors
	stop    *ort.RunOptions
	gate    *gate
}

// openFixed verifies a graph, starts the runtime and loads it.
func openFixed(ctx context.Context, cfg MediaConfig, source Source, in shaped, outs []shaped) (*fixed, error) {
	if cfg.Library == "" {
		return nil, errNoLibrary
	}
	if err := source.check(); err != nil {
		return nil, err
	}
	if err := source.verify(ctx, "graph"); err != nil {
		return nil, err
	}
	if _, err := startEnvironment(cfg.Library); err != nil {
		return nil, err
	}
	f := &fixed{graph: source.Bytes, gate: newGate(1)}
	if err := f.load(source, in, outs); err != nil {
		f.free()
		return nil, fmt.Errorf("ONNX Runtime cannot load the graph: %w", err)
	}
	return f, nil
}

func (f *fixed) load(source Source, in shaped, outs []shaped) error {
	options, err := newOptions(f.graph, 1)
	if err != nil {
		return err
	}
	defer options.Destroy()
	var names []string
	for _, o := range outs {
		names = append(names, o.name)
	}
	if f.graph != nil {
		f.run, err = ort.NewDynamicAdvancedSessionWithONNXData(f.graph, []string{in.name}, names, options)
	} else {
		f.run, err = ort.NewDynamicAdvancedSession(source.Path, []string{in.name}, names, options)
	}
	if err != nil {
		return err
	}
	if f.stop, err = ort.NewRunOptions(); err != nil {
		return err
	}
	var value ort.Value
	if f.in, value, err = newTensor(in.shape); err != nil {
		return err
	}
	f.tensors.inputs = []ort.Value{value}
	for _, o := range outs {
		memory, value, err := newTensor(o.shape)
		if err != nil {
			return err
		}
		f.outs = append(f.outs, memory)
		f.tensors.outputs = append(f.tensors.outputs, value)
	}
	return nil
}

// newTensor returns a tensor and the memory it lies over.
func newTensor(shape ort.Shape) ([]float32, ort.Value, error) {
	memory := make([]float32, shape.FlattenedSize())
	tensor, err := ort.NewTensor(shape, memory)
	return memory, tensor, err
}

// encode runs the graph on values when its turn comes. use sees the outputs, which the
// next run overwrites.
func (f *fixed) encode(ctx context.Context, values []float32, use func(outs [][]float32) error) error {
	if len(values) != len(f.in) {
		return fmt.Errorf("the encoder takes %d values, not %d", len(f.in), len(values))
	}
	if err := f.gate.enter(ctx, passages); err != nil {
		return err
	}
	defer f.gate.leave()
	copy(f.in, values)
	if err := runUntil(ctx, f.run, &f.tensors, f.stop); err != nil {
		return err
	}
	return use(f.outs)
}

// Close waits for the run that is under way, refuses new ones with ErrClosed, and frees
// the model. Calling it again does nothing.
func (f *fixed) Close() error {
	f.gate.close()
	f.free()
	return nil
}

func (f *fixed) free() {
	f.tensors.destroy()
	f.tensors = tensors{}
	if f.stop != nil {
		_ = f.stop.Destroy()
		f.stop = nil
	}
	if f.run != nil {
		_ = f.run.Destroy()
		f.run = nil
	}
}

var errNoLibrary = errors.New(`no ONNX Runtime library is named; run "make setup", or set COMBRAY_ORT_LIB to one of version 1.24 or newer`)

// mediaIdentity is what Identity returns: a name for people and a hash of everything
// that decides what a vector means (TestMediaIdentitiesAreStable).
func mediaIdentity(name string, lines ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return name + ":" + hex.EncodeToString(sum[:8])
}

// ready logs that a media encoder was opened.
func (c MediaConfig) ready(what, identity string, began time.Time) {
	if c.Logger != nil {
		c.Logger.Info(what+" encoder ready", "identity", identity, "ms", time.Since(began).Milliseconds())
	}
}
