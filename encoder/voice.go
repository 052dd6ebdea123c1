package encoder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	ort "github.com/yalue/onnxruntime_go"
)

// The graph of the voice encoder (facts/media.md 4).
const (
	voiceFrames = 160
	voiceBands  = 40
	voiceDims   = 256
	// voiceInput is how the input must have been made; it is part of the identity.
	voiceInput = "silence cut, -30 dBFS, mel 40 Slaney, windows of 160 by 77, mean"
)

// VoiceFiles is a voice encoder: its name and its file.
type VoiceFiles struct {
	Name  string
	Graph Source // ONNX: mel [1, 160, 40] to embedding [1, 256]
}

// Identity is what Voice.Identity returns for the files, known before they are loaded.
func (f VoiceFiles) Identity() string {
	return mediaIdentity(f.Name, "combray voice encoder 1", "graph "+f.Graph.identity(), "input "+voiceInput)
}

// Voice is a loaded voice encoder. A voice vector identifies a person: nothing opens
// one unless the owner asked for it. Its methods may be called from several
// goroutines; one run is done at a time.
type Voice struct {
	*fixed
	identity string
}

// OpenVoice checks the file, starts ONNX Runtime and loads the encoder. A failure
// leaves nothing behind.
func OpenVoice(ctx context.Context, cfg MediaConfig, files VoiceFiles) (*Voice, error) {
	began := time.Now()
	graph, err := openFixed(ctx, cfg, files.Graph, shaped{"mel", ort.NewShape(1, voiceFrames, voiceBands)},
		[]shaped{{"embedding", ort.NewShape(1, voiceDims)}})
	if err != nil {
		return nil, fmt.Errorf("voice encoder %s: %w", files.Name, err)
	}
	v := &Voice{fixed: graph, identity: files.Identity()}
	// Some voice: a graph of the right names that does not work is found now.
	if _, err := v.Hear(ctx, [][]float32{slices.Repeat([]float32{.01}, len(graph.in))}); err != nil {
		graph.Close()
		return nil, fmt.Errorf("voice encoder %s was loaded but does not work: %w", files.Name, err)
	}
	cfg.ready("voice", v.identity, began)
	return v, nil
}

// Hear returns the vector of a voice, 256 values of length 1: the mean over the inputs
// that sense.VoiceMel makes of a clip.
func (v *Voice) Hear(ctx context.Context, inputs [][]float32) ([]float32, error) {
	if len(inputs) == 0 {
		return nil, errors.New("there is no voice in a clip without sound")
	}
	vectors := make([][]float32, len(inputs))
	for i, mel := range inputs {
		err := v.encode(ctx, mel, func(outs [][]float32) error {
			vectors[i] = slices.Clone(outs[0])
			return normalise(vectors[i])
		})
		if err != nil {
			return nil, err
		}
	}
	return mean(vectors)
}

// Identity returns a short name for everything that decides what a vector means.
func (v *Voice) Identity() string { return v.identity }
