# Combray. `make demo` sets everything up and shows the main job; `make test`
# passes the tests. Both may be run again and again.

BINARY := build/combray
GO     ?= go

.PHONY: help setup build demo run test check race smoke slow clients clients-quick bench bench-sense eval versus mcpb docs clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*##' Makefile | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: ## tools checked, modules, the runtime library, the binary
	@scripts/require.sh
	@$(GO) mod download
	@$(MAKE) --no-print-directory build
	@$(BINARY) models download onnxruntime

build: ## the binary, build/combray
	@mkdir -p build
	@$(GO) build -trimpath -o $(BINARY) ./cmd/combray

demo: setup ## notes in fourteen languages stored, and found across languages
	@scripts/demo.sh $(BINARY)

run: setup ## the MCP server on standard input and output
	@$(BINARY) mcp

test: setup ## every test that needs no long time
	@$(GO) test -shuffle=on ./...

check: ## the gate: format, vet, staticcheck, race, generated files, smoke run
	@.ci/run

slow: setup ## fuzzing, crash loops, long random runs, side-by-side benchmarks
	@scripts/slow.sh

clients: setup ## real MCP clients: SDKs, inspector, conformance suite, whole turns of three agents
	@scripts/clients.sh all $(BINARY)

clients-quick: setup ## the same without the agents, which are 900 MB to fetch
	@scripts/clients.sh quick $(BINARY)

bench: setup ## the figures of docs/BENCHMARKS.md (N: memories, 10,000)
	@scripts/bench.sh $(BINARY)

bench-sense: setup ## what comes back unasked on five invented years, and with each part switched off (LIVES: streams instead)
	@$(BINARY) bench sense --ablate $(LIVES)

eval: setup ## retrieval quality on the evaluation data beside the checkout
	@$(GO) run ./scripts/eval $(EVAL)

versus: setup ## beside other engines, each in one run (WITH: vectors, words, tokenizer, history; TEXT: a file of lines)
	@scripts/versus.sh $(WITH)

mcpb: setup ## the bundle that clients install with a double click
	@scripts/mcpb.sh $(BINARY)

docs: ## generated files
	@$(GO) generate ./...

clean: ## what was built here; models and memories stay
	@rm -rf build
