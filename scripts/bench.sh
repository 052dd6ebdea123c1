#!/bin/sh
# bench.sh BINARY: the figures of docs/BENCHMARKS.md. The real program over pipes,
# drawn and written to build/, then the benchmarks of the parts.
set -eu
"$1" bench -n "${N:-10000}" --out build/bench.json --svg build/bench.svg
go test -run '^$' -bench . -benchtime 1s ./encoder/... ./index/... ./internal/lexical ./store
