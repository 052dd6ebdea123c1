package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// A packed vector is its largest magnitude, a little-endian float32, and a code of
// packedBits for each number, the first in the lowest bits, little-endian: the
// number in steps of a 1,023rd of that magnitude, plus 1,023. The score of a vector
// with 384 numbers is off by 4e-5 in the root mean square (TestPackedScores), and
// seven fit into a page of 4,096 bytes where five of binary16 did
// (docs/decisions/0014-packed-vectors.md).
const (
	packedBits = 11
	packedZero = 1<<(packedBits-1) - 1
	packedMask = 1<<packedBits - 1
	scaleBytes = 4
)

// encodePacked packs windows one after the other. All must have dims finite numbers.
func encodePacked(windows [][]float32, dims int) ([]byte, error) {
	if dims == 0 {
		return nil, errors.New("a vector has no numbers")
	}
	data := make([]byte, 0, len(windows)*packedSize(dims))
	for i, w := range windows {
		if len(w) != dims {
			return nil, fmt.Errorf("window %d has %d numbers, not %d", i, len(w), dims)
		}
		scale, err := magnitude(w)
		if err != nil {
			return nil, fmt.Errorf("window %d: %w", i, err)
		}
		data = appendPacked(data, w, scale)
	}
	return data, nil
}

// packedSize is the length of one packed vector in bytes.
func packedSize(dims int) int { return scaleBytes + (dims*packedBits+7)/8 }

// magnitude is the largest absolute value of a vector.
func magnitude(vector []float32) (float32, error) {
	var largest float32
	for _, f := range vector {
		if f != f || math.IsInf(float64(f), 0) {
			return 0, fmt.Errorf("%v cannot be kept in a vector", f)
		}
		largest = max(largest, f, -f)
	}
	return largest, nil
}

func appendPacked(data []byte, vector []float32, scale float32) []byte {
	data = binary.LittleEndian.AppendUint32(data, math.Float32bits(scale))
	var held uint64 // codes that are not written yet
	bits := 0
	for _, f := range vector {
		code := packedZero
		if scale > 0 {
			code += int(math.RoundToEven(float64(f) / float64(scale) * packedZero))
		}
		held |= uint64(code) << bits
		for bits += packedBits; bits >= 8; bits -= 8 {
			data = append(data, byte(held))
			held >>= 8
		}
	}
	if bits > 0 {
		data = append(data, byte(held))
	}
	return data
}

// decodePacked unpacks so many windows of equal length. The number of bytes tells
// how many numbers each has: packedBits are more than a byte.
func decodePacked(data []byte, windows int) ([][]float32, error) {
	if windows <= 0 || len(data)%windows != 0 {
		return nil, fmt.Errorf("%d bytes are not %d packed vectors", len(data), windows)
	}
	size := len(data) / windows
	dims := (size - scaleBytes) * 8 / packedBits
	if dims <= 0 || packedSize(dims) != size {
		return nil, fmt.Errorf("%d bytes are not a packed vector", size)
	}
	numbers := make([]float32, windows*dims)
	out := make([][]float32, windows)
	for i := range out {
		packed := data[i*size : (i+1)*size]
		scale := math.Float32frombits(binary.LittleEndian.Uint32(packed))
		if !(scale >= 0 && scale <= math.MaxFloat32) {
			return nil, fmt.Errorf("%v is not the magnitude of a packed vector", scale)
		}
		out[i] = numbers[i*dims : (i+1)*dims : (i+1)*dims]
		unpack(out[i], packed[scaleBytes:], scale/packedZero)
	}
	return out, nil
}

func unpack(vector []float32, data []byte, step float32) {
	var held uint64
	bits := 0
	for i := range vector {
		for bits < packedBits {
			held |= uint64(data[0]) << bits
			data = data[1:]
			bits += 8
		}
		vector[i] = float32(int(held&packedMask)-packedZero) * step
		held >>= packedBits
		bits -= packedBits
	}
}
