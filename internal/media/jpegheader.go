package media

import (
	"bytes"
	"encoding/binary"
)

// jpegHeader is what must be known of a JPEG before it is decoded.
type jpegHeader struct {
	progressive bool
	scans       int
	samples     float64 // decoded values a pixel, of all components: 1.5 for 4:2:0
}

// Markers of a JPEG (ITU-T T.81, table B.1).
const (
	markerSOF0 = 0xc0 // frames begin with SOF0 to SOF15, less DHT, JPG and DAC
	markerDHT  = 0xc4
	markerJPG  = 0xc8
	markerDAC  = 0xcc
	markerSOF2 = 0xc2 // progressive
	markerRST0 = 0xd0
	markerEOI  = 0xd9
	markerSOS  = 0xda
)

// readJPEGHeader walks over the segments of a JPEG. It is no decoder: what it does not
// understand it passes over, and the decoder finds the fault.
func readJPEGHeader(data []byte) jpegHeader {
	h := jpegHeader{samples: 1}
	for i := 2; i+4 <= len(data); {
		next := bytes.IndexByte(data[i:len(data)-3], 0xff) // over entropy-coded data
		if next < 0 {
			break
		}
		i += next
		marker := data[i+1]
		if marker == 0 || marker == 0xff || marker >= markerRST0 && marker <= markerEOI {
			i++ // stuffed, fill, or without a length
			continue
		}
		length := int(binary.BigEndian.Uint16(data[i+2:]))
		segment := data[i+4 : min(len(data), i+2+max(2, length))]
		switch {
		case marker == markerSOS:
			h.scans++
		case marker >= markerSOF0 && marker <= 0xcf && marker != markerDHT && marker != markerJPG && marker != markerDAC:
			h.progressive = h.progressive || marker == markerSOF2
			h.samples = max(h.samples, samplesOf(segment))
		}
		i += 2 + max(2, length)
	}
	return h
}

// samplesOf returns the decoded values a pixel of a frame header's components.
func samplesOf(frame []byte) float64 {
	const head, component = 6, 3 // precision, height, width, count; id, factors, table
	if len(frame) < head || len(frame) < head+component*int(frame[5]) {
		return 4 // the most: four components at full size
	}
	sum, largest := 0., 1.
	for c := range int(frame[5]) {
		factors := frame[head+component*c+1]
		size := float64(factors>>4) * float64(factors&15)
		sum += size
		largest = max(largest, size)
	}
	return sum / largest
}
