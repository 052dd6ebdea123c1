#!/bin/sh
# The packages that the race detector runs over in the gate: those with
# goroutines. The encoder's C code and the commands are left to make slow.
go list ./... | grep -E '^combray/(index|store|tools|internal/memory|internal/httpapi|internal/local|internal/models|encoder/tokenizer)$'
