package encoder_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"strconv"
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

func readGolden(tb testing.TB) []encoder.Golden {
	tb.Helper()
	source, _ := bundled.Golden(bundled.Files().Name)
	all, err := encoder.ReadGolden(tb.Context(), source)
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// encodeGolden encodes a golden text the way its prefix says.
func encodeGolden(tb testing.TB, e *encoder.Encoder, g encoder.Golden) []float32 {
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

// TestGoldenVectors compares every encoder in the box with what it is known to give.
func TestGoldenVectors(t *testing.T) {
	library := encodertest.Library(t)
	for model, compare := range map[string]func(encoder.Source) (encoder.Agreement, error){
		bundled.Files().Name: func(golden encoder.Source) (encoder.Agreement, error) {
			return encoder.CompareText(t.Context(), encoder.Config{Library: library, Model: bundled.Files()}, golden)
		},
		bundled.Picture().Name: func(golden encoder.Source) (encoder.Agreement, error) {
			return encoder.ComparePicture(t.Context(), encoder.MediaConfig{Library: library}, bundled.Picture(), golden)
		},
		bundled.Voice().Name: func(golden encoder.Source) (encoder.Agreement, error) {
			return encoder.CompareVoice(t.Context(), encoder.MediaConfig{Library: library}, bundled.Voice(), golden)
		},
	} {
		golden, known := bundled.Golden(model)
		if !known {
			t.Fatalf("%s has no golden vectors", model)
		}
		got, err := compare(golden)
		want := map[string]int{bundled.Files().Name: 125}[model]
		if err != nil || got.Worst < 0.999 || got.Vectors < max(want, 3) {
			t.Errorf("%s: %+v, %v", model, got, err)
		}
		t.Logf("%s: %+v", model, got)
	}
}

var update = flag.Bool("update", false, "write the golden vectors of pictures and voices anew")

// TestGoldenRamps writes the golden vectors of pictures and voices with -update. The
// first ramp of each is the one that TestGoldenPictureGraph and TestGoldenVoiceGraph
// hold against vectors which were made elsewhere.
func TestGoldenRamps(t *testing.T) {
	if !*update {
		return
	}
	write := func(name string, ramps []encoder.Ramp, encode func(encoder.Ramp) []float32) {
		var file bytes.Buffer
		for _, r := range ramps {
			vector := make([]json.Number, 0, 1280)
			for _, x := range encode(r) {
				vector = append(vector, json.Number(strconv.FormatFloat(float64(x), 'f', 5, 64)))
			}
			line, err := json.Marshal(map[string]any{"ramp": r, "vector": vector})
			if err != nil {
				t.Fatal(err)
			}
			file.Write(append(line, '\n'))
		}
		if err := os.WriteFile("bundled/golden/"+name, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	values := func(r encoder.Ramp, n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(float64(r.Step*i%r.Modulus) * r.Scale)
		}
		return out
	}
	pictures, voices := openPicture(t), openVoice(t)
	write("picture.jsonl", []encoder.Ramp{{Step: 97, Modulus: 256, Scale: 1}, {Step: 1, Modulus: 224, Scale: 1}, {Step: 193, Modulus: 251, Scale: 1}}, func(r encoder.Ramp) []float32 {
		seen, err := pictures.See(t.Context(), values(r, 3*224*224))
		if err != nil {
			t.Fatal(err)
		}
		return seen.Vector
	})
	write("voice.jsonl", []encoder.Ramp{{Step: 53, Modulus: 100, Scale: 0.001}, {Step: 7, Modulus: 40, Scale: 0.002}, {Step: 29, Modulus: 97, Scale: 0.01}}, func(r encoder.Ramp) []float32 {
		v, err := voices.Hear(t.Context(), [][]float32{values(r, 160*40)})
		if err != nil {
			t.Fatal(err)
		}
		return v
	})
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
