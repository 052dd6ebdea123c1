package encoder_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"combray/encoder"
	"combray/encoder/encodertest"
	"combray/internal/models"
)

// spaceStore is a store with the graphs that are shaped as EmbeddingGemma 2's: a text
// model that may be cut, and encoders of pictures and sounds of its space.
func spaceStore(t *testing.T) models.Store {
	t.Helper()
	dir := t.TempDir()
	return models.Store{Dir: dir, Lock: &models.Lock{Version: 1, Models: encodertest.InstallSpace(t, "testdata", dir)}}
}

func openSpace(t *testing.T, s models.Store, dims int) (*encoder.Encoder, *encoder.Space) {
	t.Helper()
	files, err := encoder.FromStore(t.Context(), s, "space", dims)
	if err != nil {
		t.Fatal(err)
	}
	e, err := open(t, files)
	if err != nil {
		t.Fatal(err)
	}
	return e, e.Space()
}

// TestTextOfASpace is the text side of EmbeddingGemma 2's shape: its tokenizer's kind,
// weights beside the graph, inputs for features that get none, one vector from the
// graph, cut and made a unit vector again.
func TestTextOfASpace(t *testing.T) {
	s := spaceStore(t)
	whole, _ := openSpace(t, s, 0)
	cut, _ := openSpace(t, s, 2)
	if whole.Dims() != 4 || cut.Dims() != 2 || whole.Identity() == cut.Identity() {
		t.Errorf("dims %d and %d, identities %s and %s", whole.Dims(), cut.Dims(), whole.Identity(), cut.Identity())
	}
	for _, text := range []string{"tea", "日本語のお茶", "\U0001F375"} {
		a, err := whole.Question(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		b, err := cut.Question(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if !near(b, unit(float64(a[0]), float64(a[1]))) {
			t.Errorf("%s: %v is not the beginning of %v", text, b, a)
		}
		if s, err := whole.Symmetric(t.Context(), text); err != nil || near(s, a) {
			t.Errorf("%s: a text compared with its kind has the vector of a question: %v", text, err)
		}
		p, err := whole.Passage(t.Context(), text)
		if err != nil || len(p) != 1 || near(p[0], a) {
			t.Errorf("%s: a passage has the vector of a question: %v, %v, %v", text, p, a, err)
		}
	}
}

// grid is a picture of so many squares, whose square i has the value i/1000 in each
// of its 768 numbers, filled up to the fixed number.
func grid(columns, lines int) encoder.Patches {
	const most, each = 2520, 768
	p := encoder.Patches{Each: each, Rows: columns * lines / 9, Values: make([]float32, most*each), Places: make([]int64, 2*most)}
	for i := range most {
		p.Places[2*i], p.Places[2*i+1] = -1, -1
		if i >= columns*lines {
			continue
		}
		p.Places[2*i], p.Places[2*i+1] = int64(i%columns), int64(i/columns)
		for j := range each {
			p.Values[i*each+j] = float32(i) / 1000
		}
	}
	return p
}

// spaceVector is what the graphs of the space make of rows: the mean over the special
// tokens of the tokenizer, those around the features, and the features.
func spaceVector(rows [][]float64, begin, end int) []float32 {
	var sum [4]float64
	for _, id := range []int{2, begin % 32, end % 32, 1} { // <bos>, <eos>
		for i, x := range []float64{float64(id), 1, float64(id * id), -float64(id)} {
			sum[i] += x
		}
	}
	for _, row := range rows {
		for i, x := range row {
			sum[i] += x
		}
	}
	return unit(sum[:]...)
}

func TestPicturesOfASpace(t *testing.T) {
	_, space := openSpace(t, spaceStore(t), 0)
	if !space.Sees() || !space.Hears() {
		t.Fatal("the towers are not found")
	}
	got, err := space.See(t.Context(), grid(6, 3))
	if err != nil {
		t.Fatal(err)
	}
	// Two blocks of 3 x 3 squares: columns 0 to 2 of lines of 6, then 3 to 5.
	want := spaceVector([][]float64{{0.007, 0, 0, 1}, {0.010, 1, 0, 1}}, 255999, 258882)
	if !near(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	again, err := space.See(t.Context(), grid(3, 6))
	if err != nil || near(again, got) {
		t.Errorf("a picture of other sides has the same vector: %v, %v", again, err)
	}
}

func TestSoundsOfASpace(t *testing.T) {
	_, space := openSpace(t, spaceStore(t), 0)
	part := encoder.Frames{Bands: 128, Rows: 2, Values: make([]float32, 12*128), Real: make([]bool, 12)}
	for i := range 8 {
		part.Real[i] = true
		for j := range 128 {
			part.Values[i*128+j] = float32(i)
		}
		part.Values[i*128], part.Values[i*128+127] = 10+float32(i), 20+float32(i)
	}
	got, err := space.Hear(t.Context(), []encoder.Frames{part})
	if err != nil {
		t.Fatal(err)
	}
	row := func(i float64) []float64 { return []float64{(126*i + 30 + 2*i) / 128, 10 + i, 20 + i, 1} }
	if want := spaceVector([][]float64{row(0), row(4)}, 256000, 258883); !near(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	both, err := space.Hear(t.Context(), []encoder.Frames{part, part})
	if err != nil || !near(both, got) {
		t.Errorf("two equal parts: %v, %v", both, err)
	}
}

func TestASpaceRefuses(t *testing.T) {
	s := spaceStore(t)
	_, space := openSpace(t, s, 0)
	wrong := grid(6, 3)
	wrong.Rows = 3
	if _, err := space.See(t.Context(), wrong); err == nil || !strings.Contains(err.Error(), "3 rows were expected") {
		t.Errorf("other rows than expected: %v", err)
	}
	wrong.Places = wrong.Places[:10]
	if _, err := space.See(t.Context(), wrong); err == nil || !strings.Contains(err.Error(), "in 5 squares") {
		t.Errorf("values that do not fit: %v", err)
	}
	if _, err := space.Hear(t.Context(), nil); err == nil {
		t.Error("a sound without frames has a vector")
	}
	long := encoder.Frames{Bands: 128, Rows: 600, Values: make([]float32, 2400*128), Real: make([]bool, 2400)}
	for i := range long.Real {
		long.Real[i] = true
	}
	if _, err := space.Hear(t.Context(), []encoder.Frames{long}); err == nil || !strings.Contains(err.Error(), "at most 512") {
		t.Errorf("a sound too long for one input: %v", err)
	}
	if err := s.Remove("space-sounds"); err != nil {
		t.Fatal(err)
	}
	_, deaf := openSpace(t, s, 0)
	if deaf.Hears() || deaf.Identity() == space.Identity() {
		t.Error("a tower that was removed is still there")
	}
	if _, err := deaf.Hear(t.Context(), []encoder.Frames{long}); err == nil || !strings.Contains(err.Error(), "no encoder of sounds") {
		t.Errorf("without a tower: %v", err)
	}
	if err := s.Remove("space-pictures"); err != nil {
		t.Fatal(err)
	}
	if e, none := openSpace(t, s, 0); none != nil || e.Dims() != 4 {
		t.Error("a model without towers has a space")
	}
}

// TestTowersDoNotChangeTexts: installing an encoder of pictures makes no vector of a
// text worthless.
func TestTowersDoNotChangeTexts(t *testing.T) {
	s := spaceStore(t)
	with, _ := openSpace(t, s, 0)
	for _, name := range []string{"space-pictures", "space-sounds"} {
		if err := s.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	without, _ := openSpace(t, s, 0)
	if with.Identity() != without.Identity() {
		t.Errorf("%s became %s", without.Identity(), with.Identity())
	}
}

// TestBytePiecesAndFirstToken is granite's shape: byte-level pieces, the first token.
func TestBytePiecesAndFirstToken(t *testing.T) {
	dir := t.TempDir()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	s := models.Store{Dir: dir}
	m := encodertest.Install(t, dir, models.Model{Name: "bytes", Dims: 4, Pooling: "cls", MaxTokens: 32768,
		Files: []models.File{{Role: models.RoleModel, Path: "space-text.onnx"}, {Role: models.RoleData, Path: "space-text.onnx_data"}, {Role: models.RoleTokenizer, Path: "tokenizer.json"}}},
		map[string][]byte{"space-text.onnx": read("space-text.onnx"), "space-text.onnx_data": read("space-text.onnx_data"), "tokenizer.json": read("../tokenizer/testdata/bytelevel.json")})
	s.Lock = &models.Lock{Version: 1, Models: []models.Model{m}}
	files, err := encoder.FromStore(t.Context(), s, "bytes", 0)
	if err != nil {
		t.Fatal(err)
	}
	e, err := open(t, files)
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Question(t.Context(), "Grüße aus 東京 🍵")
	first := float64(419 % 32) // the token before each input of this tokenizer
	if err != nil || !near(v, unit(first, 1, first*first, -first)) {
		t.Errorf("%v, %v", v, err)
	}
	if math.Abs(float64(v[0])) < 1e-6 {
		t.Error("the first token says nothing")
	}
}
