package encoder

import (
	"context"
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"
)

// worker holds the tensors of one run at a time. All lengths share the same
// memory: a tensor of the runtime is only a shape over it, so a set for each
// length is kept once made, and a run allocates almost nothing. Lengths are
// exact; rounding them up to a few would cost time and move the vectors, because
// the layers' scale is taken over the padding too.
type worker struct {
	session *session
	how     Pooling
	ids     []int64
	ones    []int64
	zeros   []int64
	out     []float32
	sets    []*tensors // by number of tokens
	stop    *ort.RunOptions
}

func newWorker(s *session, how Pooling, maxTokens int) (*worker, error) {
	stop, err := ort.NewRunOptions()
	if err != nil {
		return nil, fmt.Errorf("set up a run of ONNX Runtime: %w", err)
	}
	rows := maxTokens
	if how == PoolGraph {
		rows = 1
	}
	return &worker{
		session: s, how: how, stop: stop,
		ids:   make([]int64, maxTokens),
		ones:  slices.Repeat([]int64{1}, maxTokens),
		zeros: make([]int64, maxTokens),
		out:   make([]float32, rows*s.width),
		sets:  make([]*tensors, maxTokens+1),
	}, nil
}

// encode runs the graph on ids and writes the vector to dst.
func (w *worker) encode(ctx context.Context, dst []float32, ids []int32) error {
	set, err := w.tensorsFor(len(ids))
	if err != nil {
		return fmt.Errorf("set up a run of ONNX Runtime: %w", err)
	}
	return w.run(ctx, dst, ids, set)
}

// run runs the graph on ids with a set of tensors for so many.
func (w *worker) run(ctx context.Context, dst []float32, ids []int32, set *tensors) error {
	for i, id := range ids {
		w.ids[i] = int64(id)
	}
	if err := runUntil(ctx, w.session.run, set, w.stop); err != nil {
		return err
	}
	rows := 1
	if w.how != PoolGraph {
		rows = len(ids)
	}
	return pool(dst, w.out[:rows*w.session.width], w.session.width, w.how)
}

// encodeFeatures is encode with rows of features in the places of their placeholders.
func (w *worker) encodeFeatures(ctx context.Context, dst []float32, ids []int32, f features) error {
	at, err := w.session.takes(f.kind)
	if err != nil {
		return err
	}
	set, err := w.newTensors(len(ids))
	if err != nil {
		return fmt.Errorf("set up a run of ONNX Runtime: %w", err)
	}
	defer set.destroy()
	cols := w.session.inputs[at].cols
	if int64(len(f.values)) != int64(f.rows)*cols {
		return fmt.Errorf("%d rows of features have %d values; the text graph takes rows of %d", f.rows, len(f.values), cols)
	}
	rows, err := ort.NewTensor(ort.NewShape(int64(f.rows), cols), f.values)
	if err != nil {
		return fmt.Errorf("set up a run of ONNX Runtime: %w", err)
	}
	_ = set.inputs[at].Destroy()
	set.inputs[at] = rows
	return w.run(ctx, dst, ids, set)
}

// tensorsFor returns the tensors for n tokens.
func (w *worker) tensorsFor(n int) (*tensors, error) {
	if w.sets[n] != nil {
		return w.sets[n], nil
	}
	set, err := w.newTensors(n)
	if err == nil {
		w.sets[n] = set
	}
	return set, err
}

// newTensors makes tensors for n tokens over the worker's memory.
func (w *worker) newTensors(n int) (*tensors, error) {
	set := &tensors{}
	for _, in := range w.session.inputs {
		value, err := w.inputValue(in, n)
		if err != nil {
			set.destroy()
			return nil, err
		}
		set.inputs = append(set.inputs, value)
	}
	shape := ort.NewShape(1, int64(w.session.width))
	if w.how != PoolGraph {
		shape = ort.NewShape(1, int64(n), int64(w.session.width))
	}
	out, err := ort.NewTensor(shape, w.out)
	if err != nil {
		set.destroy()
		return nil, err
	}
	set.outputs = []ort.Value{out}
	return set, nil
}

func (w *worker) inputValue(in input, n int) (ort.Value, error) {
	switch in.feed {
	case feedNothing:
		return ort.NewTensor(ort.NewShape(0, in.cols), []float32{})
	case feedOnes:
		return ort.NewTensor(ort.NewShape(1, int64(n)), w.ones)
	case feedZeros:
		return ort.NewTensor(ort.NewShape(1, int64(n)), w.zeros)
	}
	return ort.NewTensor(ort.NewShape(1, int64(n)), w.ids)
}

func (w *worker) close() {
	for _, set := range w.sets {
		if set != nil {
			set.destroy()
		}
	}
	_ = w.stop.Destroy()
}
