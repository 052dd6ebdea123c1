package encoder_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"combray/encoder"
	"combray/encoder/encodertest"
)

// bytesSource returns a source in memory with its right hash.
func bytesSource(b []byte) encoder.Source {
	sum := sha256.Sum256(b)
	return encoder.Source{Bytes: b, SHA256: hex.EncodeToString(sum[:])}
}

// fileSource copies a file of testdata to dir and returns it as a source.
func fileSource(t *testing.T, dir, name string) encoder.Source {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s := bytesSource(b)
	return encoder.Source{Path: path, Size: int64(len(b)), SHA256: s.SHA256}
}

// letters is a tokenizer with one token a letter.
func letters() encoder.Source { return bytesSource(encodertest.Letters()) }

// rowsModel is testdata/rows.onnx, whose row for token i is [i, 1, i*i, -i].
func rowsModel(t *testing.T, how encoder.Pooling, dims int) encoder.Files {
	dir := t.TempDir()
	return encoder.Files{
		Spec:      encoder.Spec{Name: "rows", Dims: dims, MaxTokens: 16, Pooling: how, QueryPrefix: "q ", PassagePrefix: "p "},
		Graph:     fileSource(t, dir, "rows.onnx"),
		Data:      []encoder.Source{fileSource(t, dir, "rows.onnx_data")},
		Tokenizer: letters(),
	}
}

func open(t *testing.T, m encoder.Files) (*encoder.Encoder, error) {
	t.Helper()
	e, err := encoder.Open(t.Context(), encoder.Config{Library: encodertest.Library(t), Model: m})
	if err == nil {
		t.Cleanup(func() { e.Close() })
	}
	return e, err
}

// unit returns v with length 1.
func unit(v ...float64) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x / math.Sqrt(sum))
	}
	return out
}

func near(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > 1e-5 {
			return false
		}
	}
	return true
}

func TestPoolings(t *testing.T) {
	// "q a b" is [CLS] q a b [SEP]: 2 20 4 5 3.
	cases := []struct {
		how  encoder.Pooling
		dims int
		want []float32
	}{
		{encoder.PoolMean, 4, unit(34./5, 1, 454./5, -34./5)},
		{encoder.PoolCLS, 4, unit(2, 1, 4, -2)},
		{encoder.PoolLast, 4, unit(3, 1, 9, -3)},
		{encoder.PoolMean, 2, unit(34./5, 1)}, // cut, then made a unit vector again
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s %d", c.how, c.dims), func(t *testing.T) {
			e, err := open(t, rowsModel(t, c.how, c.dims))
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second call uses the tensors of the first
				got, err := e.Question(t.Context(), "a b")
				if err != nil {
					t.Fatal(err)
				}
				if !near(got, c.want) {
					t.Errorf("got %v, want %v", got, c.want)
				}
			}
			if e.Dims() != c.dims {
				t.Errorf("Dims() = %d", e.Dims())
			}
		})
	}
}

