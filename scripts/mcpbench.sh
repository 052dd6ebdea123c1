#!/usr/bin/env bash
# Runs the black-box protocol bench against the built binary, over stdio or HTTP.
# usage: scripts/mcpbench.sh FOLDER [stdio|http] [arguments of stdio.py or http.py]
# FOLDER holds stdio.py and http.py. The configuration is scripts/bench.json and
# one slow call, which is written here because it is long: a batch of texts to embed.
set -euo pipefail
folder=${1:?name the folder of the bench}
shift
transport=stdio
case ${1:-} in stdio | http) transport=$1 && shift ;; esac
here=$(cd "$(dirname "$0")/.." && pwd)
python=${MCPBENCH_PY:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 - "$here/scripts/bench.json" "${SLOW_ITEMS:-60}" >"$work/config" <<'PYTHON'
import json, sys
config = json.load(open(sys.argv[1]))
text = "A note of the usual length about the heron, the weir and the mill, number {}, written to be embedded."
items = [{"content": text.format(i)} for i in range(int(sys.argv[2]))]
config["slow"] = {"name": "remember_many", "arguments": {"items": items}, "max_s": 4}
json.dump(config, sys.stdout)
PYTHON
combray=$here/build/combray
# The bench gives each server an empty home, and meaning needs the library of this one.
library=${COMBRAY_ORT_LIB:-$("$combray" models list --json | sed -n 's/.*"name":"onnxruntime"[^}]*"state":"installed"[^}]*"path":"\([^"]*\)".*/\1/p')}
[ -n "$library" ] || { echo 'mcpbench: run make setup first: there is no ONNX Runtime library' >&2; exit 1; }
if [ "$transport" = stdio ]; then
	"$python" "$folder/stdio.py" --cmd "$combray mcp --profile full --db {tmp}/m.db" \
		--env COMBRAY_SECRETS=redact --env "COMBRAY_ORT_LIB=$library" --config "$work/config" "$@"
	exit
fi

# Two runs: R14 needs a limit of calls a minute, which R18, with more calls than
# that, would run into. R02.no_other_routes knows no /healthz that may answer
# without a token, which the contract asks for; internal/httpapi
# TestNoDoorWithoutToken holds what it says, and that nothing else answers.
token=$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n')
(umask 077 && printf '%s\n' "$token" >"$work/token")
over_http() {
	"$python" "$folder/http.py" --cmd "$combray serve --listen 127.0.0.1:{port} --profile full --db {tmp}/m.db" \
		--token "$token" --env "COMBRAY_TOKEN_FILE=$work/token" --env COMBRAY_SECRETS=redact --env "COMBRAY_ORT_LIB=$library" --config "$work/config" \
		--public-cmd "$combray serve --listen 0.0.0.0:{port} --expose" \
		--readonly-cmd "$combray serve --listen 127.0.0.1:{port} --profile full --read-only --db {tmp}/m.db" "$@"
}
over_http --env COMBRAY_LIMIT_CALLS=300 --skip 'R18|R02.no_other_routes' "$@"
over_http --env COMBRAY_LIMIT_CALLS=100000 --sections rules --only R18 "$@"
