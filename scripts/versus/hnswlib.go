//go:build hnswlib

package main

// #cgo CXXFLAGS: -O3 -std=c++14 -march=native
// #include <stdlib.h>
// #include "hnswlib.h"
import "C"

import (
	"context"
	"fmt"
	"unsafe"
)

// hnswlibEngine is hnswlib of Debian, built for this processor.
var hnswlibEngine = engine{"hnswlib M 16 efC 200", func(ctx context.Context, c *cloud) (*built, error) {
	index := C.versus_hnsw_new(dims, C.size_t(len(c.vectors)), 16, 200)
	if index == nil {
		return nil, fmt.Errorf("no memory for %d vectors", len(c.vectors))
	}
	for i, v := range c.vectors {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if C.versus_hnsw_add(index, (*C.float)(unsafe.SliceData(v)), C.size_t(i)) != 0 {
			return nil, fmt.Errorf("vector %d was not taken", i)
		}
	}
	b := &built{bytes: int64(C.versus_hnsw_bytes(index)), close: func() error { C.versus_hnsw_free(index); return nil }}
	for _, ef := range []int{50, 100, 200, 400, 800} {
		b.searches = append(b.searches, search{fmt.Sprint("ef ", ef), func(_ context.Context, question []float32) ([]int32, error) {
			found := make([]int32, hits)
			n := C.versus_hnsw_search(index, (*C.float)(unsafe.SliceData(question)), C.size_t(ef), hits, (*C.int)(unsafe.Pointer(unsafe.SliceData(found))))
			return found[:n], nil
		}})
	}
	return b, nil
}}
