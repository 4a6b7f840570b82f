#!/usr/bin/env bash
# Parses the SQL that the corpus makes for Trino, Databricks, Redshift, PostgreSQL, Snowflake,
# Doris and StarRocks with third-party grammars, and the Go module integration/grammars does
# BigQuery. Installs the grammars from npm the first time: 70 MB, into node_modules beside this
# file. Needs Node 20.
#
# dt-sql-parser names folders in its imports, which Node does not resolve; bundling does.
set -euo pipefail
cd "$(dirname "$0")"
../scripts/npm-ci.sh
bundle=../../.cache/grammars.mjs
if [ ! -f "$bundle" ] || [ package-lock.json -nt "$bundle" ]; then
	mkdir -p ../../.cache
	node_modules/.bin/esbuild antlr.mjs --bundle --platform=node --format=esm --outfile="$bundle" --log-level=error
fi
exec node run.mjs "$@"
