#!/usr/bin/env bash
# Checks the types of the explorer, runs its tests, and builds it beside what is committed: the two have to be the same
# page. Packed files are compared unpacked, because releases of Node.js pack differently. Needs Node 20.
set -euo pipefail
cd "$(dirname "$0")/../../restapi/internal/explorer/ui"
../../../../tools/scripts/npm-ci.sh
npm run --silent check
npm test --silent
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node build.mjs "$work/built"

unpack() {
	mkdir "$2"
	for file in "$1"/*; do
		case $file in
		*.gz) gzip -dc "$file" >"$2/$(basename "$file" .gz)" ;;
		*) cp "$file" "$2" ;;
		esac
	done
}
unpack "$work/built" "$work/new"
unpack ../dist "$work/committed"
diff -rq "$work/committed" "$work/new" || {
	echo "restapi/internal/explorer/dist is not what its sources make: npm run build in restapi/internal/explorer/ui" >&2
	exit 1
}
