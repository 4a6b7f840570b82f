#!/usr/bin/env bash
# Times Cube and Malloy beside semlayer, and writes docs/peers.json. Installs both from
# npm the first time: 350 MB, into node_modules beside this file. Needs Node 20 and Go.
#
# package.json holds antlr4ts back, which Malloy needs: the version that its range finds
# lacks files.
set -euo pipefail
cd "$(dirname "$0")"
../scripts/npm-ci.sh
mkdir -p ../../.cache
"${GO:-go}" build -o ../../.cache/competitor ../../integration/benchmarks/competitor
exec node run.mjs ../../.cache/competitor "${1:-../../docs/peers.json}"
