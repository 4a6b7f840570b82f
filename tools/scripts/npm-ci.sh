#!/usr/bin/env bash
# Installs what package-lock.json of the folder it is started in names, into node_modules
# there, unless that has been done. Needs Node 20.
set -euo pipefail
lock=node_modules/.package-lock.json
if [ ! -f "$lock" ] || [ package-lock.json -nt "$lock" ]; then
	npm ci --no-fund --no-audit --ignore-scripts
	touch "$lock"
fi
