#!/usr/bin/env bash
# Runs the tests that need ClickHouse against its engine: clickhouse-shim.sh starts it, and this
# script ends it. A server that SEMLAYER_CLICKHOUSE_URL names is used instead.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/scripts/await.sh
if [ -z "${SEMLAYER_CLICKHOUSE_URL-}" ]; then
	port=${CLICKHOUSE_PORT:-18123}
	tools/scripts/clickhouse-shim.sh "$port" &
	server=$!
	trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
	# The first start fetches half a gigabyte.
	await "$port" "$server" || await "$port" "$server"
	export SEMLAYER_CLICKHOUSE_URL="http://default:secret@127.0.0.1:$port"
fi
"${GO:-go}" test -count=1 -timeout 30m ./executor/clickhouse ./integration/types ./integration/properties ./integration/compositions
"${GO:-go}" test -count=1 -timeout 30m -run 'TestRefresh|TestFreshRows' ./engine
"${GO:-go}" test -count=1 -timeout 30m -run 'OnClickHouse|OnEveryEngine/clickhouse' ./integration
