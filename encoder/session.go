package encoder

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	ort "github.com/yalue/onnxruntime_go"
)

// session is a loaded graph and how it is fed.
type session struct {
	run    *ort.DynamicAdvancedSession
	graph  []byte // kept: the runtime uses it in place
	inputs []input
	output string
	width  int // values of one output row
}

// input is one input of a graph and what it is fed with.
type input struct {
	name string
	feed feed
	cols int64 // feedNothing: the second dimension
}

// feed is what an input gets.
type feed int

const (
	feedIDs     feed = iota // the token ids
	feedOnes                // the mask: no padding is ever used
	feedZeros               // one segment
	feedNothing             // no rows: features of pictures or sound in a graph that takes them too
)

// feeds names the inputs that text graphs have; an unknown one is an error
// rather than a guess.
var feeds = map[string]feed{
	"input_ids":      feedIDs,
	"attention_mask": feedOnes,
	"token_type_ids": feedZeros,
}

// openSession loads a graph that was verified.
func openSession(m Files, threads int) (*session, error) {
	options, err := newOptions(m.Graph.Bytes, threads)
	if err != nil {
		return nil, fmt.Errorf("set up ONNX Runtime: %w", err)
	}
	defer options.Destroy()
	s := &session{graph: m.Graph.Bytes}
	if err := s.describe(m); err != nil {
		return nil, err
	}
	names := make([]string, len(s.inputs))
	for i, in := range s.inputs {
		names[i] = in.name
	}
	if s.graph != nil {
		s.run, err = ort.NewDynamicAdvancedSessionWithONNXData(s.graph, names, []string{s.output}, options)
	} else {
		s.run, err = ort.NewDynamicAdvancedSession(m.Graph.Path, names, []string{s.output}, options)
	}
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime cannot load the graph of model %s: %w", m.Name, err)
	}
	return s, nil
}

// newOptions returns the settings of a session. graph is the graph's bytes, nil
// when it is loaded by path.
func newOptions(graph []byte, threads int) (*ort.SessionOptions, error) {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	entries := [][2]string{
		// A server that waits must not burn a processor.
		{"session.intra_op.allow_spinning", "0"},
		{"session.inter_op.allow_spinning", "0"},
	}
	if runtimeFormat(graph) {
		// Weights stay where they are: processes share one copy of them.
		entries = append(entries,
			[2]string{"session.load_model_format", "ORT"},
			[2]string{"session.use_ort_model_bytes_directly", "1"},
			[2]string{"session.use_ort_model_bytes_for_initializers", "1"})
	}
	for _, e := range entries {
		err = errors.Join(err, options.AddSessionConfigEntry(e[0], e[1]))
	}
	err = errors.Join(err,
		options.SetIntraOpNumThreads(threads),
		options.SetInterOpNumThreads(1),
		options.SetExecutionMode(ort.ExecutionModeSequential),
		options.SetMemPattern(false), // lengths differ from call to call
		options.SetLogSeverityLevel(ort.LoggingLevelFatal))
	if err != nil {
		options.Destroy()
		return nil, err
	}
	return options, nil
}

// describe finds the names of inputs and output: from the description, or from the graph itself.
func (s *session) describe(m Files) error {
	if len(m.Inputs) > 0 && m.Output != "" {
		for _, name := range m.Inputs {
			feed, known := feeds[name]
			if !known {
				return fmt.Errorf("model %s: input %q is not known", m.Name, name)
			}
			s.inputs = append(s.inputs, input{name: name, feed: feed})
		}
		s.output, s.width = m.Output, m.Dims
		return nil
	}
	inputs, outputs, err := s.ask(m)
	if err != nil {
		return fmt.Errorf("ONNX Runtime cannot load the graph of model %s: %w", m.Name, err)
	}
	for _, info := range inputs {
		in, err := inputOf(info)
		if err != nil {
			return fmt.Errorf("model %s: %w", m.Name, err)
		}
		s.inputs = append(s.inputs, in)
	}
	if !slices.ContainsFunc(s.inputs, func(in input) bool { return in.feed == feedIDs }) {
		return fmt.Errorf("model %s has no input \"input_ids\": it is no text encoder", m.Name)
	}
	if err := s.chooseOutput(m, outputs); err != nil {
		return fmt.Errorf("model %s: %w", m.Name, err)
	}
	return nil
}

// ask loads the graph once more, without the costly preparations, for its names and shapes.
func (s *session) ask(m Files) (inputs, outputs []ort.InputOutputInfo, err error) {
	if s.graph != nil {
		return ort.GetInputOutputInfoWithONNXData(s.graph)
	}
	options, err := newOptions(nil, 1)
	if err != nil {
		return nil, nil, err
	}
	defer options.Destroy()
	err = errors.Join(
		options.SetGraphOptimizationLevel(ort.GraphOptimizationLevelDisableAll),
		options.AddSessionConfigEntry("session.disable_prepacking", "1"))
	if err != nil {
		return nil, nil, err
	}
	return ort.GetInputOutputInfoWithOptions(m.Graph.Path, options)
}

// inputOf says what an input is fed with.
func inputOf(info ort.InputOutputInfo) (input, error) {
	if feed, known := feeds[info.Name]; known && info.DataType == ort.TensorElementDataTypeInt64 {
		return input{name: info.Name, feed: feed}, nil
	}
	if info.DataType == ort.TensorElementDataTypeFloat && len(info.Dimensions) == 2 && info.Dimensions[1] > 0 {
		return input{name: info.Name, feed: feedNothing, cols: info.Dimensions[1]}, nil
	}
	return input{}, fmt.Errorf("input %s is not one a text encoder is known to have", info.String())
}

// chooseOutput takes the output that fits the pooling: one row a text, or one a
// token. A name in the description wins; else the usual names, else the first.
func (s *session) chooseOutput(m Files, outputs []ort.InputOutputInfo) error {
	rank := 3
	preferred := []string{m.Output, "last_hidden_state", "token_embeddings"}
	if m.Pooling == PoolGraph {
		rank, preferred = 2, []string{m.Output, "sentence_embedding"}
	}
	fits := func(o ort.InputOutputInfo) bool {
		return len(o.Dimensions) == rank && o.DataType == ort.TensorElementDataTypeFloat
	}
	found := -1
	for _, name := range preferred {
		if found < 0 {
			found = slices.IndexFunc(outputs, func(o ort.InputOutputInfo) bool { return o.Name == name && fits(o) })
		}
	}
	if found < 0 {
		found = slices.IndexFunc(outputs, fits)
	}
	if found < 0 {
		return fmt.Errorf("pooling %s needs an output of %d dimensions, the graph has none", m.Pooling, rank)
	}
	s.output = outputs[found].Name
	s.width = int(outputs[found].Dimensions[rank-1])
	if s.width < 1 {
		s.width = m.Dims // the graph leaves it open
	}
	if s.width < m.Dims {
		return errors.New("the graph gives vectors of length " + strconv.Itoa(s.width) + ", " + strconv.Itoa(m.Dims) + " are asked for")
	}
	return nil
}

func (s *session) close() {
	if s.run != nil {
		s.run.Destroy()
	}
}
