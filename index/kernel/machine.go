//go:build cgo

package kernel

/*
#cgo CFLAGS: -O3
#cgo noescape combray_hamming
#cgo nocallback combray_hamming
#cgo noescape combray_dot_int8
#cgo nocallback combray_dot_int8
#cgo noescape combray_within
#cgo nocallback combray_within
#cgo noescape combray_at_least
#cgo nocallback combray_at_least
#include "machine.h"
*/
import "C"

import "unsafe"

// machine returns the C kernels that this processor can run, the fastest first.
func machine() []implementation {
	var found []implementation
	for number := range int(C.combray_kernels()) {
		if name := C.combray_kernel_name(C.size_t(number)); name != nil {
			found = append(found, implementation{name: C.GoString(name), number: number})
		}
	}
	return found
}

// machineHamming is Hamming in C, without its checks; no slice may be empty.
func machineHamming(number int, dst []uint16, query []uint64, signs []uint64) {
	C.combray_hamming(C.size_t(number), C.struct_combray_hamming{
		dst:   (*C.uint16_t)(unsafe.SliceData(dst)),
		query: (*C.uint64_t)(unsafe.SliceData(query)),
		signs: (*C.uint64_t)(unsafe.SliceData(signs)),
		count: C.size_t(len(dst)),
		words: C.size_t(len(query)),
	})
}

// machineDotInt8 is DotInt8 in C, without its checks; only rows may be empty.
func machineDotInt8(number int, dst []int32, query []int8, codes []int8, rows []uint32) {
	C.combray_dot_int8(C.size_t(number), C.struct_combray_dot{
		dst:   (*C.int32_t)(unsafe.SliceData(dst)),
		query: (*C.int8_t)(unsafe.SliceData(query)),
		codes: (*C.int8_t)(unsafe.SliceData(codes)),
		rows:  (*C.uint32_t)(unsafe.SliceData(rows)),
		count: C.size_t(len(dst)),
		width: C.size_t(len(query)),
	})
}

// machineWithin is Within in C, without its checks; distances may not be empty.
func machineWithin(number int, dst []uint32, distances []uint16, limit uint16) int {
	return int(C.combray_within(C.size_t(number), C.struct_combray_within{
		dst:       (*C.uint32_t)(unsafe.SliceData(dst)),
		distances: (*C.uint16_t)(unsafe.SliceData(distances)),
		count:     C.size_t(len(distances)),
		limit:     C.uint16_t(limit),
	}))
}

// machineAtLeast is AtLeast in C, without its checks; scores may not be empty.
func machineAtLeast(number int, dst []uint32, scores []float32, least float32) int {
	return int(C.combray_at_least(C.size_t(number), C.struct_combray_at_least{
		dst:    (*C.uint32_t)(unsafe.SliceData(dst)),
		scores: (*C.float)(unsafe.SliceData(scores)),
		count:  C.size_t(len(scores)),
		least:  C.float(least),
	}))
}
