package index

import "math"

// maxCode is the largest int8 code; -128 is left out so that codes are symmetric.
const maxCode = 127

// dot returns the dot product of two vectors of the same length in float64.
func dot(a, b []float32) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i]) * float64(b[i])
		s1 += float64(a[i+1]) * float64(b[i+1])
		s2 += float64(a[i+2]) * float64(b[i+2])
		s3 += float64(a[i+3]) * float64(b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i]) * float64(b[i])
	}
	return s0 + s1 + s2 + s3
}

// centred sets dst to v less mean, made length 1, and returns the length it had.
// A v that is the mean gives zeros and 0.
func centred(dst, v, mean []float32) float64 {
	for i, x := range v {
		dst[i] = x - mean[i]
	}
	length := math.Sqrt(dot(dst, dst))
	if length < 1e-6 { // below the rounding of float32 in v
		clear(dst)
		return 0
	}
	inverse := float32(1 / length)
	for i := range dst {
		dst[i] *= inverse
	}
	return length
}

// quantize sets codes to unit in steps of the returned scale, so that
// unit[i] ≈ scale*codes[i]. The error of a cosine is 0.0005 on average.
func quantize(codes []int8, unit []float32) (scale float32) {
	largest := largestOf(unit)
	if largest == 0 {
		clear(codes)
		return 0
	}
	steps := maxCode / largest
	codes = codes[:len(unit)]
	for i, x := range unit {
		codes[i] = roundCode(float32(x * steps)) // rounded before a half is added, on every processor
	}
	return largest / maxCode
}

// signBit is that of a float32; without it, greater numbers have greater bits.
const signBit = 1 << 31

// largestOf returns the greatest absolute value of v.
func largestOf(v []float32) float32 {
	largest := uint32(0)
	for _, x := range v {
		largest = max(largest, math.Float32bits(x)&^signBit)
	}
	return math.Float32frombits(largest)
}

// roundCode rounds half away from zero. x is at most maxCode, give or take.
func roundCode(x float32) int8 {
	half := math.Float32frombits(math.Float32bits(x)&signBit | math.Float32bits(0.5))
	return int8(min(max(int32(x+half), -maxCode), maxCode))
}

// signsOf sets signs to one bit a code, set for codes above zero. Signs are made
// from codes, not from numbers, so that they can be made from a file of codes.
func signsOf(signs []uint64, codes []int8) {
	for w := range signs {
		part := codes[w*64 : min(w*64+64, len(codes))]
		word := uint64(0)
		for i, code := range part {
			word |= uint64(-int64(code)) >> 63 << i
		}
		signs[w] = word
	}
}
