package sense

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// The sound print of facts/media.md 2.
const (
	printFrame  = 4096
	printHop    = 256
	printBands  = 33
	printLow    = 300. // Hz
	printHigh   = 3400.
	printQuiet  = 1e-5 // of the loudest frame: under it a frame is not active
	printActive = 24   // fewer active frames (0.4 s) are no print
)

// Print is the sound print of a recording: a word of 32 bits for each 16 ms, and
// whether the sound was loud enough there to mean anything. The zero value is the
// print of a sound that has none, and matches nothing.
type Print struct {
	words []uint32
	masks []uint32 // all ones where active, else 0
	count int      // active words
}

// NewPrint makes the print of a clip. A clip with fewer than 24 active frames
// (0.4 s) has none: the zero Print.
func NewPrint(samples []float32) Print {
	bands, loud := printEnergies(samples)
	loudest := 0.
	for _, sum := range loud {
		loudest = max(loudest, sum)
	}
	n := len(bands) - 1
	if n < printActive || loudest <= 0 {
		return Print{}
	}
	p := Print{words: make([]uint32, n), masks: make([]uint32, n)}
	for t := 1; t <= n; t++ {
		now, before := &bands[t], &bands[t-1]
		for k := range printBands - 1 {
			if (now[k]-now[k+1])-(before[k]-before[k+1]) > 0 {
				p.words[t-1] |= 1 << k
			}
		}
		if loud[t] > printQuiet*loudest {
			p.masks[t-1] = math.MaxUint32
			p.count++
		}
	}
	if p.count < printActive {
		return Print{}
	}
	return p
}

// printEnergies returns the energy in each band of each frame, and their sums.
func printEnergies(samples []float32) (bands [][printBands]float64, sums []float64) {
	var edges [printBands + 1]float64 // in bins
	for k := range edges {
		edges[k] = math.Exp(math.Log(printLow)+float64(k)*math.Log(printHigh/printLow)/printBands) * printFrame / SampleRate
	}
	n := 1 + len(samples)/printHop
	bands, sums = make([][printBands]float64, n), make([]float64, n)
	below := make([]float64, int(edges[printBands])+2) // below[i]: energy of the bins before i
	spectra := newPairs(samples, printFrame, printFrame, len(below))
	start := func(t int) int { return t*printHop - printFrame/2 }
	for t := 0; t < n; t += 2 {
		now, next := spectra.of(start(t), start(t+1))
		sums[t] = bandEnergies(&bands[t], now, below, edges[:])
		if t+1 < n {
			sums[t+1] = bandEnergies(&bands[t+1], next, below, edges[:])
		}
	}
	return bands, sums
}

// bandEnergies writes the energies between the edges, which are bins and parts of bins,
// and returns their sum. below is scratch memory.
func bandEnergies(bands *[printBands]float64, power, below, edges []float64) (sum float64) {
	for i := 1; i < len(below); i++ {
		below[i] = below[i-1] + power[i-1]
	}
	before := 0.
	for k, z := range edges {
		bin := int(z)
		upTo := below[bin] + (z-float64(bin))*power[bin]
		if k > 0 {
			bands[k-1] = upTo - before
			sum += upTo - before
		}
		before = upTo
	}
	return sum
}

// Match is how well two prints agree where they agree best.
type Match struct {
	Z      float64 // (equal bits - unequal bits) / (32 sqrt(Frames)); 0 when nothing can be compared
	Frames int     // compared: active in both
	Offset int     // of the first print inside the second, in frames of 16 ms
}

// Match compares two prints at every offset at which at least 24 frames and half
// of the shorter one's active frames meet.
func (p Print) Match(q Print) Match {
	least := max(printActive, (min(p.count, q.count)+1)/2)
	best := Match{}
	found := false
	for offset := -(len(p.words) - least); offset <= len(q.words)-least; offset++ {
		from, to := max(0, -offset), min(len(p.words), len(q.words)-offset)
		if to-from < least {
			continue
		}
		unequal, frames := differ(p, q, from, to, offset)
		if frames < least {
			continue
		}
		z := float64(32*frames-2*unequal) / (32 * math.Sqrt(float64(frames)))
		if !found || z > best.Z {
			best, found = Match{Z: z, Frames: frames, Offset: offset}, true
		}
	}
	return best
}

// differ counts the unequal bits and the compared frames where frames from to to
// of p lie on those of q that are offset further.
func differ(p, q Print, from, to, offset int) (unequal, frames int) {
	words, masks := q.words[from+offset:to+offset], q.masks[from+offset:to+offset]
	for i, w := range p.words[from:to] {
		both := p.masks[from+i] & masks[i]
		unequal += bits.OnesCount32((w ^ words[i]) & both)
		frames += int(both & 1)
	}
	return unequal, frames
}

// Active returns how many frames of the print are active; 0 is no print.
func (p Print) Active() int { return p.count }

// printVersion begins the stored form of a print.
const printVersion = 1

// MarshalBinary returns the stored form: a version byte, the words in little-endian
// order, then a bit for each word (the lowest of a byte first) that is set where the
// word is active. Nothing is stored for the zero Print.
func (p Print) MarshalBinary() ([]byte, error) {
	if p.count == 0 {
		return nil, nil
	}
	out := make([]byte, 1, 1+4*len(p.words)+(len(p.words)+7)/8)
	out[0] = printVersion
	for _, w := range p.words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	active := make([]byte, (len(p.words)+7)/8)
	for i, m := range p.masks {
		active[i/8] |= byte(m&1) << (i % 8)
	}
	return append(out, active...), nil
}

// errPrint is what every damaged stored print is.
var errPrint = errors.New("a stored sound print is damaged; remember the sound again")

// UnmarshalBinary reads the form of MarshalBinary. Anything else is an error
// (FuzzPrint).
func (p *Print) UnmarshalBinary(data []byte) error {
	if len(data) == 0 {
		*p = Print{}
		return nil
	}
	if data[0] != printVersion {
		return fmt.Errorf("a stored sound print has version %d, this program reads %d; use a newer program", data[0], printVersion)
	}
	body := data[1:]
	n := len(body) * 8 / 33 // 4 bytes and a bit each
	if n < printActive || len(body) != 4*n+(n+7)/8 {
		return errPrint
	}
	read := Print{words: make([]uint32, n), masks: make([]uint32, n)}
	active := body[4*n:]
	for i := range n {
		read.words[i] = binary.LittleEndian.Uint32(body[4*i:])
		if active[i/8]>>(i%8)&1 == 1 {
			read.masks[i] = math.MaxUint32
			read.count++
		}
	}
	if read.count < printActive || n%8 != 0 && active[n/8]>>(n%8) != 0 {
		return errPrint
	}
	*p = read
	return nil
}