// Every window has the prefix and the special tokens, and windows share tokens.
func TestPassageWindows(t *testing.T) {
	e, err := open(t, rowsModel(t, encoder.PoolCLS, 4))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("a b c d ", 10)
	vectors, err := e.Passage(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	// 16 less [CLS], p, [SEP] leaves 13, of which 1 is shared: (40-1)/12 rounded up.
	if len(vectors) != 4 || e.Windows(text) != 4 {
		t.Fatalf("%d vectors, %d windows, want 4", len(vectors), e.Windows(text))
	}
	for _, v := range vectors {
		if !near(v, unit(2, 1, 4, -2)) {
			t.Errorf("a window does not begin with [CLS]: %v", v)
		}
	}
}

func TestNoNumberIsAnError(t *testing.T) {
	b, err := os.ReadFile("testdata/nan.onnx")
	if err != nil {
		t.Fatal(err)
	}
	_, err = open(t, encoder.Files{
		Spec:  encoder.Spec{Name: "nan", Dims: 4, MaxTokens: 16, Pooling: encoder.PoolGraph},
		Graph: bytesSource(b), Tokenizer: letters(),
	})
	if err == nil || !strings.Contains(err.Error(), "no direction") || !strings.Contains(err.Error(), "COMBRAY_MODEL") {
		t.Errorf("error %v", err)
	}
}

func TestOpenRefusesModels(t *testing.T) {
	garbage := []byte("this is no graph at all, but its hash is right")
	cut := func(s encoder.Source, n int64) { _ = os.Truncate(s.Path, n) }
	cases := map[string]struct {
		change func(*encoder.Files)
		says   string
	}{
		"garbage graph":         {func(m *encoder.Files) { m.Graph, m.Data = bytesSource(garbage), nil }, "cannot load the graph of model rows"},
		"garbage as ORT format": {func(m *encoder.Files) { m.Graph = bytesSource(append([]byte("\x20\x00\x00\x00ORTM"), garbage...)) }, "cannot load the graph"},
		"graph cut off":         {func(m *encoder.Files) { cut(m.Graph, 100) }, "cut off: it has 100 of"},
		"weights cut off":       {func(m *encoder.Files) { cut(m.Data[0], 100) }, "weights file cannot be used"},
		"weights gone":          {func(m *encoder.Files) { os.Remove(m.Data[0].Path) }, "weights file is not there"},
		"graph gone":            {func(m *encoder.Files) { os.Remove(m.Graph.Path) }, "combray models download"},
		"LFS pointer": {func(m *encoder.Files) {
			_ = os.WriteFile(m.Graph.Path, []byte("version https://git-lfs.github.com/spec/v1\n"), 0o600)
		}, "Git LFS pointer"},
		"bytes damaged":       {func(m *encoder.Files) { m.Tokenizer.Bytes[20] ^= 1 }, "tokenizer in memory is damaged"},
		"tokenizer garbage":   {func(m *encoder.Files) { m.Tokenizer = bytesSource(garbage) }, "tokenizer cannot be used"},
		"tokenizer bad JSON":  {func(m *encoder.Files) { m.Tokenizer = bytesSource([]byte("{")) }, "tokenizer cannot be used"},
		"tokenizer empty":     {func(m *encoder.Files) { m.Tokenizer = bytesSource([]byte{}) }, "tokenizer cannot be used"},
		"no hash":             {func(m *encoder.Files) { m.Graph.SHA256 = "" }, "never loaded unchecked"},
		"short hash":          {func(m *encoder.Files) { m.Graph.SHA256 = "abc" }, "64 lower-case"},
		"no graph":            {func(m *encoder.Files) { m.Graph = encoder.Source{} }, "neither content nor path"},
		"unknown pooling":     {func(m *encoder.Files) { m.Pooling = "max" }, "allowed are graph, mean, cls, last"},
		"pooling of no fit":   {func(m *encoder.Files) { m.Pooling = encoder.PoolGraph }, "needs an output of 2 dimensions"},
		"too many dims":       {func(m *encoder.Files) { m.Dims = 5 }, "length 4, 5 are asked for"},
		"window over tokens":  {func(m *encoder.Files) { m.Window = 17 }, "window of 17"},
		"no dims":             {func(m *encoder.Files) { m.Dims = 0 }, "0 dims"},
		"prefix fills window": {func(m *encoder.Files) { m.PassagePrefix = strings.Repeat("p ", 12) }, "leaves room for 2 tokens"},
		"unknown input":       {func(m *encoder.Files) { m.Inputs, m.Output = []string{"pixels"}, "x" }, `input "pixels" is not known`},
		"wrong input":         {func(m *encoder.Files) { m.Inputs, m.Output = []string{"input_ids"}, "last_hidden_state" }, "does not work"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := rowsModel(t, encoder.PoolMean, 4)
			c.change(&m)
			_, err := open(t, m)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v does not contain %q", err, c.says)
			}
		})
	}
}

func TestOpenRefusesSettings(t *testing.T) {
	m := rowsModel(t, encoder.PoolMean, 4)
	for name, cfg := range map[string]encoder.Config{
		"no library":       {Model: m},
		"negative threads": {Model: m, Library: "x", Threads: -1},
		"many workers":     {Model: m, Library: "x", Workers: 1000},
	} {
		if _, err := encoder.Open(t.Context(), cfg); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := encoder.Open(ctx, encoder.Config{Library: encodertest.Library(t), Model: rowsModel(t, encoder.PoolMean, 4)})
	if err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("error %v", err)
	}
}
