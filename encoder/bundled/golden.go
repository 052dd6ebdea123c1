package bundled

import (
	_ "embed" // for the directives below

	"combray/encoder"
)

var (
	//go:embed golden/text.jsonl
	goldenTexts string
	//go:embed golden/picture.jsonl
	goldenPictures string
	//go:embed golden/voice.jsonl
	goldenVoices string
)

// The hashes of the embedded files (TestHashes, TestMediaHashes).
const (
	GoldenTextSHA256    = "f603a0d7b21bacce4a3485e0aee8f727250c4530a93d5bc6181df1065425cda0"
	GoldenPictureSHA256 = "dd25fc8fe45a49a671be12779d3335d1b321070325499dda75e5cd2bd37f37e4"
	GoldenVoiceSHA256   = "da54eb9ed85faa1c5e6eb6c70f25631f04a2495708afe224ebd630219b20d210"
)

// Golden returns the golden vectors of a bundled model; false for any other.
func Golden(model string) (golden encoder.Source, known bool) {
	switch model {
	case Files().Name:
		return encoder.Source{Bytes: view(goldenTexts), SHA256: GoldenTextSHA256, Mapped: true}, true
	case Picture().Name:
		return encoder.Source{Bytes: view(goldenPictures), SHA256: GoldenPictureSHA256, Mapped: true}, true
	case Voice().Name:
		return encoder.Source{Bytes: view(goldenVoices), SHA256: GoldenVoiceSHA256, Mapped: true}, true
	}
	return encoder.Source{}, false
}
