#!/bin/sh
# What takes longer than the gate allows: fuzzing, crash loops, long random runs,
# side-by-side benchmarks, whole turns of real agents, known vulnerabilities.
set -eu
COMBRAY_SLOW=1 go test -timeout 120m ./...
for package in $(go list ./...); do
	for fuzz in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		go test -run '^$' -fuzz "^$fuzz\$" -fuzztime "${FUZZTIME:-30s}" "$package"
	done
done
scripts/clients.sh agents build/combray
go run ./cmd/combray bench sense --ablate
go run golang.org/x/vuln/cmd/govulncheck@latest ./...
