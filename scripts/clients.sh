#!/usr/bin/env bash
# Real MCP clients against the built binary. They come from the package
# registries at the versions of scripts/clients/, into a folder of their own, and
# reach nothing but this machine when they run.
# usage: scripts/clients.sh quick|agents|all BINARY
#   quick   SDKs of both TypeScript lines and of Python, the inspector, the conformance suite
#   agents  a whole turn each of Claude Code, Codex and Gemini CLI with a scripted model
# COMBRAY_CLIENTS is the folder; else build/clients.
set -euo pipefail
part=${1:-} binary=$(realpath "${2:-build/combray}")
case $part in
quick) tests=({typescript,python,inspector,conformance}.test.mjs) ;;
agents) tests=(agents.test.mjs) ;;
all) tests=({typescript,python,inspector,conformance,agents}.test.mjs) ;;
*) echo 'clients: name quick, agents or all, and the binary' >&2 && exit 2 ;;
esac
folder=${COMBRAY_CLIENTS:-$(dirname "$0")/../build/clients}
mkdir -p "$folder"
folder=$(realpath "$folder")
cd "$(dirname "$0")/clients"

# fetched FOLDER LIST COMMAND... runs COMMAND unless it has succeeded for the same LIST.
fetched() {
	local mark=$1/.fetched list=$2
	shift 2
	cmp -s "$list" "$mark" && return
	"$@" || { printf 'clients: not fetched: %s\n' "$list" >&2; exit 1; }
	cp "$list" "$mark"
}

npm_packages() {
	mkdir -p "$folder/$1"
	cp "$1/package.json" "$1/package-lock.json" "$folder/$1"
	fetched "$folder/$1" "$1/package-lock.json" \
		npm install --prefix "$folder/$1" --ignore-scripts --no-audit --no-fund --loglevel=error
}

npm_packages .
[ "$part" = agents ] || fetched "$folder/python" requirements.txt \
	env PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder/python" --upgrade --requirement requirements.txt
[ "$part" = quick ] || npm_packages agents

# Node from the registry where it is there for this machine: systems have older ones.
for bin in "$folder"/node_modules/node-linux-*/bin; do
	[ -d "$bin" ] && PATH=$bin:$PATH
done

# A module is looked for beside the file that names it.
cp ./*.mjs ./*.py ./*.yml ../bench.json "$folder"
cd "$folder"
COMBRAY=$binary PYTHONPATH=$folder/python \
	node --test --test-concurrency=1 --test-reporter=spec "${tests[@]}"
