package media

import "math"

// stretch brings a picture to other sides, row by row, with an antialiased
// Catmull-Rom filter (Catmull and Rom 1974; bicubic with a = -0.5), widened by the
// factor the picture shrinks by. facts/media.md 6 asks for this filter and no other:
// a bilinear one moves the picture encoder's vector by up to .024.
//
// golang.org/x/image/draw has the same kernel, but holds side x height x 32 bytes of
// intermediate values: 470 MB for a picture of 1 x 65,535 pixels. This holds the result.
type stretch struct {
	width         int         // of the result
	columns, rows [][]tap     // by column of the result; by row of the picture
	line          []float64   // a row of the picture, stretched across
	sums          [][]float64 // rows of the result, R G B a pixel
}

// tap says that a pixel counts in another by a weight.
type tap struct {
	at     int
	weight float64
}

// newStretch returns the stretch of a picture of w x h pixels, each at least 1, to
// width x height.
func newStretch(width, height, w, h int) *stretch {
	s := &stretch{width: width, columns: catmullRom(width, w), rows: make([][]tap, h), line: make([]float64, 3*width)}
	for at, taps := range catmullRom(height, h) {
		for _, t := range taps {
			s.rows[t.at] = append(s.rows[t.at], tap{at, t.weight})
		}
		s.sums = append(s.sums, make([]float64, 3*width))
	}
	return s
}

// catmullRom returns which of n pixels of a line count in each of the side pixels it
// is stretched to, with weights that sum to 1.
func catmullRom(side, n int) [][]tap {
	step := float64(n) / float64(side)
	width := max(1, step)
	out := make([][]tap, side)
	for i := range out {
		centre := (float64(i) + .5) * step
		first, last := max(0, int(centre-2*width+.5)), min(n, int(centre+2*width+.5))
		sum := 0.
		for at := first; at < last; at++ {
			if w := cubic((float64(at) + .5 - centre) / width); w != 0 {
				out[i] = append(out[i], tap{at, w})
				sum += w
			}
		}
		for t := range out[i] {
			out[i][t].weight /= sum
		}
	}
	return out
}

// cubic is the Catmull-Rom kernel at x.
func cubic(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-.5*x+2.5)*x-4)*x + 2
	}
	return 0
}

// addRow adds the row y of the picture: R G B A a pixel.
func (s *stretch) addRow(y int, pixels []byte) {
	if len(s.rows[y]) == 0 {
		return
	}
	for i, taps := range s.columns {
		var r, g, b float64
		for _, t := range taps {
			p := pixels[4*t.at : 4*t.at+3 : 4*t.at+3]
			r += t.weight * float64(p[0])
			g += t.weight * float64(p[1])
			b += t.weight * float64(p[2])
		}
		s.line[3*i], s.line[3*i+1], s.line[3*i+2] = shade(r), shade(g), shade(b)
	}
	for _, t := range s.rows[y] {
		sums := s.sums[t.at]
		for i, v := range s.line {
			sums[i] += t.weight * v
		}
	}
}

// plane returns one colour of the result by rows, 0 to 255: 0 red, 1 green, 2 blue.
func (s *stretch) plane(colour int) []float32 {
	out := make([]float32, 0, s.width*len(s.sums))
	for _, sums := range s.sums {
		for i := colour; i < len(sums); i += 3 {
			out = append(out, float32(shade(sums[i])))
		}
	}
	return out
}

// shade is a sum as a value of 8 bits: cut where the filter overshoots, and rounded. It
// is done after each direction, across before down, as the imaging library does whose
// pixels the picture encoder was measured with; unrounded sums move its vector by .003
// (TestGoldenPictures of package encoder).
func shade(v float64) float64 { return math.Floor(min(255, max(0, v)) + .5) }
