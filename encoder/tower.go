package encoder

import (
	"context"
	"errors"
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"
)

// Tower is a graph that makes rows of features of a picture or a sound, which a text
// graph of the same space takes in the places of tokens.
type Tower struct {
	Name  string
	Graph Source
	Data  []Source // weights the runtime opens beside Graph
}

// Patches is a picture as a tower takes it, made by internal/media: squares of
// 16 x 16 pixels by rows, the values of a square by rows and R, G, B of a pixel
// together, 0 to 1; and the column and row of each square, -1 and -1 for one that only
// fills up.
type Patches struct {
	Values []float32
	Places []int64
	Each   int // values of a square
	Rows   int // of features that the tower has to give
}

// Frames is a sound as a tower takes it, made by internal/sense: the bands of each
// frame, and whether the frame is real or only fills up.
type Frames struct {
	Values []float32
	Real   []bool
	Bands  int // values of a frame
	Rows   int // of features that the tower has to give
}

// tower is a loaded Tower. One run is done at a time.
type tower struct {
	name   string
	run    *ort.DynamicAdvancedSession
	inputs []towerInput
	gate   *gate
	stop   *ort.RunOptions
}

// towerFeed is what an input of a tower gets. The exports name their inputs
// differently; the types and dimensions are the same.
type towerFeed int

const (
	towerValues towerFeed = iota // numbers by patch or frame
	towerPlaces                  // column and row of each patch
	towerReal                    // whether each frame is real
)

type towerInput struct {
	name string
	feed towerFeed
}

// openTower verifies a tower's files and loads it.
func openTower(ctx context.Context, t Tower) (*tower, error) {
	files := append([]Source{t.Graph}, t.Data...)
	for _, f := range files {
		if err := f.check(); err != nil {
			return nil, fmt.Errorf("model %s: %w", t.Name, err)
		}
		if err := f.verify(ctx, "graph or weights file"); err != nil {
			return nil, fmt.Errorf("model %s: %w", t.Name, err)
		}
	}
	out := &tower{name: t.Name, gate: newGate(1)}
	if err := out.load(t); err != nil {
		out.close()
		return nil, fmt.Errorf("ONNX Runtime cannot load the graph of model %s: %w", t.Name, err)
	}
	return out, nil
}

func (t *tower) load(from Tower) error {
	asked := session{graph: from.Graph.Bytes}
	inputs, outputs, err := asked.ask(Files{Graph: from.Graph})
	if err != nil {
		return err
	}
	names := make([]string, len(inputs))
	for i, in := range inputs {
		feed, err := towerFeedOf(in)
		if err != nil {
			return err
		}
		names[i] = in.Name
		t.inputs = append(t.inputs, towerInput{in.Name, feed})
	}
	at := slices.IndexFunc(outputs, func(o ort.InputOutputInfo) bool {
		return o.DataType == ort.TensorElementDataTypeFloat && len(o.Dimensions) == 2
	})
	if at < 0 {
		return errors.New("it gives no rows of features")
	}
	options, err := newOptions(from.Graph.Bytes, 1)
	if err != nil {
		return err
	}
	defer options.Destroy()
	if from.Graph.Bytes != nil {
		t.run, err = ort.NewDynamicAdvancedSessionWithONNXData(from.Graph.Bytes, names, []string{outputs[at].Name}, options)
	} else {
		t.run, err = ort.NewDynamicAdvancedSession(from.Graph.Path, names, []string{outputs[at].Name}, options)
	}
	if err != nil {
		return err
	}
	t.stop, err = ort.NewRunOptions()
	return err
}

// towerFeedOf says what an input is fed with; an unknown one is an error rather than
// a guess.
func towerFeedOf(in ort.InputOutputInfo) (towerFeed, error) {
	switch dims := len(in.Dimensions); {
	case in.DataType == ort.TensorElementDataTypeFloat && dims == 3:
		return towerValues, nil
	case in.DataType == ort.TensorElementDataTypeInt64 && dims == 3:
		return towerPlaces, nil
	case in.DataType == ort.TensorElementDataTypeBool && dims == 2:
		return towerReal, nil
	}
	return 0, fmt.Errorf("input %s is not one that an encoder of pictures or sounds is known to have", in.String())
}

// see returns the features of a picture, rows one after the other.
func (t *tower) see(ctx context.Context, p Patches) ([]float32, error) {
	n := int64(len(p.Places) / 2)
	if p.Each < 1 || n < 1 || int64(len(p.Values)) != n*int64(p.Each) {
		return nil, fmt.Errorf("a picture of %d values in %d squares cannot be encoded", len(p.Values), n)
	}
	return t.features(ctx, p.Rows, func(feed towerFeed) (ort.Value, error) {
		switch feed {
		case towerValues:
			return ort.NewTensor(ort.NewShape(1, n, int64(p.Each)), p.Values)
		case towerPlaces:
			return ort.NewTensor(ort.NewShape(1, n, 2), p.Places)
		}
		return nil, errors.New("it takes sounds, not pictures")
	})
}

// hear returns the features of a sound, rows one after the other.
func (t *tower) hear(ctx context.Context, f Frames) ([]float32, error) {
	n := int64(len(f.Real))
	if f.Bands < 1 || n < 1 || int64(len(f.Values)) != n*int64(f.Bands) {
		return nil, fmt.Errorf("a sound of %d values in %d frames cannot be encoded", len(f.Values), n)
	}
	return t.features(ctx, f.Rows, func(feed towerFeed) (ort.Value, error) {
		switch feed {
		case towerValues:
			return ort.NewTensor(ort.NewShape(1, n, int64(f.Bands)), f.Values)
		case towerReal:
			return ort.NewTensor(ort.NewShape(1, n), f.Real)
		}
		return nil, errors.New("it takes pictures, not sounds")
	})
}

// features runs the graph and wants so many rows.
func (t *tower) features(ctx context.Context, rows int, value func(towerFeed) (ort.Value, error)) ([]float32, error) {
	if err := t.gate.enter(ctx, passages); err != nil {
		return nil, err
	}
	defer t.gate.leave()
	set := &tensors{outputs: []ort.Value{nil}} // how many rows come is the graph's to say
	defer set.destroy()
	for _, in := range t.inputs {
		v, err := value(in.feed)
		if err != nil {
			return nil, fmt.Errorf("model %s: input %s: %w", t.name, in.name, err)
		}
		set.inputs = append(set.inputs, v)
	}
	if err := runUntil(ctx, t.run, set, t.stop); err != nil {
		return nil, err
	}
	out, is := set.outputs[0].(*ort.Tensor[float32])
	if !is || len(out.GetShape()) != 2 || out.GetShape()[0] != int64(rows) {
		return nil, fmt.Errorf("model %s gave features of the shape %v, %d rows were expected: it is of another release, or the program needs to know more of it", t.name, set.outputs[0].GetShape(), rows)
	}
	return slices.Clone(out.GetData()), nil
}

// close waits for the run that is under way and frees the graph.
func (t *tower) close() {
	t.gate.close()
	if t.stop != nil {
		_ = t.stop.Destroy()
		t.stop = nil
	}
	if t.run != nil {
		_ = t.run.Destroy()
		t.run = nil
	}
}
