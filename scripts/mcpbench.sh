#!/usr/bin/env bash
# Runs the black-box protocol bench over stdio against the built binary.
# usage: scripts/mcpbench.sh FOLDER [arguments of stdio.py]
# FOLDER holds stdio.py. The configuration is scripts/bench.json and one slow
# call, which is written here because it is long: a batch of texts to embed.
set -euo pipefail
folder=${1:?name the folder of the bench}
shift
here=$(cd "$(dirname "$0")/.." && pwd)
config=$(mktemp)
trap 'rm -f "$config"' EXIT
python3 - "$here/scripts/bench.json" "${SLOW_ITEMS:-60}" >"$config" <<'PYTHON'
import json, sys
config = json.load(open(sys.argv[1]))
text = "A note of the usual length about the heron, the weir and the mill, number {}, written to be embedded."
items = [{"content": text.format(i)} for i in range(int(sys.argv[2]))]
config["slow"] = {"name": "remember_many", "arguments": {"items": items}, "max_s": 4}
json.dump(config, sys.stdout)
PYTHON
"${MCPBENCH_PY:-python3}" "$folder/stdio.py" --cmd "$here/build/combray mcp --profile full --db {tmp}/m.db" \
	--env COMBRAY_SECRETS=redact --config "$config" "$@"
