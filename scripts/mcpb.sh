#!/usr/bin/env bash
# Packs build/combray as an .mcpb bundle and has the official tool validate it
# where npm is there. MCPB_URL, the address it will be published at, adds
# build/server.json for the registry.
# usage: scripts/mcpb.sh BINARY
set -euo pipefail
binary=$(realpath "$1")
cd "$(dirname "$0")/.."
readonly tool=@anthropic-ai/mcpb@2.1.2

# The library that this machine uses goes into the bundle, so that it finds by
# meaning from the first start.
library=$("$binary" models list --json | sed -n 's/.*"name":"onnxruntime"[^}]*"state":"installed"[^}]*"path":"\([^"]*\)".*/\1/p')
bundle=$(go run ./scripts/mcpb -binary "$binary" -library "$library" -out build -url "${MCPB_URL:-}")
again=$(go run ./scripts/mcpb -binary "$binary" -library "$library" -out build/again)
cmp "$bundle" "$again" || { echo 'mcpb: two runs gave different bytes' >&2; exit 1; }
rm -rf build/again

if command -v npm >/dev/null && command -v node >/dev/null; then
	folder=$(mktemp -d)
	trap 'rm -rf "$folder"' EXIT
	npm install --silent --no-audit --no-fund --prefix "$folder" "$tool"
	node "$folder/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js" unpack "$bundle" "$folder/bundle" >/dev/null
	node "$folder/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js" validate "$folder/bundle/manifest.json"
else
	echo 'mcpb: not validated by the official tool: npm is not there' >&2
fi
echo "$bundle"
