package encoder

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	ort "github.com/yalue/onnxruntime_go"
)

// The graph of the picture encoder (facts/media.md 6).
const (
	pictureSide   = 224
	pictureDims   = 1280
	pictureLabels = 1000
	// bestLabels is how many labels make the text side of a picture.
	bestLabels = 5
	// pictureFilter is how the pixels must have been made; it is part of the identity.
	pictureFilter = "stretch 224 catmull-rom antialiased, upright, on white"
)

// PictureFiles is a picture encoder: its name and its files.
type PictureFiles struct {
	Name   string
	Graph  Source // ONNX: pixels [1, 3, 224, 224] to embedding [1, 1280] and logits [1, 1000]
	Labels Source // a name a line, in the order of the logits
}

// Identity is what Picture.Identity returns for the files, known before they are loaded.
func (f PictureFiles) Identity() string {
	return mediaIdentity(f.Name, "combray picture encoder 1", "graph "+f.Graph.identity(), "input "+pictureFilter)
}

// Picture is a loaded picture encoder. Its methods may be called from several
// goroutines; one run is done at a time.
type Picture struct {
	*fixed
	identity string
	labels   []string
}

// Label is a guess at what is seen: it knows things and animals, neither people nor
// places, and is right rather less often than P says (facts/media.md 6).
type Label struct {
	Index int     // in the order of the labels file
	Name  string  // English
	P     float64 // 0 to 1, over all labels
}

// Seen is what the encoder makes of a picture.
type Seen struct {
	Vector []float32 // 1280 values of length 1
	Labels []Label   // the five best, likeliest first
}

// OpenPicture checks the files, starts ONNX Runtime and loads the encoder. A failure
// leaves nothing behind.
func OpenPicture(ctx context.Context, cfg MediaConfig, files PictureFiles) (*Picture, error) {
	began := time.Now()
	labels, err := readLabels(ctx, files.Labels)
	if err != nil {
		return nil, fmt.Errorf("picture encoder %s: %w", files.Name, err)
	}
	graph, err := openFixed(ctx, cfg, files.Graph, shaped{"pixels", ort.NewShape(1, 3, pictureSide, pictureSide)},
		[]shaped{{"embedding", ort.NewShape(1, pictureDims)}, {"logits", ort.NewShape(1, pictureLabels)}})
	if err != nil {
		return nil, fmt.Errorf("picture encoder %s: %w", files.Name, err)
	}
	p := &Picture{fixed: graph, identity: files.Identity(), labels: labels}
	if _, err := p.See(ctx, make([]float32, len(graph.in))); err != nil {
		graph.Close()
		return nil, fmt.Errorf("picture encoder %s was loaded but does not work: %w", files.Name, err)
	}
	cfg.ready("picture", p.identity, began)
	return p, nil
}

func readLabels(ctx context.Context, source Source) ([]string, error) {
	if source.Bytes == nil {
		return nil, errors.New("its labels are not given; they are part of the program, so install it again")
	}
	if err := source.verify(ctx, "list of labels"); err != nil {
		return nil, err
	}
	labels := strings.Split(strings.TrimSuffix(string(source.Bytes), "\n"), "\n")
	if len(labels) != pictureLabels {
		return nil, fmt.Errorf("there are %d labels, %d are needed", len(labels), pictureLabels)
	}
	return labels, nil
}

// See returns vector and labels of a picture: planes R, G, B of 224 x 224 pixels by
// rows, 0 to 255, as internal/media makes them.
func (p *Picture) See(ctx context.Context, pixels []float32) (Seen, error) {
	var seen Seen
	err := p.encode(ctx, pixels, func(outs [][]float32) error {
		seen.Vector = slices.Clone(outs[0])
		seen.Labels = p.best(outs[1])
		return normalise(seen.Vector)
	})
	return seen, err
}

// best returns the likeliest labels by softmax.
func (p *Picture) best(logits []float32) []Label {
	top := float64(slices.Max(logits))
	sum := 0.
	all := make([]Label, len(logits))
	for i, l := range logits {
		all[i] = Label{Index: i, Name: p.labels[i], P: math.Exp(float64(l) - top)}
		sum += all[i].P
	}
	slices.SortStableFunc(all, func(a, b Label) int {
		switch {
		case a.P > b.P:
			return -1
		case a.P < b.P:
			return 1
		}
		return 0
	})
	best := slices.Clone(all[:bestLabels])
	for i := range best {
		best[i].P /= sum
	}
	return best
}

// Identity returns a short name for everything that decides what a vector means.
// Vectors with different identities must never be compared.
func (p *Picture) Identity() string { return p.identity }

// Labels returns all labels in order; the slice must not be written.
func (p *Picture) Labels() []string { return p.labels }
