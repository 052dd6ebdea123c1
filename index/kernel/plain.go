package kernel

import "math/bits"

// plainHamming is Hamming in Go, without its checks.
func plainHamming(dst []uint16, query []uint64, signs []uint64) {
	width := len(query)
	for i := range dst {
		row := signs[i*width : (i+1)*width]
		distance := 0
		for j, word := range query {
			distance += bits.OnesCount64(word ^ row[j])
		}
		dst[i] = uint16(distance)
	}
}

// plainDotInt8 is DotInt8 in Go, without its checks.
func plainDotInt8(dst []int32, query []int8, codes []int8, rows []uint32) {
	width := len(query)
	for i := range dst {
		at := i
		if rows != nil {
			at = int(rows[i])
		}
		dst[i] = plainDot(query, codes[at*width:(at+1)*width])
	}
}

// plainDot returns the dot product of two rows of the same length. Four sums
// run side by side because one addition would wait for the one before it, and
// the array pointers spare a bounds check for each code.
func plainDot(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	for len(a) >= 8 && len(b) >= 8 {
		x, y := (*[8]int8)(a), (*[8]int8)(b)
		s0 += int32(x[0])*int32(y[0]) + int32(x[4])*int32(y[4])
		s1 += int32(x[1])*int32(y[1]) + int32(x[5])*int32(y[5])
		s2 += int32(x[2])*int32(y[2]) + int32(x[6])*int32(y[6])
		s3 += int32(x[3])*int32(y[3]) + int32(x[7])*int32(y[7])
		a, b = a[8:], b[8:]
	}
	for i, x := range a {
		s0 += int32(x) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}

// plainWithin is Within in Go, without its checks.
func plainWithin(dst []uint32, distances []uint16, limit uint16) int {
	found := 0
	for i, distance := range distances {
		dst[found] = uint32(i)
		if distance <= limit {
			found++
		}
	}
	return found
}

// plainAtLeast is AtLeast in Go, without its checks.
func plainAtLeast(dst []uint32, scores []float32, least float32) int {
	found := 0
	for i, score := range scores {
		dst[found] = uint32(i)
		if score >= least {
			found++
		}
	}
	return found
}
