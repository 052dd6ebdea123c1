//go:build linux || darwin

package kernel

import (
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// atEdge returns size bytes that end where memory may no longer be read.
func atEdge(t *testing.T, size int) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	room := (size + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, room+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatalf("mapping %d bytes: %v", room+page, err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(memory[room:], syscall.PROT_NONE); err != nil {
		t.Fatalf("closing the page behind the rows: %v", err)
	}
	return memory[room-size : room]
}

// edgeOf copies values to where they end at unreadable memory.
func edgeOf[T int8 | uint16 | int32 | uint32 | uint64 | float32](t *testing.T, values []T) []T {
	t.Helper()
	size := len(values) * int(unsafe.Sizeof(values[0]))
	edge := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(atEdge(t, size)))), len(values))
	copy(edge, values)
	return edge
}

// TestMappedEdge ends every slice at unreadable memory: a byte read or written
// beyond one ends the test program.
func TestMappedEdge(t *testing.T) {
	withEach(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for _, width := range shapes {
			query, signs := edgeOf(t, randomWords(rng, width)), edgeOf(t, randomWords(rng, 3*width))
			distances := edgeOf(t, make([]uint16, 3))
			Hamming(distances, query, signs)
			if want := wantHamming(query, signs); !slices.Equal(distances, want) {
				t.Errorf("Hamming, %d words: %v, want %v", width, distances, want)
			}
			alike, near := edgeOf(t, make([]uint16, width)), edgeOf(t, make([]uint32, width))
			if n := Within(near, alike, 0); n != width {
				t.Errorf("Within, %d distances: %d, want all", width, n)
			}
			scores := edgeOf(t, make([]float32, width))
			if n := AtLeast(near, scores, 0); n != width {
				t.Errorf("AtLeast, %d scores: %d, want all", width, n)
			}
			codes, codeRows := edgeOf(t, randomCodes(rng, width)), edgeOf(t, randomCodes(rng, 3*width))
			dots, rows := edgeOf(t, make([]int32, 3)), edgeOf(t, []uint32{2, 0, 2})
			for _, chosen := range [][]uint32{nil, rows} {
				DotInt8(dots, codes, codeRows, chosen)
				if want := wantDot(codes, codeRows, chosen); !slices.Equal(dots, want) {
					t.Errorf("DotInt8, %d codes, rows %v: %v, want %v", width, chosen, dots, want)
				}
			}
		}
	})
}
