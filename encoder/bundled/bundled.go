// Package bundled holds the encoders in the box as bytes embedded in the program: for
// text multilingual-e5-small with 7-bit layers, for pictures EfficientNet-Lite0, for
// voices the speaker encoder of Resemblyzer (media.go). convert/README.md tells where
// they come from. Only cmd/combray and the encoder's own tests import it, so that
// no other program or test carries its 70 MB.
package bundled

import (
	_ "embed" // for the directives below
	"unsafe"

	"combray/encoder"
)

// Strings, not byte slices: the linker puts them into memory that cannot be
// written, at an address the runtime can use weights at (TestAlignment).
var (
	//go:embed model.ort
	graph string
	//go:embed tokenizer.flat
	flat string
)

// The hashes of the embedded files (TestHashes).
const (
	GraphSHA256     = "391278a2b5fd0ad158e3a924c99c2976dad5ea48d2775f4793b2818302419e9f"
	TokenizerSHA256 = "e583d652ed3af63a72c37021e9a6d333d1d7dc9e9c6540f55af3fd73841cde64"
)

// The hashes of the files they were converted from (convert/README.md). They
// stand for the model in an encoder's identity: making model.ort or
// tokenizer.flat anew does not change what a vector means.
const (
	onnxSHA256 = "5bbef9d73a02f0fe473aeea91281a943baa04818dd8d1c50cc4a6ffd1d8b14df" // model.onnx
	jsonSHA256 = "dede45b05fbdd2ba3d868968515a8e690b412fb7433fcdc263c15969ed964625" // tokenizer.json
)

// Files returns the bundled text encoder. The bytes are shared and must not be written.
func Files() encoder.Files {
	return encoder.Files{
		Spec: encoder.Spec{
			Name:          "bundled",
			Revision:      GraphSHA256[:12],
			Dims:          384,
			MaxTokens:     512,
			Window:        192,
			Pooling:       encoder.PoolGraph,
			QueryPrefix:   "query: ",
			PassagePrefix: "passage: ",
			Inputs:        []string{"input_ids", "attention_mask"},
			Output:        "sentence_embedding",
			Languages:     languageDirections(384),
		},
		Graph:     encoder.Source{Bytes: view(graph), SHA256: GraphSHA256, Mapped: true, Origin: onnxSHA256},
		Tokenizer: encoder.Source{Bytes: view(flat), SHA256: TokenizerSHA256, Mapped: true, Origin: jsonSHA256},
	}
}

// view returns the bytes of s without copying them.
func view(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
