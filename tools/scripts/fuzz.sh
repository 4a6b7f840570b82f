#!/usr/bin/env bash
# fuzz.sh TIME MODULE...: every fuzz target for TIME, one after the other, because
# the go command fuzzes one target of one package at a time.
set -euo pipefail
cd "$(dirname "$0")/../.."
time=$1
shift
failed=
for package in $(tools/scripts/having.sh '^func Fuzz' "$@"); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$package"/*_test.go); do
		echo "fuzz $package $target"
		"${GO:-go}" test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" || failed+=" $package.$target"
	done
done
if [ -n "$failed" ]; then
	echo "fuzz: failures in$failed" >&2
	exit 1
fi
