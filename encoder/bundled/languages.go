package bundled

import (
	_ "embed" // for the directive below
	"encoding/binary"
	"math"
)

// languages are directions as scripts/languages wrote them: float32, little endian,
// the most telling first.
//
//go:embed languages.f32
var languages string

// languageDirections reads them; each has length 1.
func languageDirections(dims int) [][]float32 {
	var out [][]float32
	for data := view(languages); len(data) >= 4*dims; data = data[4*dims:] {
		d := make([]float32, dims)
		for i := range d {
			d[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		out = append(out, d)
	}
	return out
}
