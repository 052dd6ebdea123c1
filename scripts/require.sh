#!/bin/sh
# Says in one sentence what is missing on this machine, and how to get it.
set -eu

say() {
	printf 'combray: %s\n' "$1" >&2
	exit 1
}

command -v go >/dev/null 2>&1 ||
	say 'Go 1.26 or newer is missing: install it from your system or from the Go project, and put it on PATH.'

want=$(sed -n 's/^go \([0-9.]*\)$/\1/p' go.mod)
have=$(go env GOVERSION | sed 's/^go//')
oldest=$(printf '%s\n%s\n' "$want" "$have" | sort -V | head -n 1)
[ "$oldest" = "$want" ] || say "Go $want or newer is needed, and this is Go $have: install a newer one and put it first on PATH."

cc=$(go env CC)
command -v "${cc%% *}" >/dev/null 2>&1 ||
	say 'a C compiler is missing (cgo needs it): on Debian, apt install gcc libc6-dev.'

[ "$(CGO_ENABLED= go env CGO_ENABLED)" = 1 ] || [ "${CGO_ENABLED:-}" = 1 ] ||
	say 'cgo is switched off: run again with CGO_ENABLED=1.'

printf '#include <stdlib.h>\nint main(void){return 0;}\n' >"${TMPDIR:-/tmp}/combray-cc-$$.c"
trap 'rm -f "${TMPDIR:-/tmp}/combray-cc-$$.c" "${TMPDIR:-/tmp}/combray-cc-$$"' EXIT
"${cc%% *}" -o "${TMPDIR:-/tmp}/combray-cc-$$" "${TMPDIR:-/tmp}/combray-cc-$$.c" 2>/dev/null ||
	say 'the C compiler does not find the C library: on Debian, apt install libc6-dev.'
