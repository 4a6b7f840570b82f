#!/usr/bin/env bash
# Compares imported cubes with the compiler of Cube, the npm package
# @cubejs-backend/schema-compiler: both answer the queries of the cases of imports. Installs it
# the first time, into node_modules beside this file. Needs Node 20.
set -euo pipefail
cd "$(dirname "$0")"
../scripts/npm-ci.sh
SEMLAYER_CUBE_COMPILER=$PWD/compile.js
export SEMLAYER_CUBE_COMPILER
cd ../../integration
"${GO:-go}" test -count=1 -run '^TestImport_AgreesWithTheCompilerOfCube$' ./imports
