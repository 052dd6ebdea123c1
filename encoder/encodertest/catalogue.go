package encodertest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"combray/internal/models"
)

// Letters is a tokenizer.json with one token a letter: a is 4, z is 29; [CLS] is 2,
// [SEP] is 3, everything else is [UNK], 1.
func Letters() []byte {
	vocab := []string{`"[PAD]":0`, `"[UNK]":1`, `"[CLS]":2`, `"[SEP]":3`}
	for c := 'a'; c <= 'z'; c++ {
		vocab = append(vocab, fmt.Sprintf("%q:%d", string(c), 4+c-'a'))
	}
	return []byte(`{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,
"pre_tokenizer":{"type":"BertPreTokenizer"},
"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],"pair":[],
"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},"[SEP]":{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}}},
"decoder":null,
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{` + strings.Join(vocab, ",") + `}}}`)
}

// Install puts a model's files, by their paths in the lock, into the folder of a
// store of models, and returns its row with their digests. The row's other fields
// have values that a lock accepts.
func Install(tb testing.TB, dir string, m models.Model, files map[string][]byte) models.Model {
	tb.Helper()
	m.Title, m.Kind, m.Licence, m.Origin, m.Revision = m.Name, cmp.Or(m.Kind, models.KindText), "MIT", "combray/"+m.Name, "1"
	m.Address = "https://models.invalid/" + m.Name
	for i, f := range m.Files {
		data := files[f.Path]
		sum := sha256.Sum256(data)
		m.Files[i].Bytes, m.Files[i].SHA256 = int64(len(data)), hex.EncodeToString(sum[:])
		path := filepath.Join(dir, m.Name, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return m
}

// InstallRows installs encoder/testdata/rows.onnx, found in testdata, whose row for
// token i is [i, 1, i*i, -i], as a model that gives the mean of the rows, cut to dims.
func InstallRows(tb testing.TB, testdata, dir, name string, dims int) models.Model {
	tb.Helper()
	files := map[string][]byte{"tokenizer.json": Letters(),
		"onnx/rows.onnx": read(tb, testdata, "rows.onnx"), "onnx/rows.onnx_data": read(tb, testdata, "rows.onnx_data")}
	return Install(tb, dir, models.Model{Name: name, Dims: dims, Pooling: "mean", MaxTokens: 16, QueryPrefix: "q ", PassagePrefix: "p ",
		Files: []models.File{{Role: models.RoleModel, Path: "onnx/rows.onnx"}, {Role: models.RoleData, Path: "onnx/rows.onnx_data"},
			{Role: models.RoleTokenizer, Path: "tokenizer.json"}}}, files)
}

// InstallSpace installs the graphs that are shaped as EmbeddingGemma 2's, found in
// testdata: a text model called space, which may be cut, and encoders of pictures and
// sounds of its space.
func InstallSpace(tb testing.TB, testdata, dir string) []models.Model {
	tb.Helper()
	graph := func(name string) []models.File { return []models.File{{Role: models.RoleModel, Path: name}} }
	text := append(graph("onnx/space-text.onnx"), models.File{Role: models.RoleData, Path: "onnx/space-text.onnx_data"}, models.File{Role: models.RoleTokenizer, Path: "tokenizer.json"})
	return []models.Model{
		Install(tb, dir, models.Model{Name: "space", Dims: 4, Cuts: []int{2}, Pooling: "graph", MaxTokens: 8192, Space: "test",
			QueryPrefix: "task: search result | query: ", PassagePrefix: "title: none | text: ",
			SymmetricPrefix: "task: sentence similarity | query: ", Files: text}, map[string][]byte{
			"onnx/space-text.onnx": read(tb, testdata, "space-text.onnx"), "onnx/space-text.onnx_data": read(tb, testdata, "space-text.onnx_data"),
			"tokenizer.json": read(tb, testdata, "../tokenizer/testdata/gemma.json")}),
		Install(tb, dir, models.Model{Name: "space-pictures", Kind: models.KindPicture, Dims: 4, Space: "test", Files: graph("space-pictures.onnx")},
			map[string][]byte{"space-pictures.onnx": read(tb, testdata, "space-pictures.onnx")}),
		Install(tb, dir, models.Model{Name: "space-sounds", Kind: models.KindSound, Dims: 4, Space: "test", Files: graph("space-sounds.onnx")},
			map[string][]byte{"space-sounds.onnx": read(tb, testdata, "space-sounds.onnx")}),
	}
}

func read(tb testing.TB, folder, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
