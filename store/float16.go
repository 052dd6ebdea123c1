package store

import (
	"encoding/binary"
	"fmt"
	"math"
)

// IEEE 754 binary16: a sign, five bits of exponent with bias 15, ten bits of
// fraction. Its largest number is 65,504, its smallest step 2^-24.
const (
	float16Bias     = 15
	float16Largest  = 65504
	float32Bias     = 127
	float32Fraction = 23
	droppedFraction = float32Fraction - 10
)

// toFloat16 rounds to the nearest binary16, ties to even. NaN, infinities and
// what would round to one are refused: no vector has them.
func toFloat16(f float32) (uint16, error) {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	bits &^= 1 << 31
	if !(math.Abs(float64(f)) < float16Largest+16) { // half a step above the largest rounds away; false for NaN
		return 0, fmt.Errorf("%v cannot be kept as a half-precision number", f)
	}
	exponent := int(bits>>float32Fraction) - float32Bias + float16Bias
	if exponent >= 1 {
		// Rounding may carry into the exponent, which then is the right one.
		bits = bits - (float32Bias-float16Bias)<<float32Fraction
		return sign | uint16(roundEven(bits, droppedFraction)), nil
	}
	shift := uint(droppedFraction + 1 - exponent)
	if shift > 31 {
		return sign, nil
	}
	fraction := bits&(1<<float32Fraction-1) | 1<<float32Fraction
	return sign | uint16(roundEven(fraction, shift)), nil
}

// roundEven drops low bits, to the nearest, ties to even.
func roundEven(n uint32, bits uint) uint32 {
	half := uint32(1) << (bits - 1)
	odd := n >> bits & 1
	return (n + half - 1 + odd) >> bits
}

// fromFloat16 is exact. The bits of exponent and fraction, moved into a float32,
// are the number divided by 2^112, below the normal numbers too.
func fromFloat16(h uint16) float32 {
	magnitude := math.Float32frombits(uint32(h&0x7fff)<<droppedFraction) * 0x1p112
	return math.Float32frombits(math.Float32bits(magnitude) | uint32(h&0x8000)<<16)
}

// encodeFloat16 writes a vector's numbers one after the other, little-endian.
func encodeFloat16(vector []float32) ([]byte, error) {
	data := make([]byte, 0, 2*len(vector))
	for _, f := range vector {
		h, err := toFloat16(f)
		if err != nil {
			return nil, err
		}
		data = binary.LittleEndian.AppendUint16(data, h)
	}
	return data, nil
}

// decodeFloat16 reads so many windows of equal length.
func decodeFloat16(data []byte, windows int) ([][]float32, error) {
	if windows <= 0 || len(data) == 0 || len(data)%(2*windows) != 0 {
		return nil, fmt.Errorf("%d bytes are not %d vectors", len(data), windows)
	}
	numbers := make([]float32, len(data)/2)
	for i := range numbers {
		numbers[i] = fromFloat16(binary.LittleEndian.Uint16(data[2*i:]))
	}
	dims := len(numbers) / windows
	out := make([][]float32, windows)
	for i := range out {
		out[i] = numbers[i*dims : (i+1)*dims : (i+1)*dims]
	}
	return out, nil
}
