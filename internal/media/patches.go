package media

import (
	"math"

	"combray/encoder"
	"combray/internal/sense"
)

// How a picture is cut up for the encoder of EmbeddingGemma 2's space: squares of 16
// pixels each way, of which three each way become one row of features, and 280 rows at
// most (facts/models.md A3).
const (
	patchSide   = 16
	patchPool   = 3
	patchUnit   = patchSide * patchPool
	patchRows   = 280
	mostPatches = patchRows * patchPool * patchPool
	patchValues = patchSide * patchSide * 3
)

// patchSize is what a picture of w x h pixels is stretched to: as large as 280 rows
// allow, small ones too, with its sides in their proportion down to multiples of 48.
// A side that would vanish is 48, the other then as many times longer as it is, and at
// most all rows.
func patchSize(w, h int) (width, height int) {
	factor := math.Sqrt(mostPatches * patchSide * patchSide / (float64(w) * float64(h)))
	down := func(side int) int { return int(factor*float64(side)/patchUnit) * patchUnit }
	width, height = down(w), down(h)
	switch {
	case height == 0:
		return min(w/h, patchRows) * patchUnit, patchUnit
	case width == 0:
		return patchUnit, min(h/w, patchRows) * patchUnit
	}
	return width, height
}

// patching makes the patches of a picture of which rows come one after the other.
type patching struct {
	*stretch
	width, height int // upright
	turned        orientation
}

func newPatching(w, h int, o orientation) *patching {
	if o.sideways() {
		w, h = h, w
	}
	p := &patching{turned: o}
	p.width, p.height = patchSize(w, h)
	if o.sideways() {
		p.stretch = newStretch(p.height, p.width, h, w)
	} else {
		p.stretch = newStretch(p.width, p.height, w, h)
	}
	return p
}

// patches gives the squares by rows, the pixels of a square by rows, R, G and B of a
// pixel together, 0 to 1, filled up to the fixed number.
func (p *patching) patches() *encoder.Patches {
	columns, lines := p.width/patchSide, p.height/patchSide
	out := &encoder.Patches{Each: patchValues, Rows: columns * lines / (patchPool * patchPool),
		Values: make([]float32, mostPatches*patchValues), Places: make([]int64, 2*mostPatches)}
	for i := range out.Places {
		out.Places[i] = -1
	}
	for i := range columns * lines {
		column, line := i%columns, i/columns
		out.Places[2*i], out.Places[2*i+1] = int64(column), int64(line)
		values := out.Values[i*patchValues:][:patchValues]
		for at := range patchSide * patchSide {
			x, y := p.turned.from(column*patchSide+at%patchSide, line*patchSide+at/patchSide, p.width, p.height)
			for colour := range 3 {
				values[3*at+colour] = float32(shade(p.sums[y][3*x+colour]) / 255)
			}
		}
	}
	return out
}

// partSeconds is how much of a sound becomes one input: 500 rows of features, which
// with the tokens around them fit into what the text encoder is fed at once.
const partSeconds = 20

// frames cuts a sound into even parts and makes the frames of each; none of a sound
// that is too short for one.
func frames(samples []float32) []encoder.Frames {
	parts := max(1, (len(samples)+partSeconds*sense.SampleRate-1)/(partSeconds*sense.SampleRate))
	var out []encoder.Frames
	for i := range parts {
		mel := sense.NewLogMel(samples[i*len(samples)/parts : (i+1)*len(samples)/parts])
		if mel.Rows > 0 {
			out = append(out, encoder.Frames{Values: mel.Values, Real: mel.Real, Bands: sense.LogMelBands, Rows: mel.Rows})
		}
	}
	return out
}
