#!/usr/bin/env bash
# Checks the types that clients are written against: the TypeScript of docs/http.md and
# docs/agents.md is compiled against the document of a running server, that of docs/agents.md
# is run, the clients of the generators that docs/http.md names are compiled, and the Python client is checked by pyright. The TypeScript SDK of MCP uses the tools, prompts and resources of a server. Installs
# all of them from npm the first time: 250 MB, into node_modules beside this file, and oapi-codegen as a Go module. Needs Node 20,
# Go, python3 and bin/semlayer.
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
node document.mjs "$base" "$work"
node_modules/.bin/openapi-typescript "$work/openapi.json" -o "$work/semlayer.d.ts"
ln -s "$PWD/node_modules" "$work/node_modules"
compile() {
	node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler "$1"
}
# check_page PAGE READ MISSPELT: the TypeScript of a page compiles. A member of a response that does
# not exist is an error, or nothing was checked.
check_page() {
	node snippet.mjs "../../docs/$1" "$work" "$2" "$3"
	compile "$work/snippet.ts"
	if compile "$work/wrong.ts" >"$work/wrong.txt"; then
		echo "the types of an answer are not checked" >&2
		exit 1
	fi
	grep -q "Property '${3##*.}' does not exist" "$work/wrong.txt"
	echo "docs/$1: the TypeScript compiles"
}
check_page http.md 'data?.rows' 'data?.row_counts'
check_page agents.md 'regions.data?.values' 'regions.data?.value_list'

# The program asks the demo: its one row is the revenue of a region.
sed "s#http://localhost:8081#$base#" "$work/snippet.ts" >"$work/run.mts"
node_modules/.bin/tsc --skipLibCheck --target es2022 --module esnext --moduleResolution bundler "$work/run.mts"
node "$work/run.mjs" >"$work/rows.txt"
grep -Eq "revenue: [0-9]+" "$work/rows.txt" || { cat "$work/rows.txt" >&2; exit 1; }
echo "docs/agents.md: the TypeScript runs"

# The clients that generators make compile.
generated() { node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022 --lib es2022,dom,dom.iterable --module esnext --moduleResolution bundler "$@"; }
DOCUMENTS="$work" node_modules/.bin/orval --config orval.config.mjs
generated "$work/orval-openapi.ts"
generated "$work/orval-openapi-3.0.ts"
node_modules/.bin/openapi-ts -i "$work/openapi.json" -o "$work/hey" --no-log-file
generated "$work/hey/index.ts"
mkdir "$work/go"
(
	cd "$work/go"
	export GOWORK=off GOFLAGS=-mod=mod
	printf 'module generated\n\ngo 1.26.0\n' >go.mod
	go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package semlayer -o semlayer.go ../openapi-3.0.json
	go mod tidy
	go build ./...
)
echo "docs/http.md: the generated clients compile"

node mcp.mjs ../../bin/semlayer "$work"

node_modules/.bin/pyright --project ../../clients/python/pyproject.toml
