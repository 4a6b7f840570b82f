#!/usr/bin/env bash
# Checks the types that clients are written against: the TypeScript of docs/http.md is
# compiled against the document of a running server, and the Python client is checked by
# pyright. The TypeScript SDK of MCP uses the tools, prompts and resources of a server. Installs
# all of them from npm the first time: 100 MB, into node_modules beside this file. Needs Node 20,
# python3 and bin/semlayer.
set -euo pipefail
cd "$(dirname "$0")"
../scripts/npm-ci.sh
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

../../bin/semlayer demo --bind 127.0.0.1:0 >"$work/demo.txt" 2>&1 &
server=$!
for _ in $(seq 200); do
	base=$(grep -o 'http://127\.0\.0\.1:[0-9]*' "$work/demo.txt" | head -1) && break
	sleep 0.1
done
[ -n "$base" ] || { cat "$work/demo.txt" >&2; exit 1; }
node document.mjs "$base" "$work/openapi.json"
node_modules/.bin/openapi-typescript "$work/openapi.json" -o "$work/semlayer.d.ts"
node snippet.mjs ../../docs/http.md "$work"
ln -s "$PWD/node_modules" "$work/node_modules"
compile() {
	node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler "$1"
}
compile "$work/snippet.ts"
# A column of the answer that does not exist is an error, or nothing was checked.
if compile "$work/wrong.ts" >"$work/wrong.txt"; then
	echo "the types of an answer are not checked" >&2
	exit 1
fi
grep -q "Property 'row_counts' does not exist" "$work/wrong.txt"
echo "docs/http.md: the TypeScript compiles"

node mcp.mjs ../../bin/semlayer "$work"

node_modules/.bin/pyright --project ../../clients/python/pyproject.toml
