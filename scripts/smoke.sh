#!/usr/bin/env bash
# Drives the real program over stdio with real text, in both protocol eras, with
# debug logging on, and checks that every line of its output is the protocol's.
set -euo pipefail
combray=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export COMBRAY_DB=$folder/smoke.db COMBRAY_LOG=debug

fail() {
	printf 'smoke: %s\n' "$1" >&2
	cat "$folder"/out "$folder"/log >&2
	exit 1
}

call() { printf '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2" "$3"; }

{
	echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"smoke","version":"1"}}}'
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
	echo '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
	call 3 remember '{"content":"The spare key hangs behind the blue flowerpot","tags":["home"]}'
	call 4 remember '{"content":"Ирина одолжила мне роман о полярной экспедиции","source":"дневник"}'
	call 5 remember '{"content":"予算会議は木曜日の午後に移った"}'
	call 6 recall '{"query":"wo ist der Ersatzschlüssel?","limit":1}'
	call 7 recall '{"query":"который роман мне одолжили?","limit":1}'
	call 8 recall '{"query":"会議","limit":1,"mode":"lexical"}'
	call 9 remember '{}'
	echo 'this is not JSON'
	printf '%s' '{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"recall","arguments":{"query":"key"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
} | "$combray" mcp >"$folder/out" 2>"$folder/log" || fail "the server ended with an error"

expect() { grep -q "$1" "$folder/out" || fail "no answer holds $1"; }
if grep -qv '^{"jsonrpc":"2.0"' "$folder/out"; then fail "a line of the output is not JSON-RPC"; fi
for id in 1 2 3 4 5 6 7 8 9 10; do expect "\"id\":$id[,}]"; done
grep '"id":6[,}]' "$folder/out" | grep -q 'blue flowerpot' || fail "the key was not found from German"
grep '"id":6[,}]' "$folder/out" | grep -q '"vectors":"ran"' || fail "the vectors lane did not run"
grep '"id":7[,}]' "$folder/out" | grep -q 'полярной' || fail "the novel was not found"
grep '"id":8[,}]' "$folder/out" | grep -q '木曜日' || fail "the meeting was not found by words"
grep '"id":9[,}]' "$folder/out" | grep -q '"isError":true' || fail "a call without content was not refused"
"$combray" --log warn check >/dev/null || fail "check found a fault"
printf 'smoke: every answer came, and every line is the protocol'"'"'s\n'
