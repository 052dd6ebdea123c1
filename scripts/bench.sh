#!/bin/sh
# The figures of docs/BENCHMARKS.md: the real program over pipes, then the
# benchmarks of the parts.
set -eu
go run ./scripts/bench -n "${N:-10000}"
go test -run '^$' -bench . -benchtime 1s ./encoder/... ./index/... ./internal/lexical ./store
