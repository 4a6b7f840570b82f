#!/usr/bin/env bash
# Runs the tests that need TiDB against a server that is built from its Go module the first time,
# into .cache/tidb. A server that SEMLAYER_TIDB_URL names is used instead.
#
# The parser of TiDB is a separate module that the server's go.mod replaces by a folder: both are
# downloaded and laid together.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/scripts/await.sh
go=${GO:-go}
at=20251126154744-e4e814fdc0af
built=$PWD/.cache/tidb/tidb-server-$at

source_of() { # MODULE@VERSION: the folder that Go keeps it in
	GOWORK=off GOFLAGS=-mod=mod "$go" mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'
}

build() {
	local work
	work=$(mktemp -d)
	cp -r "$(cd / && source_of "github.com/pingcap/tidb@v1.1.0-beta.0.$at")/." "$work"
	chmod -R u+w "$work"
	rm -rf "$work/pkg/parser"
	cp -r "$(cd / && source_of "github.com/pingcap/tidb/pkg/parser@v0.0.0-$at")" "$work/pkg/parser"
	chmod -R u+w "$work"
	mkdir -p "$(dirname "$built")"
	(cd "$work" && GOWORK=off "$go" build -o "$built" ./cmd/tidb-server)
	rm -rf "$work"
}

if [ -z "${SEMLAYER_TIDB_URL-}" ]; then
	[ -x "$built" ] || build
	port=${TIDB_PORT:-14000}
	data=$(mktemp -d)
	# The server writes tidb-slow.log into the folder that it is started in.
	(cd "$data" && exec "$built" -host 127.0.0.1 -P "$port" -status "$((port + 1))" -store unistore -path "$data" -socket "" >log 2>&1) &
	server=$!
	trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$data"' EXIT
	await "$port" "$server" || { tail -n 20 "$data/log" >&2; exit 1; }
	export SEMLAYER_TIDB_URL="mysql://root:@127.0.0.1:$port"
fi
"$go" test -count=1 -timeout 60m -run TiDB ./executor/mysql ./integration
"$go" test -count=1 -timeout 60m ./integration/properties
