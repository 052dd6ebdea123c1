package encoder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"combray/encoder"
	"combray/internal/models"
)

// rowsStore is a store with testdata/rows.onnx installed as the model "rows".
func rowsStore(t *testing.T) models.Store {
	t.Helper()
	s := models.Store{Dir: t.TempDir()}
	dir := filepath.Join(s.Dir, "rows", "onnx")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	graph, data := fileSource(t, dir, "rows.onnx"), fileSource(t, dir, "rows.onnx_data")
	tok := letters()
	if err := os.WriteFile(filepath.Join(s.Dir, "rows", "tokenizer.json"), tok.Bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	s.Lock = &models.Lock{Version: 1, Models: []models.Model{{
		Name: "rows", Title: "rows", Kind: "text", Licence: "MIT", Origin: "o", Revision: "r", Address: "https://hub.invalid",
		Dims: 4, Cuts: []int{2}, Pooling: "cls", MaxTokens: 8192, QueryPrefix: "q ",
		Files: []models.File{
			{Role: models.RoleModel, Path: "onnx/rows.onnx", Bytes: graph.Size, SHA256: graph.SHA256},
			{Role: models.RoleData, Path: "onnx/rows.onnx_data", Bytes: data.Size, SHA256: data.SHA256},
			{Role: models.RoleTokenizer, Path: "tokenizer.json", Bytes: int64(len(tok.Bytes)), SHA256: tok.SHA256},
		},
	}}}
	return s
}

func TestFromStore(t *testing.T) {
	s := rowsStore(t)
	identities := map[string]bool{}
	for _, dims := range []int{0, 4, 2} {
		files, err := encoder.FromStore(t.Context(), s, "rows", dims)
		if err != nil {
			t.Fatal(err)
		}
		e, err := open(t, files)
		if err != nil {
			t.Fatal(err)
		}
		want := unit([]float64{2, 1, 4, -2}[:e.Dims()]...)
		if got, err := e.Question(t.Context(), "a b"); err != nil || !near(got, want) {
			t.Errorf("dims %d: %v, %v", dims, got, err)
		}
		if d := e.Describe(); d.MaxSequenceTokens != 512 {
			t.Errorf("inputs of %d tokens are made, 512 is the most", d.MaxSequenceTokens)
		}
		identities[e.Identity()] = true
	}
	if len(identities) != 2 {
		t.Errorf("%d identities for vectors of 4 and 2 values", len(identities))
	}
}

func TestFromStoreRefuses(t *testing.T) {
	for says, c := range map[string]struct {
		name   string
		dims   int
		change func(models.Store)
	}{
		"known are rows":       {"other", 0, func(models.Store) {}},
		"may be cut to [2]":    {"rows", 3, func(models.Store) {}},
		"is not complete":      {"rows", 0, func(s models.Store) { os.Remove(filepath.Join(s.Dir, "rows", "onnx", "rows.onnx_data")) }},
		"is not a text encode": {"rows", 0, func(s models.Store) { s.Lock.Models[0].Bundled = true }},
	} {
		s := rowsStore(t)
		c.change(s)
		if _, err := encoder.FromStore(t.Context(), s, c.name, c.dims); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v does not contain %q", err, says)
		}
	}
}
