package bundled

import (
	_ "embed" // for the directives below

	"combray/encoder"
)

var (
	//go:embed picture.onnx
	pictureGraph string
	//go:embed labels-en.txt
	labels string
	//go:embed voice.onnx
	voiceGraph string
)

// The hashes of the embedded files (TestMediaHashes).
const (
	PictureSHA256 = "4000d46b74bfa491999859a86119337c18395c5b23f4ff02efc62344a3222a92"
	LabelsSHA256  = "e697a491aa735cc6c2aaf982f8e86e8fc7b0a1ea7750a2cc6a2bdfc1e109012f"
	VoiceSHA256   = "84432952b7ab92ea42434ca4d03a6aa879646eb4741ddf8d6eed1c6df2a804d2"
)

// Picture returns the bundled picture encoder. The bytes are shared and must not be written.
func Picture() encoder.PictureFiles {
	return encoder.PictureFiles{
		Name:   "efficientnet-lite0",
		Graph:  encoder.Source{Bytes: view(pictureGraph), SHA256: PictureSHA256, Mapped: true},
		Labels: encoder.Source{Bytes: view(labels), SHA256: LabelsSHA256, Mapped: true},
	}
}

// Voice returns the bundled voice encoder, which is off unless its owner turns it on.
// The bytes are shared and must not be written.
func Voice() encoder.VoiceFiles {
	return encoder.VoiceFiles{
		Name:  "resemblyzer",
		Graph: encoder.Source{Bytes: view(voiceGraph), SHA256: VoiceSHA256, Mapped: true},
	}
}
