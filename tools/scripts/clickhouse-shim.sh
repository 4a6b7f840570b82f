#!/usr/bin/env bash
# Starts ClickHouse's engine behind HTTP on 127.0.0.1, for the tests that need it, and
# stays in the foreground. Fetches the engine from npm the first time: half a gigabyte,
# into .cache/chdb. Needs Node 20.
#
#	tools/scripts/clickhouse-shim.sh [port] &
#	SEMLAYER_CLICKHOUSE_URL=http://default:secret@127.0.0.1:8123 make test MODULES="executor integration"
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
engine=${CHDB_DIR:-$here/../../.cache/chdb}
if [ ! -d "$engine/node_modules/chdb" ]; then
	npm install --prefix "$engine" --no-fund --no-audit chdb@3.4.0 @chdb/lib-linux-x64-gnu@26.7.3-stable.1
fi
exec node "$here/clickhouse-shim.mjs" "$engine" "${1:-8123}"
