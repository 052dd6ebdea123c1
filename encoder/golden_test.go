package encoder_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
	"unsafe"

	ort "github.com/yalue/onnxruntime_go"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/encoder/encodertest"
)

// openBundled opens the encoder in the box, with changes to its configuration.
func openBundled(tb testing.TB, changes ...func(*encoder.Config)) *encoder.Encoder {
	tb.Helper()
	cfg := encoder.Config{Library: encodertest.Library(tb), Model: bundled.Files()}
	for _, change := range changes {
		change(&cfg)
	}
	e, err := encoder.Open(tb.Context(), cfg)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.Close() })
	return e
}

func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}

type golden struct {
	Text   string
	Prefix string
	Vector []float32
}

func readGolden(tb testing.TB) []golden {
	tb.Helper()
	f, err := os.Open("testdata/vectors.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var all []golden
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			tb.Fatal(err)
		}
		all = append(all, g)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}

// encodeGolden encodes a golden text the way its prefix says.
func encodeGolden(tb testing.TB, e *encoder.Encoder, g golden) []float32 {
	tb.Helper()
	if g.Prefix == "query: " {
		v, err := e.Question(tb.Context(), g.Text)
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
	vs, err := e.Passage(tb.Context(), g.Text)
	if err != nil {
		tb.Fatal(err)
	}
	return vs[0]
}

// wholeTexts makes one vector of every golden text, as the reference does.
func wholeTexts(c *encoder.Config) { c.Model.Window = c.Model.MaxTokens }

func TestGoldenVectors(t *testing.T) {
	e := openBundled(t, wholeTexts)
	all := readGolden(t)
	if len(all) != 125 {
		t.Fatalf("%d golden vectors, want 125", len(all))
	}
	worst := 1.0
	for _, g := range all {
		c := cosine(encodeGolden(t, e, g), g.Vector)
		worst = min(worst, c)
		if c < 0.999 {
			t.Errorf("cosine %.5f for %s%.40q", c, g.Prefix, g.Text)
		}
	}
	t.Logf("worst cosine %.5f", worst)
}

func TestVectorsAreRepeatable(t *testing.T) {
	e := openBundled(t)
	for _, g := range readGolden(t)[:20] {
		if a, b := encodeGolden(t, e, g), encodeGolden(t, e, g); !slices.Equal(a, b) {
			t.Errorf("two runs of %.40q differ", g.Text)
		}
	}
}

// The names in bundled.Files are those the graph has.
func TestBundledNames(t *testing.T) {
	openBundled(t) // starts the runtime
	files := bundled.Files()
	inputs, outputs, err := ort.GetInputOutputInfoWithONNXData(files.Graph.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	if !slices.Equal(names, files.Inputs) || len(outputs) != 1 || outputs[0].Name != files.Output {
		t.Errorf("graph has %v and %v, described are %v and %s", inputs, outputs, files.Inputs, files.Output)
	}
	if got := outputs[0].Dimensions[1]; got != int64(files.Dims) {
		t.Errorf("graph gives %d values, described are %d", got, files.Dims)
	}
}

// Weights are used where they stand: at an address that suits every processor.
func TestAlignment(t *testing.T) {
	files := bundled.Files()
	for name, b := range map[string][]byte{"graph": files.Graph.Bytes, "tokenizer": files.Tokenizer.Bytes} {
		if at := uintptr(unsafe.Pointer(&b[0])); at%32 != 0 {
			t.Errorf("%s starts at %x, not at a multiple of 32", name, at)
		}
	}
}
