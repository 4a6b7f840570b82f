#!/usr/bin/env bash
# Compares the parser of LookML with that of the npm package lookml-parser, on the files of
# the tests of imports. Installs it the first time, into node_modules beside this file. Needs
# Node 20.
set -euo pipefail
cd "$(dirname "$0")"
../scripts/npm-ci.sh
SEMLAYER_LOOKML_PARSER=$PWD/node_modules/lookml-parser/cli.js
export SEMLAYER_LOOKML_PARSER
cd ../../modelspec
"${GO:-go}" test -count=1 -run '^TestParse_AgreesWithTheNodeParser$' ./importer/lookml
