package encoder

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
)

// Golden is a vector that a model is known to give for an input: a text, or for the
// encoders of pictures and voices a ramp of numbers.
type Golden struct {
	Text   string    `json:"text"`
	Prefix string    `json:"prefix"` // the model's for questions or for passages
	Ramp   *Ramp     `json:"ramp"`
	Vector []float32 `json:"vector"`
}

// Ramp stands for an input of any length: its number i is Step times i modulo Modulus,
// times Scale.
type Ramp struct {
	Step    int     `json:"step"`
	Modulus int     `json:"modulus"`
	Scale   float64 `json:"scale"`
}

// values gives the first n numbers.
func (r Ramp) values(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(float64(r.Step*i%r.Modulus) * r.Scale)
	}
	return out
}

// maxGoldenBytes bounds a file of golden vectors; the largest has half a megabyte.
const maxGoldenBytes = 16 << 20

// ReadGolden reads golden vectors, a JSON object a line, from a file that it checks.
func ReadGolden(ctx context.Context, source Source) ([]Golden, error) {
	if err := source.check(); err != nil {
		return nil, err
	}
	if err := source.verify(ctx, "list of golden vectors"); err != nil {
		return nil, err
	}
	data := source.Bytes
	if data == nil {
		var err error
		if data, err = os.ReadFile(source.Path); err != nil {
			return nil, fmt.Errorf("read the golden vectors: %w", err)
		}
	}
	return parseGolden(data)
}

func parseGolden(data []byte) ([]Golden, error) {
	if len(data) > maxGoldenBytes {
		return nil, fmt.Errorf("the golden vectors have %d bytes, at most %d are read", len(data), maxGoldenBytes)
	}
	var all []Golden
	for number, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		var g Golden
		if err := json.Unmarshal(line, &g); err != nil {
			return nil, fmt.Errorf("line %d of the golden vectors: %w", number+1, err)
		}
		if err := g.check(); err != nil {
			return nil, fmt.Errorf("line %d of the golden vectors: %w", number+1, err)
		}
		all = append(all, g)
	}
	return all, nil
}

// check accepts what can be encoded and compared (FuzzGolden).
func (g Golden) check() error {
	if len(g.Vector) == 0 {
		return errors.New("there is no vector")
	}
	if r := g.Ramp; r != nil && (r.Modulus < 1 || r.Modulus > 1<<20 || r.Step < 0 || r.Step > 1<<20 || math.IsNaN(r.Scale) || math.IsInf(r.Scale, 0)) {
		return fmt.Errorf("a ramp of step %d and modulus %d; 0 to 1,048,576 and 1 to 1,048,576 are allowed", r.Step, r.Modulus)
	}
	return nil
}

// Agreement is how well a model gives its golden vectors.
type Agreement struct {
	Vectors int     // compared
	Worst   float64 // least cosine
	At      string  // the input that gave it
}

// agree encodes every golden input and compares.
func agree(all []Golden, encode func(Golden) ([]float32, error)) (Agreement, error) {
	a := Agreement{Worst: 1}
	for _, g := range all {
		v, err := encode(g)
		if err != nil {
			return a, err
		}
		if len(v) != len(g.Vector) {
			return a, fmt.Errorf("the model gives vectors of %d values, its golden ones have %d", len(v), len(g.Vector))
		}
		if c := cosineOf(v, g.Vector); a.Vectors == 0 || c < a.Worst {
			a.Worst, a.At = c, g.input()
		}
		a.Vectors++
	}
	return a, nil
}

func (g Golden) input() string {
	if g.Ramp != nil {
		return fmt.Sprintf("the ramp %d of %d", g.Ramp.Step, g.Ramp.Modulus)
	}
	return g.Prefix + g.Text
}

// cosineOf is the cosine of two vectors of one length; 0 where one has no direction.
func cosineOf(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}

// CompareText opens a model of texts, encodes the golden ones and compares. A text
// becomes one input, however long a window is.
func CompareText(ctx context.Context, cfg Config, golden Source) (Agreement, error) {
	all, err := ReadGolden(ctx, golden)
	if err != nil {
		return Agreement{}, err
	}
	cfg.Model.Window = cfg.Model.MaxTokens
	e, err := Open(ctx, cfg)
	if err != nil {
		return Agreement{}, err
	}
	defer e.Close()
	return agree(all, func(g Golden) ([]float32, error) {
		prefix := e.spec.PassagePrefix
		if g.Prefix == e.spec.QueryPrefix {
			return e.Question(ctx, g.Text)
		}
		if g.Prefix != prefix {
			return nil, fmt.Errorf("a golden vector has the prefix %q, which the model has not", g.Prefix)
		}
		windows, err := e.Passage(ctx, g.Text)
		if err != nil {
			return nil, err
		}
		return windows[0], nil
	})
}

// ComparePicture is CompareText for an encoder of pictures.
func ComparePicture(ctx context.Context, cfg MediaConfig, files PictureFiles, golden Source) (Agreement, error) {
	all, err := ReadGolden(ctx, golden)
	if err != nil {
		return Agreement{}, err
	}
	p, err := OpenPicture(ctx, cfg, files)
	if err != nil {
		return Agreement{}, err
	}
	defer p.Close()
	return agree(all, func(g Golden) ([]float32, error) {
		if g.Ramp == nil {
			return nil, errors.New("a golden vector of pictures has no ramp")
		}
		seen, err := p.See(ctx, g.Ramp.values(len(p.in)))
		return seen.Vector, err
	})
}

// CompareVoice is CompareText for an encoder of voices.
func CompareVoice(ctx context.Context, cfg MediaConfig, files VoiceFiles, golden Source) (Agreement, error) {
	all, err := ReadGolden(ctx, golden)
	if err != nil {
		return Agreement{}, err
	}
	v, err := OpenVoice(ctx, cfg, files)
	if err != nil {
		return Agreement{}, err
	}
	defer v.Close()
	return agree(all, func(g Golden) ([]float32, error) {
		if g.Ramp == nil {
			return nil, errors.New("a golden vector of voices has no ramp")
		}
		return v.Hear(ctx, [][]float32{g.Ramp.values(len(v.in))})
	})
}
