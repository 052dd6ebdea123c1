//go:build !hnswlib

package main

import (
	"context"
	"fmt"
)

// hnswlibEngine stands for one that was not built in.
var hnswlibEngine = engine{"hnswlib", func(context.Context, *cloud) (*built, error) {
	return nil, fmt.Errorf("%w: on Debian, apt install libhnswlib-dev, and build with -tags hnswlib", errLeftOut)
}}
